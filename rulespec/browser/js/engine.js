/**
 * Games in a page: the rules are functions of the module, called with states that are copied in and out.
 *
 * A state is a copy of the numbers and words that the code keeps between plies. An action is
 * `{action, values}`: its number, and its choices as codes, each at its own place; a list has its size, then
 * its elements, then zeros up to its greatest size.
 *
 * A state with a `fault` is the one before the ply that faulted: its number from 1, or -1 where it is not known.
 */
import { Machine, NONE } from "./machine.js";
import { Picking } from "./chance.js";
import { Values, tidy } from "./values.js";

// Places in a source of chance, and results of a ply in place of the number of legal actions.
const ASKED = 4, WHERE = 5, DRAWS = 6, FIRST = 7;
const FAULT = -1, FULL = -2;
const MOST_PICKS = 4096;
const MOST_MOVES = 1 << 20;

export class Rules {
  /** @param {Bundle} bundle */
  constructor(bundle) {
    if (bundle.format !== 1) throw new Error("this bundle is of another version of the player");
    const layout = bundle.layout;
    this.bundle = bundle;
    this.layout = layout;
    this.about = bundle.about;
    this.types = bundle.types;
    this.values = new Values(bundle.types);
    this.machine = new Machine(bundle.wasm, bundle.end);
    this.exports = Object.create(null);
    for (const name of Object.keys(bundle.functions)) {
      this.exports[name] = this.machine.exports[bundle.functions[name]];
    }
    this.s = this.machine.room(layout.first.sizes[0]);
    this.b = this.machine.room(layout.first.sizes[1]);
    this.c = this.machine.room(FIRST + MOST_PICKS);
    this.r = this.machine.room(layout.width + layout.behind);
    this.m = this.machine.room(layout.moves);
    for (const [at, value] of layout.first.numbers) this.machine.put(this.s, at, [value]);
    for (const [at, value] of layout.first.words) this.machine.put(this.b, at, [value]);
    this.segments = segments(layout);
    this.size = this.segments.reduce((sum, [, , size]) => sum + 8 * size, 0);
    this.initial = this.copy(0, 0, 0);
  }

  // ---- states in and out

  /** The state that lies in `s` and `b`. @param {number} ended @param {number} fault @param {number} draws */
  copy(ended, fault, draws) {
    const bytes = new Uint8Array(this.size);
    let to = 0;
    for (const [array, at, size] of this.segments) {
      const first = this[array] + 8 * at;
      bytes.set(this.machine.bytes.subarray(first, first + 8 * size), to);
      to += 8 * size;
    }
    return { bytes, ended, fault, draws };
  }

  /** Put a state into `s` and `b`. @param {State} state */
  hold(state) {
    let from = 0;
    for (const [array, at, size] of this.segments) {
      this.machine.bytes.set(state.bytes.subarray(from, from + 8 * size), this[array] + 8 * at);
      from += 8 * size;
    }
  }

  /** A number of a state, by its place. @param {State} state @param {any} place */
  at(state, place) {
    const view = new DataView(state.bytes.buffer, state.bytes.byteOffset);
    return view.getInt32(8 * place + 4, true) * 4294967296 + view.getUint32(8 * place, true);
  }

  /** The numbers and words of a state, as `Values.decode` reads them. @param {State} state @returns {Held} */
  held(state) {
    const view = new DataView(state.bytes.buffer, state.bytes.byteOffset);
    const words = 8 * this.layout.numbers;
    return { number: (i) => this.at(state, i), word: (i) => view.getBigUint64(words + 8 * i, true) };
  }

  // ---- plies

  /** The state after the setup; for `chance` see there. @param {Chance} chance */
  start(chance) {
    return this.run(this.initial, [this.layout.setup], chance);
  }

  /** The state after a legal action, and after all that chance does then.
   * @param {State} state @param {Action} action @param {Chance} chance */
  play(state, action, chance) {
    return this.run(state, this.row(action), chance);
  }

  /** The state after setting up a position by hand: it may have ended. @param {State} state */
  settle(state) {
    return this.run(state, [this.layout.settle], null);
  }

  /** An action as a row of numbers. @param {Action} action */
  row(action) {
    return [action.action].concat(action.values);
  }

  /** The state after playing a row: picks of chance are asked for one by one, and the ply begun again.
   * @param {State} state @param {number[]} row @param {Chance} chance */
  run(state, row, chance) {
    const picking = new Picking(this, chance, (/** @type {number[]} */ picks) => this.ply(state, row, picks));
    for (;;) {
      const found = this.ply(state, row, picking.picks);
      const size = this.machine.get(this.c, ASKED);
      if (size) {
        picking.add(size, this.machine.get(this.c, WHERE) - 1 - state.draws);
        if (picking.picks.length > MOST_PICKS) throw new Error("one ply takes more draws than a page allows");
        continue;
      }
      const draws = this.machine.get(this.c, DRAWS);
      picking.finish(draws - state.draws);
      if (found !== FAULT) return this.copy(this.machine.get(this.s, this.layout.ended), 0, draws);
      return { bytes: state.bytes, ended: 0, fault: this.machine.get(this.s, this.layout.fault), draws };
    }
  }

  /** Play a row with picks of chance: the number of legal actions that follow, or `FAULT`.
   * @param {State} state @param {number[]} row @param {number[]} picks */
  ply(state, row, picks) {
    for (;;) {
      this.hold(state);
      this.machine.put(this.c, 0, [1, 0, picks.length, 0, 0, 0, state.draws]);
      this.machine.put(this.c, FIRST, picks);
      this.machine.put(this.m, 0, row);
      this.machine.set(this.s, this.layout.ended, 0);
      this.machine.set(this.s, this.layout.fault, 0);
      if (this.bundle.drawn.at >= 0) this.machine.set(this.s, this.bundle.drawn.at, 0);
      const found = Number(this.exports.play(this.s, this.b, this.c, this.m, 0n));
      if (found !== FULL) return found;
      this.grow();
    }
  }

  /** Make room for twice as many legal actions. */
  grow() {
    const size = 2 * this.machine.size(this.m);
    if (size > MOST_MOVES) throw new Error("a position has more legal actions than a page can list");
    this.m = this.machine.room(size);
  }

  // ---- questions about a state

  /** True if no action can follow. @param {State} state */
  over(state) {
    return state.fault !== 0 || this.at(state, this.layout.over) !== 0;
  }

  /** The seat that is to move, counted from 0; -1 at the end. @param {State} state */
  mover(state) {
    return this.over(state) ? -1 : this.layout.seats.indexOf(this.at(state, this.layout.mover));
  }

  /** Put the state into the module, and its legal actions into `m`: how many there are. @param {State} state */
  list(state) {
    for (;;) {
      this.hold(state);
      const count = Number(this.exports.listing(this.s, this.b, this.m));
      if (count !== FULL) return count;
      this.grow();
    }
  }

  /** The legal actions: in the order of the actions, then of their choices. @param {State} state */
  legal(state) {
    if (this.over(state)) return [];
    const found = Array.from({ length: this.list(state) }, (_, i) => {
      const at = i * this.layout.width, action = this.machine.get(this.m, at);
      return { action, values: this.layout.rows[action].flatMap(([place, size]) => this.machine.take(this.m, at + place, size)) };
    });
    return found.sort((a, b) => this.compare(a, b));
  }

  /** True if an action is legal. @param {State} state @param {Action} action */
  isLegal(state, action) {
    return this.legal(state).some((other) => this.compare(other, action) === 0);
  }

  /** Call a function that puts numbers behind the row of an action in `r`.
   * @param {string} name @param {State} state @param {Action} action */
  ask(name, state, action) {
    this.hold(state);
    this.machine.put(this.r, 0, this.row(action));
    this.exports[name](this.s, this.b, this.r);
  }

  /** The order of two actions: negative if the first comes first. @param {any} a @param {any} b */
  compare(a, b) {
    if (a.action !== b.action) return a.action - b.action;
    let at = 0;
    for (const [, size] of this.layout.rows[a.action]) {
      const first = size > 1 ? at + 1 : at;
      for (let i = first; i < at + size; i++) {
        if (size > 1 && (i - at > a.values[at] || i - at > b.values[at])) break;
        if (a.values[i] !== b.values[i]) return a.values[i] - b.values[i];
      }
      if (size > 1 && a.values[at] !== b.values[at]) return a.values[at] - b.values[at];
      at += size;
    }
    return 0;
  }

  /** Each player's number as the state stands; null in a game without scores. @param {State} state */
  scores(state) {
    if (!this.exports.score) return null;
    this.hold(state);
    return this.layout.seats.map((seat) => Number(this.exports.score(this.s, this.b, BigInt(seat))));
  }

  /** The title that each seat has earned as the state stands, null for none. @param {State} state */
  titles(state) {
    this.hold(state);
    return this.layout.seats.map((seat) => {
      const number = this.exports.titled ? Number(this.exports.titled(this.s, this.b, BigInt(seat))) : 0;
      return number ? this.bundle.titled[number - 1] : null;
    });
  }

  /** The texts that are always in view, as `rulespec.play.wording` has them: each with its seat, null for all. @param {State} state */
  counters(state) {
    let at = 0;
    this.hold(state);
    return this.bundle.counted.flatMap(([isEach, parts]) => {
      const first = at;
      at += parts.filter((part) => typeof part === "number").length;
      return (isEach ? this.layout.seats : [-1]).map((code, seat) => {
        let number = first;
        const words = parts.map((part) => (typeof part === "string" ? part
          : this.values.write(part, Number(this.exports.counted(this.s, this.b, BigInt(number++), BigInt(code))))));
        return { seat: isEach ? seat : null, text: tidy(words.join("")) };
      });
    });
  }

  /** How the tie-breaks decided among equal scores at the end, as `rulespec.play.wording` has it. @param {State} state */
  tieBreakers(state) {
    const { bundle: { tied }, about: { names, ties } } = this, scores = this.scores(state), found = /** @type {string[]} */ ([]);
    if (!tied.length || !scores) return found;
    const value = (/** @type {number} */ i, /** @type {number} */ seat) => Number(this.exports.tied(this.s, this.b, BigInt(i), BigInt(this.layout.seats[seat])));
    let left = this.layout.seats.map((_, seat) => seat);
    [[true, ""], ...ties].forEach(([most, text], i) => {
      const numbers = left.map((seat) => (i ? value(i - 1, seat) : scores[seat])).map((number) => (number === NONE ? 0 : number));
      const best = most ? Math.max(...numbers) : Math.min(...numbers);
      if (text && numbers.some((number) => number !== best)) {
        found.push(String(text).replace(/\.+$/, "") + ": " + left.map((seat, k) => names[seat] + " has " + numbers[k]).join(", ") + ".");
      }
      left = left.filter((_, k) => numbers[k] === best);
    });
    if (found.length) found.unshift("The scores are equal, so the tie-break decides.");
    return left.length > 1 ? [...found, "Their scores and tie-breaks are equal."] : found;
  }

  /** The seats that have won; nobody while the play goes on or after a fault. @param {State} state */
  winners(state) {
    if (!this.over(state) || state.fault) return [];
    this.hold(state);
    const found = BigInt.asUintN(64, this.exports.winners(this.s, this.b));
    return this.layout.seats.map((_, i) => i).filter((i) => (found >> BigInt(this.layout.seats[i])) & 1n);
  }

  /**
   * How a play ended; null while it goes on. `by` is the id of the clause that ended it, null where nobody
   * could act or the rules faulted; `text` is that of the clause, or says it.
   * @param {State} state */
  outcome(state) {
    if (!this.over(state)) return null;
    const end = state.fault ? null : this.about.ends[state.ended - 1];
    const why = state.fault > 0 ? ": " + this.bundle.faults[state.fault - 1] : "";
    const text = state.fault
      ? "the play has ended in a fault" + why
      : end ? end.text || end.id : "no action was legal";
    return {
      winners: this.winners(state), scores: this.scores(state),
      by: end ? end.id : null, ended: state.fault ? "fault" : end ? end.id : "stuck", text,
    };
  }
}

/** The pieces of the arrays that make up a state: the array's name, where each begins, and its size. @param {Layout} layout */
function segments(layout) {
  const found = /** @type {["s" | "b", number, number][]} */ ([["s", 0, layout.numbers], ["b", 0, layout.words]]);
  for (const variable of layout.state) {
    if (variable.planes) found.push(["b", variable.planes.at, variable.planes.size]);
  }
  return found;
}
