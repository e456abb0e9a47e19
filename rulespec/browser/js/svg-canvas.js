// A canvas and the elements that drawings of marks share, as rulespec/book/canvas.py has them.
(function (rulespec) {
  "use strict";
  const D = rulespec.drawing;
  const { unit: UNIT, lift: LIFT } = rulespec.tables.sizes;

  /** Drawn elements, how far they reach, and the places of signs. */
  class Canvas {
    constructor() {
      this.parts = [];
      this.signs = [];
      this.areas = [];
      this.box = [0, 0, 0, 0];
      this.empty = true;
    }

    add(part, x, y, width, height) {
      this.parts.push(part);
      this.reach([x, y, x + width, y + height]);
    }

    reach(box) {
      const now = this.empty ? box : this.box;
      this.box = [
        Math.min(now[0], box[0]), Math.min(now[1], box[1]), Math.max(now[2], box[2]), Math.max(now[3], box[3]),
      ];
      this.empty = false;
    }
  }

  /** A length as it is written: rounded to a tenth, halves up, without needless zeros. */
  function num(value) {
    const tenths = Math.floor(value * 10 + 0.5);
    const size = Math.abs(tenths);
    const part = size % 10;
    return (tenths < 0 ? "-" : "") + (size - part) / 10 + (part ? "." + part : "");
  }

  const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const escape = (text) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign]);
  /** How many characters a text has. */
  const long = (text) => [...text].length;

  const toned = (shown) => (shown.tone > 0 ? " t" + shown.tone : "");
  const centre = (mark) => [mark.x * UNIT, mark.y * UNIT - mark.level * LIFT];
  const fitted = (text, size, width = 1.4 * UNIT) => Math.min(size, width / Math.max(1, long(text)));
  const classed = (kind) => (kind.trim() ? ` class="${kind.trim()}"` : "");

  /** Text centred at a place, made smaller where it would not fit a width. */
  function words(x, y, text, size, kind = "", width = 1.4 * UNIT) {
    const place = `x="${num(x)}" y="${num(y)}" font-size="${num(fitted(text, size, width))}"`;
    return `<text ${place}${classed(kind)}>${escape(text)}</text>`;
  }

  function rect(x, y, width, height, kind, radius) {
    const corner = radius === undefined ? "" : ` rx="${num(radius)}"`;
    const size = `width="${num(width)}" height="${num(height)}"`;
    return `<rect class="${kind}" x="${num(x)}" y="${num(y)}" ${size}${corner}/>`;
  }

  const dashed = (x, y, width, height) =>
    rect(x, y, width, height, "oo", 4) + rect(x, y, width, height, "o", 4);
  const circle = (x, y, radius, kind) =>
    `<circle class="${kind}" cx="${num(x)}" cy="${num(y)}" r="${num(radius)}"/>`;
  const path = (d, kind) => `<path class="${kind}" d="${d}"/>`;
  const use = (symbol, x, y, kind = "") =>
    `<use${classed(kind)} href="#rs-${symbol}" x="${num(x)}" y="${num(y)}"/>`;
  /** The points of a way, from the first on. */
  const ways = (points) => "M" + points.map(([x, y]) => num(x) + " " + num(y)).join("L");
  const has = (shown, look) => shown.looks.includes(look);

  /** The box that a mark from one place to another fills: left, top, width, height. */
  function span(mark, side) {
    const [x, y] = centre(mark);
    const [toX, toY] = mark.to || [mark.x, mark.y];
    const dx = (toX - mark.x) * UNIT;
    const dy = (toY - mark.y) * UNIT;
    return [
      Math.min(x, x + dx) - side / 2, Math.min(y, y + dy) - side / 2, side + Math.abs(dx), side + Math.abs(dy),
    ];
  }

  Object.assign(D, {
    Canvas, num, escape, long, toned, centre, fitted, words, rect, dashed, circle, path, use, ways, has, span,
  });
})((globalThis.rulespec = globalThis.rulespec || {}));
