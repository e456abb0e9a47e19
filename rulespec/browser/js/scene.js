// Scenes as rulespec/book/drawing/scene.py and description.py have them: marks with their defaults, order, news, words.
import { tables } from "./tables.js";
import { entryOf } from "./values.js";

const { pieces: PIECES, unread: UNREAD, back: BACK } = tables.scene;

/** @type {Part} */
const PART = { label: "", number: null };
/** @type {Piece} */
const PIECE = { label: "", tone: 0, number: null, sides: 0, parts: [], suit: "", rank: "" };
/** @type {Mark} */
const MARK = {
  kind: "", layer: 0, x: 0, y: 0, level: 0, shade: 0, tone: 0, label: "", corner: "", number: null, sides: 0,
  suit: "", rank: "", size: 1, joins: null, to: null, via: [], items: [], looks: [], text: "", name: "",
  option: 0, refused: false, taken: false, fixed: false, new: false,
};

/** Marks that were filled; they are not changed any more. Of some of them the JSON. */
const FILLED = new WeakSet(), KEYS = new WeakMap();

/** A copy of a mark with every attribute, in an order of its own, so that equal marks have equal JSON. @param {Sparse} mark */
function filled(mark) {
  const found = /** @type {Mark} */ ({ ...MARK, ...mark });
  found.items = found.items.map((item) => {
    const piece = { ...PIECE, ...item };
    piece.parts = piece.parts.map((part) => Object.assign({}, PART, part));
    return piece;
  });
  found.looks = [...found.looks].sort();
  FILLED.add(found);
  return found;
}

/** A mark with every attribute: itself if it was filled before. @param {Sparse} mark */
export const full = (mark) => (FILLED.has(mark) ? /** @type {Mark} */ (mark) : filled(mark));

/** `keyOf` a mark that was filled, kept for the next question. @param {Mark} mark */
const keptKey = (mark) => entryOf(KEYS, mark, () => keyOf(mark));

/** A text that is equal for equal marks; the attributes of `other` stand for the mark's own.
 * @param {Mark} mark @param {Partial<Mark>} [other] */
export const keyOf = (mark, other) => JSON.stringify(other ? Object.assign({}, mark, other) : mark);
/** @param {number} x @param {number} y */
export const placeKey = (x, y) => x + "," + y;

/** @param {Scene} scene */
export const boardOf = (scene) => scene.marks.filter((m) => m.kind !== "hand");
/** @param {Scene} scene */
export const handsOf = (scene) => scene.marks.filter((m) => m.kind === "hand");
/** @param {Mark[]} marks */
const optionsOf = (marks) => new Set(marks.filter((m) => m.option).map((m) => m.option));

/** The scene with its marks filled. @param {Scene<Sparse>} scene @returns {Scene} */
export const whole = (scene) => ({ ...scene, marks: scene.marks.map(full) });

/** The scene of these marks: in the order of drawing, without refused actions that look legal.
 * @param {string} title @param {Sparse[]} marks @returns {Scene} */
export function arranged(title, marks) {
  let listed = marks.map(filled);
  const legal = new Set();
  const clear = new Set();
  const seen = new Set();
  for (const m of listed) if (m.option && !m.refused) legal.add(keyOf(m, { option: 0 }));
  for (const m of listed) {
    if (m.refused) (legal.has(keyOf(m, { option: 0, refused: false })) ? seen : clear).add(m.option);
  }
  listed = listed.filter((m) => !seen.has(m.option) || clear.has(m.option));
  const standing = new Set();
  for (const m of listed) if (PIECES.includes(m.kind) && !m.option) standing.add(placeKey(m.x, m.y));
  for (const m of listed) if (m.kind === "arrow" && m.to && standing.has(placeKey(m.to[0], m.to[1]))) m.taken = true;
  listed.sort((a, b) => a.level - b.level || a.layer - b.layer || a.y - b.y);
  return { title, numbered: optionsOf(listed).size > 1, marks: listed };
}

/** The key of a mark without its depth. @param {Mark} mark */
const flatKey = (mark) => keyOf(mark, { level: 0, shade: 0, corner: "" });

/**
 * The scene, its marks that were not in the one before marked as new. Of a layer whose marks have all changed their
 * depth only marks that came are new.
 * @param {Scene<Sparse>} scene @param {Scene<Sparse>} before @returns {Scene} */
export function withNews(scene, before) {
  const known = new Set(before.marks.map((m) => keptKey(full(m))));
  const marks = scene.marks.map(full), strange = marks.filter((m) => !known.has(keptKey(m)));
  const still = new Set(marks.filter((m) => !m.option && known.has(keptKey(m))).map((m) => m.layer));
  const turned = strange.filter((m) => !still.has(m.layer)), count = new Map();
  const shapes = new Set(turned.length > 1 ? before.marks.map((m) => flatKey(full(m))) : []);
  const sunk = new Set(turned.filter((m) => shapes.has(flatKey(m))));
  for (const m of sunk) count.set(m.layer, (count.get(m.layer) || 0) + 1);
  const news = new Set(strange.filter((m) => !sunk.has(m) || count.get(m.layer) < 2));
  const shown = marks.map((m) => (news.has(m) ? filled(Object.assign({}, m, { new: true })) : m));
  return { ...scene, marks: shown };
}

/** The callouts of a scene in the order of reading. @param {Mark[]} board */
export const callouts = (board) =>
  board.filter((m) => m.kind === "callout").sort((a, b) => a.y - b.y || a.x - b.x);
/** The sign of a callout, from 0. @param {number} number */
export const letter = (number) => (number < 26 ? String.fromCharCode(65 + number) : String(number + 1));

/** The things on the board that may change with the names of their places, then the rows beside it. @param {Scene<Sparse>} scene */
export function described(scene) {
  const marks = whole(scene);
  const board = boardOf(marks);
  const places = new Map();
  for (const m of board) {
    const quiet = m.looks.includes("outline") || m.looks.includes("fine");
    if (m.fixed || m.option || UNREAD.includes(m.kind) || quiet) continue;
    const words = spoken(m);
    if (!words || words === m.name) continue;
    entryOf(places, words, () => []).push(m.name);
  }
  const parts = [...places].map(([words, names]) => placed(words, names));
  for (const hand of handsOf(marks)) parts.push((hand.text && hand.text + ": ") + row(hand.items));
  callouts(board).forEach((m, i) => parts.push(letter(i) + ": " + m.text));
  return parts.join("; ");
}

/** @param {string} words @param {string[]} names */
function placed(words, names) {
  const named = names.filter(Boolean);
  if (named.length) return words + " at " + named.join(", ");
  return names.length === 1 ? words : names.length + " times " + words;
}

/** @param {Mark} m @returns {string} */
function spoken(m) {
  if (m.kind === "stack") return m.items.map((piece) => piece.label || BACK).join(" ");
  if (m.kind === "card") return m.label || BACK;
  if (m.kind === "label") return m.looks.includes("plain") ? "" : written(m);
  if ((m.kind === "disc" || m.kind === "pyramid") && !m.label) return "a piece";
  return m.label;
}

/** @param {Piece[]} items */
function row(items) {
  const found = items.filter((piece) => piece.label).map((piece) => piece.label);
  const backs = items.length - found.length;
  if (backs) found.push(backs === 1 ? BACK : backs + " backs");
  return found.join(", ") || "none";
}

/** The text of a label: its words and its value. @param {Mark} mark */
export const written = (mark) => [mark.text, mark.label].filter(Boolean).join(" ");
