/**
 * A module of WebAssembly with the arrays that it works on.
 *
 * An array is the address of its first element; the eight bytes before hold its length. All elements have
 * eight bytes. Numbers are read as numbers of JavaScript, which hold them exactly up to 2^53, and `NONE` too.
 */

const PAGE = 65536, WORD = 4294967296;
const MOST_BYTES = 1 << 28;
/** The code of the character that stands for the byte 0 of a module, as in `browser/bundle.py`. */
const FIRST_LETTER = 35;
export const NONE = -Math.pow(2, 60);
/** The name of the number that limits the work of a module, in bytes of its code that it runs. */
const WORK_LEFT = "work left";
/** The work for one thing that somebody does, or for one call: some seconds at most, with most rules far below 0.1 s. */
export const MOST_WORK = 2e10;

/** The rules took more work than a page gives them. */
export class TooSlow extends Error {
  constructor() {
    super("The rules of this game take more work here than a page gives them. rulespec play has no such limit.");
  }
}

/** The bytes of a text with a character for each, the byte 0 being that of code `first`. @param {string} text */
export function bytesOf(text, first = 0) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i) - first;
  return bytes;
}

/** The module of some bytes; an Error in plain words where a browser or the site forbids it. @param {any} bytes */
function compiled(bytes) {
  try {
    return new WebAssembly.Module(bytes);
  } catch {
    throw new Error("The rules of this game cannot run here: WebAssembly is forbidden, or unknown to this browser.");
  }
}

export class Machine {
  halves = new Int32Array();
  bytes = new Uint8Array();
  longs = new BigInt64Array();

  /** @param {string} wasm @param {number} end */
  constructor(wasm, end) {
    this.memory = new WebAssembly.Memory({ initial: Math.ceil((end + 1) / PAGE) });
    this.end = Math.ceil(end / 8) * 8;
    this.look();
    const module = compiled(bytesOf(wasm, FIRST_LETTER));
    const { exports } = new WebAssembly.Instance(module, { rulespec: { memory: this.memory } });
    this.left = /** @type {WebAssembly.Global} */ (exports[WORK_LEFT]);
    this.isShared = false;
    this.exports = Object.create(null);
    for (const name of Object.keys(exports)) {
      if (name !== WORK_LEFT) this.exports[name] = this.limited(exports[name]);
    }
  }

  /** A function of the module each call of which has its own limit of work, but for those `within` one. @param {any} run */
  limited(run) {
    return (/** @type {any[]} */ ...given) => {
      if (!this.isShared) this.left.value = BigInt(MOST_WORK);
      try {
        return run(...given);
      } catch (error) {
        throw this.left.value < 0n ? new TooSlow() : error;
      }
    };
  }

  /** Do something for which all calls together have one limit of work. Throws TooSlow. @param {() => any} act */
  within(act, work = MOST_WORK) {
    if (this.isShared) return act();
    this.left.value = BigInt(work);
    this.isShared = true;
    try {
      return act();
    } finally {
      this.isShared = false;
    }
  }

  /** Look at the memory where it lies now. */
  look() {
    this.halves = new Int32Array(this.memory.buffer);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.longs = new BigInt64Array(this.memory.buffer);
  }

  /** A new array of so many zeros. @param {number} size */
  room(size) {
    const at = this.end + 8;
    const end = at + 8 * size;
    const missing = end - this.memory.buffer.byteLength;
    if (end > MOST_BYTES) throw new Error("more memory is needed than a page may take");
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE));
      this.look();
    }
    this.longs[this.end / 8] = BigInt(size);
    this.end = end;
    return at;
  }

  /** The length of an array. @param {number} array */
  size(array) {
    return this.halves[(array - 8) / 4];
  }

  /** An element of an array as a number. @param {number} array @param {number} i */
  get(array, i) {
    const at = array / 4 + 2 * i;
    return this.halves[at + 1] * WORD + (this.halves[at] >>> 0);
  }

  /** Store a number as an element of an array. @param {number} array @param {number} i @param {Value} value */
  set(array, i, value) {
    const at = array / 4 + 2 * i;
    this.halves[at] = value;
    this.halves[at + 1] = Math.floor(value / WORD);
  }

  /** Some elements of an array as numbers. @param {number} array @param {number} first @param {number} size */
  take(array, first, size) {
    const found = new Array(size);
    for (let i = 0; i < size; i++) found[i] = this.get(array, first + i);
    return found;
  }

  /** Copy elements from one array to another, given by their addresses. @param {number} to @param {number} from @param {number} size */
  copy(to, from, size) {
    this.bytes.copyWithin(to, from, from + 8 * size);
  }

  /** Store numbers, or texts of large ones, in an array from an element on.
   * @param {number} array @param {number} first @param {(number | bigint | string)[]} values */
  put(array, first, values) {
    for (let i = 0; i < values.length; i++) this.longs[array / 8 + first + i] = BigInt(values[i]);
  }
}
