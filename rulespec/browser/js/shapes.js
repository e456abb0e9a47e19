// The table of marks (rulespec/book/drawing/marks.toml) as functions that draw, as table.py has it in Python.
(function (rulespec) {
  "use strict";
  const D = rulespec.drawing;
  const { sizes: SIZES, functions: FUNCTIONS, entries: ENTRIES } = rulespec.tables.drawing;
  const { UNIT, LIFT } = SIZES;

  // ---- elements, as primitives.py has them

  /** A length as it is written in SVG: rounded to a tenth, halves up, without needless zeros. */
  function number(value) {
    const tenths = Math.floor(value * 10 + 0.5), size = Math.abs(tenths), part = size % 10;
    return (tenths < 0 ? "-" : "") + (size - part) / 10 + (part ? "." + part : "");
  }

  const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const escaped = (text) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign]);
  const attributes = (pairs) =>
    Object.entries(pairs).map(([name, value]) => ` ${name}="${typeof value === "string" ? value : number(value)}"`).join("");
  const classed = (look) => (look.trim() ? ` class="${look.trim()}"` : "");

  const CALLABLE = {
    rect: (x, y, width, height, look, radius = null) =>
      `<rect${classed(look)}${attributes({ x, y, width, height, ...(radius === null ? {} : { rx: radius }) })}/>`,
    circle: (x, y, radius, look) => `<circle${classed(look)}${attributes({ cx: x, cy: y, r: radius })}/>`,
    path: (d, look) => `<path${classed(look)} d="${d}"/>`,
    text: (x, y, words, look, size = null) =>
      `<text${classed(look)}${attributes({ x, y, ...(size === null ? {} : { "font-size": size }) })}>${escaped(words)}</text>`,
    use: (symbol, x, y, look) => `<use${classed(look)} href="#rs-${symbol}"${attributes({ x, y })}/>`,
    join: (texts, between = "") => texts.join(between),
    total: (lengths) => lengths.reduce((sum, length) => sum + length, 0),
    is_at: (group, x, y) => group.some((mark) => mark.x === x && mark.y === y),
    /** The places that an arrow leads through, in pixels, without those that repeat the one before. */
    course(mark, unit) {
      const points = [[mark.x, mark.y], ...mark.via, ...(mark.to ? [mark.to] : [])].map(([x, y]) => [x * unit, y * unit]);
      return points.filter(([x, y], i) => !i || points[i - 1][0] !== x || points[i - 1][1] !== y);
    },
    /** The place that far from the first point of a way. */
    along(points, distance) {
      let left = distance;
      for (let i = 1; i < points.length; i++) {
        const [a, b] = [points[i - 1], points[i]], dx = b[0] - a[0], dy = b[1] - a[1];
        const length = Math.sqrt(dx * dx + dy * dy);
        if (length >= left) return [a[0] + (dx * left) / length, a[1] + (dy * left) / length];
        left -= length;
      }
      return points[points.length - 1];
    },
    sqrt: Math.sqrt,
    abs: Math.abs,
    min: (...values) => Math.min(...values.flat()),
    max: (...values) => Math.max(...values.flat()),
    len: (value) => [...value].length,
    range: (first, end) => Array.from({ length: Math.max(0, end === undefined ? first : end - first) }, (_, i) =>
      end === undefined ? i : first + i),
  };

  // ---- formulas, as formula.py writes them: each becomes a function of the names in sight

  const OPERATIONS = {
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b,
    "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, "<=": (a, b) => a <= b,
    ">": (a, b) => a > b, ">=": (a, b) => a >= b, in: (a, b) => b.includes(a), "not in": (a, b) => !b.includes(a),
    not: (a) => !a, negative: (a) => -a, item: (a, i) => a.at(i), slice: (a, from, to) => a.slice(from || 0, to === null ? undefined : to),
    join: (...parts) => parts.map((part) => (typeof part === "string" ? part : number(part))).join(""),
    list: (...items) => items,
  };

  const COMPILED = new Map();
  /** The function of a formula, compiled once. */
  function compiled(tree) {
    if (!Array.isArray(tree)) return typeof tree === "string" ? (names) => lookUp(names, tree) : () => tree;
    if (!COMPILED.has(tree)) COMPILED.set(tree, compile(tree));
    return COMPILED.get(tree);
  }

  function compile([operation, ...operands]) {
    const [first, second, third, fourth] = operands;
    if (operation === "text") return () => first;
    if (operation === "attribute") return attribute(compiled(first), second);
    if (operation === "call") return call(first, operands.slice(1));
    if (operation === "for") return loop(first, compiled(second), compiled(third), compiled(fourth));
    const run = operands.map(compiled);
    if (operation === "if") return (names) => (run[0](names) ? run[1](names) : run[2](names));
    if (operation === "and") return (names) => run.reduce((held, next) => held && next(names), true);
    if (operation === "or") return (names) => run.reduce((held, next) => held || next(names), false);
    if (operation === "list") return spread(operands, OPERATIONS.list);
    const act = OPERATIONS[operation];
    if (run.length === 2) return (names) => act(run[0](names), run[1](names));
    return (names) => act(...run.map((part) => part(names)));
  }

  const attribute = (of, name) => (names) => of(names)[name];

  const call = (name, operands) => spread(operands, FUNCTIONS[name] ? functionOf(name) : CALLABLE[name]);

  /** A function of operands of which some may stand for several. */
  function spread(operands, act) {
    const run = operands.map((tree) => compiled(isSpread(tree) ? tree[1] : tree)), several = operands.map(isSpread);
    if (!several.includes(true)) return (names) => act(...run.map((part) => part(names)));
    return (names) => act(...run.flatMap((part, i) => (several[i] ? part(names) : [part(names)])));
  }

  const isSpread = (tree) => Array.isArray(tree) && tree[0] === "spread";

  /** Names in sight of a formula: values by name, within an outer scope, or those of a mark and its entry. */
  class Scope {
    constructor(values, outer, mark, entry) {
      this.values = values;
      this.outer = outer;
      this.mark = mark;
      this.entry = entry;
    }
  }

  const loop = (name, source, condition, element) => (names) =>
    source(names).map((value) => new Scope({ [name]: value }, names, null, null)).filter(condition).map(element);

  /** The value of a name: one in sight, of the mark, a step of its entry worked out when first needed, or a size. */
  function lookUp(names, name) {
    let scope = names;
    for (; !(name in scope.values); scope = scope.outer) {
      if (scope.outer) continue;
      if (scope.mark && name in scope.mark) return scope.mark[name];
      if (!scope.entry || !(name in scope.entry)) return SIZES[name];
      return (scope.values[name] = compiled(scope.entry[name])(scope));
    }
    return scope.values[name];
  }

  const DEFINED = new Map();
  /** A function of the table, compiled when it is first called. */
  function functionOf(name) {
    if (!DEFINED.has(name)) {
      const [parameters, body] = FUNCTIONS[name];
      let run = null;
      DEFINED.set(name, (...given) => {
        const values = {};
        for (let i = 0; i < parameters.length; i++) values[parameters[i]] = given[i];
        run = run || compiled(body);
        return run(new Scope(values, null, null, null));
      });
    }
    return DEFINED.get(name);
  }

  /** The result of a function of the table. */
  const callFunction = (name, ...given) => functionOf(name)(...given);

  // ---- marks

  /** The elements that a formula gives: a text, a list of such, or nothing. */
  const flat = (parts) => (Array.isArray(parts) ? parts.map(flat).join("") : typeof parts === "string" ? parts : "");

  /** The centre of a mark in pixels, raised by its level. */
  const centre = (mark) => [mark.x * UNIT, mark.y * UNIT - mark.level * LIFT];

  /** The distance in pixels from a mark to its other place. */
  const way = (mark) => (mark.to ? [(mark.to[0] - mark.x) * UNIT, (mark.to[1] - mark.y) * UNIT] : [0, 0]);

  /** A mark as an entry of the table draws it, by default that of its kind, at a place in pixels. */
  class Shapes {
    constructor(mark, group = [], name = mark.kind, place = centre(mark)) {
      const [x, y] = place, [dx, dy] = way(mark);
      this.names = new Scope({ mark, x, y, dx, dy, group }, null, mark, ENTRIES[name]);
      for (let other; (other = this.part("instead")); ) this.names.entry = ENTRIES[other];
    }

    /** A part of its entry; null if the entry has none. */
    part(part) {
      const formula = this.names.entry[part];
      return formula === undefined ? null : compiled(formula)(this.names);
    }

    /** The text of some elements: `once` those of its group, `shapes` its own. */
    elements(part) {
      return flat(this.part(part));
    }
  }

  /** Equal for marks of a kind that are drawn as one group; false for a mark that is drawn by itself. */
  const together = (mark) => ("together" in ENTRIES[mark.kind] ? new Shapes(mark).part("together") : null);

  /** The elements that a function of the table gives. */
  const draw = (name, ...given) => flat(callFunction(name, ...given));

  Object.assign(D, { SIZES, Shapes, number, escaped, centre, way, together, draw, callFunction, CALLABLE });
})((globalThis.rulespec = globalThis.rulespec || {}));
