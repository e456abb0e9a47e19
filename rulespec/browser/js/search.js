/**
 * A player that searches: plays tried from here, more of those that go well (Monte Carlo tree search with upper
 * confidence bounds, every player taken to choose what is best for that player).
 *
 * A node is what the searching seat can tell apart: what is hidden from it never parts the tree
 * (information-set search with a single observer: Cowling, Powley and Whitehouse, 2012).
 */
(function (rulespec) {
  "use strict";

  /** How much a move that was tried seldom is preferred; wins count from 0 to 1. */
  const EXPLORE = 1.2;
  /** The part of a worth that scores make up where the rules keep scores. */
  const POINTS = 0.2;
  /** A playout is judged as it stands after so many plies. */
  const MOST_PLIES = 1000;
  /** With more legal moves than this, a node considers a few drawn at random, more as it is visited more. */
  const MOST_LISTED = 40;
  const FEW = 12;
  const WIDEN = 1.5;
  const FULL = -2;
  const DRAWS = 6;

  class Search {
    /**
     * A search for a seat among its legal actions, from states that it holds possible. `view(state)` is a text
     * that is equal where the seat cannot tell states apart, and `observed(state, action)` one for actions.
     */
    constructor(game, seat, worlds, legal, random, view, observed) {
      Object.assign(this, { game, seat, worlds, legal, random, view, observed });
      /** True if nothing is left to chance or hidden, so that an action leads to one state. */
      this.isSettled = !view && !game.about.chance;
      this.root = { visits: 0, edges: new Map(), nodes: new Map() };
      this.low = Infinity;
      this.high = -Infinity;
      this.plays = this.plies = 0;
    }

    /** Try plays until there were so many, or the time (milliseconds) is over; the action tried most. */
    choose(plays, milliseconds) {
      const end = performance.now() + milliseconds, win = this._winning(end);
      if (win || this.legal.length === 1) return win || this.legal[0];
      while (this.plays < plays && (this.plays % 16 || performance.now() < end)) this.grow();
      let best = null;
      for (const edge of this.root.edges.values()) if (!best || edge.visits > best.visits) best = edge;
      return best ? best.action : this.legal[0];
    }

    /** An action after which the seat has won in all worlds, if few actions are legal and time allows. */
    _winning(end) {
      if (this.legal.length > MOST_LISTED) return null;
      return this.legal.find((action) => performance.now() < end && this.worlds.every((world) => {
        const after = this.game.play(world, action, this.random), end = this.game.outcome(after);
        const whole = end && (end.winners.length === 1 || this.game.about.sharing === "together");
        return whole && end.winners.includes(this.seat);
      }));
    }

    /** Follow one more play through the tree and out of it. */
    grow() {
      const { game } = this, path = [];
      let state = this.worlds[this.plays++ % this.worlds.length], node = this.root;
      while (!game.over(state)) {
        const moves = node === this.root ? this.legal : this._moves(node, state);
        const edge = this._chosen(node, moves, game.mover(state));
        path.push([node, edge]);
        const settled = this.isSettled && node.nodes.get(edge.key);
        if (settled) {
          [state, node] = [settled.state, settled];
          continue;
        }
        const seen = this.observed ? this.observed(state, edge.action) : edge.key;
        state = game.play(state, edge.action, this.random);
        this.plies++;
        const key = this.isSettled ? seen : seen + "/" + (this.view ? this.view(state) : text(state));
        const next = node.nodes.get(key);
        if (!next) {
          node.nodes.set(key, { visits: 0, edges: new Map(), nodes: new Map(), state: this.isSettled ? state : null });
          break;
        }
        node = next;
      }
      const worth = this._playedOut(state);
      this.low = Math.min(this.low, ...worth.points);
      this.high = Math.max(this.high, ...worth.points);
      for (const [at, edge] of path) {
        at.visits++;
        edge.visits++;
        for (let i = 0; i < worth.wins.length; i++) {
          edge.wins[i] += worth.wins[i];
          edge.points[i] += worth.points[i];
        }
      }
    }

    /** The legal actions at a node; without secrets they are those of its only state. */
    _moves(node, state) {
      if (this.view) return this.game.legal(state);
      return node.moves || (node.moves = this.game.legal(state));
    }

    /** A move that was never tried, or the one with the highest upper confidence bound. */
    _chosen(node, moves, mover) {
      if (moves.length > MOST_LISTED) moves = this._few(node, moves);
      let best = null, bound = -1;
      const start = Math.floor((this.random() / 4294967296) * moves.length);
      for (let i = 0; i < moves.length; i++) {
        const action = moves[(start + i) % moves.length], key = action.action + " " + action.values.join(" ");
        let edge = node.edges.get(key);
        if (!edge) {
          const none = () => new Float64Array(this.game.about.seats.length);
          edge = { action, key, visits: 0, available: 0, wins: none(), points: none() };
          node.edges.set(key, edge);
        }
        edge.available++;
        if (!edge.visits) return edge;
        const value = this._value(edge, mover) + EXPLORE * Math.sqrt(Math.log(edge.available) / edge.visits);
        if (value > bound) [best, bound] = [edge, value];
      }
      return best;
    }

    /** Of many moves those that are considered now: the ones tried before, and new ones as visits grow. */
    _few(node, moves) {
      const wanted = Math.max(FEW, WIDEN * Math.sqrt(node.visits));
      const known = moves.filter((action) => node.edges.has(action.action + " " + action.values.join(" ")));
      while (known.length < wanted && known.length < moves.length) {
        known.push(moves[Math.floor((this.random() / 4294967296) * moves.length)]);
      }
      return known;
    }

    /** How good a move that was tried has been for a player, counted from 0. */
    _value(edge, player) {
      const wins = edge.wins[player] / edge.visits;
      if (this.high <= this.low) return wins;
      return (1 - POINTS) * wins + (POINTS * (edge.points[player] / edge.visits - this.low)) / (this.high - this.low);
    }

    /**
     * The worth of a state to each player, after random plies to the end or to a bound: as `players/worth.py`
     * has it, but for how near a win is.
     */
    _playedOut(state) {
      const { game } = this, { machine, layout } = game;
      if (!game.over(state)) this.plies += rest(game, state, this.random);
      else game.hold(state);
      const over = machine.get(game.s, layout.over) !== 0, number = layout.seats.length;
      const points = game.exports.score ? layout.seats.map((seat) => Number(game.exports.score(game.s, game.b, BigInt(seat)))) : [];
      const together = game.about.sharing === "together", sum = points.reduce((a, b) => a + b, 0);
      const best = (i) => Math.max(...points.filter((_, j) => j !== i), number > 1 ? -Infinity : 0);
      const ahead = points.map((own, i) => (together ? sum : own - best(i)));
      let winners = [];
      if (over) {
        const found = BigInt.asUintN(64, game.exports.winners(game.s, game.b));
        winners = layout.seats.map((_, i) => i).filter((i) => (found >> BigInt(layout.seats[i])) & 1n);
      } else if (points.length && number > 1 && !together) {
        winners = ahead.map((_, i) => i).filter((i) => ahead[i] >= 0);
      }
      const even = number > 1 && !winners.length && !together ? 1 / number : 0, tie = 1 / winners.length;
      const share = together ? 1 : over && game.about.sharing === "win" ? (1 + tie) / 2 : tie;
      const wins = layout.seats.map((_, i) => (winners.includes(i) ? share : even));
      return { wins, points: ahead.length ? ahead : layout.seats.map(() => 0) };
    }
  }

  /** Random plies from a state until the end or a bound; the state lies in the machine then. How many plies. */
  function rest(game, state, random) {
    const { machine, layout } = game;
    for (;;) {
      game.hold(state);
      const legal = game.exports.listing(game.s, game.b, game.m);
      if (Number(legal) !== FULL) {
        machine.put(game.c, 0, [BigInt(random()) * 4294967296n + BigInt(random() || 1), 1, 0, 0, 0, 0]);
        machine.set(game.c, DRAWS, state.draws);
        machine.set(game.s, layout.ended, 0);
        machine.set(game.s, layout.fault, 0);
        const [found, plies] = game.exports.rest(game.s, game.b, game.c, game.m, legal, BigInt(MOST_PLIES));
        if (Number(found) !== FULL) return Number(plies);
      }
      game.grow();
    }
  }

  /** A text that is equal for equal states. */
  const text = (state) => String.fromCharCode(...new Uint16Array(state.bytes.buffer, state.bytes.byteOffset, state.bytes.length >> 1));

  Object.assign(rulespec, { Search, stateText: text });
})(globalThis.rulespec = globalThis.rulespec || {});
