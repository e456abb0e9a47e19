/** Values of types. A scalar is its code, `NONE` for none; a set or a list is an array of codes, a map an array with the value of each key in the order of the keys. */
import { NONE } from "./machine.js";

const NUMBER = /^(-?[1-9][0-9]{0,17}|0)$/;

export class Values {
  /** @param {ValueType[]} listed */
  constructor(listed) {
    this.listed = listed;
    /** @type {Map<number, number>[]} */
    this.indexes = [];
    /** @type {any[]} */
    this.readings = [];
  }

  /** The scalar type under an optional one, or the type itself. @param {number} t */
  scalar(t) {
    return this.listed[t].kind === "optional" ? this.listed[t].of : t;
  }

  /** How many values a scalar type has. @param {number} t */
  count(t) {
    const type = this.listed[t];
    return type.codes ? type.codes.length : type.count;
  }

  /** The code of a scalar type's value number i. @param {number} t @param {number} i */
  code(t, i) {
    const type = this.listed[t];
    return type.codes ? type.codes[i] : type.first + i;
  }

  /** All codes of a scalar type. @param {number} t */
  codes(t) {
    return Array.from({ length: this.count(t) }, (_, i) => this.code(t, i));
  }

  /** The number of the value with a code in a scalar type; -1 if it has none. @param {number} t @param {number} code */
  index(t, code) {
    const type = this.listed[t];
    if (!type.codes) {
      const i = code - type.first;
      return Number.isInteger(i) && i >= 0 && i < type.count ? i : -1;
    }
    if (!this.indexes[t]) this.indexes[t] = new Map(type.codes.map((held, i) => /** @type {[number, number]} */ ([held, i])));
    return this.indexes[t].get(code) ?? -1;
  }

  /** How many numbers or words a value takes. @param {number} t @returns {number} */
  size(t) {
    const type = this.listed[t];
    if (type.kind === "map") return this.count(type.keys) * this.size(type.of);
    if (type.kind === "list") return 1 + type.cap;
    return type.kind === "set" ? type.words : 1;
  }

  /** The value that lies from a place on; `held` reads numbers and words.
   * @param {number} t @param {Held} held @param {number} at @returns {Value} */
  decode(t, held, at) {
    const type = this.listed[t];
    if (type.kind === "map") {
      const size = this.size(type.of);
      return Array.from({ length: this.count(type.keys) }, (_, i) => this.decode(type.of, held, at + i * size));
    }
    if (type.kind === "list") {
      return Array.from({ length: held.number(at) }, (_, i) => held.number(at + 1 + i));
    }
    if (type.kind !== "set") return held.number(at);
    const found = [];
    for (let k = 0; k < type.words; k++) {
      let left = held.word(at + k);
      for (let bit = 0; left; bit++, left >>= 1n) if (left & 1n) found.push(64 * k + bit + type.base);
    }
    return found;
  }

  /** Put a value from a place on; `into` stores numbers and words.
   * @param {number} t @param {Value} value @param {Storing} into @param {number} at */
  encode(t, value, into, at) {
    const type = this.listed[t];
    if (type.kind === "map") {
      const size = this.size(type.of);
      value.forEach((/** @type {Value} */ part, /** @type {number} */ i) => this.encode(type.of, part, into, at + i * size));
    } else if (type.kind === "list") {
      into.number(at, value.length);
      for (let i = 0; i < type.cap; i++) into.number(at + 1 + i, i < value.length ? value[i] : 0);
    } else if (type.kind === "set") {
      const words = new Array(type.words).fill(0n);
      for (const code of value) {
        const bit = code - type.base;
        words[Math.floor(bit / 64)] |= 1n << BigInt(bit % 64);
      }
      words.forEach((word, i) => into.word(at + i, word));
    } else {
      into.number(at, value);
    }
  }

  /** True if a value is the one that reading at nothing gives. @param {number} t @param {Value} value @returns {boolean} */
  isNothing(t, value) {
    const nothing = this.nothing(t);
    return nothing !== null && String(value) === String(nothing);
  }

  /** The value that reading at nothing gives; null where the type holds none. @param {number} t @returns {Value} */
  nothing(t) {
    const type = this.listed[t];
    if (type.kind === "map") {
      const part = this.nothing(type.of);
      return part === null ? null : Array.from({ length: this.count(type.keys) }, () => part);
    }
    if (type.kind === "set" || type.kind === "list") return [];
    return type.kind === "optional" ? NONE : type.family === "truth" ? 0 : null;
  }

  // ---- notation

  /** The notation of a value. @param {number} t @param {Value} value @returns {string} */
  write(t, value) {
    const type = this.listed[t];
    if (value === NONE) return "none";
    if (type.kind === "optional") return this.write(type.of, value);
    if (type.kind === "scalar") {
      const i = this.index(t, value);
      return type.texts ? (i < 0 ? "?" : type.texts[i]) : String(value);
    }
    if (type.kind === "map") {
      /** @type {string[]} */
      const shown = [];
      value.forEach((/** @type {Value} */ part, /** @type {number} */ i) => {
        if (type.bag ? part === 0 : this.isNothing(type.of, part)) return;
        const key = this.write(type.keys, this.code(type.keys, i)), held = this.write(type.of, part);
        shown.push(type.bag ? held + " " + key : key + ": " + held);
      });
      return "{" + shown.join(", ") + "}";
    }
    const words = value.map((/** @type {Value} */ part) => this.write(type.of, part));
    if (type.kind === "set") return "{" + words.join(", ") + "}";
    return type.joint ? words.join(type.joint) : "[" + words.join(", ") + "]";
  }

  /** The codes for which a text may stand, exactly or else with case and spacing forgiven. @param {number} t @param {string} text */
  read(t, text) {
    const type = this.listed[t];
    const plain = type.plain && !type.texts;
    for (const said of [text.trim(), squeezed(text)]) {
      if (plain) {
        if (NUMBER.test(said) && this.index(t, Number(said)) >= 0) return [Number(said)];
      } else {
        const tables = this.tables(t);
        const found = (said === text.trim() && tables.exact.get(said)) || tables.loose.get(squeezed(said));
        if (found) return found;
      }
    }
    return [];
  }

  /** The most characters of a text that may stand for a scalar, spaces included. @param {number} t */
  longest(t) {
    const type = this.listed[t];
    if (type.texts) return 2 * this.tables(t).longest + 2;
    return 2 * Math.max(String(this.code(t, 0)).length, String(this.code(t, this.count(t) - 1)).length) + 2;
  }

  /** The texts of a scalar type's values, exactly and with case and spacing forgiven. @param {number} t */
  tables(t) {
    if (this.readings[t]) return this.readings[t];
    const type = this.listed[t];
    const pairs = (type.texts || []).map((text, i) => /** @type {[string, number]} */ ([text, this.code(t, i)]));
    const exact = new Map(), loose = new Map();
    for (const [text, code] of pairs.concat(type.also || [])) {
      if (!exact.has(text)) exact.set(text, [code]);
      const key = squeezed(text);
      const held = loose.get(key) || [];
      if (!held.includes(code)) loose.set(key, held.concat([code]));
    }
    const longest = Math.max(...Array.from(exact.keys(), (text) => text.length));
    return this.readings[t] = { exact, loose, longest };
  }

  // ---- plain data

  /** A value as plain data, as records have it. @param {number} t @param {Value} value @returns {Json} */
  data(t, value) {
    const type = this.listed[t];
    if (value === NONE) return null;
    if (type.kind === "optional") return this.data(type.of, value);
    if (type.kind === "map") {
      const found = Object.create(null);
      value.forEach((/** @type {Value} */ part, /** @type {number} */ i) => {
        if (type.bag ? part === 0 : this.nothing(type.of) !== null && this.isNothing(type.of, part)) return;
        found[this.write(type.keys, this.code(type.keys, i))] = this.data(type.of, part);
      });
      return found;
    }
    if (type.kind === "set" || type.kind === "list") return value.map((/** @type {Value} */ part) => this.data(type.of, part));
    if (type.family === "truth") return value !== 0;
    return type.plain ? value : this.write(t, value);
  }

  /** The value that plain data stands for; throws an Error that says what is wrong with it.
   * @param {number} t @param {Json} data @param {Value} [otherwise] @returns {Value} */
  value(t, data, otherwise) {
    const type = this.listed[t];
    if (type.kind === "optional") {
      return data === null || data === "none" ? NONE : this.value(type.of, data);
    }
    if (type.kind === "scalar") {
      const text = typeof data === "boolean" ? (data ? "yes" : "no") : String(data);
      const found = type.family === "truth" && typeof data === "boolean" ? [Number(data)] : this.read(t, text);
      if (found.length !== 1) throw new Error(text + " is no " + type.name);
      return found[0];
    }
    if (type.kind === "map") {
      if (typeof data !== "object" || data === null) throw new Error("a " + type.name + " is needed");
      const nothing = type.bag ? 0 : this.nothing(type.of);
      const found = this.codes(type.keys).map((_, i) => (nothing === null && otherwise ? otherwise[i] : nothing));
      for (const key of Object.keys(data)) {
        const [code] = this.read(type.keys, key);
        if (code === undefined) throw new Error(key + " is no " + this.listed[type.keys].name);
        const i = this.index(type.keys, code);
        found[i] = this.value(type.of, data[key], otherwise && otherwise[i]);
      }
      if (found.includes(null)) throw new Error("a " + type.name + " needs a value for each key");
      return found;
    }
    const items = typeof data === "string" ? this.elements(t, data) : data;
    if (!Array.isArray(items)) throw new Error("a " + type.name + " is needed");
    const found = items.map((item) => this.value(type.of, item));
    if (type.kind === "list" && found.length > type.cap) throw new Error("too many elements for a " + type.name);
    if (type.many) found.sort((a, b) => a - b);
    return type.kind === "set" ? Array.from(new Set(found)).sort((a, b) => a - b) : found;
  }

  /** The texts of the elements in a notation of a list or set; null if it is no such notation. @param {number} t @param {string} text */
  elements(t, text) {
    const type = this.listed[t];
    const said = text.trim();
    if (type.joint) return said.split(type.joint).map((item) => item.trim());
    const [open, close] = type.kind === "set" ? "{}" : "[]";
    if (said[0] !== open || said[said.length - 1] !== close) return null;
    const inner = said.slice(1, -1), written = inner.split(", ");
    return inner.trim() && written.every((item) => this.read(type.of, item).length) ? written : split(inner);
  }
}

/** The value of a map for a key, made if it has none. @template K, V @param {{ has(key: K): boolean, get(key: K): V | undefined, set(key: K, value: V): any }} map @param {K} key @param {() => V} make */
export function entryOf(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return /** @type {V} */ (map.get(key));
}

/** All ways to take one of each list. @param {any[][]} lists @returns {Generator<any[]>} */
export function* product(lists, from = 0) {
  if (from === lists.length) yield [];
  else for (const first of lists[from]) for (const rest of product(lists, from + 1)) yield [first, ...rest];
}

/** The parts between commas, brackets and braces kept whole. @param {string} text */
export function split(text) {
  if (!text.trim()) return [];
  const parts = [];
  let depth = 0, start = 0;
  for (let i = 0; i < text.length; i++) {
    if ("([{".includes(text[i])) depth++;
    else if (")]}".includes(text[i])) depth--;
    else if (text[i] === "," && depth === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

/** A text without case, and without spaces but those between words or numbers. @param {string} text */
export function squeezed(text) {
  return text.toLowerCase().trim().replace(/(?<![\p{L}\p{N}_])\s+|\s+(?![\p{L}\p{N}_])/gu, "");
}

/** A text with single spaces. @param {string} text */
export function tidy(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}
