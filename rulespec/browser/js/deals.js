/** The deals of a page of puzzles, each with a stored play to its best known answer. */
import { Play, readPlayAddress, readRecord } from "./history.js";
import { split } from "./values.js";

/** The things that a play was dealt, in their order; empty unless one list was dealt, and nothing else. @param {Play} play */
export function dealtThings({ given, dealt: [text = "", ...further] }) {
  return given || further.length || !/^\[.*\]$/.test(text) ? [] : split(text.slice(1, -1)).map((thing) => thing.trim());
}

export class Deal {
  /** @param {string} name @param {string} address the part of an address that opens it
   * @param {string} answer the answer in words @param {Play} best the stored play */
  constructor(name, address, answer, best) {
    this.name = name;
    this.address = address;
    this.answer = answer;
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
      return new Deal(deal.textContent || "", deal.hash, item.dataset.answer || "", Play.again(play.game, readRecord(end.record), random));
    }
    return null;
  }

  /** Actions that surely lead to the answer of the stored play from where the reader stands: the rest of that play from
   * the same position, or what is left of it in its order as far as it is legal, if that ends in the same position.
   * Null if neither is so, or chance is drawn on the way. @param {Play} play @returns {Action[] | null} */
  rest(play) {
    const { best, packed } = this, { game, state } = play, at = packed.indexOf(game.pack(state));
    if (at >= 0) return best.steps.slice(at).some(({ outcomes }) => outcomes.length) ? null : best.steps.slice(at).map(({ action }) => action);
    if (best.steps.some(({ outcomes }) => outcomes.length)) return null;
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

  /** The result of a play of the deal to send to others, with its address. @param {Play} play */
  resultOf({ game, state, at }) {
    const own = game.counters(state).map(({ text }) => text), titles = game.titles(state).filter(Boolean);
    const scores = (game.scores(state) || []).map((score) => "score " + score);
    return [game.about.title + ", " + this.name, at + " actions", ...scores, ...own, ...titles].join(", ") + "\n" + location.href.split("#")[0] + this.address;
  }
}
