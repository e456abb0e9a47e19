/**
 * Actions as people write them, and back: the notation of an action is its template filled in, and every action
 * can also be written as `name(first, second)`. Case and spacing are forgiven where that leaves one meaning.
 */
import { Rules } from "./engine.js";
import { entryOf, product, split, squeezed, tidy } from "./values.js";

const LONGEST = 1000;
/** As in rulespec/play/views.py. */
const SHORTEST_VERB = 3, MOST_FORMS = 20;
const MOST_TRIED = 20000;
const MOST_STEPS = 200000;

/** The possible values of a choice that a text stands for. @param {Rules} game @param {number} t @param {string} text */
function readChoice(game, t, text) {
  const type = game.types[t];
  if (type.kind !== "list") return game.values.read(t, text);
  const items = game.values.elements(t, text);
  if (!items || items.length > type.cap) return [];
  return combinations(items.map((item) => game.values.read(type.of, item)));
}

/** The first ways to take one of each list. @param {any[][]} lists */
function combinations(lists) {
  const found = /** @type {any[][]} */ ([]);
  for (const one of product(lists)) if (found.push(one) === MOST_TRIED) break;
  return found;
}

class Reader {
  /** @param {Notation} game @param {State} state @param {string} text */
  constructor(game, state, text) {
    this.game = game;
    this.state = state;
    this.text = text;
    this.steps = MOST_STEPS;
    /** @type {Map<string, Action>} */
    this.found = new Map();
    this.number = 0;
    /** @type {Map<string, [number, any[]][]>} */
    this.ends = new Map();
    /** @type {Map<string, boolean>} */
    this.fitting = new Map();
    /** @type {(RegExp | [number, number])[]} */
    this.parts = [];
  }

  /** @param {number} steps */
  work(steps) {
    this.steps -= steps;
    if (this.steps < 0) throw new Error("this can be read in too many ways: write it as name(first, second)");
  }

  /** @param {Action} action */
  add(action) {
    this.found.set(this.game.row(action).join(" "), action);
  }

  /** Readings as `name(first, second)`. */
  full() {
    const open = this.text.indexOf("(");
    const name = (open < 0 ? this.text : this.text.slice(0, open)).trim();
    if (open >= 0 && !this.text.endsWith(")")) return;
    const said = open < 0 ? [] : split(this.text.slice(open + 1, -1));
    this.game.about.actions.forEach((known, number) => {
      if (known.name !== name || said.length !== known.choices.length) return;
      const lists = known.choices.map((choice, j) => readChoice(this.game, choice.type, said[j]));
      for (const made of combinations(lists)) this.add(this.game.action(number, made));
    });
  }

  /** Readings by the template of an action. @param {number} number */
  template(number) {
    this.number = number;
    this.ends = new Map();
    this.fitting = new Map();
    this.parts = this.game.bundle.noted[number].map((part) => (typeof part === "string" ? literal(part) : part));
    this.cut(0, 0, new Map(), []);
  }

  /** The possible ends of a part that begins at a place, farthest first, with the values of a choice.
   * @param {number} k @param {number} at @returns {[number, any[]][]} */
  endsOf(k, at) {
    const key = k + " " + at;
    const known = this.ends.get(key);
    if (known) return known;
    const part = this.parts[k], found = /** @type {[number, any[]][]} */ ([]);
    if (part instanceof RegExp) {
      part.lastIndex = at;
      if (part.test(this.text)) found.push([part.lastIndex, []]);
    } else {
      const type = part[0] < 0 ? this.game.about.actions[this.number].choices[part[1]].type : -1;
      const listed = type < 0 || this.game.types[type].kind === "list";
      const last = listed ? this.text.length : Math.min(this.text.length, at + this.game.values.longest(type));
      this.work(last - at + 1);
      for (let end = last; end >= at; end--) {
        const said = this.text.slice(at, end);
        if (type < 0) found.push([end, []]);
        else if (!said.endsWith(" ")) {
          const values = readChoice(this.game, type, said.trimStart());
          if (values.length) found.push([end, values]);
        }
      }
    }
    this.ends.set(key, found);
    return found;
  }

  /** True if the parts from one on match the text from a place on. @param {number} k @param {number} at @returns {boolean} */
  fits(k, at) {
    if (k === this.parts.length) return !this.text.slice(at).trim();
    const key = k + " " + at;
    return entryOf(this.fitting, key, () => this.endsOf(k, at).some(([end]) => this.fits(k + 1, end)));
  }

  /** @param {number} k @param {number} at @param {Map<number, any>} bound @param {[number, string][]} captured */
  cut(k, at, bound, captured) {
    if (!this.fits(k, at)) return;
    if (k === this.parts.length) {
      this.complete(bound, captured);
      return;
    }
    const part = this.parts[k];
    for (const [end, values] of this.endsOf(k, at)) {
      this.work(1);
      if (part instanceof RegExp) this.cut(k + 1, end, bound, captured);
      else if (part[0] >= 0) this.cut(k + 1, end, bound, [...captured, [k, this.text.slice(at, end)]]);
      else {
        for (const value of values) {
          const held = bound.get(part[1]);
          if (held !== undefined && String(held) !== String(value)) continue;
          this.cut(k + 1, end, new Map(bound).set(part[1], value), captured);
        }
      }
    }
  }

  /** Add the actions that agree with the choices made and with the texts captured.
   * @param {Map<number, any>} bound @param {[number, string][]} captured */
  complete(bound, captured) {
    const { game, number } = this;
    const known = game.about.actions[number].choices;
    let size = 1;
    const lists = known.map((choice, j) => {
      if (bound.has(j)) return [bound.get(j)];
      if (choice.chain || (size *= game.values.count(choice.type)) > MOST_TRIED) return null;
      return game.values.codes(choice.type);
    });
    const tried = lists.includes(null)
      ? game.legal(this.state).filter((action) => action.action === number)
        .filter((action) => game.choices(action).every((v, j) => !bound.has(j) || String(bound.get(j)) === String(v)))
      : combinations(/** @type {any[][]} */ (lists)).map((made) => game.action(number, made));
    for (const action of tried) {
      this.work(1);
      const shown = captured.length ? game.parts(this.state, action) : [];
      if (captured.every(([k, said]) => squeezed(shown[k]) === squeezed(said))) this.add(action);
    }
  }
}

/** A pattern for a fixed text, spaces being free and case forgiven. @param {string} text */
function literal(text) {
  const pieces = text.split(/(\s+)/).map((piece) => (/^\s+$/.test(piece) ? "\\s*" : piece.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")));
  return new RegExp(pieces.join(""), "iy");
}

export class Notation extends Rules {
  /** The choices of an action as values: a code each, a list of codes for a list. @param {Action} action @returns {Value[]} */
  choices(action) {
    let at = 0;
    return this.layout.rows[action.action].map(([, size], j) => {
      const chain = this.about.actions[action.action].choices[j].chain;
      const held = action.values.slice(at, at + size);
      at += size;
      return chain ? held.slice(1, 1 + held[0]) : held[0];
    });
  }

  /** The action with a number and choices. @param {number} number @param {Value[]} made */
  action(number, made) {
    const values = this.layout.rows[number].flatMap(([, size], j) => {
      const held = this.about.actions[number].choices[j].chain ? [made[j].length, ...made[j]] : [made[j]];
      return Array.from({ length: size }, (_, i) => (i < held.length ? held[i] : 0));
    });
    return { action: number, values };
  }

  /** True for an action whose choices are values of their types. @param {Action} action */
  isAction(action) {
    const known = this.about.actions[action.action];
    if (!known || action.values.length !== this.layout.rows[action.action].reduce((n, [, size]) => n + size, 0)) {
      return false;
    }
    return this.choices(action).every((value, j) => {
      const type = this.types[known.choices[j].type];
      if (type.kind !== "list") return this.values.index(known.choices[j].type, value) >= 0;
      return value.length <= type.cap && value.every((/** @type {number} */ part) => this.values.index(type.of, part) >= 0);
    });
  }

  /** The parts of an action's notation, or of the sentence about it, in texts.
   * @param {State} state @param {Action} action @param {"noted" | "told"} [of] */
  parts(state, action, of = "noted") {
    const made = this.choices(action);
    const known = this.about.actions[action.action].choices;
    const template = this.bundle[of][action.action];
    if (template.some((part) => typeof part !== "string" && part[0] >= 0)) this.ask(of, state, action);
    return template.map((part) => {
      if (typeof part === "string") return part;
      const [type, place] = part;
      if (type < 0) return this.values.write(known[place].type, made[place]);
      return this.values.write(type, this.machine.get(this.r, this.layout.width + place));
    });
  }

  /** The notation of an action in a state. @param {State} state @param {Action} action */
  note(state, action) {
    return tidy(this.parts(state, action).join(""));
  }

  /** What the sentence about an action says of its player; the notation if the ruleset has no sentence for it.
   * @param {State} state @param {Action} action */
  predicate(state, action) {
    return tidy(this.parts(state, action, "told").join("")) || this.note(state, action);
  }

  /** A sentence about an action, as `rulespec.play.wording` has it; `observed` is what the reader observed of it.
   * @param {State} state @param {Action} action @param {{ text: string, action: Action | null }} [observed] */
  sentence(state, action, observed) {
    const { names, actions } = this.about, isTold = this.bundle.told[action.action].length > 0 && (!observed || observed.action);
    if (observed && !observed.action && actions[action.action].atOnce !== undefined) return names[this.mover(state)] + " has chosen.";
    const text = isTold ? this.predicate(state, action) : observed ? observed.text : this.note(state, action);
    if (names.length === 1) return (isTold ? text.charAt(0).toUpperCase() + text.slice(1) : text) + ".";
    return names[this.mover(state)] + (isTold ? " " : ": ") + text + ".";
  }

  /** An action as `name(first, second)`, which leaves nothing out. @param {Action} action */
  full(action) {
    const known = this.about.actions[action.action];
    const words = this.choices(action).map((value, j) => this.values.write(known.choices[j].type, value));
    return words.length ? known.name + "(" + words.join(", ") + ")" : known.name;
  }

  /** The action that a text means, legal or not; null if it means none, or several legal ones. @param {State} state @param {string} text */
  read(state, text) {
    const said = text.length > LONGEST ? "" : tidy(text);
    if (!said) return null;
    const reader = new Reader(this, state, said);
    reader.full();
    try {
      for (let i = 0; i < this.about.actions.length; i++) reader.template(i);
    } catch {
      if (!reader.found.size) return null;
    }
    const found = Array.from(reader.found.values());
    const exact = found.filter((action) => said === this.note(state, action) || said === this.full(action));
    const readings = exact.length ? exact : found;
    if (readings.length < 2) return readings[0] || null;
    const allowed = readings.filter((action) => this.isLegal(state, action));
    return allowed.length > 1 ? null : allowed[0] || readings[0];
  }

  /** The message for a text that means no action, as `rulespec.play.views` has it where no legal action is near. @param {string} text */
  advice(text) {
    const { actions } = this.about, verb = tidy(text.slice(0, LONGEST)).toLowerCase().split(" ")[0];
    /** @param {string} of @returns {string[]} */
    const words = (of) => of.toLowerCase().match(/[a-z]+/g) || [];
    const has = (/** @type {string} */ of) => words(of).some((word) => word.startsWith(verb));
    /** @type {((one: KnownAction) => boolean)[]} */
    const ways = [(one) => words(one.form)[0] === verb, (one) => has(one.heading), (one) => has(one.text)];
    const found = verb.length < SHORTEST_VERB ? [] : ways.map((way) => actions.filter(way)).find((some) => some.length) || [];
    const forms = (/** @type {KnownAction[]} */ some) => [...new Set(some.map((one) => "`" + one.form + "`"))];
    if (found.length) return "no such action; `" + verb + "` is written " + forms(found).join(" or ");
    const more = actions.length > MOST_FORMS ? " and " + (actions.length - MOST_FORMS) + " more" : "";
    return "no such action; actions are written " + actions.slice(0, MOST_FORMS).map((one) => forms([one])[0]).join(", ") + more;
  }

  /** The shortest text by which `read` finds just this action. @param {State} state @param {Action} action */
  shortest(state, action) {
    const text = this.note(state, action);
    const found = this.read(state, text);
    return found && this.compare(found, action) === 0 ? text : this.full(action);
  }
}
