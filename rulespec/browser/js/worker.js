/**
 * Players of the machine, in a worker of their own so that the page never waits. They get what their seat knows.
 *
 * A page that was opened as a file may start no worker from another file, so the worker's text is that of
 * the script that is loaded already.
 */
import { randomNumbers } from "./chance.js";
import { TooSlow } from "./machine.js";
import { load } from "./picture.js";
import { Search } from "./search.js";
import { tables } from "./tables.js";
import { Worlds } from "./worlds.js";

/** How many milliseconds a search takes at most. */
const MOST_TIME = 5000;
/** The searches of games that were searched before. @type {WeakMap<Game, Search>} */
const SEARCHES = new WeakMap();
/** The part of its time in which a search looks for states that agree with what its seat saw. */
const LOOKING = 0.4;

/** Answer questions in a worker: bundles to keep, and views of a seat to choose an action for. */
export function serve() {
  const games = new Map(), random = randomNumbers(crypto.getRandomValues(new Uint32Array(1))[0]);
  self.onmessage = ({ data }) => {
    if (data.bundle) {
      games.set(data.key, load(data.bundle));
      return;
    }
    try {
      self.postMessage({ id: data.id, advice: choose(games.get(data.key), data, random) });
    } catch (error) {
      self.postMessage({ id: data.id, error: String((error && error.message) || error) });
    }
  };
}

/**
 * The action that a player of a kind chooses, knowing a view, and the reason. A search that has no state to begin with,
 * or takes too much work, chooses at random.
 * @param {Game} game @param {{ kind: string, view: View }} asked @param {Random} random @returns {Advice} */
function choose(game, { kind, view }, random) {
  const drawn = () => ({ action: view.legal[Math.floor((random() / 4294967296) * view.legal.length)], why: "chosen at random: no search was possible from what is known" });
  if (view.legal.length === 1) return { action: view.legal[0], why: "nothing else is allowed" };
  if (kind === "random") return drawn();
  const [plays, slips] = tables.levels[kind], began = performance.now(), seat = view.seat;
  if (random() / 4294967296 < slips) return drawn();
  const worlds = view.state ? [view.state] : view.dealt ? new Worlds(game, /** @type {Required<View>} */ (view), random).states(LOOKING * MOST_TIME) : [];
  if (!worlds.length) return drawn();
  const search = SEARCHES.get(game) || new Search(game);
  SEARCHES.set(game, search);
  try {
    return search.choose(seat, worlds, view.legal, random, plays, MOST_TIME - (performance.now() - began));
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    return drawn();
  }
}

/** The knowledge of a seat: the state where nothing is hidden, else all that it saw and observed.
 * @param {Play} play @param {number} seat @returns {View} */
export function viewOf(play, seat) {
  const { game, state, states, at } = play, legal = game.legal(state);
  if (!game.about.secrets) return { seat, legal, state };
  return {
    seat, legal, dealt: !play.given,
    seen: states.slice(0, at + 1).map((_, i) => play.sight(i, seat)),
    observed: states.slice(0, at).map((_, i) => play.observed(i, seat)),
  };
}

export class Machines {
  worker = /** @type {Worker | null} */ (null);
  keys = new Set();
  waiting = new Map();
  asked = 0;

  /** The advice of a player of a kind at a seat of a play, as a promise.
   * @param {Play} play @param {string} key @param {number} seat @param {string} kind */
  choose(play, key, seat, kind) {
    const worker = this.worker || this.#begin();
    if (!this.keys.has(key)) {
      this.keys.add(key);
      worker.postMessage({ key, bundle: play.game.bundle });
    }
    const id = ++this.asked, view = viewOf(play, seat);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, key, kind, view });
    });
  }

  /** Give up what is being thought about. */
  stop() {
    if (!this.waiting.size) return;
    if (this.worker) this.worker.terminate();
    this.worker = null;
    this.keys.clear();
    this.waiting.clear();
  }

  #begin() {
    const source = "(" + rulespec.source + ")();rulespec.serve();";
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = (this.worker = new Worker(url));
    URL.revokeObjectURL(url);
    worker.onmessage = ({ data }) => {
      const asker = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (!asker) return;
      if (data.error) asker.reject(new Error(data.error));
      else asker.resolve(data.advice);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const askers = [...this.waiting.values()];
      this.stop();
      for (const { reject } of askers) reject(new Error("This browser does not let the machine play here: give its seats to persons."));
    };
    return worker;
  }
}
