/**
 * Players of the machine, in a worker of their own so that the page never waits. They get what their seat knows.
 *
 * A page that was opened as a file may start no worker from another file, so the worker's text is that of
 * the script that is loaded already.
 */
(function (rulespec) {
  "use strict";

  /** How many plays a search tries, and for how many milliseconds at most, by level. */
  const LEVELS = { "search-1": [80, 1500], "search-2": [1000, 3000], "search-3": [12000, 8000] };
  /** The part of its time in which a search looks for states that agree with what its seat saw. */
  const LOOKING = 0.4;

  /** Answer questions in a worker: bundles to keep, and views of a seat to choose an action for. */
  function serve() {
    const games = new Map(), random = rulespec.random(crypto.getRandomValues(new Uint32Array(1))[0]);
    self.onmessage = ({ data }) => {
      if (data.bundle) {
        games.set(data.key, rulespec.load(data.bundle));
        return;
      }
      try {
        self.postMessage({ id: data.id, ...choose(games.get(data.key), data, random) });
      } catch (error) {
        self.postMessage({ id: data.id, error: String((error && error.message) || error) });
      }
    };
  }

  /** The action that a player of a kind chooses, knowing a view. */
  function choose(game, { kind, view }, random) {
    const drawn = () => ({ action: view.legal[Math.floor((random() / 4294967296) * view.legal.length)] });
    if (kind === "random" || view.legal.length === 1) return drawn();
    const [plays, time] = LEVELS[kind], began = performance.now(), seat = view.seat;
    const worlds = view.state ? [view.state] : view.dealt ? new rulespec.Worlds(game, view, random).states(LOOKING * time) : [];
    if (!worlds.length) return { ...drawn(), blind: true };
    const sight = view.state ? null : (state) => game.sight(state, seat).text;
    const observed = view.state ? null : (state, action) => game.observed(state, action, seat);
    const search = new rulespec.Search(game, seat, worlds, view.legal, random, sight, observed);
    const left = () => time - (performance.now() - began);
    const action = search.choose(plays, left());
    return { action, plays: search.plays, plies: search.plies, milliseconds: performance.now() - began };
  }

  /** The knowledge of a seat: the state where nothing is hidden, else all that it saw and observed. */
  function viewOf(play, seat) {
    const { game, state, states, steps, at } = play, legal = game.legal(state);
    if (!game.about.secrets) return { seat, legal, state };
    return {
      seat, legal, dealt: !play.given,
      seen: states.slice(0, at + 1).map((one) => game.sight(one, seat)),
      observed: steps.slice(0, at).map(({ action }, i) => ({
        text: game.observed(states[i], action, seat),
        action: game.secrets(states[i], action, seat).length ? null : action,
        spoken: game.spoken(states[i], action, seat),
      })),
    };
  }

  class Machines {
    constructor() {
      this.worker = null;
      this.keys = new Set();
      this.waiting = new Map();
      this.asked = 0;
    }

    /** The action that the machine chooses at a seat of a play, as a promise. */
    choose(play, key, seat, kind) {
      if (!this.worker) this._begin();
      if (!this.keys.has(key)) {
        this.keys.add(key);
        this.worker.postMessage({ key, bundle: play.game.bundle });
      }
      const id = ++this.asked, view = viewOf(play, seat);
      return new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
        this.worker.postMessage({ id, key, kind, view });
      });
    }

    /** Give up what is being thought about. */
    stop() {
      if (!this.waiting.size) return;
      this.worker.terminate();
      this.worker = null;
      this.keys.clear();
      this.waiting.clear();
    }

    _begin() {
      const source = "(" + rulespec.source + ")();rulespec.serve();";
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      this.worker = new Worker(url);
      URL.revokeObjectURL(url);
      this.worker.onmessage = ({ data }) => {
        const asker = this.waiting.get(data.id);
        this.waiting.delete(data.id);
        if (!asker) return;
        this.last = data;
        if (data.error) asker.reject(new Error(data.error));
        else asker.resolve(data.action);
      };
    }
  }

  Object.assign(rulespec, { serve, viewOf, Machines, chooseAction: choose });
})(globalThis.rulespec = globalThis.rulespec || {});
