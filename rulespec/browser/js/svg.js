// A scene as SVG, as rulespec/book/drawing has it in Python, and the areas of its marks for a pointer.
import { boardOf, callouts, described, full, handsOf, keyOf, letter, placeKey, whole } from "./scene.js";
import { CALLABLE, SIZES, Shapes, callFunction, centre, draw, escaped, number, together, way } from "./shapes.js";
import { entryOf } from "./values.js";

const { UNIT, RADIUS, CROSS, CORNER, LINE, LETTER, MARGIN, GAP } = SIZES;
const { rect, text, path, len } = CALLABLE;
const SIDES = [[0, -1], [0, 1], [-1, 0], [1, 0]];
/** The distance between rows of pieces that stand beside one another. */
const BESIDE = 20;

/** Drawn elements, their box (left, top, right, bottom), the places of signs, and the areas of marks. */
class Canvas {
  parts = /** @type {string[]} */ ([]);
  signs = /** @type {Point[]} */ ([]);
  areas = /** @type {{ mark: Mark, item: number, box: Box, part: number }[]} */ ([]);
  box = /** @type {Box | null} */ (null);

  /** @param {string} part @param {Box | []} [box] */
  add(part, box = []) {
    this.parts.push(part);
    if (box.length) this.reach([box[0], box[1], box[0] + box[2], box[1] + box[3]]);
  }

  /** @param {Box | null} box */
  reach(box) {
    if (!box) return;
    const now = this.box || box;
    const [a, b, c, d] = box;
    this.box = [Math.min(now[0], a), Math.min(now[1], b), Math.max(now[2], c), Math.max(now[3], d)];
  }
}

/** Boxes one beside another, in a new row where one would pass `right`. */
class Flow {
  /** @param {number} left @param {number} top @param {number} right */
  constructor(left, top, right, gap = 0) {
    this.left = this.x = left;
    this.top = top;
    this.right = right;
    this.gap = gap;
    this.high = 0;
  }

  /** @param {number} width @param {number} height @param {number} step @returns {Point} */
  place(width, height, step, isFresh = false) {
    if (isFresh || (this.x > this.left && this.x + width > this.right)) {
      this.x = this.left;
      this.top += this.high + this.gap;
      this.high = 0;
    }
    const corner = /** @type {Point} */ ([this.x, this.top]);
    this.x += step;
    this.high = Math.max(this.high, height);
    return corner;
  }
}

/** The scene, its marks filled, on a canvas. @param {Scene} scene @param {RowLayout} layout */
function drawScene(scene, layout) {
  const canvas = new Canvas(), ground = new Canvas(), board = boardOf(scene), corners = cornersOf(board);
  const isStill = (/** @type {Mark} */ mark) => mark.fixed && !mark.new;
  const moving = board.findIndex((mark) => !isStill(mark)), fixed = moving < 0 ? board.length : moving;
  const rim = edge(board), below = board.filter(isGround).every(isStill) ? ground : canvas;
  if (below === ground) ground.add(rim);
  addMarks(ground, board.slice(0, fixed), corners, new Map());
  const still = ground.parts.join("");
  if (still) canvas.add(`<g class="gg">${still}</g>`);
  canvas.reach(ground.box);
  canvas.areas.push(...ground.areas.map((area) => ({ ...area, part: -1 })));
  if (below === canvas) canvas.add(rim);
  addMarks(canvas, board.slice(fixed), corners, narrowing(board));
  const noted = callouts(board);
  noted.forEach((mark, i) => addBadge(canvas, ...centre(mark), letter(i), "bc"));
  if (scene.numbered) addNumbers(canvas, board);
  addKey(canvas, noted);
  addRows(canvas, handsOf(scene), layout);
  return canvas;
}

// ---- groups of marks

/** Add marks in their order; those of an action in `narrow` as outlines so many steps narrower.
 * @param {Canvas} canvas @param {Mark[]} marks @param {Map<Mark, Mark>} corners @param {Map<number, number>} narrow */
function addMarks(canvas, marks, corners, narrow) {
  for (const group of groups(marks)) {
    const part = new Canvas(), first = group[0], isHollow = callFunction("is_hollow", first);
    const rank = isHollow ? narrow.get(first.option) : undefined;
    if (rank === undefined) {
      const shown = group.map((mark) => corners.get(mark) || mark), shapes = shown.map((mark) => new Shapes(mark, group));
      part.add(shapes[0].elements("once"));
      shapes.forEach((shape, i) => {
        const box = shape.part("box");
        part.add(shape.elements("shapes"), box);
        if (box.length && first.kind !== "line") canvas.areas.push({ mark: group[i], item: -1, box, part: canvas.parts.length });
      });
      const sign = /** @type {Point | null} */ (shapes[0].part("sign"));
      if (sign) addRefusal(part, ...sign);
    } else {
      const box = reach(group);
      part.add(draw("narrow", ...box, rank), box);
      for (const mark of group) canvas.areas.push({ mark, item: -1, box: reach([mark]), part: canvas.parts.length });
    }
    if (first.refused && isHollow) {
      const [left, top, width] = reach(group);
      addRefusal(part, left + width - CORNER, top + CORNER);
    }
    const body = part.parts.join(""), isGhost = first.looks.includes("ghost") && rank === undefined;
    const kinds = [...(isGhost ? ["h"] : []), ...(group.some((mark) => mark.new) ? ["n"] : [])];
    canvas.add(kinds.length && body ? `<g class="${kinds.join(" ")}">${body}</g>` : body);
    canvas.signs.push(...part.signs);
    canvas.reach(part.box);
  }
}

/** The marks in groups: those of a tile in the place of its first, and like ones that follow one another. @param {Mark[]} marks */
function groups(marks) {
  /** @type {Mark[][]} */
  const gathered = [], found = /** @type {Mark[][]} */ ([]), tiles = /** @type {Map<string, Mark[]>} */ (new Map());
  for (const mark of marks) {
    const isTile = mark.kind === "tile" && mark.joins !== null;
    const group = isTile ? entryOf(tiles, [mark.layer, mark.level, mark.option].join(), () => []) : [];
    group.push(mark);
    if (group.length === 1) gathered.push(group);
  }
  let last = "";
  for (const group of gathered.flatMap((several) => (several.length > 1 ? regions(several) : [several]))) {
    const [mark] = group, like = group.length === 1 && together(mark), key = like ? [mark.kind, like, mark.new].join() : "";
    if (key && key === last) found[found.length - 1].push(mark);
    else found.push([...group]);
    last = key;
  }
  return found;
}

/** The connected groups of marks whose `joins` are equal, each in the order given. @param {Mark[]} group */
function regions(group) {
  const squares = new Map(group.map((mark) => [placeKey(mark.x, mark.y), mark])), taken = new Set();
  /** @type {Mark[][]} */
  const found = [];
  for (const [start, first] of squares) {
    if (taken.has(start)) continue;
    const reached = new Set([start]), waiting = [first];
    for (let mark; (mark = waiting.pop()); ) {
      for (const [dx, dy] of SIDES) {
        const key = placeKey(mark.x + dx, mark.y + dy), beside = squares.get(key);
        if (reached.has(key) || !beside || beside.joins !== first.joins) continue;
        reached.add(key);
        waiting.push(beside);
      }
    }
    for (const key of reached) taken.add(key);
    found.push([...squares].filter(([key]) => reached.has(key)).map(([, mark]) => mark));
  }
  return found;
}

/** For labelled marks that lie on others: the mark with their labels in its corner, the lowest first. @param {Mark[]} board */
function cornersOf(board) {
  /** @type {Map<string, Mark[]>} */
  const piles = new Map(), found = /** @type {Map<Mark, Mark>} */ (new Map());
  for (const mark of board) {
    if (mark.label && !mark.option) entryOf(piles, [mark.layer, mark.x, mark.y].join(), () => []).push(mark);
  }
  for (const pile of piles.values()) {
    const top = pile[pile.length - 1], under = pile.slice(0, -1);
    const isPile = pile.some((mark, i) => i && pile[i - 1].level < mark.level);
    if (!top.corner && isPile) found.set(top, { ...top, corner: under.map((mark) => mark.label).join(" ") });
  }
  return found;
}

/** True if a mark is a plain square, one of those with an edge around them. @param {Mark} mark */
const isGround = (mark) => mark.kind === "square" && Boolean(together(mark));

/** The outer edge of the plain squares of a board, as one path; empty if there are none. @param {Mark[]} marks */
function edge(marks) {
  const sorted = marks.filter(isGround).sort((a, b) => a.y - b.y || a.x - b.x);
  const cells = new Map(sorted.map(({ x, y }) => [placeKey(x, y), [x, y]]));
  let sides = "";
  for (const [dx, dy] of SIDES) {
    const free = new Map([...cells].filter(([, [x, y]]) => !cells.has(placeKey(x + dx, y + dy))));
    const [ax, ay] = dy ? [1, 0] : [0, 1];
    for (const [x, y] of free.values()) {
      if (free.has(placeKey(x - ax, y - ay))) continue;
      let length = 1;
      while (free.has(placeKey(x + ax * length, y + ay * length))) length += 1;
      const left = x * UNIT + (dx > 0 ? UNIT / 2 : -UNIT / 2), top = y * UNIT + (dy > 0 ? UNIT / 2 : -UNIT / 2);
      sides += `M${number(left)} ${number(top)}${ax ? "h" : "v"}${number(length * UNIT)}`;
    }
  }
  return sides ? path(sides, "fr") : "";
}

// ---- actions that are shown

/** The keys of the places from that of a mark to its other one. @param {Mark} mark */
function between(mark) {
  const [toX, toY] = mark.to || [mark.x, mark.y], found = /** @type {string[]} */ ([]);
  for (let i = 0; i <= Math.trunc(Math.abs(toX - mark.x)); i++) {
    for (let j = 0; j <= Math.trunc(Math.abs(toY - mark.y)); j++) {
      found.push(placeKey(Math.min(mark.x, toX) + i, Math.min(mark.y, toY) + j));
    }
  }
  return found;
}

/** The marks of each action, the actions in order. @param {Mark[]} marks */
function byOption(marks) {
  /** @type {Map<number, Mark[]>} */
  const options = new Map();
  for (const mark of marks) if (mark.option) entryOf(options, mark.option, () => []).push(mark);
  return [...options].sort(([a], [b]) => a - b);
}

/** For each action whose outlines must be drawn without faces, by how much narrower they are. @param {Mark[]} board */
function narrowing(board) {
  /** @type {Map<string, Set<string>>} */
  const looks = new Map(), highest = new Map(), ranked = /** @type {[number, number, Set<string>][]} */ ([]);
  for (const [option, marks] of byOption(board.filter((mark) => callFunction("is_hollow", mark)))) {
    const places = new Set(marks.flatMap(between)), look = [...new Set(marks.map((m) => keyOf(m, { option: 0 })))].sort().join();
    const rank = Math.max(...[...places].map((place) => (highest.has(place) ? highest.get(place) : -1))) + 1;
    for (const place of places) {
      highest.set(place, rank);
      entryOf(looks, place, () => new Set()).add(look);
    }
    ranked.push([option, rank, places]);
  }
  /** @param {Set<string>} places */
  const isCrowded = (places) => [...places].some((place) => (looks.get(place) || new Set()).size > 1);
  const narrow = ranked.filter(([, rank, places]) => rank || isCrowded(places));
  return new Map(narrow.map(([option, rank]) => [option, Math.min(rank, SIZES.NARROWEST)]));
}

// ---- signs

/** @param {number} x @param {number} y @param {number} radius @returns {Box} */
const around = (x, y, radius) => [x - radius, y - radius, 2 * radius, 2 * radius];

/** Add the sign of an action that is not legal. @param {Canvas} canvas @param {number} x @param {number} y */
function addRefusal(canvas, x, y) {
  canvas.add(draw("refusal", x, y), around(x, y, CROSS));
  canvas.signs.push([x, y]);
}

/** Add a number or letter in a circle.
 * @param {Canvas} canvas @param {number} x @param {number} y @param {string} sign @param {string} look */
function addBadge(canvas, x, y, sign, look) {
  canvas.add(draw("badge", x, y, sign, look), around(x, y, RADIUS));
}

/** The places of badges: each as near to the right of where it belongs as it covers no other. */
class Spots {
  taken = /** @type {Point[]} */ ([]);
  last = /** @type {Map<string, number>} */ (new Map());

  /** @param {number} startX @param {number} y @returns {Point} */
  take(startX, y) {
    const wide = 2 * RADIUS, start = placeKey(startX, y);
    let x = this.last.get(start) ?? startX;
    while (this.taken.some(([a, b]) => Math.abs(x - a) < wide && Math.abs(y - b) < wide)) x += wide + 1;
    this.taken.push([x, y]);
    this.last.set(start, x);
    return [x, y];
  }
}

/** The box of the places of some marks. @param {Mark[]} marks @returns {Box} */
function reach(marks) {
  const boxes = marks.map((mark) => /** @type {Box} */ (callFunction("span", ...centre(mark), ...way(mark), UNIT * mark.size)));
  const left = Math.min(...boxes.map((box) => box[0])), top = Math.min(...boxes.map((box) => box[1]));
  const right = Math.max(...boxes.map((box) => box[0] + box[2])), bottom = Math.max(...boxes.map((box) => box[1] + box[3]));
  return [left, top, right - left, bottom - top];
}

/** Add the number of each action that has marks on the board. @param {Canvas} canvas @param {Mark[]} board */
function addNumbers(canvas, board) {
  const spots = new Spots();
  for (const [x, y] of canvas.signs) spots.take(x, y);
  for (const [option, marks] of byOption(board)) {
    const [first] = marks;
    const [left, top] = reach(first.kind === "tile" ? marks.filter((mark) => mark.kind === "tile") : [first]);
    const spot = /** @type {Point} */ (new Shapes(first).part("spot") || [left + CORNER, top + CORNER]);
    addBadge(canvas, ...spots.take(...spot), String(option), first.refused ? "bn br" : "bn");
  }
}

/** Add the texts of callouts below the board, one beside another as far as there is room. @param {Canvas} canvas @param {Mark[]} marks */
function addKey(canvas, marks) {
  const [left, , right, bottom] = canvas.box || [0, 0, 0, 0], flow = new Flow(left, bottom + 10, right);
  marks.forEach((mark, i) => {
    const width = LETTER * len(mark.text);
    const [x, top] = flow.place(2 * RADIUS + 6 + width, LINE, 2 * RADIUS + 6 + width + 14);
    addBadge(canvas, x + RADIUS, top + LINE / 2, letter(i), "bc");
    const at = x + (2 * RADIUS + 5);
    canvas.add(text(at, top + LINE / 2, mark.text, "ct"), [at, top, width, LINE]);
  });
}

// ---- rows of pieces

/** Add all rows; one may stand beside the one before it, or abreast of those of its layer. With a `room` they are so wide at
 * most, or as the board, and each piece has room for a finger. @param {Canvas} canvas @param {Mark[]} hands @param {RowLayout} layout */
function addRows(canvas, hands, { room, start }) {
  const [left, , end, bottom] = canvas.box || [0, 0, 0, -14], right = Math.max(end, Math.min(left, start) + (room || SIZES.ROW));
  const flow = new Flow(left, bottom + 14, right), column = (right - left) / SIZES.COLUMNS;
  let layer = -1;
  for (const hand of hands) {
    const size = new Canvas();
    addRow(size, hand, 0, 0, right - left, room);
    const [, , width, height] = size.box || [0, 0, 0, 0], isAbreast = hand.looks.includes("abreast") && hand.layer === layer;
    if (isAbreast) flow.x = left + Math.ceil((flow.x - BESIDE + SIZES.APART - left) / column) * column;
    const isFresh = !(isAbreast || hand.looks.includes("beside")) || flow.x + width > right;
    addRow(canvas, hand, ...flow.place(width, height + 10, width + BESIDE, isFresh), right, room);
    layer = hand.layer;
  }
}

/** Add a row from this corner on, which goes on in further rows where it would pass `right`.
 * @param {Canvas} canvas @param {Mark} hand @param {number} left @param {number} start @param {number} right @param {number} room */
function addRow(canvas, hand, left, start, right, room) {
  if (hand.text) canvas.add(text(left, start + 8, hand.text, "c"), [left, start, 7.2 * len(hand.text), 16]);
  const top = hand.text ? start + 22 : start;
  if (!hand.items.length) { // an empty place is as large as the back of a piece
    const [, , width, height] = pieceOf({}, hand).part("box");
    canvas.add(rect(left, top, width, height, "ri", 6), [left, top, width, height]);
  }
  const flow = new Flow(left, top, right, GAP);
  hand.items.forEach((piece, item) => {
    const [, , width, height] = pieceOf(piece, hand).part("box");
    const step = callFunction("piece_step", markOf(piece, hand), width), least = room && piece.label ? UNIT : 0;
    const [x, y] = flow.place(width, Math.max(height, least - GAP), Math.max(step, least)), box = /** @type {Box} */ ([x, y, width, height]);
    canvas.add(pieceOf(piece, hand, [x + width / 2, y + height / 2]).elements("shapes"), box);
    canvas.areas.push({ mark: hand, item, box, part: canvas.parts.length - 1 });
  });
}

/** A piece as a mark with the looks of its row; the fields of a record are its items. @param {Partial<Piece>} piece @param {Mark} hand */
const markOf = (piece, hand) =>
  full({ ...piece, kind: "piece", layer: hand.layer, items: piece.parts || [], looks: hand.looks });

/** @param {Partial<Piece>} piece @param {Mark} hand @param {Point} [place] */
function pieceOf(piece, hand, place = [0, 0]) {
  const mark = markOf(piece, hand);
  return new Shapes(mark, [], callFunction("piece_entry", mark), place);
}

/** The tag that begins a drawing. @param {string} title @param {string} words @param {Box} box */
function head(title, words, [left, top, right, bottom]) {
  const [x, y, width, height] = [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN].map(number);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="rs-diagram" role="img" aria-label="${escaped(words ? `${title}: ${words}` : title)}" ` +
    `viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}">`
  );
}

/** A text that a thing keeps where it is moved: of what it is a half, else what lies there. @param {Mark} mark @param {number} item */
function lookOf(mark, item) {
  if (item >= 0) return mark.items[item].label;
  return mark.joins || mark.items.map((piece) => piece.label).join(" ") || mark.label || mark.kind + mark.tone;
}

/**
 * The drawing of a scene: how far it reaches (`box`: left, top, right, bottom; null if it is empty), its `parts` (texts
 * of whole elements, in order, some of them empty; shapes that they use are not among them), the `areas` of marks in the
 * order of drawing (`item` counts the pieces of a hand, else -1; `part` is the number of its part, -1 for the ground), and `head(box)`, the tag that begins it.
 * With a `room`, pieces beside the board are for fingers, in rows that fit a screen so wide; `start` is the left end of the screen, if
 * it is not that of the board.
 * @param {Scene<Sparse>} scene @param {RowLayout} [layout] @returns {Drawing} */
export function drawn(scene, layout = { room: 0, start: Infinity }) {
  const filled = whole(scene), canvas = drawScene(filled, layout);
  const numbers = new Map(filled.marks.map((mark, i) => [mark, i]));
  return {
    box: canvas.box,
    parts: canvas.parts,
    areas: canvas.areas.map(({ mark, item, box, part }) => ({
      mark: numbers.get(mark) ?? -1, item, box, part, look: lookOf(mark, item), kind: mark.kind, layer: mark.layer, name: mark.name,
      label: item < 0 ? mark.label : mark.items[item].label,
    })),
    head: (box) => head(scene.title, described(filled), box),
  };
}
