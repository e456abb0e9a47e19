// The table of marks (rulespec/book/drawing/marks.toml) as functions that draw, as table.py has it in Python.
import { tables } from "./tables.js";
import { entryOf } from "./values.js";

export const SIZES = tables.drawing.sizes;
const { functions: FUNCTIONS, entries: ENTRIES } = tables.drawing;
const { UNIT, LIFT } = SIZES;

// ---- elements, as primitives.py has them

/** A length as it is written in SVG: rounded to a tenth, halves up, without needless zeros. @param {number} value */
export function number(value) {
  const tenths = Math.floor(value * 10 + 0.5), size = Math.abs(tenths), part = size % 10;
  return (tenths < 0 ? "-" : "") + (size - part) / 10 + (part ? "." + part : "");
}

/** @type {Record<string, string>} */
const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign]);
/** @param {Record<string, string | number>} pairs */
const attributes = (pairs) =>
  Object.entries(pairs).map(([name, value]) => ` ${name}="${typeof value === "string" ? value : number(value)}"`).join("");
/** @param {string} look */
const classed = (look) => (look.trim() ? ` class="${look.trim()}"` : "");

/** @type {Record<string, (...given: any[]) => any>} */
export const CALLABLE = {
  rect: (x, y, width, height, look, radius = null) =>
    `<rect${classed(look)}${attributes({ x, y, width, height, ...(radius === null ? {} : { rx: radius }) })}/>`,
  circle: (x, y, radius, look) => `<circle${classed(look)}${attributes({ cx: x, cy: y, r: radius })}/>`,
  path: (d, look) => `<path${classed(look)} d="${d}"/>`,
  text: (x, y, words, look, size = null) =>
    `<text${classed(look)}${attributes({ x, y, ...(size === null ? {} : { "font-size": size }) })}>${escaped(words)}</text>`,
  use: (symbol, x, y, look) => `<use${classed(look)} href="#rs-${symbol}"${attributes({ x, y })}/>`,
  join: (texts, between = "") => texts.join(between),
  total: (/** @type {number[]} */ lengths) => lengths.reduce((sum, length) => sum + length, 0),
  is_at: (/** @type {Mark[]} */ group, x, y) => group.some((mark) => mark.x === x && mark.y === y),
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

/** @type {Record<string, (...given: any[]) => any>} */
const OPERATIONS = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b,
  "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, "<=": (a, b) => a <= b,
  ">": (a, b) => a > b, ">=": (a, b) => a >= b, in: (a, b) => b.includes(a), "not in": (a, b) => !b.includes(a),
  not: (a) => !a, negative: (a) => -a, item: (a, i) => a.at(i), slice: (a, from, to) => a.slice(from || 0, to === null ? undefined : to),
  join: (...parts) => parts.map((part) => (typeof part === "string" ? part : number(part))).join(""),
  list: (...items) => items,
};

/** @type {Map<Formula, Run>} */
const COMPILED = new Map();
/** The function of a formula, compiled once. @param {Formula} tree @returns {Run} */
function compiled(tree) {
  if (!Array.isArray(tree)) return typeof tree === "string" ? (names) => lookUp(names, tree) : () => tree;
  return entryOf(COMPILED, tree, () => compile(/** @type {any} */ (tree)));
}

/** @param {[string, ...Formula[]]} tree @returns {Run} */
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

/** @param {Run} of @param {string} name @returns {Run} */
const attribute = (of, name) => (names) => of(names)[name];

/** @param {string} name @param {Formula[]} operands @returns {Run} */
const call = (name, operands) => spread(operands, FUNCTIONS[name] ? functionOf(name) : CALLABLE[name]);

/** A function of operands of which some may stand for several.
 * @param {Formula[]} operands @param {(...given: any[]) => any} act @returns {Run} */
function spread(operands, act) {
  const run = operands.map((tree) => compiled(isSpread(tree) ? tree[1] : tree)), several = operands.map(isSpread);
  if (!several.includes(true)) return (names) => act(...run.map((part) => part(names)));
  return (names) => act(...run.flatMap((part, i) => (several[i] ? part(names) : [part(names)])));
}

/** @param {Formula} tree */
const isSpread = (tree) => Array.isArray(tree) && tree[0] === "spread";

/** Names in sight of a formula: values by name, within an outer scope, or those of a mark and its entry.
 * @param {Record<string, any>} values @param {any} [outer] @param {any} [mark] @param {Record<string, Formula>} [entry] @returns {Scope} */
const scopeOf = (values, outer, mark, entry) => ({ values, outer, mark, entry });

/** @param {string} name @param {Run} source @param {Run} condition @param {Run} element @returns {Run} */
const loop = (name, source, condition, element) => (names) =>
  source(names).map((/** @type {any} */ value) => scopeOf({ [name]: value }, names)).filter(condition).map(element);

/** The value of a name: one in sight, of the mark, a step of its entry worked out when first needed, or a size.
 * @param {Scope} names @param {string} name */
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

/** @type {Map<string, (...given: any[]) => any>} */
const DEFINED = new Map();
/** A function of the table, compiled when it is first called. @param {string} name @returns {(...given: any[]) => any} */
const functionOf = (name) => entryOf(DEFINED, name, () => {
  const [parameters, body] = FUNCTIONS[name];
  /** @type {Run | null} */
  let run = null;
  return (...given) => {
    const values = /** @type {Record<string, any>} */ ({});
    for (let i = 0; i < parameters.length; i++) values[parameters[i]] = given[i];
    run = run || compiled(body);
    return run(scopeOf(values));
  };
});

/** The result of a function of the table. @param {string} name @param {...any} given */
export const callFunction = (name, ...given) => functionOf(name)(...given);

// ---- marks

/** The elements that a formula gives: a text, a list of such, or nothing. @param {any} parts @returns {string} */
const flat = (parts) => (Array.isArray(parts) ? parts.map(flat).join("") : typeof parts === "string" ? parts : "");

/** The centre of a mark in pixels, raised by its level. @param {Mark} mark @returns {Point} */
export const centre = (mark) => [mark.x * UNIT, mark.y * UNIT - mark.level * LIFT];

/** The distance in pixels from a mark to its other place. @param {Mark} mark @returns {Point} */
export const way = (mark) => (mark.to ? [(mark.to[0] - mark.x) * UNIT, (mark.to[1] - mark.y) * UNIT] : [0, 0]);

/** A mark as an entry of the table draws it, by default that of its kind, at a place in pixels. */
export class Shapes {
  /** @param {Mark} mark @param {Mark[]} [group] @param {string} [name] @param {Point} [place] */
  constructor(mark, group = [], name = mark.kind, place = centre(mark)) {
    const [x, y] = place, [dx, dy] = way(mark);
    this.names = scopeOf({ mark, x, y, dx, dy, group }, null, mark, ENTRIES[name]);
    for (let other = ""; (other = this.part("instead")); ) this.names.entry = ENTRIES[other];
  }

  /** A part of its entry; null if the entry has none. @param {string} part @returns {any} */
  part(part) {
    const formula = /** @type {Record<string, Formula>} */ (this.names.entry)[part];
    return formula === undefined ? null : compiled(formula)(this.names);
  }

  /** The text of some elements: `once` those of its group, `shapes` its own. @param {string} part */
  elements(part) {
    return flat(this.part(part));
  }
}

/** Equal for marks of a kind that are drawn as one group; false for a mark that is drawn by itself. @param {Mark} mark */
export const together = (mark) => ("together" in ENTRIES[mark.kind] ? new Shapes(mark).part("together") : null);

/** The elements that a function of the table gives. @param {string} name @param {...any} given */
export const draw = (name, ...given) => flat(callFunction(name, ...given));
