/** A play as the page keeps it: its states, what led from each to the next, where the reader stands in it; and its record, in the form of `rulespec play --record`. */
import { MOST_WORK, bytesOf } from "./machine.js";
import { SIZES } from "./shapes.js";
import { entryOf } from "./values.js";

const MOST_BYTES = 5000000;
/** The work that each ply of a record may take besides. */
const PLY_WORK = 2e7;
const KEYS = new Set([
  "record", "ruleset", "digest", "players", "parameters", "readings", "given", "chance", "start", "plays", "outcome",
]);

const TOLD = new Set(["ended", "scores", "winners"]);

/** A source of chance: `given` outcomes first, then those of a generator; all of them are noted.
 * @param {Random} random @param {string[]} [given] @returns {Source} */
const source = (random, given) => ({ random, given: given || [], outcomes: [] });

/** Facts about states that are worked out once. */
const KEPT = new WeakMap();
/** @param {State} state @param {string} name @param {() => any} make */
function kept(state, name, make) {
  return entryOf(entryOf(KEPT, state, () => new Map()), name, make);
}

export class Play {
  /** A play that begins in a state. `given` is that position as plain data, null after an ordinary start.
   * @param {Game} game @param {State} first @param {Json} given @param {string[]} outcomes */
  constructor(game, first, given, outcomes) {
    this.game = game;
    this.given = given;
    this.states = [first];
    /** For each action: `{action, note, text, outcomes}`; `text` means nothing else, as a record has it. */
    this.steps = /** @type {Step[]} */ ([]);
    this.dealt = outcomes;
    this.at = 0;
  }

  /** A new play, dealt from a generator. @param {Game} game @param {Random} random */
  static start(game, random) {
    return Play.again(game, { plays: [] }, random);
  }

  /**
   * A play of which it is written how it began (`from`, a packed state, or `given`, plain data, or neither), what
   * `chance` gave and which actions were played. Raises an Error that names the ply that is refused.
   * @param {Game} game @param {WrittenPlay} written @param {Random} random */
  static again(game, written, random) {
    const work = MOST_WORK + PLY_WORK * written.plays.length;
    return game.machine.within(() => Play.#again(game, written, random), work);
  }

  /** @param {Game} game @param {WrittenPlay} written @param {Random} random */
  static #again(game, written, random) {
    const chance = source(random, written.chance), { from, given } = written;
    const first = from ? game.unpack(from) : given ? game.position(given) : game.start(chance);
    const play = new Play(game, first, from ? game.data(first) : given || null, [...chance.outcomes]);
    written.plays.forEach((text, i) => {
      const action = game.read(play.state, text);
      if (!action || !game.isLegal(play.state, action)) {
        const why = action ? game.refusals(play.state, action).map((r) => r.fact || r.text).join(" ") : "no such action";
        throw new Error("ply " + (i + 1) + ", " + text + ": " + why);
      }
      play.#add(action, chance);
    });
    const left = chance.given.length - chance.outcomes.length;
    if (left > 0) throw new Error(left + " chance outcomes were never drawn");
    play.#check(written.outcome || {});
    return play;
  }

  /** Compare how the play stands with what a record says of that. Raises an Error where it is otherwise. @param {Json} told */
  #check(told) {
    const found = /** @type {Json} */ (outcome(this.game, this.state));
    for (const [key, value] of Object.entries(told)) {
      const [says, is] = [ordered(value), ordered(found[key])];
      if (says !== is) throw new Error("the record says " + key + ": " + says + ", but it is " + is);
    }
  }

  /** The state where the reader stands. */
  get state() {
    return this.states[this.at];
  }

  /** True if nothing was played after where the reader stands. */
  get isLast() {
    return this.at === this.steps.length;
  }

  /** Play a legal action where the reader stands; what was played after that is dropped. @param {Action} action @param {Random} random */
  play(action, random) {
    this.states.length = this.at + 1;
    this.steps.length = this.at;
    this.game.machine.within(() => this.#add(action, source(random)));
  }

  /** @param {Action} action @param {Source} chance */
  #add(action, chance) {
    const note = this.game.note(this.state, action), text = this.game.shortest(this.state, action);
    const before = chance.outcomes.length;
    this.states.push(this.game.play(this.state, action, chance));
    this.steps.push({ action, note, text, outcomes: chance.outcomes.slice(before) });
    this.at++;
  }

  /** Go to the state after so many actions. @param {number} to */
  go(to) {
    this.at = Math.max(0, Math.min(this.steps.length, to));
  }

  /** The sight that a seat has of the state after so many actions. @param {number} at @param {number} seat */
  sight(at, seat) {
    return kept(this.states[at], "sight " + seat, () => this.game.sight(this.states[at], seat));
  }

  /** A seat's observation of an action: its `text`, the `action` if nothing of it is secret, and what is `spoken`.
   * @param {number} at @param {number} seat */
  observed(at, seat) {
    return kept(this.states[at + 1], "action " + seat, () => {
      const { game } = this, { action } = this.steps[at], state = this.states[at];
      const isOpen = !game.secrets(state, action, seat).length;
      return { text: game.observed(state, action, seat), action: isOpen ? action : null, spoken: game.spoken(state, action, seat) };
    });
  }

  /** The arrows of the last action as a viewer observed it, each with its ends in the drawing. @param {Viewer} viewer */
  arrows(viewer) {
    const { game, states, steps, at } = this, seen = viewer === null ? steps[at - 1] : this.observed(at - 1, viewer);
    if (!seen.action) return [];
    const [marks] = game.ghosts(states[at - 1], viewer, [seen.action], true), scaled = (/** @type {number[]} */ ends) => /** @type {Point} */ (ends.map((end) => SIZES.UNIT * end));
    return marks.flatMap(({ x = 0, y = 0, to }) => (to ? [/** @type {[Point, Point]} */ ([scaled([x, y]), scaled(to)])] : []));
  }

  /** The first and the last action of the stage that an action belongs to, once all have chosen and see what; else null.
   * @param {number} i */
  stage(i) {
    const { game, states, steps } = this, done = game.about.actions[steps[i].action.action].atOnce;
    if (!done) return null;
    const open = (/** @type {number} */ at) => kept(states[at], "open", () => Object.keys(game.data(states[at])[done]).length > 0);
    let [first, last] = [i, i];
    while (first && open(first)) first--;
    while (last < steps.length && open(last + 1)) last++;
    return last < steps.length ? { first, last } : null;
  }

  /** Take actions back until one of some seats is to move, or the first state is reached. @param {number[]} seats */
  undo(seats) {
    do this.at--;
    while (this.at > 0 && !seats.includes(this.game.mover(this.state)));
    this.at = Math.max(0, this.at);
    this.states.length = this.at + 1;
    this.steps.length = this.at;
  }

  /** The record of the whole play as text, one play to a line. */
  record() {
    const about = this.game.about, last = this.states[this.states.length - 1];
    /** @type {Json} */
    const data = { record: 1, ruleset: about.ruleset, digest: about.digest, players: about.players };
    for (const key of ["parameters", "readings"]) if (Object.keys(/** @type {Json} */ (about)[key] || {}).length) data[key] = /** @type {Json} */ (about)[key];
    if (this.given) data.given = this.given;
    const chance = [...this.dealt, ...this.steps.flatMap((step) => step.outcomes)];
    if (chance.length) data.chance = chance;
    data.plays = this.steps.map((step) => step.text);
    data.outcome = outcome(this.game, last);
    const parts = Object.entries(data).map(([key, value]) => {
      const plays = key === "plays" && value.length;
      const text = plays ? "[\n  " + value.map((/** @type {string} */ v) => JSON.stringify(v)).join(",\n  ") + "\n ]" : JSON.stringify(value);
      return JSON.stringify(key) + ": " + text;
    });
    return "{\n " + parts.join(",\n ") + "\n}\n";
  }
}

/** How a state stands, as a record says it. @param {Game} game @param {State} state */
function outcome(game, state) {
  const { layout, about } = game, mover = layout.state.findIndex((variable) => variable.name === "mover");
  const player = layout.state[mover].type;
  const end = game.outcome(state), numbers = (game.scores(state) || []).map((score, seat) => [about.seats[seat], score]);
  const winners = game.winners(state).map((seat) => game.values.data(player, layout.seats[seat]));
  return { ended: end ? end.ended : null, scores: Object.fromEntries(numbers), winners };
}

/** Plain data as text, equal for equal data: names come in the order of the alphabet. @param {Json} data */
export const ordered = (data) => JSON.stringify(data, (_, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value));

/** @param {Value} value */
const isTexts = (value) => Array.isArray(value) && value.every((item) => typeof item === "string");
/** @param {Value} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Read a record and check its form. Raises an Error with a sentence for the reader. @param {string} text */
export function readRecord(text) {
  if (text.length > MOST_BYTES) throw new Error("A record has at most 5 MB.");
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("This file is no record: it is not in JSON.");
  }
  if (!isObject(data) || data.record !== 1) throw new Error("This file is no record of a play.");
  const unknown = Object.keys(data).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw new Error("A record has no key " + unknown + ".");
  const plays = (Array.isArray(data.plays) ? data.plays : [null]).map((/** @type {any} */ ply) => (isObject(ply) ? ply.play : ply));
  if (!isTexts(plays)) throw new Error("The plays of a record are a list of actions.");
  if (!isTexts(data.chance || [])) throw new Error("What chance gave is a list of outcomes.");
  for (const key of ["parameters", "readings", "given"]) {
    if (data[key] !== undefined && !isObject(data[key])) throw new Error("In a record " + key + " are names with values.");
  }
  const told = data.outcome === undefined ? {} : data.outcome;
  if (!isObject(told) || Object.keys(told).some((key) => !TOLD.has(key))) throw new Error("The outcome of a record has ended, scores and winners.");
  if (typeof data.ruleset !== "string" || !Number.isInteger(data.players)) throw new Error("A record names its game and the number of players.");
  return {
    ruleset: data.ruleset, digest: data.digest || "", players: data.players, parameters: data.parameters || {},
    readings: data.readings || {}, given: data.given || null, chance: data.chance || [], plays, outcome: told,
  };
}

/** The position in the address of a page: `{key, from}`; null if there is none. @param {string} hash */
export function readPositionAddress(hash) {
  const found = /^#play=([\w-]*)\.([\w-]+)$/.exec(hash);
  return found && { key: found[1], from: found[2] };
}

/** The play in the address of a page: the text of its `record`, and after how many actions the reader stands; null if
 * there is none. Raises an Error for an address that holds no text. @param {string} hash */
export async function readPlayAddress(hash) {
  const found = /^#play=(\d{1,6})~([\w-]+)$/.exec(hash);
  if (!found) return null;
  try {
    return { at: Number(found[1]), record: await inflate(bytesOf(atob(found[2].replace(/-/g, "+").replace(/_/g, "/")))) };
  } catch {
    throw new Error("This address holds no play.");
  }
}

/** The address of a play: its record, compressed. @param {number} at @param {string} record */
export async function playAddress(at, record) {
  const stream = new Blob([record]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return "#play=" + at + "~" + text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Decompress a text, which must not be longer than a record. @param {Uint8Array<ArrayBuffer>} bytes */
async function inflate(bytes) {
  const from = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (let part = await from.read(); !part.done; part = await from.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MOST_BYTES) throw new Error("this text is too long");
  }
  return text + decoder.decode();
}
