/**
 * From pointing at things to an action: which actions have to do with a spot of the drawing, what can still be
 * pointed at after the spots that are chosen, and which illegal action somebody means.
 *
 * A handle is a text that a spot and an action may share: `kind|notation` of a value (after `=` of a whole choice,
 * for things that a label names), or `@x,y`, a place.
 */
import { SIZES } from "./shapes.js";
import { entryOf, product } from "./values.js";

/** Marks that stand at a place and can be pointed at. */
const SOLID = new Set(["square", "hexagon", "pit", "disc", "pyramid", "card", "tile", "die", "stack", "pips"]);
/** Of more legal actions the places are not worked out. */
const MOST_DRAWN = 1500;
/** So many actions are tried to find the illegal one that is meant. */
const MOST_TRIED = 1500;
const MOST_REFUSED = 100;
/** For so many milliseconds at most. */
const MOST_TIME = 60;
const { UNIT } = SIZES;

/** @param {number} x @param {number} y */
const place = (x, y) => "@" + Math.round((x || 0) * 8) + "," + Math.round((y || 0) * 8);

/** The handles of values, by game, type and code. */
const HANDLES = new WeakMap();

/** The handles of a value of a type: its own, and those of its parts. @param {Game} game @param {number} number @param {number} code */
function handlesOf(game, number, code) {
  const type = game.types[number];
  if (type.kind === "optional") return handlesOf(game, type.of, code);
  const known = entryOf(HANDLES, game, () => game.types.map(() => new Map()))[number];
  if (known.has(code)) return known.get(code);
  const i = game.values.index(number, code), found = [];
  if (i >= 0 && i < game.values.count(number)) {
    if (type.things) found.push(type.things + "|" + game.values.write(number, code));
    if (type.parts) type.parts[i].forEach((part, k) => found.push(...handlesOf(game, (type.fields || [])[k][1], part)));
  }
  known.set(code, found);
  return found;
}

/** The choices of an action: for each its type, and the codes of its values: several of a chain, and of a set, which is
 * `many`; none where nothing is chosen.
 * @param {Game} game @param {Action} action @returns {{ type: number, codes: number[], many?: boolean }[]} */
function choicesOf(game, action) {
  const made = /** @type {any[]} */ (game.choices(action));
  return game.about.actions[action.action].choices.map((choice, j) => {
    const type = game.types[choice.type];
    if (type.members) return { type: type.of, codes: type.members[game.values.index(choice.type, made[j])], many: type.many };
    return choice.chain ? { type: type.of, codes: made[j], many: type.many } : { type: choice.type, codes: [made[j]] };
  });
}

/** The handles of each choice of an action; a chain has those of all its links, a set those of its members.
 * @param {Game} game @param {Action} action */
function ofChoices(game, action) {
  return choicesOf(game, action).map(({ type, codes, many }) =>
    codes.flatMap((code) => (many ? handlesOfMember(game, type, code) : handlesOfChoice(game, type, code))));
}

/** The handles of a member of a set: it has one even where its type names no things.
 * @param {Game} game @param {number} type @param {number} code @returns {string[]} */
function handlesOfMember(game, type, code) {
  const found = handlesOfChoice(game, type, code);
  return found.length ? found : [type + "|" + game.values.write(type, code)];
}

/** The handles of a value that is chosen: its own, those of its parts, and that of the thing as a whole.
 * @param {Game} game @param {number} type @param {number} code */
function handlesOfChoice(game, type, code) {
  const found = handlesOf(game, type, code);
  return found.length ? [...found, "=" + found[0]] : found;
}

/** The places of the marks that an action is drawn with. @param {Sparse[]} marks */
function placesOf(marks) {
  const found = [];
  for (const mark of marks) {
    if (SOLID.has(mark.kind || "") || mark.kind === "arrow") found.push(place(mark.x || 0, mark.y || 0));
    if (mark.to) found.push(place(mark.to[0], mark.to[1]));
  }
  return found;
}

/** The handles of the things that a mark shows: what its label names, what it joins others to, and its pieces.
 * @param {Game} game @param {Layer} layer @param {Mark} mark */
function thingsOf(game, layer, mark) {
  const found = (mark.items || []).filter((piece) => piece.label).map((piece) => "=" + layer.items + "|" + piece.label);
  for (const name of /** @type {("label" | "joins")[]} */ (["label", "joins"])) {
    const field = layer.fields.find((one) => one[0] === name), type = field && game.types[field[1]];
    if (type && type.things && mark[name]) found.push("=" + type.things + "|" + mark[name]);
  }
  return found;
}

/**
 * The spots of a drawing: places on the board, and pieces beside it. Each has a `box`, and `reach`, all boxes in
 * which it is drawn with their places in the order of drawing.
 * Of equal pieces in the hands of several players those of the one to move are meant.
 * @param {Game} game @param {State} state @param {Scene} scene @param {Area[]} areas @param {Iterable<string>} further */
function spotsOf(game, state, scene, areas, further) {
  const own = game.about.seats[game.mover(state)], mover = game.layout.state.findIndex(({ name }) => name === "mover");
  const players = game.types[game.layout.state[mover].type].things;
  /** @param {Mark} hand @param {string} label */
  const hasOwn = (hand, label) => scene.marks.some(({ layer, name, items }) => layer === hand.layer && name === own && items.some((item) => item.label === label));
  const spots = new Map();
  /** @param {string} key @param {string} name @param {Box} box */
  function at(key, name, box) {
    const spot = entryOf(spots, key, () => ({ key, handles: new Set(), name: "", label: "", box, reach: [] }));
    spot.name = spot.name || name || "";
    // Of equal boxes the last one is that of the highest thing.
    if (box[2] * box[3] >= spot.box[2] * spot.box[3]) spot.box = box;
    return spot;
  }
  const unit = (/** @type {number} */ x, /** @type {number} */ y) => /** @type {Box} */ ([(x - 0.5) * UNIT, (y - 0.5) * UNIT, UNIT, UNIT]);
  areas.forEach((area, order) => {
    const mark = scene.marks[area.mark], layer = game.layers[area.layer];
    if (mark.option || !layer) return;
    if (area.item >= 0) {
      const isOthers = layer.binder === players && mark.name !== own && hasOwn(mark, area.label);
      if (!area.label || !layer.items || isOthers) return;
      const spot = at("hand " + area.mark + " " + area.item, area.label, area.box);
      spot.handles.add(layer.items + "|" + area.label);
      spot.reach.push({ box: area.box, order });
    } else if (SOLID.has(mark.kind)) {
      const isPoint = area.box[2] < UNIT / 2, box = isPoint ? unit(mark.x, mark.y) : area.box, spot = at(place(mark.x, mark.y), mark.name, box);
      if (mark.name && layer.binder) spot.handles.add(layer.binder + "|" + mark.name);
      for (const handle of thingsOf(game, layer, mark)) spot.handles.add(handle);
      const pieces = mark.items.map((piece) => piece.label).filter(Boolean).join(" ");
      spot.label = mark.label || pieces || spot.label;
      spot.reach.push({ box, order, shape: mark.kind === "hexagon" ? "six" : isPoint ? "point" : "" });
    }
  });
  for (const key of further) {
    if (spots.has(key)) continue;
    const [x, y] = key.slice(1).split(",").map((text) => Number(text) / 8);
    const spot = at(key, "", unit(x, y));
    spot.reach.push({ box: spot.box, order: -1 });
  }
  return [...spots.values()];
}

/** The fields of the value that names a place, as `[type, code]` each; none where it is no record. @param {Game} game @param {Spot} spot */
function fieldsOf(game, spot) {
  for (const handle of spot.handles) {
    const cut = handle.indexOf("|"), things = handle.slice(0, cut);
    const type = game.types.find((one) => one.things === things && one.texts && one.fields);
    const { texts = [], fields = [], parts = [] } = type || {}, i = texts.indexOf(handle.slice(cut + 1));
    if (i >= 0) return fields.map(([, of], k) => [of, parts[i][k]]);
  }
  return [];
}

/** All that can be pointed at in a position, and what has been so far. */
export class Choices {
  /** The legal actions in a state whose drawing is given; `actions` may be empty, as for a machine's turn.
   * @param {Game} game @param {State} state @param {Viewer} viewer @param {Action[]} actions @param {Scene} scene @param {Area[]} areas */
  constructor(game, state, viewer, actions, scene, areas) {
    this.game = game;
    this.state = state;
    this.viewer = viewer;
    this.actions = actions;
    /** The spots chosen so far, and the numbers of the actions that are still meant. */
    this.chosen = /** @type {Spot[]} */ ([]);
    this.meant = actions.map((_, i) => i);
    /** The place where something lies to be turned before it is laid down, the way in which it lies, and the pose that was turned to. */
    this.held = /** @type {Spot | null} */ (null);
    this.way = /** @type {Way | null} */ (null);
    this.pose = "";
    /** The point that was pointed at last. */
    this.at = /** @type {Point | null} */ (null);
    this.named = /** @type {Map<string, Set<number>>} */ (new Map());
    this.placed = /** @type {Map<string, Set<number>>} */ (new Map());
    /** @param {Map<string, Set<number>>} index @param {string} handle @param {number} i */
    const note = (index, handle, i) => index.set(handle, (index.get(handle) || new Set()).add(i));
    const drawn = actions.length <= MOST_DRAWN ? game.ghosts(state, viewer, actions, true) : [];
    this.ghosts = drawn;
    this.known = /** @type {Map<string, Way[]>} */ (new Map());
    this.settled = /** @type {Map<string, boolean>} */ (new Map());
    this.parts = actions.map((action) => ofChoices(game, action));
    /** The members that may be put into sets, by their handles. */
    this.members = /** @type {Map<string, string>} */ (new Map());
    for (const { type, codes, many } of actions.flatMap((action) => choicesOf(game, action))) {
      if (many) for (const code of codes) this.members.set(handlesOfMember(game, type, code)[0], game.values.write(type, code));
    }
    actions.forEach((_, i) => {
      for (const handles of this.parts[i]) for (const handle of handles) note(this.named, handle, i);
      for (const key of placesOf(drawn[i] || [])) note(this.placed, key, i);
    });
    // A part that the values of all actions have, such as their owner, chooses nothing.
    const wholes = new Set(this.parts.flat().flatMap((handles) => handles.filter((handle) => handle === handles[0] || handle[0] === "=")));
    for (const [handle, { size }] of this.named) if (size === actions.length && size > 1 && !wholes.has(handle)) this.named.delete(handle);
    this.spots = spotsOf(game, state, scene, areas, this.placed.keys());
    // Members that nothing shows have no place; the table has buttons for them.
    for (const [key, name] of this.members) {
      if (this.spots.some(({ handles }) => handles.has(key) || handles.has("=" + key))) continue;
      this.spots.push({ key, name, label: "", handles: new Set([key]), box: [0, 0, 0, 0], reach: [], actions: new Set(), drawn: new Set() });
    }
    this.spots.forEach((spot) => {
      spot.actions = new Set();
      for (const handle of spot.handles) for (const i of this.named.get(handle) || []) spot.actions.add(i);
      spot.drawn = this.placed.get(spot.key) || new Set();
    });
  }

  /** Those of some actions that a spot means: by what it is called, else by what would be drawn there.
   * @param {Spot} spot @param {number[]} actions */
  meantBy(spot, actions) {
    for (const meant of [spot.actions, spot.drawn]) {
      const found = actions.filter((i) => meant.has(i));
      if (found.length) return found;
    }
    const along = this.#along(spot);
    return actions.filter((i) => along.has(i));
  }

  /**
   * The actions that are about a line on which a spot lies, such as its column: a choice of theirs is shown by no
   * spot, and is always equal to the same field of the place where the action is drawn.
   * @param {Spot} spot */
  #along(spot) {
    const lines = this.lines || (this.lines = this.#lines()), fields = fieldsOf(this.game, spot), found = new Set();
    for (const { field, codes } of lines) {
      if (fields[field]) codes.forEach((/** @type {number} */ code, /** @type {number} */ i) => { if (code === fields[field][1]) found.add(i); });
    }
    return found;
  }

  /** True if an action, legal or not, is about a line on which a spot lies. @param {Spot} spot @param {Action} action */
  #liesOn(spot, action) {
    const fields = fieldsOf(this.game, spot), choices = choicesOf(this.game, action);
    return (this.lines || []).some(({ number, choice, field }) =>
      number === action.action && fields[field] && choices[choice].codes[0] === fields[field][1]);
  }

  /** The fields of places that tell a choice of actions, and for each action the code of that choice. */
  #lines() {
    const { game } = this, shown = new Set(this.spots.flatMap((spot) => [...spot.handles])), asked = new Map();
    this.actions.forEach((action, i) => choicesOf(game, action).forEach(({ type, codes }, j) => {
      if (codes.length !== 1 || game.types[game.about.actions[action.action].choices[j].type].many || !this.parts[i][j].length || this.parts[i][j].some((handle) => shown.has(handle))) return;
      const key = action.action + " " + j;
      entryOf(asked, key, () => ({ type, number: action.action, choice: j, codes: new Map() })).codes.set(i, codes[0]);
    }));
    return [...asked.values()].flatMap(({ type, number, choice, codes }) => {
      const places = [...codes.keys()].map((i) => this.spots.filter((spot) => spot.drawn.has(i)).map((spot) => fieldsOf(game, spot)));
      const size = game.values.count(type);
      /** @param {any} field */
      const fits = (field) => [...codes.values()].every((code, at) => places[at].length > 0 && places[at].every((fields) =>
        fields[field] && game.values.count(fields[field][0]) === size && fields[field][1] === code));
      return [0, 1, 2].filter(fits).map((field) => ({ number, choice, field, codes }));
    });
  }

  /** Two actions of one kind between which nothing more decides, and of which one is told as the other and something further; null if it is otherwise. */
  get further() {
    const { actions, offered, chosen, meant, held } = this;
    return !held && chosen.length && offered.length === 2 && meant.length === 2 ? this.#continued(actions[offered[0]], actions[offered[1]]) : null;
  }

  /** @param {Action} one @param {Action} other */
  #continued(one, other) {
    const told = (/** @type {Action} */ action) => this.game.predicate(this.state, action);
    const [short, long] = [one, other].sort((a, b) => told(a).length - told(b).length), base = told(short);
    return one.action === other.action && told(long).startsWith(base + " ") ? { short, long, text: told(long).slice(base.length + 1) } : null;
  }

  /** The texts of what actions of a kind have further than others with the same places and things, as `and draws`, by kinds. */
  continuations() {
    const alike = new Map(), found = /** @type {Map<number, string>} */ (new Map());
    this.actions.forEach((action, i) => {
      const key = [action.action, ...this.parts[i]].join("\n"), other = alike.get(key);
      if (other && !found.has(action.action)) found.set(action.action, (this.#continued(other, action) || { text: "" }).text);
      alike.set(key, action);
    });
    return found;
  }

  /** The actions that are meant after choosing these spots; if they were chosen in the order of the choices of some, those.
   * @param {Spot[]} chosen */
  #after(chosen) {
    const left = chosen.reduce((found, spot) => this.meantBy(spot, found), this.actions.map((_, i) => i));
    const inOrder = chosen.length < 2 ? [] : left.filter((i) => this.parts[i].length === chosen.length &&
      chosen.every(({ handles }, j) => this.parts[i][j].some((handle) => handles.has(handle))));
    return inOrder.length ? inOrder : left;
  }

  /**
   * The ways in which what is chosen can lie on a place and others beside it, as a domino can: the actions of each
   * (`meant`), its middle as seen from the place, and its `pose`. None unless pointing there leaves only such actions.
   * @param {Spot} spot @returns {Way[]} */
  ways(spot) {
    if (spot.key[0] !== "@" || this.#before.includes(spot)) return [];
    return entryOf(this.known, [...this.#before, spot].map((one) => one.key).join(), () => this.#waysAfresh(spot));
  }

  /** @param {Spot} spot @returns {Way[]} */
  #waysAfresh(spot) {
    const found = this.meantBy(spot, this.#after(this.#before)), ways = new Map(), actions = found.map((i) => this.actions[i]);
    const isOpen = this.spots.some((other) => other.key[0] !== "@" && ![0, found.length].includes(this.meantBy(other, found).length));
    if (isOpen) return [];
    /** @param {Sparse} mark */
    const isJoined = ({ layer = 0 }) => this.game.layers[layer].fields.some(([name]) => name === "joins");
    if (!found.every((i) => (this.ghosts[i] || []).some(isJoined))) return [];
    for (const [k, ghost] of this.game.ghosts(this.state, this.viewer, actions).entries()) {
      const i = found[k], marks = ghost.filter(isJoined), here = marks.find((mark) => place(mark.x || 0, mark.y || 0) === spot.key);
      if (!here || marks.length < 2) return [];
      const offsets = marks.map(({ x = 0, y = 0 }) => /** @type {Point} */ ([x - (here.x || 0), y - (here.y || 0)])).sort(([a, b], [c, d]) => a - c || b - d);
      // Which part of it lies there: the first one, as one would take hold of it.
      const rank = marks.map(({ label }) => label || "").sort().indexOf(here.label || "");
      const pose = JSON.stringify([offsets, rank]), middle = [0, 1].map((axis) => offsets.reduce((sum, offset) => sum + offset[axis], 0) / offsets.length);
      entryOf(ways, pose, () => ({ pose, rank, middle, meant: [] })).meant.push(i);
    }
    /** @param {Way} way */
    const angle = ({ middle: [x, y] }) => Math.atan2(y, x);
    return [...ways.values()].sort((a, b) => a.rank - b.rank || angle(a) - angle(b));
  }

  /**
   * The way in which what is chosen is laid down by pointing into a place: turned as it was turned last, else towards
   * the point `at`; null where there is none.
   * @param {Spot} spot @param {Point | null} at */
  aim(spot, at) {
    const ways = this.ways(spot), turned = ways.find(({ pose }) => pose === this.pose);
    if (ways.length < 2 || turned || !at) return turned || ways[0] || null;
    const [left, top, width, height] = spot.box, point = [(at[0] - left - width / 2) / UNIT, (at[1] - top - height / 2) / UNIT];
    /** @param {Way} way */
    const far = ({ middle: [x, y] }) => Math.hypot(x - point[0], y - point[1]);
    return ways.reduce((best, way) => (far(way) < far(best) - 1e-9 ? way : best));
  }

  /** Turn what would be laid down by pointing into a place. @param {Spot} spot @param {Point | null} at @param {number} by */
  turn(spot, at, by) {
    const now = this.aim(spot, at), ways = this.ways(spot), i = ways.findIndex(({ pose }) => now && pose === now.pose);
    if (i < 0) return;
    this.pose = ways[(i + by + ways.length) % ways.length].pose;
    if (this.held === spot) this.#lay(spot, at, true);
  }

  /** Lay down what is chosen on a place; if it is `held`, it can still be turned. @param {Spot} spot @param {Point | null} at @param {boolean} held */
  #lay(spot, at, held) {
    const way = this.aim(spot, at), canTurn = this.ways(spot).length > 1;
    this.take([...this.#before, spot]);
    if (!way) return;
    [this.way, this.meant, this.held] = [way, way.meant, held && canTurn ? spot : null];
  }

  /** The spots that were chosen before something was laid down, which may still be laid elsewhere. */
  get #before() {
    return this.way ? this.chosen.slice(0, -1) : this.chosen;
  }

  /** True if pointing at a spot leaves some of the actions that are meant. @param {Spot} spot */
  isOpen(spot) {
    const meant = this.way ? this.#after(this.#before) : this.meant;
    return !this.chosen.includes(spot) && meant.some((i) => spot.actions.has(i) || spot.drawn.has(i));
  }

  /**
   * The actions to be chosen by their names: at first those that have no spot, or are to have buttons, then those whose choices were all
   * pointed at, and those that no further spot tells from others.
   */
  get offered() {
    const open = this.spots.filter((spot) => this.isOpen(spot)).map((spot) => new Set(this.meantBy(spot, this.meant)));
    const begun = this.chosen.length > 0, places = begun ? this.spots.filter((spot) => this.isOpen(spot)) : [];
    const laid = new Set(this.way ? [] : places.flatMap((spot) => this.ways(spot).flatMap(({ meant }) => meant)));
    const telling = open.filter((found) => !begun || this.meant.length === 1 || found.size < this.meant.length);
    const isButton = (/** @type {number} */ i) => !begun && this.game.about.actions[this.actions[i].action].button;
    return this.meant.filter((i) => isButton(i) || (!laid.has(i) && (!begun || !this.#takesSet(i) || this.#isPointed(i)) &&
      ((begun && this.#isPointed(i)) || !telling.some((found) => found.has(i)))));
  }

  /** True if a choice of an action is a set. @param {number} i */
  #takesSet(i) {
    return this.members.size > 0 && choicesOf(this.game, this.actions[i]).some(({ many }) => many);
  }

  /** True if a spot can be put into a set. @param {Spot} spot */
  isMember(spot) {
    return this.members.size > 0 && [...spot.handles].some((handle) => this.members.has(handle.replace(/^=/, "")));
  }

  /** How many members are chosen for the set of an action that is meant, and how many it can have; null if there is no
   * set, or nothing is chosen yet and other actions are legal too. */
  get collected() {
    const taking = this.meant.filter((i) => this.#takesSet(i)), kinds = new Set(taking.map((i) => this.actions[i].action));
    if (!kinds.size || (!this.chosen.length && taking.length < this.meant.length)) return null;
    const sets = this.actions.filter(({ action }) => kinds.has(action)).flatMap((action) => choicesOf(this.game, action).filter(({ many }) => many));
    const sizes = sets.map(({ codes }) => codes.length);
    return { chosen: this.chosen.filter((spot) => this.isMember(spot)).length, least: Math.min(...sizes), most: Math.max(...sizes) };
  }

  /** True if each choice of an action was pointed at that can be. @param {number} i */
  #isPointed(i) {
    const made = this.members.size ? choicesOf(this.game, this.actions[i]) : [];
    return this.parts[i].every((handles, j) => {
      if (made[j] && made[j].many) return made[j].codes.every((code) =>
        handlesOfMember(this.game, made[j].type, code).some((handle) => this.chosen.some((spot) => spot.handles.has(handle))));
      if (this.#isSettled(i, j)) return true;
      const there = handles.filter((handle) => this.named.has(handle) && this.spots.some((spot) => spot.handles.has(handle)));
      const touched = (/** @type {string} */ handle) => this.chosen.some((spot) => spot.handles.has(handle));
      const parts = there.filter((handle) => handle !== handles[0] && handle[0] !== "=");
      const own = there.filter((handle) => !parts.includes(handle));
      return own.some(touched) || (!own.length && !there.length) || (parts.length > 0 && parts.every(touched));
    });
  }

  /** True if a choice of an action is the same in all legal actions of its kind, or was made with the way in which things lie. @param {number} i @param {number} j */
  #isSettled(i, j) {
    const last = this.chosen[this.chosen.length - 1], { action } = this.actions[i], key = action + " " + j;
    if (this.way && this.parts[i][j].some((handle) => last.handles.has(handle))) return true;
    return entryOf(this.settled, key, () => {
      const values = this.actions.filter((other) => other.action === action).map((other) => String(choicesOf(this.game, other)[j].codes));
      return values.every((value) => value === values[0]);
    });
  }

  /** The only action that is meant, once it is laid down, or each of its choices was pointed at that can be; else null. A set is complete when that is said. */
  complete() {
    const last = this.chosen[this.chosen.length - 1];
    if (last && this.isMember(last) && this.meant.some((i) => this.#takesSet(i))) return null;
    return !this.held && this.meant.length === 1 && this.chosen.length && (this.way || this.#isPointed(this.meant[0])) ? this.actions[this.meant[0]] : null;
  }

  /**
   * Point at a spot. Gives `{kind}`: `chosen`, `refused` where the spots together mean illegal actions only, `full` where
   * a set cannot have that one too, or `nothing`; with `note` and `reasons` where they mean an illegal action, also if the spot is chosen instead.
   * What can lie in several ways is laid down towards the point `at`; without one, or to be `held`, it stays to be turned.
   * @param {Spot} spot @param {Point | null} [at] @param {boolean} [held] */
  point(spot, at = null, held = true) {
    if (this.held === spot) {
      this.turn(spot, at, 1);
      return { kind: "chosen" };
    }
    if (this.aim(spot, at)) {
      this.#lay(spot, at, held || !at);
      return { kind: "chosen" };
    }
    if (this.chosen.includes(spot)) {
      this.take(this.isMember(spot) ? this.chosen.filter((one) => one !== spot) : this.chosen.slice(0, this.chosen.indexOf(spot)));
      return { kind: "chosen" };
    }
    if (this.isOpen(spot)) {
      const [first] = this.chosen;
      this.take([...this.chosen, spot]);
      // A place was pointed at before what is to lie there.
      if (first && first.key[0] === "@" && spot.key[0] !== "@") {
        const { chosen } = this;
        this.take([spot]);
        if (chosen.length === 2 && this.aim(first, this.at)) this.#lay(first, this.at, held || !this.at);
        else this.take(chosen);
      }
      this.at = at;
      return { kind: "chosen" };
    }
    const along = this.#along(spot);
    if (this.meant.some((i) => along.has(i))) {
      this.take([...this.chosen, spot]);
      return { kind: "chosen" };
    }
    const together = this.refused([...this.chosen, spot]);
    if (this.isMember(spot) && this.chosen.some((one) => this.isMember(one))) return together ? { kind: "refused", ...together } : { kind: "full" };
    if (this.chosen.length && (this.#begins(spot) || (!together && this.#after([spot]).length))) {
      this.take([spot]);
      return { kind: "chosen", ...together };
    }
    if (together) return { kind: "refused", ...together };
    const alone = this.chosen.length && this.refused([spot]);
    return alone ? { kind: "refused", ...alone } : { kind: "nothing" };
  }

  /** Let these spots be the ones that are chosen. @param {Spot[]} chosen */
  take(chosen) {
    this.chosen = chosen;
    this.meant = this.#after(chosen);
    this.held = this.way = null;
  }

  /** True if a spot is the first choice of some legal action, so that somebody may begin with it. @param {Spot} spot */
  #begins(spot) {
    return [...spot.actions].some((i) => (this.parts[i][0] || []).some((handle) => spot.handles.has(handle)));
  }

  /**
   * The reasons why all actions that the spots mean are illegal: of the one that the fewest rules refuse, rather for
   * a requirement than for a value that cannot be chosen.
   * @param {Spot[]} spots */
  refused(spots) {
    let best = null, least = Infinity, count = 0;
    const end = performance.now() + MOST_TIME;
    for (const action of this.#typed(spots)) {
      const reasons = this.game.refusals(this.state, action);
      const weight = 2 * reasons.length + reasons.filter((reason) => reason.kind === "choice").length;
      if (reasons.length && weight < least) [best, least] = [{ action, reasons }, weight];
      if (least === 2 || ++count === MOST_REFUSED || performance.now() > end) break;
    }
    return best && { ...best, note: this.game.note(this.state, best.action) };
  }

  /** Actions of right types, legal or not, that all of the spots have to do with. @param {Spot[]} spots */
  *#typed(spots) {
    let tried = 0;
    const end = performance.now() + MOST_TIME;
    const about = this.game.about;
    const fits = (/** @type {Action} */ action) => {
      const handles = new Set(ofChoices(this.game, action).flat());
      const left = spots.filter((spot) => ![...spot.handles].some((handle) => handles.has(handle)) && !this.#liesOn(spot, action));
      if (!left.length) return true;
      if (left.some((spot) => spot.key[0] !== "@")) return false;
      const places = new Set(placesOf(this.game.ghosts(this.state, this.viewer, [action], true)[0]));
      return left.every((spot) => places.has(spot.key));
    };
    for (let number = 0; number < about.actions.length; number++) {
      for (const lists of this.#ways(number, spots)) {
        for (const values of product(lists)) {
          if (++tried > MOST_TRIED || performance.now() > end) return;
          const action = { action: number, values: values.flat() };
          if (fits(action)) yield action;
        }
      }
    }
  }

  /**
   * The values of each choice of an action, as lists of numbers. Where the spots name values of more choices than
   * there are spots, each of these choices has the named ones in turn, and the others have all.
   * @param {number} number @param {Spot[]} spots */
  *#ways(number, spots) {
    const choices = this.game.about.actions[number].choices, rows = this.game.layout.rows[number];
    if (!choices.length) return;
    const any = choices.map((_, j) => this.#values(number, j, rows[j][1], []));
    // What was pointed at first is tried for the first choice first; the links of a chain are in order.
    const turned = (/** @type {number} */ j) => [...spots.slice(j % spots.length), ...spots.slice(0, j % spots.length)];
    const named = choices.map((choice, j) =>
      this.#values(number, j, rows[j][1], this.game.types[choice.type].kind === "list" ? spots : turned(j)));
    const naming = choices.map((_, j) => j).filter((j) => named[j].length);
    if (naming.length <= spots.length) yield any.map((all, j) => (named[j].length ? named[j] : all));
    else for (const one of naming) yield any.map((all, j) => (j === one ? named[j] : all));
  }

  /** The values of a choice that spots name; without spots all of them, those of legal actions first.
   * @param {number} number @param {number} j @param {number} size @param {Spot[]} spots */
  #values(number, j, size, spots) {
    const type = this.game.types[this.game.about.actions[number].choices[j].type];
    if (type.members) return this.#rows(type, spots);
    const of = type.kind === "list" ? type.of : this.game.about.actions[number].choices[j].type;
    const all = this.game.values.codes(of);
    /** @param {Spot} spot @param {number} code */
    const means = (spot, code) => handlesOfChoice(this.game, of, code).some((/** @type {string} */ handle) => spot.handles.has(handle));
    if (type.kind === "list") {
      const links = spots.map((spot) => all.find((code) => means(spot, code))).filter((code) => code !== undefined);
      if (type.many) links.sort((a, b) => Number(a) - Number(b));
      return links.length || !spots.length ? [[links.length, ...links, ...Array(size).fill(0)].slice(0, size)] : [];
    }
    if (spots.length) return [...new Set(spots.flatMap((spot) => all.filter((code) => means(spot, code))))].map((code) => [code]);
    const usual = new Set(this.actions.filter((action) => action.action === number).map((action) => choicesOf(this.game, action)[j].codes[0]));
    return [...all.filter((code) => usual.has(code)), ...all.filter((code) => !usual.has(code))].map((code) => [code]);
  }

  /** The values of a choice of a set, or of something or nothing: the one whose members are those that spots name.
   * @param {ValueType} type @param {Spot[]} spots */
  #rows(type, spots) {
    const { game } = this, rows = type.members || [];
    /** @param {number} code */
    const isNamed = (code) => handlesOfMember(game, type.of, code).some((handle) => spots.some((spot) => spot.handles.has(handle)));
    const named = new Set(rows.flat().filter(isNamed));
    const found = rows.map((_, i) => i).filter((i) => !spots.length || (named.size && rows[i].length === named.size && rows[i].every((code) => named.has(code))));
    return found.map((i) => [type.codes ? type.codes[i] : type.first + i]);
  }
}
