// Refusals, numbers, callouts and crowded options, as rulespec/book/signs.py and options.py have them.
(function (rulespec) {
  "use strict";
  const D = rulespec.drawing;
  const { unit: UNIT, radius: RADIUS, line: ROW, letter: LETTER, narrowest } = rulespec.tables.sizes;
  const { num, escape, long, circle, path, has, centre, placeKey, boardOf, keyOf } = D;

  /** The sign of an action that is not legal. */
  D.refusal = function (canvas, x, y) {
    const size = UNIT * 0.17;
    const arm = UNIT * 0.075;
    const cross =
      `M${num(x - arm)} ${num(y - arm)}L${num(x + arm)} ${num(y + arm)}` +
      `M${num(x - arm)} ${num(y + arm)}L${num(x + arm)} ${num(y - arm)}`;
    canvas.add(circle(x, y, size, "z") + path(cross, "z"), x - size, y - size, 2 * size, 2 * size);
    canvas.signs.push([x, y]);
  };

  /** A number or letter in a circle. */
  D.badge = function (canvas, x, y, text, kind) {
    const sign = `<text class="bt" x="${num(x)}" y="${num(y)}">${escape(text)}</text>`;
    canvas.add(circle(x, y, RADIUS, kind) + sign, x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS);
  };

  /** The places of badges: each as near to the right of where it belongs as it covers no other. */
  D.Spots = class {
    constructor() {
      this.taken = new Map();
      this.last = new Map();
    }

    take(startX, y) {
      const wide = 2 * RADIUS;
      const start = placeKey(startX, y);
      let x = this.last.has(start) ? this.last.get(start) : startX;
      while (this.near(x, y).some(([a, b]) => Math.abs(x - a) < wide && Math.abs(y - b) < wide)) x += wide + 1;
      const box = placeKey(...this.box(x, y));
      if (!this.taken.has(box)) this.taken.set(box, []);
      this.taken.get(box).push([x, y]);
      this.last.set(start, x);
      return [x, y];
    }

    box(x, y) {
      return [Math.floor(x / (2 * RADIUS)), Math.floor(y / (2 * RADIUS))];
    }

    near(x, y) {
      const [column, row] = this.box(x, y);
      const found = [];
      for (const i of [-1, 0, 1]) {
        for (const j of [-1, 0, 1]) found.push(...(this.taken.get(placeKey(column + i, row + j)) || []));
      }
      return found;
    }
  };

  /** The letters of callouts on the board. */
  D.drawCallouts = function (canvas, marks) {
    marks.forEach((mark, i) => D.badge(canvas, ...centre(mark), D.letter(i), "bc"));
  };

  /** The texts of callouts below the board. */
  D.drawKey = function (canvas, marks) {
    const [left, , right] = canvas.box;
    let top = canvas.box[3] + 10;
    let x = left;
    marks.forEach((mark, i) => {
      const width = LETTER * long(mark.text);
      const wide = 2 * RADIUS + 6 + width;
      if (x > left && x + wide > right) {
        x = left;
        top += ROW;
      }
      D.badge(canvas, x + RADIUS, top + ROW / 2, D.letter(i), "bc");
      const at = `x="${num(x + 2 * RADIUS + 5)}" y="${num(top + ROW / 2)}"`;
      const text = `<text class="ct" ${at}>${escape(mark.text)}</text>`;
      canvas.add(text, x + 2 * RADIUS + 5, top, width, ROW);
      x += wide + 14;
    });
  };

  /** True for the outlines and ghosts that actions are shown with. */
  D.isHollow = (mark) => Boolean(mark.option) && (has(mark, "outline") || has(mark, "ghost"));

  /** The keys of the places from that of a mark to its other one. */
  function between(mark) {
    const [toX, toY] = mark.to || [mark.x, mark.y];
    const found = [];
    for (let i = 0; i <= Math.trunc(Math.abs(toX - mark.x)); i++) {
      for (let j = 0; j <= Math.trunc(Math.abs(toY - mark.y)); j++) {
        found.push(placeKey(Math.min(mark.x, toX) + i, Math.min(mark.y, toY) + j));
      }
    }
    return found;
  }

  /** For each option whose outlines must be drawn without faces, by how much narrower they are. */
  D.ranks = function (scene) {
    const options = new Map();
    for (const mark of boardOf(scene).filter(D.isHollow).sort((a, b) => a.option - b.option)) {
      if (!options.has(mark.option)) options.set(mark.option, []);
      options.get(mark.option).push(mark);
    }
    const highest = new Map();
    const looks = new Map();
    const ranked = new Map();
    const places = new Map();
    for (const [option, marks] of options) {
      const here = new Set(marks.flatMap(between));
      const look = [...new Set(marks.map((m) => keyOf(m, { option: 0 })))].sort().join();
      let rank = 0;
      for (const place of here) if (highest.has(place)) rank = Math.max(rank, highest.get(place) + 1);
      ranked.set(option, rank);
      places.set(option, here);
      for (const place of here) {
        highest.set(place, rank);
        if (!looks.has(place)) looks.set(place, new Set());
        looks.get(place).add(look);
      }
    }
    const found = new Map();
    for (const [option, rank] of ranked) {
      const crowded = [...places.get(option)].some((place) => looks.get(place).size > 1);
      if (rank || crowded) found.set(option, Math.min(rank, narrowest));
    }
    return found;
  };
})((globalThis.rulespec = globalThis.rulespec || {}));
