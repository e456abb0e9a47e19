// Faces, pieces and rows of pieces, as rulespec/book/faces.py, pieces.py and hands.py have them.
(function (rulespec) {
  "use strict";
  const D = rulespec.drawing;
  const { sizes, dotted: DOTTED, red: RED } = rulespec.tables;
  const { unit: UNIT, inset: INSET, card: CARD, disc: DISC, die: DIE, half: HALF, levels: LEVELS } = sizes;
  const { apex: APEX, row: ROW, gap: GAP, fan: FAN, backs: BACKS, apart: APART, columns: COLUMNS } = sizes;
  const { num, escape, long, toned, centre, fitted, words, rect, circle, path, use, has, span } = D;

  /** The class for the shade of a level, after others. */
  function shade(mark) {
    const level = Math.min(mark.shade || mark.level, LEVELS);
    return level > 1 ? " v" + level : "";
  }

  const dots = (x, y, number) => (number ? use("p" + number, x, y) : "");
  const isDotted = (number) => DOTTED.includes(number);
  const hint = (text, x, y, kind) =>
    `<text class="${kind.trim()}" x="${num(x)}" y="${num(y)}">${escape(text)}</text>`;

  /** The number of a mark in dots, or its label; with what it covers, small, in a corner of its own size. */
  function face(mark, x, y, under, kind = "") {
    const side = UNIT * mark.size;
    if (!mark.label) return mark.corner ? hint(mark.corner, x - side * 0.37, y + side * 0.29, "k") : "";
    const pips = has(mark, "pips") && isDotted(mark.number);
    const shown = pips ? dots(x, y, mark.number || 0) : words(x, y, mark.label, UNIT * 0.5, kind);
    const text = mark.corner || under.join(" ");
    if (!text) return shown;
    return pips
      ? shown + hint(text, x + side * 0.42, y + side * 0.36, "k m")
      : shown + hint(text, x - side * 0.37, y + side * 0.29, "k " + kind);
  }

  /** A card: the element, its width and its height. */
  function card(x, y, shown, kind) {
    const [width, height] = CARD;
    if (!shown.label) return [use("back", x, y, "f"), width, height];
    if (shown.suit) {
      const look = (long(shown.rank) < 2 ? "r" : "r rr") + (RED.includes(shown.suit) ? " u" : "");
      const rank = `<text class="${look}" x="${num(x - 18)}" y="${num(y - 18.5)}">${escape(shown.rank)}</text>`;
      return [use(shown.suit, x, y, "f" + kind) + rank, width, height];
    }
    const size = fitted(shown.label, UNIT * 0.6, 1.4 * width);
    return [use("card", x, y, "f" + kind) + words(x, y, shown.label, size, "fi"), width, height];
  }

  /** A piece of several fields in a row. */
  function domino(x, y, parts, pips, kind) {
    if (!parts.length) return [use("dback", x, y, "f"), 2 * HALF, HALF];
    const wide = HALF * parts.length;
    let body = rect(x - wide / 2, y - HALF / 2, wide, HALF, "f" + kind, 6);
    let seams = "";
    for (let i = 1; i < parts.length; i++) {
      seams += `M${num(x - wide / 2 + i * HALF)} ${num(y - HALF / 2 + 5)}v${num(HALF - 10)}`;
    }
    body += seams ? path(seams, "d") : "";
    parts.forEach((part, i) => {
      const at = x - wide / 2 + (i + 0.5) * HALF;
      body += pips && isDotted(part.number)
        ? dots(at, y, part.number || 0)
        : words(at, y, part.label, UNIT * 0.45, "fi");
    });
    return [body, wide, HALF];
  }

  /** A die with its uppermost face. */
  function die(x, y, shown, kind) {
    if (shown.sides <= 6 && isDotted(shown.number)) {
      return [use("die", x, y, "f" + kind) + dots(x, y, shown.number), DIE, DIE];
    }
    const wide = Math.max(DIE, 8.5 * long(shown.label) + 14);
    const cut = 9;
    const half = DIE / 2;
    const left = x - wide / 2;
    const right = x + wide / 2;
    const d =
      `M${num(left + cut)} ${num(y - half)}H${num(right - cut)}L${num(right)} ${num(y - half + cut)}` +
      `V${num(y + half - cut)}L${num(right - cut)} ${num(y + half)}H${num(left + cut)}` +
      `L${num(left)} ${num(y + half - cut)}V${num(y - half + cut)}z`;
    const text = `<text class="fi" x="${num(x)}" y="${num(y)}" font-size="15">${escape(shown.label)}</text>`;
    return [path(d, "f" + kind) + text, wide, DIE];
  }

  /** A round piece: with its label, a crown, or the sign of its tone. */
  function discAt(x, y, shown, looks, size = 1) {
    const hollow = looks.includes("outline");
    const crown = looks.includes("crown");
    const label = looks.includes("plain") ? "" : shown.label;
    const kind = hollow ? "o" : "s" + toned(shown);
    const ink = hollow ? "" : "i" + toned(shown);
    const plain = label || crown || shown.tone < 1 || shown.tone > 8;
    const body = size !== 1 || hollow
      ? circle(x, y, DISC * size, kind)
      : use(plain ? "disc" : "disc" + shown.tone, x, y, kind);
    if (crown) return body + use("crown", x, y, "i" + toned(shown));
    return body + (label ? words(x, y, label, DISC * size, ink) : "");
  }

  function trapezium(x, foot, width, height, kind) {
    const half = width / 2;
    const top = (width * APEX) / 2;
    const up = `M${num(x - half)} ${num(foot)}L${num(x - top)} ${num(foot - height)}`;
    return path(`${up}H${num(x + top)}L${num(x + half)} ${num(foot)}z`, kind);
  }

  /** A pyramid from the side around a place. */
  function pyramidAt(x, y, shown, looks, size = 1) {
    const width = UNIT * 0.62 * size;
    const height = UNIT * 0.68 * size;
    const hollow = looks.includes("outline");
    const body = trapezium(x, y + height / 2, width, height, hollow ? "o" : "s" + toned(shown));
    const label = looks.includes("plain") ? "" : shown.label;
    const ink = hollow ? "" : "i" + toned(shown);
    return body + (label ? words(x, y + height * 0.16, label, height * 0.48, ink) : "");
  }

  function disc(canvas, mark) {
    const [x, y] = centre(mark);
    const radius = DISC * mark.size;
    canvas.add(discAt(x, y, mark, mark.looks, mark.size), x - radius, y - radius, 2 * radius, 2 * radius);
  }

  function pyramid(canvas, mark) {
    const [x, y] = centre(mark);
    const width = UNIT * 0.62 * mark.size;
    const height = UNIT * 0.68 * mark.size;
    const body = pyramidAt(x, y, mark, mark.looks, mark.size);
    canvas.add(body, x - width / 2, y - height / 2, width, height);
  }

  /** Pieces upon each other, seen from the side. */
  function stack(canvas, mark) {
    if (has(mark, "pyramids")) return nested(canvas, mark);
    const [x, y] = centre(mark);
    const count = mark.items.length;
    const wide = UNIT * 0.76;
    const high = UNIT * Math.min(0.32, 0.92 / Math.max(1, count));
    mark.items.forEach((piece, i) => {
      const top = y + (count / 2 - i - 1) * high;
      let body = rect(x - wide / 2, top, wide, high, "s" + toned(piece), high * 0.35);
      if (has(mark, "letters")) body += words(x, top + high / 2, piece.label, high, "i" + toned(piece));
      canvas.add(body, x - wide / 2, top, wide, high);
    });
  }

  function nested(canvas, mark) {
    const [x, y] = centre(mark);
    const count = mark.items.length;
    const width = UNIT * 0.66;
    const height = UNIT * 0.56;
    const rim = Math.min(10, (UNIT * 0.94 - height) / Math.max(1, count - 1));
    const foot = y + (height + rim * (count - 1)) / 2;
    mark.items.forEach((piece, i) => {
      const at = foot - i * rim;
      let body = trapezium(x, at, width, height, "s" + toned(piece));
      if (has(mark, "letters") && rim > 7) {
        const top = i === count - 1;
        const middle = at - (top ? height * 0.34 : rim / 2);
        body += words(x, middle, piece.label, top ? 13 : 9, "i" + toned(piece));
      }
      canvas.add(body, x - width / 2, at - height, width, height);
    });
  }

  function onPlace(drawer, shows) {
    return (canvas, mark) => {
      const [x, y] = centre(mark);
      const [body, width, height] = drawer(x, y, mark, toned(mark));
      canvas.add(shows(mark) ? body : "", x - width / 2, y - height / 2, width, height);
    };
  }

  function pips(canvas, mark) {
    const [x, y] = centre(mark);
    const body = isDotted(mark.number)
      ? dots(x, y, mark.number || 0)
      : words(x, y, mark.label, UNIT * 0.5);
    canvas.add(body, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT);
  }

  function pit(canvas, mark) {
    const [x, y] = centre(mark);
    const side = (UNIT - 2 * INSET) * mark.size;
    const [left, top, width, height] = span(mark, side);
    const kind = "pt" + toned(mark);
    const body = mark.to
      ? rect(left, top, width, height, kind, side / 2)
      : circle(x, y, side / 2, kind);
    canvas.add(body, left, top, width, height);
  }

  /** All rows of pieces; one may stand beside the one before it, or abreast of those of its layer. */
  function drawHands(canvas, hands) {
    const left = canvas.box[0];
    const right = Math.max(canvas.box[2], left + ROW);
    let x = left;
    let top = canvas.box[3] + (canvas.empty ? 0 : 14);
    let high = 0;
    let layer = -1;
    const column = (right - left) / COLUMNS;
    for (const mark of hands) {
      const size = new D.Canvas();
      drawHand(size, mark, 0, 0, right - left);
      const abreast = has(mark, "abreast") && mark.layer === layer;
      if (abreast) x = left + Math.ceil((x - 20 + APART - left) / column) * column;
      if (!(abreast || has(mark, "beside")) || x + size.box[2] > right) {
        x = left;
        top += high;
        high = 0;
      }
      drawHand(canvas, mark, x, top, right);
      x += size.box[2] + 20;
      high = Math.max(high, size.box[3] + 10);
      layer = mark.layer;
    }
  }

  function drawHand(canvas, mark, left, start, right) {
    let top = start;
    if (mark.text) {
      const body = `<text class="c" x="${num(left)}" y="${num(top + 8)}">${escape(mark.text)}</text>`;
      canvas.add(body, left, top, 7.2 * long(mark.text), 16);
      top += 22;
    }
    if (!mark.items.length) {
      // An empty place is as large as the back of a piece.
      const [, width, height] = inHand({ label: "", parts: [], suit: "", tone: 0, sides: 0, number: null }, mark.looks, 0, 0);
      canvas.add(rect(left, top, width, height, "ri", 6), left, top, width, height);
    }
    let x = left;
    let high = 0;
    mark.items.forEach((piece, i) => {
      const [, wide, tall] = inHand(piece, mark.looks, 0, 0);
      if (x > left && x + wide > right) {
        x = left;
        top = top + high + GAP;
        high = 0;
      }
      const [body, width, height] = inHand(piece, mark.looks, x + wide / 2, top + tall / 2);
      canvas.add(body, x, top, width, height);
      canvas.areas.push({ mark, item: i, box: [x, top, width, height] });
      x += step(piece, mark.looks, width);
      high = Math.max(high, height);
    });
  }

  function step(piece, looks, width) {
    if (!piece.label) return BACKS;
    return piece.suit && !looks.includes("tiles") ? FAN : width + GAP;
  }

  /** A piece of a hand around a place, and the size it takes. */
  function inHand(piece, looks, x, y) {
    if (looks.includes("tiles") && (piece.parts.length || !piece.label)) {
      return domino(x, y, piece.parts, looks.includes("pips"), toned(piece));
    }
    if (looks.includes("dice")) return die(x, y, piece, toned(piece));
    if (looks.includes("discs")) return [discAt(x, y, piece, looks), 2 * DISC, 2 * DISC];
    if (looks.includes("pyramids")) return [pyramidAt(x, y, piece, looks), UNIT * 0.62, UNIT * 0.68];
    return card(x, y, piece, toned(piece));
  }

  D.shade = shade;
  D.face = face;
  D.drawHands = drawHands;
  D.DRAWERS = {
    disc, pyramid, stack, pips, pit, card: onPlace(card, () => true), die: onPlace(die, (m) => m.label),
  };
})((globalThis.rulespec = globalThis.rulespec || {}));
