// A scene as SVG, the same text as rulespec/book/svg.py writes, and the areas of its marks for a pointer.
(function (rulespec) {
  "use strict";
  const D = rulespec.drawing;
  const { symbols: SYMBOLS, sizes } = rulespec.tables;
  const { unit: UNIT, margin: MARGIN, caption: CAPTION } = sizes;
  const { Canvas, num, escape, long, toned, centre, fitted, words, has } = D;
  const { boardOf, handsOf, keyOf, placeKey, callouts, isPlain, isHollow, kindOf, reach, boxOf } = D;

  D.DRAWERS.label = function (canvas, mark) {
    if (has(mark, "plain")) return;
    const [x, y] = centre(mark);
    const text = D.written(mark);
    const size = fitted(text, UNIT * 0.4 * mark.size, CAPTION);
    const wide = 0.58 * size * long(text);
    const high = size * 1.1;
    canvas.add(words(x, y, text, size, toned(mark), CAPTION), x - wide / 2, y - high / 2, wide, high);
  };
  D.DRAWERS.callout = function () {};

  /** The scene, its marks filled, on a canvas. */
  function drawn(scene) {
    const canvas = new Canvas();
    const board = boardOf(scene);
    const still = (m) => m.fixed && !m.new;
    let fixed = 0;
    while (fixed < board.length && still(board[fixed])) fixed += 1;
    const edge = D.rim(board);
    const isStill = board.filter((m) => m.kind === "square" && isPlain(m)).every(still);
    const ground = new Canvas();
    const under = covered(board);
    if (isStill && edge) ground.parts.push(edge);
    drawMarks(ground, board.slice(0, fixed), under, new Map());
    const whole = ground.parts.join("");
    if (whole) canvas.parts.push(`<g class="gg">${whole}</g>`);
    if (!ground.empty) canvas.reach(ground.box);
    canvas.areas.push(...ground.areas);
    if (edge && !isStill) canvas.parts.push(edge);
    drawMarks(canvas, board.slice(fixed), under, D.ranks(scene));
    const noted = callouts(board);
    D.drawCallouts(canvas, noted);
    if (scene.numbered) drawNumbers(canvas, board);
    D.drawKey(canvas, noted);
    D.drawHands(canvas, handsOf(scene));
    return canvas;
  }

  function drawMarks(canvas, marks, under, narrow) {
    for (const group of groups(marks)) {
      const part = new Canvas();
      const first = group[0];
      const rank = isHollow(first) ? narrow.get(first.option) : undefined;
      const box = () => (first.kind === "square" ? reach(first) : boxOf(group));
      if (rank !== undefined) D.slim(part, box(), rank);
      else if (first.kind === "tile") D.tile(part, group, under);
      else if (first.kind === "line") D.line(part, group);
      else if (isPlain(first)) D.joined(part, group);
      else D.DRAWERS[first.kind](part, first, under.get(first) || []);
      if (first.refused && isHollow(first)) {
        const [left, top, width] = box();
        D.refusal(part, left + width - UNIT * 0.2, top + UNIT * 0.2);
      }
      const body = part.parts.join("");
      const kinds = [];
      if (has(first, "ghost") && rank === undefined) kinds.push("h");
      if (group.some((m) => m.new)) kinds.push("n");
      canvas.parts.push(kinds.length && body ? `<g class="${kinds.join(" ")}">${body}</g>` : body);
      canvas.signs.push(...part.signs);
      if (!part.empty) canvas.reach(part.box);
      addAreas(canvas, group, part);
    }
  }

  /** Marks that are drawn as one: those of a tile, in the place of its first, and plain ones in a row. */
  function groups(marks) {
    const gathered = [];
    const open = new Map();
    for (const mark of marks) {
      if (mark.kind !== "tile" || mark.joins === null) {
        gathered.push([mark]);
        continue;
      }
      const key = [mark.layer, mark.level, mark.option].join();
      if (!open.has(key)) {
        open.set(key, []);
        gathered.push(open.get(key));
      }
      open.get(key).push(mark);
    }
    const found = [];
    let last = "";
    for (const group of gathered.flatMap((several) => (several.length > 1 ? D.regions(several) : [several]))) {
      const look = lookOf(group);
      if (look && look === last) found[found.length - 1].push(...group);
      else found.push([...group]);
      last = look;
    }
    return found;
  }

  /** Equal for marks that may be drawn in one path; empty for all others. */
  function lookOf(group) {
    const mark = group[0];
    if (group.length === 1 && isPlain(mark)) return [mark.kind, kindOf(mark), mark.new].join();
    return mark.kind === "line" ? ["line", mark.tone, mark.new].join() : "";
  }

  /** For each labelled mark that lies highest at its place: the labels it covers, lowest first. */
  function covered(board) {
    const piles = new Map();
    for (const mark of board) {
      if (!mark.label || mark.option) continue;
      const key = placeKey(mark.layer, placeKey(mark.x, mark.y));
      if (!piles.has(key)) piles.set(key, []);
      piles.get(key).push(mark);
    }
    const found = new Map();
    for (const pile of piles.values()) {
      if (!pile.some((m, i) => i && pile[i - 1].level < m.level)) continue;
      const top = keyOf(pile[pile.length - 1]);
      const labels = pile.slice(0, -1).map((m) => m.label);
      for (const mark of pile) if (keyOf(mark) === top) found.set(mark, labels);
    }
    return found;
  }

  /** The numbers of the actions shown. */
  function drawNumbers(canvas, board) {
    const options = new Map();
    for (const mark of board) {
      if (!mark.option) continue;
      if (!options.has(mark.option)) options.set(mark.option, []);
      options.get(mark.option).push(mark);
    }
    const spots = new D.Spots();
    for (const [x, y] of canvas.signs) spots.take(x, y);
    for (const [option, marks] of [...options].sort((a, b) => a[0] - b[0])) {
      const [x, y] = spots.take(...spotOf(marks));
      D.badge(canvas, x, y, String(option), marks[0].refused ? "bn br" : "bn");
    }
  }

  /** Where the number of an action stands. */
  function spotOf(marks) {
    const mark = marks[0];
    if (mark.kind === "arrow") {
      const points = D.course(mark);
      if (points.length > 1) return D.numberPlace(points);
      return [points[0][0] + UNIT * 0.34 + 17, points[0][1] - UNIT * 0.34];
    }
    const [left, top] = mark.kind === "tile" ? boxOf(marks.filter((m) => m.kind === "tile")) : reach(mark);
    return [left + UNIT * 0.2, top + UNIT * 0.2];
  }

  /** Note where the marks of a group lie: each square of a tile or board by itself, lines nowhere. */
  function addAreas(canvas, group, part) {
    for (const mark of group) {
      if (mark.kind === "tile" || isPlain(mark)) {
        canvas.areas.push({ mark, item: -1, box: mark.kind === "hexagon" ? D.hexBox(mark) : boxOf([mark]) });
      } else if (mark.kind !== "line" && !part.empty) {
        const [left, top, right, bottom] = part.box;
        canvas.areas.push({ mark, item: -1, box: [left, top, right - left, bottom - top] });
      }
    }
  }

  /** A canvas as a whole drawing. */
  function documentOf(canvas, title, desc, style, box) {
    const inside = style
      ? `<title>${escape(title)}</title><desc>${escape(desc)}</desc><style>${style}</style>`
      : "";
    const body = canvas.parts.join("");
    return `${head(canvas, title, desc, style, box)}${inside}${definitions(body)}${body}</svg>`;
  }

  /** The tag that begins a drawing. */
  function head(canvas, title, desc, style, box) {
    const [left, top, right, bottom] = box || canvas.box;
    const x = left - MARGIN;
    const y = top - MARGIN;
    const width = right - left + 2 * MARGIN;
    const height = bottom - top + 2 * MARGIN;
    const name = escape(desc ? `${title}: ${desc}` : title);
    const named = style ? "" : ` aria-label="${name}"`;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" class="rs-diagram" role="img"${named} ` +
      `viewBox="${num(x)} ${num(y)} ${num(width)} ${num(height)}" width="${num(width)}" height="${num(height)}">`
    );
  }

  function definitions(body) {
    const used = new Set([...body.matchAll(/href="#rs-([a-z]+[0-9]?)"/g)].map((found) => found[1]));
    const shapes = Object.keys(SYMBOLS)
      .filter((name) => used.has(name))
      .map((name) => `<g id="rs-${name}" class="rs-diagram">${SYMBOLS[name]}</g>`);
    return shapes.length ? `<defs>${shapes.join("")}</defs>` : "";
  }

  /**
   * A scene as SVG. Options: `title` and `desc` (else the scene's own), `style` (a style sheet that it carries),
   * `box` (left, top, right, bottom: the part of the table it shows).
   */
  rulespec.svg = function (scene, options) {
    const { title = scene.title, desc = rulespec.described(scene), style = "", box } = options || {};
    return documentOf(drawn(D.whole(scene)), title, desc, style, box);
  };

  /** How far the drawing of a scene reaches: left, top, right, bottom; null if it is empty. */
  rulespec.box = (scene) => rulespec.drawn(scene).box;

  /**
   * The areas of the marks of a scene, in the order of drawing: `mark` (its place among the scene's marks),
   * `item` (of a hand, else -1), `box` (left, top, width, height, in units of the drawing's view box).
   */
  rulespec.areas = (scene) => rulespec.drawn(scene).areas;

  /**
   * The drawing of a scene in one go: `box` and `areas` as above, `parts` (texts of whole elements, in order, some
   * of them empty), and `head(box)`, the tag that begins it. Shapes that parts use are not among them.
   */
  rulespec.drawn = function (scene) {
    const whole = D.whole(scene), canvas = drawn(whole);
    const numbers = new Map(whole.marks.map((mark, i) => [mark, i]));
    return {
      box: canvas.empty ? null : canvas.box,
      parts: canvas.parts,
      areas: canvas.areas.map(({ mark, item, box }) => ({
        mark: numbers.get(mark), item, box, kind: mark.kind, layer: mark.layer, name: mark.name,
        label: item < 0 ? mark.label : mark.items[item].label,
      })),
      head: (box) => head(canvas, scene.title, rulespec.described(whole), "", box),
    };
  };
})((globalThis.rulespec = globalThis.rulespec || {}));
