/** The deals of a page of puzzles, each with a stored play to its best known answer. */
import { Play, readPlayAddress, readRecord } from "./history.js";
import { split } from "./values.js";

/** The things that a play was dealt, in their order; empty unless one list was dealt, and nothing else. @param {Play} play */
export function dealtThings({ given, dealt: [text = "", ...further] }) {
  return given || further.length || !/^\[.*\]$/.test(text) ? [] : split(text.slice(1, -1)).map((thing) => thing.trim());
}

export class Deal {
  /** @param {HTMLElement} item the deal on the shelf @param {Play} best the stored play */
  constructor(item, best) {
    const [{ textContent, hash }] = item.querySelectorAll("a");
    this.item = item;
    this.name = textContent || "";
    this.address = hash;
    this.answer = item.dataset.answer || "";
    this.asked = /** @type {HTMLElement} */ (item.parentElement).dataset;
    this.sign = this.asked.sense === "most" ? -1 : 1;
    /** True if a position tells the answer, and not the way there. */
    this.isCounted = best.game.about.asked.includes(this.asked.claim || "");
    this.best = best;
    this.packed = best.states.map((state) => best.game.pack(state));
  }

  /** The deal with which a play began; null if the page has none, or no play of it. @param {Play} play @param {Random} random */
  static async of(play, random) {
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rs-puzzles > li[data-answer]"))) {
      const [deal, best] = item.querySelectorAll("a"), start = await readPlayAddress(deal.hash), end = await readPlayAddress(best.hash);
      if (!start || !end) continue;
      const { chance, digest } = readRecord(start.record);
      if (play.given || digest !== play.game.about.digest || String(chance) !== String(play.dealt)) continue;
      return new Deal(item, Play.again(play.game, readRecord(end.record), random));
    }
    return null;
  }

  /** Actions that surely lead to the answer of the stored play from where the reader stands: the rest of that play from
   * the same position, or what is left of it in its order as far as it is legal, if that ends in the same position; where
   * the answer depends on the way, of that play alone. Null if neither is so, or chance is drawn on the way. @param {Play} play @returns {Action[] | null} */
  rest(play) {
    const { best, packed } = this, { game, state } = play, isSame = play.states.slice(0, play.at + 1).every((one, i) => game.pack(one) === packed[i]);
    const at = this.isCounted ? packed.indexOf(game.pack(state)) : isSame ? play.at : -1;
    if (at >= 0) return best.steps.slice(at).some(({ outcomes }) => outcomes.length) ? null : best.steps.slice(at).map(({ action }) => action);
    if (!this.isCounted || best.steps.some(({ outcomes }) => outcomes.length)) return null;
    const left = best.steps.slice(), actions = [], chance = { random: () => 0, given: [], outcomes: /** @type {string[]} */ ([]) };
    for (const { text } of play.steps.slice(0, play.at)) {
      const done = left.findIndex((step) => step.text === text);
      if (done >= 0) left.splice(done, 1);
    }
    for (let now = state; left.length; ) {
      const next = left.findIndex(({ action }) => game.isLegal(now, action));
      if (next < 0) return null;
      const [{ action }] = left.splice(next, 1);
      actions.push(action);
      now = game.play(now, action, chance);
      if (chance.outcomes.length) return null;
      if (!left.length) return game.pack(now) === packed[best.steps.length] ? actions : null;
    }
    return null;
  }

  /** The number for which the deal is asked, else how many actions were taken; null if the goal is not reached.
   * @param {Play} play @param {boolean} isGoalNeeded */
  value({ game, state, at }, isGoalNeeded) {
    const first = game.about.asked.indexOf(this.asked.claim || ""), read = (/** @type {number} */ i) => Number(game.exports.asked(game.s, game.b, BigInt(i), -1n));
    game.hold(state);
    if (first < 0 || (isGoalNeeded && !read(first))) return null;
    return this.asked.sense ? read(first + 1) : at;
  }

  /** The answer, whether the play has reached it or still can, as far as that is certain, and the best result so far. @param {Play} play */
  standing(play) {
    const { sense, rises } = this.asked, { value, best } = this.item.dataset, isOver = play.game.outcome(play.state), found = this.value(play, Boolean(isOver));
    const isReached = found !== null && (!sense || this.sign * found <= this.sign * Number(value)), isPossible = this.rest(play);
    const state = isOver ? (isReached || isPossible ? "You have reached it." : this.isCounted ? "You have not reached it." : "")
      : isPossible ? "Still possible."
      : rises !== undefined && found !== null && !isReached ? "No longer possible."
      : "Whether that is still possible is not known here: no play to it is stored from this position.";
    return this.name + ": " + this.answer + ". " + state + (best ? " Your best: " + best + ". " : " ");
  }

  /** Remember the result of a play that has ended, and show it on the shelf, if it is the best so far. @param {Play} play */
  keep(play) {
    const value = this.value(play, true), key = "rulespec best " + location.pathname + this.address;
    if (value === null) return;
    try {
      const [before] = JSON.parse(localStorage.getItem(key) || "[]");
      if (before !== undefined && this.sign * before <= this.sign * value) return;
      const counted = play.game.counters(play.state).filter(({ seat }) => seat === null).map(({ text }) => text).join(", ");
      this.item.dataset.best = this.asked.sense ? counted || String(value) : value + " actions";
      localStorage.setItem(key, JSON.stringify([value, this.item.dataset.best]));
    } catch {
      // Storage is forbidden or full: nothing is remembered.
    }
  }

  /** The result of a play of the deal to send to others, with its address. @param {Play} play */
  resultOf({ game, state, at }) {
    const own = game.counters(state).map(({ text }) => text), titles = game.titles(state).filter(Boolean);
    const scores = (game.scores(state) || []).map((score) => "score " + score);
    return [game.about.title + ", " + this.name, at + " actions", ...scores, ...own, ...titles].join(", ") + "\n" + location.href.split("#")[0] + this.address;
  }
}
