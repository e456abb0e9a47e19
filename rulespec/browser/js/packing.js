/**
 * States as plain data, and as short text for addresses, which says nothing that the rules have not allowed for:
 * reading a text back checks every value in it.
 *
 * A text is base64url of bytes: the format, two bytes of the digest of the rules, then bits, the highest first:
 * how the play ended, and each variable. A scalar is the number of its value in its type (none is 0, and the
 * values follow), in as many bits as its greatest number takes; a set has a bit for each value, a list its size
 * and then as many scalars. Zeros at the end are left out.
 */
import { NONE, bytesOf } from "./machine.js";
import { Refusals } from "./refusals.js";

const FORMAT = 1, HEAD = 3, MOST_CHARACTERS = 100000;
const WRONG = "this text is no position of this game";

/** How many bits a number below a bound takes. @param {number} bound */
function bits(bound) {
  let n = 0;
  while (Math.pow(2, n) < bound) n++;
  return n;
}

class Writer {
  constructor() {
    /** @type {number[]} */
    this.bytes = [];
    this.free = 0;
  }

  /** @param {Value} value @param {number} bound */
  number(value, bound) {
    if (!(value >= 0 && value < bound)) throw new Error("a value is not in its type");
    for (let n = bits(bound) - 1; n >= 0; n--) {
      if (!this.free) {
        this.bytes.push(0);
        this.free = 8;
      }
      this.free--;
      if (Math.floor(value / Math.pow(2, n)) % 2) this.bytes[this.bytes.length - 1] |= 1 << this.free;
    }
  }
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** @param {number} bound */
  number(bound) {
    let value = 0;
    for (let n = bits(bound); n > 0; n--) {
      const byte = this.bytes[this.at >> 3] || 0;
      value = 2 * value + ((byte >> (7 - (this.at & 7))) & 1);
      this.at++;
    }
    if (value >= bound) throw new Error(WRONG);
    return value;
  }
}

/** Write a value. @param {Values} values @param {number} t @param {Value} value @param {Writer} to */
function put(values, t, value, to) {
  const type = values.listed[t];
  if (type.kind === "map") value.forEach((/** @type {Value} */ part) => put(values, type.of, part, to));
  else if (type.kind === "optional") to.number(value === NONE ? 0 : 1 + values.index(type.of, value), 1 + values.count(type.of));
  else if (type.kind === "scalar") to.number(values.index(t, value), values.count(t));
  else if (type.of < 0) return;
  else if (type.kind === "set") for (const code of values.codes(type.of)) to.number(value.includes(code) ? 1 : 0, 2);
  else {
    to.number(value.length, type.cap + 1);
    value.forEach((/** @type {Value} */ part) => to.number(values.index(type.of, part), values.count(type.of)));
  }
}

/** Read a value. @param {Values} values @param {number} t @param {Reader} from @returns {Value} */
function get(values, t, from) {
  const type = values.listed[t];
  if (type.kind === "map") return values.codes(type.keys).map(() => get(values, type.of, from));
  if (type.kind === "optional") {
    const number = from.number(1 + values.count(type.of));
    return number ? values.code(type.of, number - 1) : NONE;
  }
  if (type.kind === "scalar") return values.code(t, from.number(values.count(t)));
  if (type.of < 0) return [];
  if (type.kind === "set") return values.codes(type.of).filter(() => from.number(2) === 1);
  const size = from.number(type.cap + 1);
  return Array.from({ length: size }, () => values.code(type.of, from.number(values.count(type.of))));
}

/** The bits of the keys of each value of a map, which the code keeps beside it.
 * @param {Rules} game @param {number} keys @param {NonNullable<Variable["planes"]>} planes @param {number[]} value
 * @param {Storing} into */
function fill(game, keys, { at, first, each, base, none }, value, into) {
  value.forEach((code, i) => {
    const plane = code === NONE ? none : code - first;
    if (plane < 0) return;
    const bit = game.values.code(keys, i) - base;
    into.also(at + plane * each + Math.floor(bit / 64), 1n << BigInt(bit % 64));
  });
}

/** The state of values, one for each variable. @param {Rules} game @param {Value[]} held @param {number} ended @param {number} fault */
function stateOf(game, held, ended, fault) {
  const bytes = new Uint8Array(game.size), view = new DataView(bytes.buffer);
  const places = new Map();
  let offset = 0;
  for (const [array, at, size] of game.segments) {
    for (let i = 0; i < size; i++) places.set(array + (at + i), offset + 8 * i);
    offset += 8 * size;
  }
  /** @type {Storing} */
  const into = {
    number: (at, value) => view.setBigInt64(places.get("s" + at), BigInt(value), true),
    word: (at, value) => view.setBigUint64(places.get("b" + at), value, true),
    also: (at, word) => {
      const place = places.get("b" + at);
      view.setBigUint64(place, view.getBigUint64(place, true) | word, true);
    },
  };
  game.layout.state.forEach((variable, i) => {
    game.values.encode(variable.type, held[i], into, variable.at);
    if (variable.planes) fill(game, game.types[variable.type].keys, variable.planes, held[i], into);
  });
  return { bytes, ended, fault, draws: 0 };
}

export class Packing extends Refusals {
  /** The values of a state's variables, in their order. @param {State} state */
  variables(state) {
    const held = this.held(state);
    return this.layout.state.map((variable) => this.values.decode(variable.type, held, variable.at));
  }

  /** The state variables by name as plain data. @param {State} state */
  data(state) {
    const found = Object.create(null);
    const held = this.variables(state);
    this.layout.state.forEach(({ name, type }, i) => (found[name] = this.values.data(type, held[i])));
    return found;
  }

  /**
   * The state in which variables have values given as plain data, and the others those of the beginning.
   * The rules decide if it is over, unless the data say it. Throws an Error for wrong data.
   * @param {Json} data */
  position(data) {
    const initial = this.variables(this.initial);
    const known = this.layout.state;
    for (const name of Object.keys(data)) {
      if (!known.some((variable) => variable.name === name)) throw new Error("no state variable is called " + name);
    }
    const held = known.map(({ name, type }, i) => (
      Object.prototype.hasOwnProperty.call(data, name) ? this.values.value(type, data[name], initial[i]) : initial[i]
    ));
    const state = stateOf(this, held, 0, 0);
    if (!Object.prototype.hasOwnProperty.call(data, "over")) return this.settle(state);
    if (!this.over(state)) return state;
    const open = known.map(({ name }, i) => (name === "over" ? 0 : held[i]));
    const ended = this.settle(stateOf(this, open, 0, 0)).ended;
    return { ...state, ended: ended || this.about.ends.length + 1 };
  }

  /**
   * The parts of a final state that the clause which ended the play rests on, such as the squares of a line: entries of
   * maps and elements of sets that lie open, by name, as few as possible, and then what stands in for one of them, as
   * a second line does; and the state `without` them. Null where there are none, or where it rests on every one.
   * @param {State} state @returns {{ names: string[], without: State } | null} */
  witness(state) {
    if (state.fault || !state.ended || state.ended > this.about.ends.length) return null;
    const { values, layout } = this, first = this.variables(state), types = layout.state.map(({ type }) => values.listed[type]);
    const all = types.flatMap(({ kind, of, keys }, i) => {
      if (layout.state[i].hidden) return [];
      if (kind === "set" && of >= 0) return first[i].map((/** @type {number} */ code) => ({ i, at: code, name: values.write(of, code) }));
      if (kind !== "map" || values.nothing(of) === null) return [];
      return first[i].flatMap((/** @type {Value} */ part, /** @type {number} */ at) =>
        (values.isNothing(of, part) ? [] : [{ i, at, name: values.write(keys, values.code(keys, at)) }]));
    });
    const without = (/** @type {Value[]} */ held, /** @type {typeof all} */ gone) => held.map((value, i) => {
      const places = new Set(gone.filter((/** @type {any} */ part) => part.i === i).map(({ at }) => at)), { kind, of } = types[i];
      if (!places.size) return value;
      return kind === "set" ? value.filter((/** @type {number} */ code) => !places.has(code))
        : value.map((/** @type {Value} */ part, /** @type {number} */ at) => (places.has(at) ? values.nothing(of) : part));
    });
    const isEnded = (/** @type {Value[]} */ held) => {
      try {
        const { ended } = this.settle(stateOf(this, held, 0, 0));
        return ended === state.ended;
      } catch {
        return false; // play goes on where chance is asked
      }
    };
    const whole = first.map((value, i) => (layout.state[i].name === "over" ? 0 : value));
    let held = whole;
    /** @type {(some: typeof all) => typeof all} */
    const needed = (some) => {
      const less = without(held, some), half = some.length >> 1;
      if (isEnded(less)) held = less;
      else return half ? [...needed(some.slice(0, half)), ...needed(some.slice(half))] : some;
      return [];
    };
    const found = all.length && isEnded(held) ? needed(all) : [], of = new Set(found.map(({ i }) => i));
    if (!found.length || found.length === all.filter(({ i }) => of.has(i)).length) return null;
    for (const one of found) {
      held = without(whole, [one]);
      if (isEnded(held)) found.push(...needed(all.filter((part) => !found.includes(part))));
    }
    return { names: [...new Set(found.map(({ name }) => name))], without: stateOf(this, without(first, found), state.ended, 0) };
  }

  /** A state as short text for an address. @param {State} state */
  pack(state) {
    const to = new Writer();
    const ends = this.about.ends.length;
    to.number(state.fault ? ends + 2 : state.ended, ends + 3);
    this.variables(state).forEach((value, i) => put(this.values, this.layout.state[i].type, value, to));
    while (to.bytes.length && !to.bytes[to.bytes.length - 1]) to.bytes.pop();
    const bytes = [FORMAT, ...this.mark(), ...to.bytes];
    const text = btoa(String.fromCharCode(...bytes));
    return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  /** The state that a text stands for; throws an Error for any other text. @param {string} text */
  unpack(text) {
    if (typeof text !== "string" || text.length > MOST_CHARACTERS || !/^[-\w]*$/.test(text)) throw new Error(WRONG);
    let bytes;
    try {
      bytes = bytesOf(atob(text.replace(/-/g, "+").replace(/_/g, "/")));
    } catch {
      throw new Error(WRONG);
    }
    if (bytes[0] !== FORMAT) throw new Error(WRONG);
    if (this.mark().some((byte, i) => bytes[1 + i] !== byte)) throw new Error("this position is of other rules");
    const from = new Reader(bytes.subarray(HEAD));
    const ends = this.about.ends.length;
    const ended = from.number(ends + 3);
    const held = this.layout.state.map((variable) => get(this.values, variable.type, from));
    if (from.at + 7 < 8 * (bytes.length - HEAD)) throw new Error(WRONG);
    const over = this.layout.state.findIndex((variable) => variable.at === this.layout.over && !variable.words);
    if ((held[over] !== 0) !== (ended > 0 && ended < ends + 2)) throw new Error(WRONG);
    return stateOf(this, held, ended > ends + 1 ? 0 : ended, ended > ends + 1 ? -1 : 0);
  }

  /** Two bytes by which a text is known to be of these rules. */
  mark() {
    return [0, 2].map((at) => parseInt(this.about.digest.slice(at, at + 2), 16));
  }
}
