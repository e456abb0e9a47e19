/**
 * Scenes in a page: the functions of the drawing fill an array with the numbers of marks, which become marks
 * as rulespec/book/drawing/layers.py makes them.
 *
 * A viewer is a seat, who sees what that seat knows; `ALL`, or null, who sees everything; or
 * `ONLOOKER`, who sees what all seats know.
 */
import { NONE } from "./machine.js";
import { arranged, withNews } from "./scene.js";
import { Sights } from "./sights.js";
import { tables } from "./tables.js";

const FULL = -2, FIRST_NUMBERS = 1 << 10, MOST_NUMBERS = 1 << 20;
const TONES = tables.tones;
// Runs of what Python takes for white space.
const SPACES = /[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

export const ALL = -1;
export const ONLOOKER = -2;

/** @param {Viewer} viewer */
const isAll = (viewer) => viewer === null || viewer === undefined || viewer === ALL;

/** Makes marks of the numbers that the functions of one game's drawing give. */
class Reader {
  /** @param {Game} game */
  constructor(game) {
    this.values = game.values;
    this.types = game.types;
    this.layers = game.layers;
    this.looks = game.bundle.pictures.looks;
  }

  /** The notation of a value; nothing for none. @param {number} type @param {Value} value */
  text(type, value) {
    return value === NONE || type < 0 ? "" : this.values.write(type, value);
  }

  /** @param {number} type */
  isNumber(type) {
    return type >= 0 && !this.types[type].texts;
  }

  /** A look of a value; undefined if its type has none. @param {number} type @param {string} name @param {number} code */
  look(type, name, code) {
    const looks = type >= 0 && code !== NONE ? this.looks[type] : undefined;
    return looks && looks[name] && looks[name][this.values.index(type, code)];
  }

  /** @param {number} type @param {number} code */
  tone(type, code) {
    if (code === NONE || type < 0) return 0;
    const found = this.look(type, "tones", code);
    return found !== undefined ? found : code > 0 ? ((code - 1) % TONES) + 1 : 0;
  }

  /** Put what is shown of a value into a mark or a piece: notation, number, sides, suit and rank.
   * @param {any} thing @param {number} type @param {number} code */
  show(thing, type, code) {
    thing.label = this.text(type, code);
    if (this.isNumber(type)) {
      if (code !== NONE) thing.number = code;
      thing.sides = this.values.count(type);
    }
    const card = this.look(type, "cards", code);
    if (card) [thing.suit, thing.rank] = card;
    return thing;
  }

  /** @param {number} type @param {number} code @param {number} tone @returns {Partial<Piece>} */
  piece(type, code, tone) {
    const piece = this.show({ tone }, type, code);
    const { fields, parts } = this.types[type];
    if (!fields) return piece;
    const codes = (parts || [])[this.values.index(type, code)];
    piece.parts = fields.map(([, of], i) => {
      return { label: this.text(of, codes[i]), number: this.isNumber(of) ? codes[i] : null };
    });
    return piece;
  }

  // ---- marks

  /** The type of the elements of a set or a list, and their codes; -1 and none where there are none.
   * @param {[number, number[]] | undefined} held @returns {[number, number[]]} */
  elements(held) {
    return held && this.types[held[0]].of >= 0 ? [this.types[held[0]].of, held[1]] : [-1, []];
  }

  /** The pieces of a stack or a hand, then the backs of those that are not known. @param {Layer} layer @param {Said} said */
  pieces(layer, said) {
    const [type, codes] = this.elements(said.items);
    let [of, asked] = this.elements(said.tones);
    if (of < 0 && layer.tones) [of, asked] = [type, codes];
    const found = codes.map((code, i) =>
      this.piece(type, code, i < asked.length ? this.tone(of, asked[i]) : 0));
    const backs = said.backs ? said.backs[1] - found.length : 0;
    for (let i = 0; i < backs; i++) found.push({});
    return found;
  }

  /**
   * A mark of a layer with the values of its attributes, but for a text of null with its place alone; null where it
   * has none.
   * @param {Layer} layer @param {number} index @param {Said} said @param {string | null} text
   * @returns {Sparse | null} */
  mark(layer, index, said, text) {
    const value = (/** @type {string} */ name) => (said[name] ? said[name][1] : NONE);
    /** @param {string} x @param {string} y @returns {Point | null} */
    const place = (x, y) => {
      const column = value(x), row = value(y);
      return column === NONE || row === NONE ? null : [column * layer.across, (0 - row) * layer.up];
    };
    const at = place("across", "up");
    if (!at && layer.mark !== "hand") return null;
    /** @type {Sparse} */
    const mark = {
      kind: layer.mark, layer: index, x: at ? at[0] : 0, y: at ? at[1] : 0,
      looks: layer.looks, text: text || "", fixed: layer.fixed, to: place("to-across", "to-up"),
    };
    if (text === null) return mark;
    if (value("level") !== NONE) mark.level = value("level");
    if (value("shade") !== NONE) mark.shade = value("shade");
    if (said.tone) mark.tone = this.tone(...said.tone);
    this.show(mark, ...(said.count || said.label || /** @type {[number, number]} */ ([-1, NONE])));
    if (said.corner) mark.corner = this.text(...said.corner);
    if (said.name) mark.name = this.text(...said.name);
    if (value("size") !== NONE) mark.size = value("size") / 100;
    if (value("joins") !== NONE) mark.joins = this.text(...said.joins);
    if (said["via-across"] && said["via-up"]) {
      const rows = said["via-up"][1];
      mark.via = said["via-across"][1].slice(0, rows.length)
        .map((/** @type {number} */ column, /** @type {number} */ i) => [column * layer.across, (0 - rows[i]) * layer.up]);
    }
    if (said.items) mark.items = this.pieces(layer, said);
    return mark;
  }

  /**
   * The marks of layers that are wanted: so many numbers from the beginning of an array stand for all. With
   * `bare` a mark has its kind and places, and nothing else is worked out.
   * @param {Machine} machine @param {number} array @param {number} count
   * @param {(layer: Layer) => boolean} wanted @param {boolean} bare
   * @returns {Sparse[]} */
  marks(machine, array, count, wanted, bare) {
    const found = /** @type {Sparse[]} */ ([]);
    for (let i = 0; i < count;) {
      const index = machine.get(array, i++);
      const layer = this.layers[index];
      const said = /** @type {Said} */ ({}), texts = /** @type {string[]} */ ([]);
      for (const [name, type] of layer.fields) {
        /** @type {any} */
        let held = machine.get(array, i++);
        if (type >= 0 && this.types[type].kind !== "scalar") {
          held = machine.take(array, i, held);
          i += held.length;
        }
        if (name === "text") texts.push(bare ? "" : this.text(type, held));
        else said[name] = [type, held];
      }
      if (!wanted(layer)) continue;
      const text = bare ? null : layer.text.map((part) => (part === null ? texts.shift() : part)).join("");
      const mark = this.mark(layer, index, said, text && text.replace(SPACES, " ").replace(/^ | $/g, ""));
      if (mark) found.push(mark);
    }
    return found;
  }
}

// ---- games

export class Game extends Sights {
  /** The layers of the drawing; `layer` of a mark counts in them. */
  get layers() {
    return this.bundle.pictures.layers;
  }

  /** Objects that every scene of the game needs. */
  get drawer() {
    const made = {
      kept: /** @type {Standing[]} */ ([]),
      reader: new Reader(this),
      marks: this.machine.room(FIRST_NUMBERS),
      row: this.machine.room(this.layout.width),
      sizes: this.bundle.knowledge.sizes,
    };
    Object.defineProperty(this, "drawer", { value: made });
    return made;
  }

  /** Put a state into `s` and `b` as a viewer knows it. @param {State} state @param {Viewer} viewer */
  look(state, viewer) {
    this.hold(state);
    if (!this.exports.know) return;
    const seen = isAll(viewer) ? -1 : viewer === ONLOOKER ? 0 : this.layout.seats[/** @type {number} */ (viewer)];
    if (seen === undefined) throw new Error("no such seat");
    this.exports.know(this.s, this.b, BigInt(seen));
  }

  /** The marks of wanted layers that a function of the drawing gives for the state in `s` and `b`.
   * @param {string} name @param {(layer: Layer) => boolean} wanted @param {boolean} bare @param {...any} more
   * @returns {Sparse[]} */
  drawn(name, wanted, bare, ...more) {
    const drawer = this.drawer;
    for (;;) {
      const count = Number(this.exports[name](this.s, this.b, drawer.marks, ...more));
      if (count !== FULL) return drawer.reader.marks(this.machine, drawer.marks, count, wanted, bare);
      const size = 2 * this.machine.size(drawer.marks);
      if (size > MOST_NUMBERS) throw new Error("this picture has more marks than a page can draw");
      drawer.marks = this.machine.room(size);
    }
  }

  /**
   * The marks of a position without actions, of wanted layers, which `key` tells; `sizes` are those of what is
   * hidden, null for its own. The last two are kept: a position is drawn again for what is new in the next.
   * @param {State} state @param {Viewer} viewer @param {(layer: Layer) => boolean} wanted @param {string} key
   * @param {number[] | null} sizes @returns {Standing} */
  standing(state, viewer, wanted, key, sizes) {
    const { kept, sizes: [first, last] } = this.drawer;
    const same = (/** @type {Standing} */ one) => (sizes ? String(one.sizes) === String(sizes) : one.own);
    const known = kept.find((one) => one.state === state && one.key === key && same(one));
    if (known) return known;
    this.look(state, viewer);
    if (sizes) this.machine.put(this.s, first, sizes);
    const own = sizes || this.machine.take(this.s, first, last - first), marks = this.drawn("picture", wanted, false);
    const found = { state, key, own: !sizes, sizes: own, marks, scene: arranged(this.about.title, marks) };
    kept.push(found);
    if (kept.length > 2) kept.shift();
    return found;
  }

  /** The marks of an action in that state. @param {Action} action @param {(layer: Layer) => boolean} wanted @param {boolean} bare */
  shown(action, wanted, bare) {
    this.machine.put(this.drawer.row, 0, this.row(action));
    return this.drawn("pictured", wanted, bare, this.drawer.row, 0n);
  }

  /** True if a viewer sees the secret parts of actions in a state. @param {State} state @param {Viewer} viewer */
  isOpen(state, viewer) {
    return isAll(viewer) || viewer === this.mover(state);
  }

  /** Says of each layer that it is drawn in pictures of some names, `open` with the secret parts of actions.
   * @param {boolean} open @param {string[]} pictures @returns {(layer: Layer) => boolean} */
  wanted(open, pictures) {
    return (layer) =>
      (open || !layer.secret) && (!layer.in.length || layer.in.some((name) => pictures.includes(name)));
  }

  /**
   * The scene of a state for a viewer, as `Scene.to_data` gives it.
   *
   * With a state `before`, marks that are new since then are marked so. `actions`, then `refused` ones, are
   * numbered from 1; parts of them that are secret are drawn for the seat to move alone. Layers that say
   * `in` are drawn only where `pictures` has one of their names.
   * @param {State} state @param {Viewer} viewer
   * @param {{ before?: State | null, actions?: Action[], refused?: Action[], pictures?: string[] }} [options] */
  scene(state, viewer, { before = null, actions = [], refused = [], pictures = [] } = {}) {
    const open = this.isOpen(state, viewer), wanted = this.wanted(open, pictures);
    const key = JSON.stringify([isAll(viewer) ? ALL : viewer, open, pictures]);
    const standing = this.standing(state, viewer, wanted, key, null);
    const shown = actions.concat(refused);
    let scene = standing.scene;
    if (shown.length) {
      this.look(state, viewer);
      const marks = shown.flatMap((action, i) => this.shown(action, wanted, false)
        .map((mark) => Object.assign(mark, { option: i + 1, refused: i >= actions.length })));
      scene = arranged(this.about.title, standing.marks.concat(marks));
    }
    return before ? withNews(scene, this.standing(before, viewer, wanted, key, standing.sizes).scene) : scene;
  }

  /** The marks of each of some actions, legal or not, as a viewer sees them; `bare` ones have their places alone.
   * @param {State} state @param {Viewer} viewer @param {Action[]} actions */
  ghosts(state, viewer, actions, bare = false) {
    const wanted = this.wanted(this.isOpen(state, viewer), []);
    this.look(state, viewer);
    return actions.map((action) => this.shown(action, wanted, bare));
  }
}

/** A game from a bundle. @param {Bundle} bundle */
export const load = (bundle) => new Game(bundle);
