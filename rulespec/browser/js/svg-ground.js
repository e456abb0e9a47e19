// Boards, tiles and lines, as rulespec/book/grounds.py, regions.py, tiles.py and lines.py have them.
(function (rulespec) {
  "use strict";
  const D = rulespec.drawing;
  const { unit: UNIT, inset: INSET, lift: LIFT, short: SHORT } = rulespec.tables.sizes;
  const { num, toned, centre, words, rect, dashed, path, use, ways, has, span, shade, face, placeKey } = D;
  const WIDE = UNIT / 2;
  const HIGH = UNIT / Math.sqrt(3);
  const SIDES = [[1, 0], [0, 1], [-1, 0], [0, -1]];

  const kindOf = (mark) => (mark.level > 0 ? "q" : "g") + shade(mark) + toned(mark);
  const reach = (mark) => span(mark, UNIT * mark.size);

  /** True if a mark may be drawn in one path with others of its class. */
  function isPlain(mark) {
    const whole = (mark.kind === "square" || mark.kind === "hexagon") && mark.size === 1 && !mark.to;
    return whole && mark.level === 0 && !has(mark, "outline") && !mark.option;
  }

  function six(x, y) {
    const across = num(WIDE);
    const half = num(HIGH / 2);
    const side = num(HIGH);
    const right = `l${across} ${half}v${side}l-${across} ${half}`;
    return `M${num(x)} ${num(y - HIGH)}${right}l-${across} -${half}v-${side}z`;
  }

  const four = (x, y) => `M${num(x - UNIT / 2)} ${num(y - UNIT / 2)}h${UNIT}v${UNIT}h-${UNIT}z`;

  /** The box of a hexagon: left, top, width, height. */
  function hexBox(mark) {
    const [x, y] = centre(mark);
    return [x - WIDE, y - HIGH, 2 * WIDE, 2 * HIGH];
  }

  /** Plain squares or hexagons of one class, and their faces above them. */
  function joined(canvas, marks) {
    let d = "";
    for (const mark of marks) {
      const [x, y] = centre(mark);
      const high = mark.kind === "square" ? UNIT / 2 : HIGH;
      d += mark.kind === "square" ? four(x, y) : six(x, y);
      canvas.reach([x - UNIT / 2, y - high, x + UNIT / 2, y + high]);
    }
    canvas.parts.push(path(d, kindOf(marks[0])));
    for (const mark of marks) {
      const text = face(mark, ...centre(mark), []);
      if (text) canvas.parts.push(text);
    }
  }

  function square(canvas, mark, under) {
    if (has(mark, "outline")) {
      const [left, top, width, height] = reach(mark);
      const box = dashed(left + INSET, top + INSET, width - 2 * INSET, height - 2 * INSET);
      const text = face(mark, left + width / 2, top + height / 2, under);
      canvas.add(box + text, left, top, width, height);
      return;
    }
    const [x, y] = centre(mark);
    const side = UNIT * mark.size;
    const left = x - side / 2;
    const top = y - side / 2;
    const lift = mark.level > 0 ? LIFT : 0;
    const raised = lift ? rect(left, top, side, side + lift, "e") : "";
    const body = raised + rect(left, top, side, side, kindOf(mark)) + face(mark, x, y, under);
    canvas.add(body, left, top, side, side + lift);
  }

  function highlight(canvas, mark) {
    const [left, top, width, height] = reach(mark);
    const body = rect(left + 2, top + 2, width - 4, height - 4, "hl" + toned(mark), 5);
    canvas.add(body, left, top, width, height);
  }

  function hexagon(canvas, mark, under) {
    const [x, y] = centre(mark);
    const hollow = has(mark, "outline");
    const lift = mark.level > 0 && !hollow ? LIFT : 0;
    const raised = lift ? path(six(x, y + lift), "e") : "";
    const body = raised + path(six(x, y), hollow ? "o" : kindOf(mark)) + face(mark, x, y, under);
    canvas.add(body, x - WIDE, y - HIGH, 2 * WIDE, 2 * HIGH + lift);
  }

  /** The outer edge of the squares of a board, as one path; empty if there are none. */
  function rim(marks) {
    const cells = new Map();
    for (const m of marks) if (m.kind === "square" && isPlain(m)) cells.set(placeKey(m.x, m.y), [m.x, m.y]);
    const sorted = [...cells.values()].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    let sides = "";
    for (const [dx, dy] of [[0, -1], [0, 1], [-1, 0], [1, 0]]) {
      const edge = sorted.filter(([x, y]) => !cells.has(placeKey(x + dx, y + dy)));
      const at = new Set(edge.map(([x, y]) => placeKey(x, y)));
      const [ax, ay] = dx === 0 ? [1, 0] : [0, 1];
      for (const [x, y] of edge) {
        if (at.has(placeKey(x - ax, y - ay))) continue;
        let length = 1;
        while (at.has(placeKey(x + ax * length, y + ay * length))) length += 1;
        const left = x * UNIT + (dx > 0 ? UNIT / 2 : -UNIT / 2);
        const top = y * UNIT + (dy > 0 ? UNIT / 2 : -UNIT / 2);
        sides += `M${num(left)} ${num(top)}${ax ? "h" : "v"}${num(length * UNIT)}`;
      }
    }
    return sides ? path(sides, "fr") : "";
  }

  /** The connected groups of marks whose `joins` are equal, each in the order given. */
  function regions(group) {
    const tiles = new Map();
    for (const m of group) tiles.set(placeKey(m.x, m.y), m);
    const name = (m) => m.joins || "";
    const found = [];
    const taken = new Set();
    for (const [start, first] of tiles) {
      if (taken.has(start)) continue;
      const reached = new Set([start]);
      const waiting = [first];
      while (waiting.length) {
        const m = waiting.pop();
        for (const [dx, dy] of SIDES) {
          const key = placeKey(m.x + dx, m.y + dy);
          const beside = tiles.get(key);
          if (!reached.has(key) && beside && name(beside) === name(first)) {
            reached.add(key);
            waiting.push(beside);
          }
        }
      }
      for (const key of reached) taken.add(key);
      found.push([...tiles].filter(([key]) => reached.has(key)).map(([, m]) => m));
    }
    return found;
  }

  /** The boxes that cover a tile, and the seams between its squares. */
  function rectangles(group, inset) {
    const inside = new Set(group.map((m) => placeKey(m.x, m.y)));
    const seams = [];
    for (const { x, y } of group) {
      if (inside.has(placeKey(x + 1, y))) {
        seams.push([x + 0.5, y - 0.5 + 3 * inset, x + 0.5, y + 0.5 - 3 * inset]);
      }
      if (inside.has(placeKey(x, y + 1))) {
        seams.push([x - 0.5 + 3 * inset, y + 0.5, x + 0.5 - 3 * inset, y + 0.5]);
      }
    }
    const xs = group.map((m) => m.x);
    const ys = group.map((m) => m.y);
    const left = Math.min(...xs) - 0.5;
    const top = Math.min(...ys) - 0.5;
    const wide = Math.max(...xs) + 0.5 - left;
    const high = Math.max(...ys) + 0.5 - top;
    if (even(wide * high) === inside.size) {
      return [[[left + inset, top + inset, wide - 2 * inset, high - 2 * inset]], seams];
    }
    const boxes = group.map(({ x, y }) => {
      const [west, east, north, south] = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([dx, dy]) =>
        inside.has(placeKey(x + dx, y + dy)) ? 0 : inset
      );
      return [x - 0.5 + west, y - 0.5 + north, 1 - west - east, 1 - north - south];
    });
    return [boxes, seams];
  }

  /** The nearest whole number, a half to the even one. */
  function even(value) {
    const low = Math.floor(value);
    const rest = value - low;
    return rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low;
  }

  /** The squares of one tile with their faces. */
  function tile(canvas, group, covered) {
    const first = group[0];
    const up = first.level * LIFT;
    const lift = first.level > 0 && !has(first, "ghost") ? LIFT : 0;
    const kind = "f" + shade(first) + toned(first);
    if (group.length === 2) {
      const [a, b] = group;
      const symbol = (a.y === b.y ? "dx" : "dy") + (lift ? "l" : "");
      canvas.parts.push(use(symbol, ((a.x + b.x) / 2) * UNIT, ((a.y + b.y) / 2) * UNIT - up, kind));
    } else {
      crooked(canvas, group, kind, up, lift);
    }
    for (const mark of group) {
      const [x, y] = centre(mark);
      const text = face(mark, x, y, covered.get(mark) || [], "fi");
      canvas.add(text, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT + lift);
    }
  }

  function crooked(canvas, group, kind, up, lift) {
    const [boxes, seams] = rectangles(group, INSET / UNIT);
    const radius = boxes.length === 1 ? 6 : undefined;
    const drawn = boxes.map(([a, b, w, h]) => [a * UNIT, b * UNIT - up, w * UNIT, h * UNIT]);
    for (const [a, b, w, h] of lift ? drawn : []) {
      canvas.parts.push(rect(a, b, w, h + lift - INSET, "e", radius));
    }
    for (const box of drawn) canvas.parts.push(rect(...box, kind, radius));
    for (const box of drawn.length > 1 ? drawn : []) canvas.parts.push(rect(...box, kind + " l"));
    let d = "";
    for (const [a, b, c, e] of seams) {
      d += `M${num(a * UNIT)} ${num(b * UNIT - up)}L${num(c * UNIT)} ${num(e * UNIT - up)}`;
    }
    if (d) canvas.parts.push(path(d, "d"));
  }

  /** The outline of an option that lies on others. */
  function slim(canvas, [left, top, width, height], rank) {
    const inset = INSET + 4 * rank;
    const body = dashed(left + inset, top + inset, width - 2 * inset, height - 2 * inset);
    canvas.add(body, left, top, width, height);
  }

  /** The box that marks of one unit fill: left, top, width, height. */
  function boxOf(group) {
    const places = group.map(centre);
    const xs = places.map(([x]) => x);
    const ys = places.map(([, y]) => y);
    const left = Math.min(...xs) - UNIT / 2;
    const top = Math.min(...ys) - UNIT / 2;
    return [left, top, Math.max(...xs) + UNIT / 2 - left, Math.max(...ys) + UNIT / 2 - top];
  }

  /** A block on a place, or a bar between two neighbours. */
  function wall(canvas, mark) {
    const [x, y] = centre(mark);
    const ink = "i" + toned(mark);
    if (!mark.to) {
      const side = UNIT - 4 * INSET;
      const text = mark.label ? words(x, y, mark.label, UNIT * 0.42, ink) : "";
      const block = rect(x - side / 2, y - side / 2, side, side, "s" + toned(mark), 3);
      canvas.add(block + text, x - side / 2, y - side / 2, side, side);
      return;
    }
    const dx = mark.to[0] - mark.x;
    const dy = mark.to[1] - mark.y;
    const cx = x + (dx * UNIT) / 2;
    const cy = y + (dy * UNIT) / 2;
    const thick = UNIT * 0.2;
    const [width, height] = Math.abs(dx) >= Math.abs(dy) ? [thick, UNIT] : [UNIT, thick];
    let body = rect(cx - width / 2, cy - height / 2, width, height, "s" + toned(mark), 2.5);
    if (mark.label) body += words(cx, cy, mark.label, thick, ink, thick);
    canvas.add(body, cx - width / 2, cy - height / 2, width, height);
  }

  /** The points of an arrow in pixels, those that repeat the one before left out. */
  function course(mark) {
    const points = [];
    for (const [a, b] of [[mark.x, mark.y], ...mark.via, ...(mark.to ? [mark.to] : [])]) {
      const [x, y] = [a * UNIT, b * UNIT];
      const last = points[points.length - 1];
      if (!last || last[0] !== x || last[1] !== y) points.push([x, y]);
    }
    return points;
  }

  function arrow(canvas, mark) {
    const points = course(mark);
    if (points.length === 1) {
      if (mark.refused) D.refusal(canvas, points[0][0] + UNIT * 0.34, points[0][1] - UNIT * 0.34);
      return;
    }
    const head = headOf(points, UNIT * (mark.taken ? 0.44 : 0.05));
    points[points.length - 1] = head[1];
    const xs = [...points, ...head].map(([x]) => x);
    const ys = [...points, ...head].map(([, y]) => y);
    const d = ways(points) + (mark.refused ? "" : ways(head));
    const body = mark.refused
      ? path(d, "a y")
      : path(d, mark.tone ? "aa" : "aa ap") + path(d, "a" + toned(mark));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    canvas.add(body, left, top, Math.max(...xs) - left, Math.max(...ys) - top);
    if (mark.refused) D.refusal(canvas, ...points[points.length - 1]);
  }

  /** The head of an arrow, its tip in the middle, that far before the end of its course. */
  function headOf(points, back) {
    const [[x, y], [ex, ey]] = points.slice(-2);
    const length = lengthOf([x, y], [ex, ey]);
    const ux = (ex - x) / length;
    const uy = (ey - y) / length;
    const tx = ex - ux * back;
    const ty = ey - uy * back;
    const long = UNIT * 0.2;
    const wide = UNIT * 0.15;
    const bx = tx - ux * long;
    const by = ty - uy * long;
    return [[bx - uy * wide, by + ux * wide], [tx, ty], [bx + uy * wide, by - ux * wide]];
  }

  function lengthOf(a, b) {
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    return Math.sqrt(dx * dx + dy * dy);
  }

  function whole(points) {
    let length = 0;
    for (let i = 1; i < points.length; i++) length += lengthOf(points[i - 1], points[i]);
    return length;
  }

  /** The place of the number of an arrow: in the middle of its way, or beside the middle of a short one. */
  function numberPlace(points) {
    const all = whole(points);
    const [x, y] = halfway(points, all / 2);
    if (all > SHORT) return [x, y];
    const [ax, ay] = points[0];
    const [bx, by] = points[points.length - 1];
    const along = Math.max(lengthOf([ax, ay], [bx, by]), 1);
    return [x - ((by - ay) / along) * UNIT * 0.36, y + ((bx - ax) / along) * UNIT * 0.36];
  }

  function halfway(points, half) {
    let left = half;
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1], points[i]];
      const length = lengthOf(a, b);
      if (length >= left) {
        return [a[0] + ((b[0] - a[0]) * left) / length, a[1] + ((b[1] - a[1]) * left) / length];
      }
      left -= length;
    }
    return points[points.length - 1];
  }

  /** Plain strokes of one colour. */
  function line(canvas, marks) {
    let d = "";
    for (const mark of marks) {
      const ends = [[mark.x, mark.y], ...(mark.to ? [mark.to] : [])].map(([x, y]) => [x * UNIT, y * UNIT]);
      for (const [x, y] of ends) canvas.reach([x, y, x, y]);
      if (mark.to) d += ways(ends);
    }
    if (d) canvas.parts.push(path(d, "a j" + toned(marks[0])));
  }

  Object.assign(D.DRAWERS, { square, hexagon, highlight, wall, arrow });
  Object.assign(D, {
    kindOf, reach, isPlain, joined, rim, regions, tile, slim, boxOf, course, numberPlace, line, hexBox,
  });
})((globalThis.rulespec = globalThis.rulespec || {}));
