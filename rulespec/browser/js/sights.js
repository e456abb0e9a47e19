/**
 * The observations of a seat: of a state what it sees, and of an action what is not secret from it.
 *
 * A sight is `{text, parts}`: equal texts are equal sights; each part is a type and a value, null where the seat
 * is shown none.
 */
import { NONE } from "./machine.js";
import { Packing } from "./packing.js";
import { tidy } from "./values.js";

/** The values with a kind of their own in a value, as pairs of that kind and a notation.
 * @param {Values} values @param {number} t @param {Value} value @param {[string, string][]} found */
function things(values, t, value, found) {
  const type = values.listed[t];
  if (value === null || value === NONE || t < 0) return found;
  if (type.kind === "map") value.forEach((/** @type {Value} */ part) => things(values, type.of, part, found));
  else if (type.kind === "set" || type.kind === "list") value.forEach((/** @type {Value} */ part) => things(values, type.of, part, found));
  else if (type.kind === "optional") things(values, type.of, value, found);
  else if (type.things) found.push([type.things, values.write(t, value)]);
  return found;
}

/** The places where two values of a type differ; null stands for nothing.
 * @param {Values} values @param {number} t @param {Value} a @param {Value} b @param {Difference[]} found */
function changes(values, t, a, b, found, key = "") {
  const type = values.listed[t];
  /** @param {number} of @param {Value} before @param {Value} after */
  const note = (of, before, after) => {
    /** @param {Value} value */
    const text = (value) => (value === undefined || value === null || value === NONE ? null : values.write(of, value));
    const kind = values.listed[of].things, was = text(before), now = text(after);
    const excess = kind || was === null || now === null ? 0 : Number(before) - Number(after);
    found.push({ kind, before: was, after: now, key, excess });
  };
  if (type.kind === "map") {
    const size = values.count(type.keys);
    for (let i = 0; i < size; i++) changes(values, type.of, a && a[i], b && b[i], found, values.write(type.keys, values.code(type.keys, i)));
  } else if (type.kind === "set" || type.kind === "list") {
    /** @type {Value[]} */
    let first = a || [], second = b || [];
    if (type.kind === "set") [first, second] = [first.filter((x) => !second.includes(x)), second.filter((/** @type {Value} */ x) => !first.includes(x))];
    for (let i = 0; i < Math.max(first.length, second.length); i++) {
      if (first[i] !== second[i]) note(type.of, first[i], second[i]);
    }
  } else {
    const none = (/** @type {Value} */ value) => (value === undefined || value === NONE ? null : value);
    if (none(a) !== none(b)) note(values.scalar(t), none(a), none(b));
  }
  return found;
}

export class Sights extends Packing {
  /** The sight that a seat has of a state. @param {State} state @param {number} seat @returns {Sight} */
  sight(state, seat) {
    const parts = /** @type {[number, Value][]} */ ([]);
    const held = this.held(state);
    for (const { type, at, hidden } of this.layout.state) {
      if (!hidden) parts.push([type, this.values.decode(type, held, at)]);
    }
    if (this.exports.see) {
      this.hold(state);
      this.exports.see(this.s, this.b, BigInt(this.layout.seats[seat]));
      const shown = /** @type {Held} */ ({
        number: (i) => this.machine.get(this.s, i),
        word: (i) => BigInt.asUintN(64, this.machine.longs[this.b / 8 + i]),
      });
      for (const { marks, at, type, keys } of this.bundle.observed.sights) {
        const ways = keys.reduce((n, t) => n * this.values.count(t), 1);
        const size = this.values.size(type);
        for (let i = 0; i < ways; i++) {
          parts.push([type, shown.number(marks + i) ? this.values.decode(type, shown, at + i * size) : null]);
        }
      }
    }
    return { text: JSON.stringify(parts.map((part) => part[1])), parts };
  }

  /** Where two sights of a seat differ: notations of things of a kind or null for none, the last key, and by how
   * much a plain number is too large.
   * @param {Sight} before @param {Sight} after */
  differences(before, after) {
    /** @type {Difference[]} */
    const found = [];
    before.parts.forEach(([type, value], i) => changes(this.values, type, value, after.parts[i][1], found));
    return found;
  }

  /** The notations of all things that a seat sees lying anywhere. @param {Sight} sight */
  seen(sight) {
    return sight.parts.flatMap(([type, value]) => things(this.values, type, value, []).map(([, text]) => text));
  }

  /** The values at each hidden place, in notation: at each key of a map, or in a variable. @param {State} state */
  hidden(state) {
    const held = this.held(state);
    const places = [];
    for (const { type, at, hidden } of this.layout.state) {
      if (!hidden) continue;
      const value = this.values.decode(type, held, at);
      const parts = this.types[type].kind === "map" ? value.map((/** @type {Value} */ part) => [this.types[type].of, part]) : [[type, value]];
      for (const [t, part] of parts) places.push(things(this.values, t, part, []).map(([, text]) => text));
    }
    return places.filter((place) => place.length);
  }

  /** The choices of an action that are secret from a seat, -1 for the action itself.
   * @param {State} state @param {Action} action @param {number} seat */
  secrets(state, action, seat) {
    const { secrets } = this.bundle.observed.actions[action.action];
    if (!secrets.length || this.at(state, this.layout.mover) === this.layout.seats[seat]) return [];
    this.ask("shown", state, action);
    const bit = Math.pow(2, this.layout.seats[seat]);
    const masks = this.machine.take(this.r, this.layout.width, secrets.length);
    return secrets.filter((_, i) => Math.floor(masks[i] / bit) % 2 === 0);
  }

  /** The notations of all things among the choices of an action that a seat observes.
   * @param {State} state @param {Action} action @param {number} seat */
  spoken(state, action, seat) {
    const kept = this.secrets(state, action, seat);
    if (kept.includes(-1)) return [];
    const known = this.about.actions[action.action].choices;
    return this.choices(action).flatMap((value, j) => (
      kept.includes(j) ? [] : things(this.values, known[j].type, value, []).map(([, text]) => text)
    ));
  }

  /** An action in notation as a seat observes it, `?` in place of each secret choice.
   * @param {State} state @param {Action} action @param {number} seat */
  observed(state, action, seat) {
    const kept = this.secrets(state, action, seat);
    if (kept.includes(-1)) return "acts unseen";
    const { reads, plain } = this.bundle.observed.actions[action.action];
    const known = this.about.actions[action.action];
    if (this.at(state, this.layout.mover) !== this.layout.seats[seat] && !plain) {
      const words = this.choices(action).map((v, j) => (kept.includes(j) ? "?" : this.values.write(known.choices[j].type, v)));
      return words.length ? known.name + "(" + words.join(", ") + ")" : known.name;
    }
    const parts = this.parts(state, action).map((part, i) => (reads[i].some((j) => kept.includes(j)) ? "?" : part));
    return tidy(parts.join(""));
  }
}
