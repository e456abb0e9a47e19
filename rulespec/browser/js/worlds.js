/**
 * States that a seat holds possible: made of what the seat saw, and of nothing else.
 *
 * A world is a play by the rules in which the seat would have observed just what it did. Its chance is drawn anew;
 * where it then shows the seat something else, the outcomes are mended, and the play is run again: what came up
 * changes places with what was seen or, where there is nothing to exchange, as with dice, one outcome is drawn once
 * more. What cannot be mended within a bounded effort is dropped. (As `rulespec/players/worlds.py` does it.)
 */

const WORLDS = 8;
/** The repairs in vain, and all repairs, after which a world is given up; so many in vain begin anew. */
const EFFORT = 240, MOST_EFFORT = 2400, AFRESH = 60;
/** The higher, the more recent is the ply with the outcome that is drawn again. */
const RECENT = 3;
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
    for (let attempt = 0, vain = 0; attempt < MOST_EFFORT && vain < EFFORT && !found.state; attempt++) {
      if (performance.now() > end) return null;
      const again = this.#run(this.#mended(found)), better = again.state ? 1 : compared(again, found);
      vain = better > 0 ? 0 : vain + 1;
      if (better >= 0) found = again;
      if (vain && vain % AFRESH === 0) found = this.#run([]);
    }
    return found.state || null;
  }

  /** A play whose chance begins with these outcomes: its last state, or how far it came and what it showed.
   * @param {(string | undefined)[]} given @returns {Followed} */
  #run(given) {
    const ends = [0];
    const { game, view } = this, chance = { random: this.random, given: [...given], outcomes: /** @type {string[]} */ ([]) };
    let state = /** @type {State | null} */ (null);
    for (let ply = 0; ply < view.seen.length; ply++) {
      const before = [...chance.outcomes];
      try {
        const action = state && this.#alike(state, ply);
        if (state && !action) return { plies: ply, changes: [], outcomes: before, good: before, ends, spoken: ply, at: state };
        state = state && action ? game.play(state, action, chance) : game.start(chance);
      } catch {
        return { plies: ply, changes: [], outcomes: before, good: before, ends };
      }
      const shown = game.sight(state, view.seat);
      ends.push(chance.outcomes.length);
      if (shown.text !== view.seen[ply].text) {
        return { plies: ply, changes: game.differences(shown, view.seen[ply]), outcomes: chance.outcomes, good: before, ends };
      }
    }
    return { state, plies: view.seen.length, changes: [], outcomes: chance.outcomes, good: chance.outcomes, ends };
  }

  /** A legal action of which the seat would have observed the same, at random.
   * @param {State} state @param {number} ply @returns {Action | null} */
  #alike(state, ply) {
    const { game, view } = this, { text, action } = view.observed[ply - 1];
    if (action) return game.isLegal(state, action) ? action : null;
    const alike = game.legal(state).slice(0, MOST_TRIED).filter((move) => game.observed(state, move, view.seat) === text);
    return alike[Math.floor(this.#share() * alike.length)] || null;
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
    return done.size ? outcomes : this.#redrawn(miss);
  }

  /** Outcomes of which one of a ply, probably a recent one, is left to be drawn again; where there is too much of
   * something and too little of another, the one takes the place of the other.
   * @param {Followed} miss @returns {(string | undefined)[]} */
  #redrawn({ outcomes, good, ends, changes }) {
    const plies = ends.slice(1).flatMap((end, i) => (end > ends[i] ? [[ends[i], end]] : []));
    if (!plies.length || outcomes.slice(plies[plies.length - 1][0]).some((text) => text[0] === "[")) return good;
    const [first, last] = plies[plies.length - 1 - Math.floor(plies.length * this.#share() ** RECENT)];
    const pick = (/** @type {any[]} */ listed) => listed[Math.floor(this.#share() * listed.length)];
    const more = changes.filter(({ key, excess }) => key && excess > 0), less = changes.filter(({ key, excess }) => key && excess < 0);
    const surplus = more.length && less.length ? pick(more).key : undefined;
    const places = outcomes.flatMap((text, i) => (i >= first && i < last && text === surplus ? [i] : []));
    const mended = /** @type {(string | undefined)[]} */ (outcomes.slice());
    if (places.length) mended[pick(places)] = pick(less).key;
    else mended[first + Math.floor(this.#share() * (last - first))] = undefined;
    return mended;
  }

  /** A random number from 0 to below 1. */
  #share() {
    return this.random() / 4294967296;
  }

  /** Put what an action speaks of at one hidden place, drawn at random.
   * @param {Followed} miss @param {(one: string | null, other: string | null) => void} exchange */
  #displaced(miss, exchange) {
    const { game, view } = this, ply = miss.spoken || 0, visible = new Set(game.seen(view.seen[ply - 1]));
    const listed = game.hidden(/** @type {State} */ (miss.at)).map((place) => place.filter((text) => !visible.has(text)));
    const lying = new Set(listed.flat()), spoken = view.observed[ply - 1].spoken.filter((text) => lying.has(text));
    const usable = listed.filter((place) => place.length && !spoken.every((text) => place.includes(text)));
    if (!usable.length) return;
    const place = usable[Math.floor(this.#share() * usable.length)];
    const room = place.filter((text) => !spoken.includes(text)).sort(() => this.#share() - 0.5);
    spoken.filter((text) => !place.includes(text)).forEach((text, i) => exchange(text, room[i]));
  }
}

/** More than 0 if the first play comes farther, or differs less; what is on the last ply counts by amounts.
 * @param {Followed} one @param {Followed} other */
function compared(one, other) {
  const amount = (/** @type {Followed} */ { changes }) => changes.reduce((sum, { excess }) => sum + (Math.abs(excess) || 1), 0);
  return one.plies - other.plies || amount(other) - amount(one);
}

/** An outcome of chance with two values exchanged. @param {string} outcome @param {string} one @param {string} other */
function exchanged(outcome, one, other) {
  const swap = (/** @type {string} */ text) => (text === one ? other : text === other ? one : text);
  if (outcome[0] !== "[") return swap(outcome);
  return "[" + outcome.slice(1, -1).split(", ").map(swap).join(", ") + "]";
}
