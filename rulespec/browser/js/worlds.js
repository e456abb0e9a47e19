/**
 * States that a seat holds possible: made of what the seat saw, and of nothing else.
 *
 * A world is a play by the rules in which the seat would have observed just what it did. Its chance is drawn anew;
 * where it then shows the seat something else, the outcomes are mended by exchanging what came up for what was
 * seen, and the play is run again. What cannot be mended within a bounded effort is dropped.
 */

const WORLDS = 8;
const EFFORT = 240;
const AFRESH = 60;
const MOST_TRIED = 400;

export class Worlds {
  /**
   * `view` is what the seat knows: `seat`, the sights that it has `seen`, and of the actions between them what it
   * `observed`, each as `{text, action, spoken}`; the action is null if part of it is secret.
   * @param {Game} game @param {Required<View>} view @param {Random} random */
  constructor(game, view, random) {
    this.game = game;
    this.view = view;
    this.random = random;
  }

  /** Up to eight states that agree with all that was seen, within a time in milliseconds; perhaps none. @param {number} milliseconds */
  states(milliseconds) {
    const found = [], end = performance.now() + milliseconds;
    for (let i = 0; i < WORLDS && (!i || performance.now() < end); i++) {
      const state = this.#followed(end);
      if (state) found.push(state);
    }
    return found;
  }

  /** @param {number} end */
  #followed(end) {
    let found = this.#run([]);
    for (let attempt = 1; attempt <= EFFORT && !found.state; attempt++) {
      if (performance.now() > end) return null;
      const again = this.#run(attempt % AFRESH ? this.#mended(found) : []);
      if (again.state || attempt % AFRESH === 0 || again.plies > found.plies || (again.plies === found.plies && again.changes.length <= found.changes.length)) found = again;
    }
    return found.state || null;
  }

  /** A play whose chance begins with these outcomes: its last state, or how far it came and what it showed.
   * @param {string[]} given @returns {Followed} */
  #run(given) {
    const { game, view } = this, chance = { random: this.random, given: [...given], outcomes: /** @type {string[]} */ ([]) };
    let state = /** @type {State | null} */ (null);
    for (let ply = 0; ply < view.seen.length; ply++) {
      const before = [...chance.outcomes];
      try {
        const action = state && this.#alike(state, ply);
        if (state && !action) return { plies: ply, changes: [], outcomes: before, good: before, spoken: ply, at: state };
        state = state && action ? game.play(state, action, chance) : game.start(chance);
      } catch {
        return { plies: ply, changes: [], outcomes: before, good: before };
      }
      const shown = game.sight(state, view.seat);
      if (shown.text !== view.seen[ply].text) {
        return { plies: ply, changes: game.differences(shown, view.seen[ply]), outcomes: chance.outcomes, good: before };
      }
    }
    return { state, plies: view.seen.length, changes: [], outcomes: chance.outcomes, good: chance.outcomes };
  }

  /** A legal action of which the seat would have observed the same, at random.
   * @param {State} state @param {number} ply @returns {Action | null} */
  #alike(state, ply) {
    const { game, view } = this, { text, action } = view.observed[ply - 1];
    if (action) return game.isLegal(state, action) ? action : null;
    const alike = game.legal(state).slice(0, MOST_TRIED).filter((move) => game.observed(state, move, view.seat) === text);
    return alike[Math.floor((this.random() / 4294967296) * alike.length)] || null;
  }

  /** Outcomes in which what was shown wrongly has changed places with what was seen. @param {Followed} miss */
  #mended(miss) {
    const done = new Set();
    let outcomes = miss.outcomes;
    /** @param {string | null} one @param {string | null} other */
    const exchange = (one, other) => {
      if (!one || !other || one === other || done.has(one) || done.has(other)) return;
      done.add(one).add(other);
      outcomes = outcomes.map((text) => exchanged(text, one, other));
    };
    for (const { kind, before, after } of miss.changes) if (kind) exchange(before, after);
    if (miss.spoken) this.#displaced(miss, exchange);
    return done.size ? outcomes : miss.good;
  }

  /** Put what an action speaks of at one hidden place, drawn at random.
   * @param {Followed} miss @param {(one: string | null, other: string | null) => void} exchange */
  #displaced(miss, exchange) {
    const { game, view } = this, ply = miss.spoken || 0, visible = new Set(game.seen(view.seen[ply - 1]));
    const listed = game.hidden(/** @type {State} */ (miss.at)).map((place) => place.filter((text) => !visible.has(text)));
    const lying = new Set(listed.flat()), spoken = view.observed[ply - 1].spoken.filter((text) => lying.has(text));
    const usable = listed.filter((place) => place.length && !spoken.every((text) => place.includes(text)));
    if (!usable.length) return;
    const place = usable[Math.floor((this.random() / 4294967296) * usable.length)];
    const room = place.filter((text) => !spoken.includes(text)).sort(() => this.random() / 4294967296 - 0.5);
    spoken.filter((text) => !place.includes(text)).forEach((text, i) => exchange(text, room[i]));
  }
}

/** An outcome of chance with two values exchanged. @param {string} outcome @param {string} one @param {string} other */
function exchanged(outcome, one, other) {
  const swap = (/** @type {string} */ text) => (text === one ? other : text === other ? one : text);
  if (outcome[0] !== "[") return swap(outcome);
  return "[" + outcome.slice(1, -1).split(", ").map(swap).join(", ") + "]";
}
