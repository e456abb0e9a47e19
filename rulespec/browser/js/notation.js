/**
 * Actions as people write them, and back: the notation of an action is its template filled in, and every action
 * can also be written as `name(first, second)`. Case and spacing are forgiven where that leaves one meaning.
 */
(function (rulespec) {
  "use strict";

  const { split, squeezed, tidy } = rulespec;
  const LONGEST = 1000;
  /** As in rulespec/play/views.py. */
  const SHORTEST_VERB = 3, MOST_FORMS = 20;
  const MOST_TRIED = 20000;
  const MOST_STEPS = 200000;

  /** The choices of an action as values: a code each, a list of codes for a list. */
  function choices(game, action) {
    let at = 0;
    return game.layout.rows[action.action].map(([, size], j) => {
      const chain = game.about.actions[action.action].choices[j].chain;
      const held = action.values.slice(at, at + size);
      at += size;
      return chain ? held.slice(1, 1 + held[0]) : held[0];
    });
  }

  /** The action with a number and choices. */
  function actionOf(game, number, made) {
    const values = [];
    game.layout.rows[number].forEach(([, size], j) => {
      const chain = game.about.actions[number].choices[j].chain;
      const held = chain ? [made[j].length].concat(made[j]) : [made[j]];
      for (let i = 0; i < size; i++) values.push(i < held.length ? held[i] : 0);
    });
    return { action: number, values };
  }

  /** True for an action whose choices are values of their types. */
  function isAction(game, action) {
    const known = game.about.actions[action.action];
    if (!known || action.values.length !== game.layout.rows[action.action].reduce((n, [, size]) => n + size, 0)) {
      return false;
    }
    return choices(game, action).every((value, j) => {
      const type = game.types[known.choices[j].type];
      if (type.kind !== "list") return game.values.index(known.choices[j].type, value) >= 0;
      return value.length <= type.cap && value.every((part) => game.values.index(type.of, part) >= 0);
    });
  }

  /** The parts of an action's notation, in texts. */
  function parts(game, state, action) {
    const made = choices(game, action);
    const known = game.about.actions[action.action].choices;
    const template = game.bundle.noted[action.action];
    if (template.some((part) => typeof part !== "string" && part[0] >= 0)) game.ask("noted", state, action);
    return template.map((part) => {
      if (typeof part === "string") return part;
      const [type, place] = part;
      if (type < 0) return game.values.write(known[place].type, made[place]);
      return game.values.write(type, game.machine.get(game.r, game.layout.width + place));
    });
  }

  /** The possible values of a choice that a text stands for. */
  function readChoice(game, t, text) {
    const type = game.types[t];
    if (type.kind !== "list") return game.values.read(t, text);
    const items = game.values.elements(t, text);
    if (!items || items.length > type.cap) return [];
    return product(items.map((item) => game.values.read(type.of, item)));
  }

  /** Every way to take one of each list, up to a bound. */
  function product(lists) {
    let found = [[]];
    for (const list of lists) {
      const longer = [];
      for (const before of found) for (const item of list) if (longer.length < MOST_TRIED) longer.push(before.concat([item]));
      found = longer;
    }
    return found;
  }

  class Reader {
    constructor(game, state, text) {
      Object.assign(this, { game, state, text, steps: MOST_STEPS, found: new Map() });
    }

    work(steps) {
      this.steps -= steps;
      if (this.steps < 0) throw new Error("this can be read in too many ways: write it as name(first, second)");
    }

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
        for (const made of product(lists)) this.add(actionOf(this.game, number, made));
      });
    }

    /** Readings by the template of an action. */
    template(number) {
      this.number = number;
      this.ends = new Map();
      this.fitting = new Map();
      this.parts = this.game.bundle.noted[number].map((part) => (typeof part === "string" ? literal(part) : part));
      this.cut(0, 0, new Map(), []);
    }

    /** The possible ends of a part that begins at a place, farthest first, with the values of a choice. */
    endsOf(k, at) {
      const key = k + " " + at;
      if (this.ends.has(key)) return this.ends.get(key);
      const part = this.parts[k], found = [];
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

    /** True if the parts from one on match the text from a place on. */
    fits(k, at) {
      if (k === this.parts.length) return !this.text.slice(at).trim();
      const key = k + " " + at;
      if (!this.fitting.has(key)) this.fitting.set(key, this.endsOf(k, at).some(([end]) => this.fits(k + 1, end)));
      return this.fitting.get(key);
    }

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
        else if (part[0] >= 0) this.cut(k + 1, end, bound, captured.concat([[k, this.text.slice(at, end)]]));
        else {
          for (const value of values) {
            const held = bound.get(part[1]);
            if (held !== undefined && String(held) !== String(value)) continue;
            this.cut(k + 1, end, new Map(bound).set(part[1], value), captured);
          }
        }
      }
    }

    /** Add the actions that agree with the choices made and with the texts captured. */
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
          .filter((action) => choices(game, action).every((v, j) => !bound.has(j) || String(bound.get(j)) === String(v)))
        : product(lists).map((made) => actionOf(game, number, made));
      for (const action of tried) {
        this.work(1);
        const shown = captured.length ? parts(game, this.state, action) : [];
        if (captured.every(([k, said]) => squeezed(shown[k]) === squeezed(said))) this.add(action);
      }
    }
  }

  /** A pattern for a fixed text, spaces being free and case forgiven. */
  function literal(text) {
    const pieces = text.split(/(\s+)/).map((piece) => (/^\s+$/.test(piece) ? "\\s*" : piece.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")));
    return new RegExp(pieces.join(""), "iy");
  }

  Object.assign(rulespec.Game.prototype, {
    /** The choices of an action as values. */
    choices(action) {
      return choices(this, action);
    },

    /** The action with a number and choices. */
    action(number, made) {
      return actionOf(this, number, made);
    },

    /** True for an action whose choices are values of their types. */
    isAction(action) {
      return isAction(this, action);
    },

    /** The parts of an action's notation, in the order of its template. */
    parts(state, action) {
      return parts(this, state, action);
    },

    /** The notation of an action in a state. */
    note(state, action) {
      return tidy(parts(this, state, action).join(""));
    },

    /** An action as `name(first, second)`, which leaves nothing out. */
    full(action) {
      const known = this.about.actions[action.action];
      const words = choices(this, action).map((value, j) => this.values.write(known.choices[j].type, value));
      return words.length ? known.name + "(" + words.join(", ") + ")" : known.name;
    },

    /** The action that a text means, legal or not; null if it means none, or several legal ones. */
    read(state, text) {
      const said = text.length > LONGEST ? "" : tidy(text);
      if (!said) return null;
      const reader = new Reader(this, state, said);
      reader.full();
      try {
        for (let i = 0; i < this.about.actions.length; i++) reader.template(i);
      } catch (error) {
        if (!reader.found.size) return null;
      }
      const found = Array.from(reader.found.values());
      const exact = found.filter((action) => said === this.note(state, action) || said === this.full(action));
      const readings = exact.length ? exact : found;
      if (readings.length < 2) return readings[0] || null;
      const allowed = readings.filter((action) => this.isLegal(state, action));
      return allowed.length > 1 ? null : allowed[0] || readings[0];
    },

    /** The message for a text that means no action, as `rulespec.play.views` has it where no legal action is near. */
    advice(text) {
      const { actions } = this.about, verb = tidy(text.slice(0, LONGEST)).toLowerCase().split(" ")[0];
      const words = (of) => of.toLowerCase().match(/[a-z]+/g) || [], has = (of) => words(of).some((word) => word.startsWith(verb));
      const ways = [(one) => words(one.form)[0] === verb, (one) => has(one.heading), (one) => has(one.text)];
      const found = verb.length < SHORTEST_VERB ? [] : ways.map((way) => actions.filter(way)).find((some) => some.length) || [];
      const forms = (some) => [...new Set(some.map((one) => "`" + one.form + "`"))];
      if (found.length) return "no such action; `" + verb + "` is written " + forms(found).join(" or ");
      const more = actions.length > MOST_FORMS ? " and " + (actions.length - MOST_FORMS) + " more" : "";
      return "no such action; actions are written " + actions.slice(0, MOST_FORMS).map((one) => forms([one])[0]).join(", ") + more;
    },

    /** The shortest text by which `read` finds just this action. */
    shortest(state, action) {
      const text = this.note(state, action);
      const found = this.read(state, text);
      return found && this.compare(found, action) === 0 ? text : this.full(action);
    },
  });
})(globalThis.rulespec = globalThis.rulespec || {});
