/**
 * Chance: the generator of the machine (xorshift64*, the upper half of its product), picks, and outcomes.
 *
 * Where a function takes `chance`, that is a source of random whole numbers of 32 bits, such as
 * `randomNumbers(seed)` gives, or `{random, given, outcomes}`: outcomes in notation that are to come up first,
 * and an array to which those of each ply are added.
 */
import { squeezed } from "./values.js";

const ALL = (1n << 64n) - 1n;
const CHOICE = 0x2545f4914f6cdd1dn;

/** A state for the generator, not 0, that differs much for seeds that differ little. @param {number} seed */
function spread(seed) {
  let x = (BigInt(seed) * 0x9e3779b97f4a7c15n + 0xd1b54a32d192ed03n) & ALL;
  x ^= x >> 29n;
  return (x * 0xbf58476d1ce4e5b9n) & ALL || 1n;
}

/** A source of random whole numbers of 32 bits; the seed, a whole number, fixes them all. @param {number} seed */
export function randomNumbers(seed) {
  let x = spread(seed);
  return function () {
    x ^= x >> 12n;
    x = (x ^ (x << 25n)) & ALL;
    x ^= x >> 27n;
    return Number(((x * CHOICE) & ALL) >> 32n);
  };
}

/** One of so many outcomes, counted from 0, that a random number of 32 bits stands for. @param {number} number @param {number} size */
export function pick(number, size) {
  if (size <= 2097152) return Math.floor((number * size) / 4294967296);
  return Number((BigInt(number) * BigInt(size)) >> 32n);
}

/** The outcomes of chance in the ply that was played last: types and values. @param {import("./engine.js").Rules} game */
function drawn(game) {
  const { at, room, types } = game.bundle.drawn;
  if (at < 0) return [];
  const used = game.machine.get(game.s, at);
  if (used > room) throw new Error("one ply draws more than a page can list");
  const numbers = game.machine.take(game.s, at + 1, used);
  const found = [];
  for (let i = 0; i < used; ) {
    const type = types[numbers[i]];
    const size = game.types[type].kind === "list" ? numbers[i + 1] : -1;
    found.push({ type, value: size < 0 ? numbers[i + 1] : numbers.slice(i + 2, i + 2 + size) });
    i += 2 + Math.max(size, 0);
  }
  return found;
}

/** The picks of one ply, which `ply` plays with picks from its beginning. */
export class Picking {
  /** @param {import("./engine.js").Rules} game @param {Chance} chance @param {(picks: number[]) => void} ply */
  constructor(game, chance, ply) {
    /** @type {Partial<Source>} */
    const source = typeof chance === "function" ? { random: chance } : chance || {};
    this.game = game;
    this.random = source.random;
    this.given = source.given || [];
    this.outcomes = source.outcomes || [];
    this.ply = ply;
    this.first = this.outcomes.length;
    /** @type {number[]} */
    this.picks = [];
  }

  /** Add what is picked out of so many in a draw of the ply, which has just been played without it.
   * @param {number} size @param {number} draw */
  add(size, draw) {
    const number = this.first + draw;
    if (this.given[number] !== undefined) {
      this.picks = this.picks.concat(this.forced(size, draw, this.given[number]));
    } else {
      if (!this.random) throw new Error("chance is asked, and there is none");
      this.picks.push(pick(this.random(), size));
    }
  }

  /** The picks that give an outcome; throws an Error if it cannot come up.
   * @param {number} size @param {number} draw @param {string} text */
  forced(size, draw, text) {
    const none = new Error("draw " + (this.first + draw + 1) + " cannot give " + text);
    let held = drawn(this.game)[draw];
    const type = this.game.types[held.type];
    if (type.kind !== "list") {
      const [wanted] = this.game.values.read(held.type, String(text));
      for (let k = 0; k < size; k++) {
        if (k) {
          this.ply(this.picks.concat([k]));
          held = drawn(this.game)[draw];
        }
        if (held.value === wanted) return [k];
      }
      throw none;
    }
    const items = this.game.values.elements(held.type, String(text)) || [];
    const wanted = items.map((item) => this.game.values.read(type.of, item)[0]);
    if (wanted.length !== size) throw none;
    // Without picks each element changed places with the first: that is undone to see the list before.
    const listed = held.value.slice();
    for (let i = 1; i < size; i++) [listed[i], listed[0]] = [listed[0], listed[i]];
    const found = [];
    for (let i = size - 1; i > 0; i--) {
      const j = listed.indexOf(wanted[i]);
      if (j < 0 || j > i) throw none;
      [listed[i], listed[j]] = [listed[j], listed[i]];
      found.push(j);
    }
    return found;
  }

  /** Note the outcomes of the ply that has just been played, which are so many. @param {number} draws */
  finish(draws) {
    if (!draws) return;
    const found = drawn(this.game).map(({ type, value }) => this.game.values.write(type, value));
    found.forEach((text, i) => {
      const given = this.given[this.first + i];
      if (given !== undefined && squeezed(String(given)) !== squeezed(text)) {
        throw new Error("draw " + (this.first + i + 1) + " cannot give " + given);
      }
    });
    this.outcomes.push(...found);
  }
}
