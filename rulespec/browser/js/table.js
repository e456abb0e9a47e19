/** The table: a game to play in the page, with its board, its list of actions, its seats and its record. */
import { ActionList, PlayList } from "./actions.js";
import { Board } from "./board.js";
import { pick, randomNumbers } from "./chance.js";
import { Choices } from "./choices.js";
import { Deal, dealtThings } from "./deals.js";
import { button, el, inOrder, listed, prose, sentence } from "./dom.js";
import { Play, ordered, playAddress, readPlayAddress, readPositionAddress, readRecord } from "./history.js";
import { load } from "./picture.js";
import { Seats } from "./seats.js";
import { drawn } from "./svg.js";
import { Machines } from "./worker.js";

/** How long the machine lets a position be seen before it acts, in milliseconds; longer where things move. */
const PACE = 250, MOVING_PACE = 800;
/** After so many milliseconds of thinking there is a button that stops it. */
const PATIENCE = 1000;
/** The level of the machine that gives hints. */
const ADVISER = "thorough";
/** The most characters of a message: browsers take seconds to lay out megabytes. */
const LONGEST = 1000;
/** The most actions that are reported at once. */
const MOST_TOLD = 12;
/** The work that looking for what an end rests on may take. */
const DECIDING_WORK = 1e9;
/** The most actions that have buttons of their own below the board; the list has all. */
const MOST_OFFERED = 100;

/** A board that is wider has the whole width of the table, and the list of actions comes below. */
const WIDE = 560;

/** How long a position is seen before something is done by itself, in milliseconds. */
const pace = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? PACE : MOVING_PACE);

class Table {
  /** The play, its setting and what can be chosen in it; `start` sets them. */
  play = /** @type {Play} */ (/** @type {unknown} */ (null));
  setting = 0;
  choices = /** @type {Choices | null} */ (null);
  looking = /** @type {Action | null} */ (null);
  witness = /** @type {ReturnType<Game["witness"]>} */ (null);
  /** True if what is forced is done by itself. */
  isAutomatic = true;
  /** True if the position is to be shown as one to which an action has just led. */
  isPlayed = false;
  texts = /** @type {string[]} */ ([]);
  games = /** @type {Map<string, Game>} */ (new Map());
  holder = /** @type {number | null} */ (null);
  /** The deal of a page of puzzles that is played. */
  deal = /** @type {Deal | null} */ (null);
  /** True if the play is an exercise: its actions are there, and each is to be found before it goes on. */
  isExercise = false;
  exercise = "";
  turn = 0;
  /** The element of the page to which the reader returns when the table is closed. */
  opener = /** @type {HTMLElement | undefined} */ (undefined);
  /** For kinds of actions that may have something further, as `and draws`, whether they have it next, and how much more often they had it than not. */
  answers = /** @type {Map<number, { text: string, isMore: boolean, usual: number }>} */ (new Map());
  /** The part of an address that was opened or shared last. */
  address = "";

  /** @param {HTMLElement} block @param {Manifest} manifest */
  constructor(block, manifest) {
    this.block = block;
    this.manifest = manifest;
    this.random = randomNumbers(crypto.getRandomValues(new Uint32Array(1))[0]);
    this.board = new Board((...pointed) => this.point(...pointed), (...hovered) => this.hover(...hovered));
    this.list = new ActionList((action) => this.act(action), (text, found) => this.typed(text, found), (action) => this.look(action));
    this.plays = new PlayList((at) => this.go(at));
    this.seats = new Seats(manifest, (setting) => this.begin(setting), () => this.seated());
    this.status = el("p", { class: "rs-status", role: "status" });
    this.counters = el("ul", { class: "rs-counters", "aria-label": "Players" });
    this.reason = el("div", { class: "rs-reason", role: "alert" });
    this.puzzle = el("p", { class: "rs-puzzle", role: "status", hidden: true });
    this.hinting = button("Hint", () => this.hint(), "Hint: what the machine would do");
    this.curtain = el("div", { class: "rs-curtain", hidden: true, tabindex: "-1" });
    this.undoing = button("Undo", () => this.undo());
    this.slots = { first: button("«", () => this.go(0), "First position"), back: button("‹", () => this.step(-1), "One action back"),
      on: button("›", () => this.step(1), "One action on"), last: button("»", () => this.go(Infinity), "Last position") };
    this.file = el("input", { type: "file", accept: ".json,application/json", class: "rs-file", tabindex: "-1", "aria-hidden": "true", on: { change: () => this.opened() } });
    const bar = el("div", { class: "rs-bar", role: "toolbar", "aria-label": "Play" }, this.undoing, this.hinting, this.board.whole, ...Object.values(this.slots),
      ...(document.querySelector(".rs-puzzles") ? [button("Lay out", () => this.layOut([]), "Lay out a deal of your own")] : []),
      button("Save", () => this.save(), "Save the record as a file"), button("Open", () => this.file.click(), "Open a record"),
      button("Link", () => this.share(), "Link: copy the address of this play"), button("Close", () => this.close()), this.file);
    this.side = el("div", { class: "rs-side" }, this.list.element, this.plays.element, this.seats.element);
    this.which = el("div", { class: "rs-which", role: "group", "aria-label": "Actions to choose by name", tabindex: "-1" });
    this.main = el("div", { class: "rs-table-main" }, el("div", null, this.board.frame, this.which), this.side);
    // A refusal comes below: the board stays where it is.
    this.element = el("section", { class: "rs-player", tabindex: "-1", "aria-label": "Play " + manifest.title }, this.status, this.counters, this.puzzle, this.curtain, this.main, bar, this.reason);
    this.element.addEventListener("keydown", (event) => {
      this.board.turnByKey(event);
      if (event.key === "Escape") this.say("");
    });
    this.machine = new Machines();
    addEventListener("pagehide", () => this.remember());
  }

  // ---- games and plays

  /** The game of a setting; its bundle is loaded when it is first asked for. @param {number} setting */
  async game(setting) {
    const { key, file } = this.manifest.settings[setting];
    const known = this.games.get(key);
    if (known) return known;
    if (!rulespec.bundles[key]) await rulespec.script(file).catch(() => { throw new Error("A file of this page could not be loaded."); });
    const game = load(rulespec.bundles[key]);
    this.games.set(key, game);
    return game;
  }

  /** A new game of a setting. @param {number} setting */
  async begin(setting) {
    await this.guarded(async () => {
      const game = await this.game(setting);
      this.start(Play.start(game, this.random), setting, -1);
    });
  }

  /** Go on from a play that is written somewhere, `at` some of its actions.
   * @param {WrittenPlay} written @param {number} [at] @param {boolean} [isExercise] */
  async resume(written, at, isExercise) {
    return this.guarded(async () => {
      const setting = this.manifest.settings.findIndex((one) => one.key === written.key);
      if (setting < 0) throw new Error("This position is of other rules than those on this page.");
      const play = Play.again(await this.game(setting), written, this.random);
      if (at !== undefined) play.go(at);
      this.exercise = written.exercise || "";
      this.start(play, setting, play.game.mover(play.state), isExercise);
    });
  }

  /** Begin with a play; a person takes `seat`, if it is one (not -1).
   * @param {Play} play @param {number} setting @param {number} seat @param {boolean} [isExercise] */
  start(play, setting, seat, isExercise = false) {
    this.play = play;
    this.setting = setting;
    this.holder = null;
    this.deal = null;
    this.isExercise = isExercise;
    this.seats.show(play.game, setting, seat);
    this.say("");
    this.show(false);
    this.guarded(async () => {
      const deal = await Deal.of(play, this.random);
      if (this.play !== play) return;
      this.deal = deal;
      this.ruled(() => this.judge());
    });
  }

  /** Do something that may fail; say so, and give what was said. @param {() => any} act */
  async guarded(act) {
    try {
      await act();
      return "";
    } catch (error) {
      this.say(error.message);
      return error.message;
    }
  }

  // ---- what is shown

  /** The seat through whose eyes the table is seen; null if all lies open. */
  get viewer() {
    const { game, state } = this.play, persons = this.seats.persons;
    if (this.isExercise || !game.about.secrets || !persons.length || game.outcome(state)) return null;
    return persons.length === 1 ? persons[0] : this.holder;
  }

  /** True if a person acts for a seat, as for every one in an exercise. @param {number} seat */
  isPerson(seat) {
    return this.isExercise || this.seats.isPerson(seat);
  }

  /** True if the one to move is a person who has not come to the screen yet. */
  get isAway() {
    const { game, state } = this.play, mover = game.mover(state);
    return !this.isExercise && game.about.secrets && this.seats.persons.length > 1 && mover >= 0 && this.seats.isPerson(mover) && this.holder !== mover;
  }

  /** Show how it stands; `again` keeps the same part of the table in sight. */
  show(again = true) {
    this.decide();
    this.ruled(() => {
      const { game, state } = this.play;
      this.turn++;
      this.machine.stop();
      this.list.leave();
      const away = this.isAway, mover = game.mover(state);
      this.list.hold(mover >= 0 && !this.isPerson(mover) && this.seats.persons.length > 0 && !this.main.hidden);
      // The curtain is as high as what it hides, so that the page below stays where it is.
      if (away && !this.main.hidden) this.curtain.style.minHeight = Math.max(this.main.offsetHeight, this.board.frame.offsetHeight) + "px";
      const isHere = this.main.contains(document.activeElement);
      this.main.hidden = away;
      this.curtain.hidden = !away;
      this.undoing.disabled = !this.play.at;
      this.hinting.disabled = away || mover < 0 || !this.isPerson(mover);
      this.slots.first.disabled = this.slots.back.disabled = !this.play.at;
      this.slots.on.disabled = this.slots.last.disabled = this.play.isLast;
      if (away) this.drawCurtain();
      else this.draw(again);
      // Not its button: a key that is held for too long would take the curtain away.
      if (away && isHere) this.curtain.focus({ preventScroll: true });
      this.status.replaceChildren(...this.news().map((text) => el("span", null, text + " ")));
      this.count();
      this.judge();
      if (this.isExercise && this.play.isLast) this.offerNext();
      if (mover >= 0 && this.play.isLast && !away && this.isAutomatic && !this.isExercise && this.isForced()) this.force();
      else if (mover >= 0 && !this.isPerson(mover) && this.play.isLast) this.think(mover);
    }, () => this.clear());
  }

  /** Show who plays which colour, who is to move, and what is always in view. */
  count() {
    const { game, state } = this.play, found = game.counters(state), { names, tones } = game.about, mover = game.mover(state);
    /** @param {number | null} at */
    const texts = (at) => found.filter(({ seat }) => seat === at).map(({ text }) => text).join(", ");
    const seats = names.length > 1 ? names.map((name, seat) => el("li", { "aria-current": seat === mover && "true" },
      el("span", { class: "rs-colour", style: "--rs-seat:var(--rs-s" + tones[seat] + ")" }), name + (texts(seat) && ": " + texts(seat)))) : [];
    this.counters.replaceChildren(...seats, ...found.filter(({ seat }) => seat === null).map(({ text }) => el("li", null, text)));
  }

  /** In a deal of a page of puzzles, say whether its best known answer can still be reached, as far as that is known. */
  judge() {
    const { deal, play } = this;
    this.puzzle.hidden = !deal;
    if (!deal) return;
    this.puzzle.textContent = deal.standing(play);
    if (play.game.outcome(play.state)) this.puzzle.append(button("Copy the result", () => this.copy(deal.resultOf(play), "The result")));
  }

  /** Ask for the things of a deal one after the other, in the order in which they are dealt.
   * @param {string[]} laid those that lie already */
  layOut(laid) {
    const left = dealtThings(this.play), known = left.length;
    for (const thing of laid) left.splice(left.indexOf(thing), 1);
    if (!known) return this.say("Only a deal that is one list of things can be laid out.");
    if (!left.length) return this.deals(laid);
    this.machine.stop();
    this.turn++;
    this.say("");
    this.which.replaceChildren(
      el("p", null, "Choose the things in the order in which they are dealt, " + laid.length + " of " + known + (laid.length ? ": " + laid.join(", ") : "") + "."),
      ...left.slice().sort(inOrder).map((thing) => button(thing, () => this.layOut([...laid, thing]), null, "rs-action")),
      button("The rest by chance", () => {
        const order = laid.slice();
        while (left.length) order.push(...left.splice(pick(this.random(), left.length), 1));
        this.deals(order);
      }), ...(laid.length ? [button("Take back", () => this.layOut(laid.slice(0, -1)))] : []), button("Cancel", () => this.show()));
    /** @type {HTMLElement} */ (this.which.querySelector("button")).focus({ preventScroll: true });
  }

  /** Begin with a deal in which things come in this order. @param {string[]} order */
  deals(order) {
    return this.guarded(() => this.start(Play.again(this.play.game, { chance: ["[" + order.join(", ") + "]"], plays: [] }, this.random), this.setting, -1));
  }

  /** Propose an action to the person who is to move, with the reason, from what that seat knows: in a deal of a page of
   * puzzles the next one of its stored play, as long as that can be followed; else what a search finds. */
  async hint() {
    const { turn, play } = this, seat = play.game.mover(play.state), rest = this.deal && this.deal.rest(play);
    const tell = (/** @type {Action} */ action, /** @type {string} */ why) => this.ruled(() => {
      this.say(play.game.sentence(play.state, action) + " " + why);
      this.look(action);
    });
    if (this.isExercise && !play.isLast) return tell(play.steps[play.at].action, "So does the book.");
    if (rest) return tell(rest[0], "So does a play to the best known answer, which was found with all that is hidden known.");
    this.say("The machine is looking for a hint.");
    await this.guarded(async () => {
      const { action, why } = await this.machine.choose(play, this.manifest.settings[this.setting].key, seat, ADVISER);
      if (turn === this.turn) tell(action, "This is a guess: " + why + ".");
    });
  }

  /** True if a person has one action only, and it is one that is taken by itself. */
  isForced() {
    const { game, state } = this.play, mover = game.mover(state), legal = mover >= 0 && this.isPerson(mover) ? game.legal(state) : [];
    return legal.length === 1 && game.about.actions[legal[0].action].forced;
  }

  /** Take the only action, once it was seen how things stand. */
  async force() {
    const { turn } = this, [action] = this.play.game.legal(this.play.state);
    await new Promise((resolve) => setTimeout(resolve, pace()));
    if (turn === this.turn) this.act(action);
  }

  /**
   * Do something with the play, if there is one, within the work that a page gives the rules. If it fails, say so,
   * and do what else is to be done then.
   * @param {() => void} act @param {() => void} [failed] */
  ruled(act, failed) {
    if (!this.play) return;
    try {
      this.play.game.machine.within(act);
    } catch (error) {
      if (failed) failed();
      this.say(error.message);
    }
  }

  /** Show no position, and offer nothing. */
  clear() {
    this.choices = null;
    this.status.textContent = "";
    this.counters.replaceChildren();
    this.board.offer(null);
    this.board.clear();
    this.list.offer([], [], []);
    this.which.replaceChildren();
    this.plays.show(() => [], 0);
  }

  drawCurtain() {
    const mover = this.play.game.mover(this.play.state), name = this.play.game.about.names[mover];
    const ready = button("I am " + name, () => {
      this.holder = mover;
      this.show();
      this.list.element.focus({ preventScroll: true });
    }, null, "rs-strong");
    this.curtain.replaceChildren(el("p", null, "Hand over to " + name + ". What they hold is hidden until they are there."), ready);
    this.clear();
  }

  /** The scene of the position, with an action that is looked at. @param {Action | null} action */
  scene(action) {
    const { game, state, at, states } = this.play, { witness } = this;
    return game.scene(state, this.viewer, { before: witness ? witness.without : at ? states[at - 1] : null, actions: action ? [action] : [] });
  }

  /** Look for what the end rests on, if the play has ended and that is drawn. */
  decide() {
    const { game, state } = this.play;
    this.witness = null;
    if (this.isAway || !game.outcome(state)) return;
    try {
      this.witness = game.machine.within(() => game.witness(state), DECIDING_WORK);
    } catch {
      // It takes too long: nothing is marked.
    }
    if (!this.scene(null).marks.some((mark) => mark.new)) this.witness = null;
  }

  /** Show what an action would do; null to show it no longer. @param {Action | null} action */
  look(action) {
    if (this.looking === action || this.isAway) return;
    this.looking = action;
    this.ruled(() => this.board.draw(drawn(this.scene(action), this.board.rowLayout(true)), true));
  }

  /** @param {boolean} again */
  draw(again) {
    const { game, state, at } = this.play, viewer = this.viewer, mover = game.mover(state);
    const scene = this.scene(null), drawing = drawn(scene, this.board.rowLayout(again));
    this.looking = null;
    const legal = mover >= 0 && this.isPerson(mover) ? game.legal(state) : [];
    this.choices = new Choices(game, state, viewer, legal, scene, drawing.areas);
    this.texts = legal.map((action) => game.note(state, action));
    for (const [kind, text] of this.choices.continuations()) if (text && !this.answers.has(kind)) this.answers.set(kind, { text, isMore: true, usual: 1 });
    if (!again) requestAnimationFrame(() => this.board.zoom(false));
    this.board.draw(drawing, again, this.isPlayed ? this.play.arrows(this.viewer) : undefined);
    this.element.classList.toggle("rs-wide", this.board.box.width > WIDE);
    this.isPlayed = false;
    this.offer();
    this.plays.show(() => this.play.steps.map((_, i) => this.account(i)), at);
  }

  /** Offer what can still be chosen. */
  offer() {
    const { choices } = this;
    if (!choices) return;
    this.list.offer(choices.actions, this.texts, choices.meant);
    this.board.offer(choices.actions.length ? choices : null);
    this.name(choices);
  }

  /**
   * Buttons for actions that are not to be pointed at, or not any further, in the words of the table. What is held can be
   * turned. Where one goes on from the other, as `places it and draws` does, it is meant as long as its button is pressed. It is
   * said how many members a set has and may have; those that nothing shows have buttons.
   * @param {Choices} choices */
  name(choices) {
    const { actions, offered, chosen, held } = choices, { game, state } = this.play;
    const words = offered.slice(0, MOST_OFFERED).map((i) => game.predicate(state, actions[i])), is = offered[0];
    let asked = chosen.length && words.length > 1 ? "Which one?" : "", buttons = words.map((text, k) => button(text, () => this.act(actions[offered[k]]), null, "rs-action"));
    const { collected } = choices;
    if (collected) {
      const { least, most } = collected, range = least === most ? String(most) : least ? least + " to " + most : "up to " + most;
      asked = collected.chosen ? collected.chosen + " chosen, of " + range + "." : "Choose " + range + ".";
      if (words.length === 1) {
        const { action } = actions[is], isTold = game.bundle.told[action].length > 0;
        buttons = [button(isTold ? words[0] : game.about.actions[action].name.replace(/-/g, " "), () => this.act(actions[is]), null, "rs-strong")];
      }
    }
    const unshown = choices.spots.filter((spot) => !spot.reach.length && (chosen.includes(spot) || choices.isOpen(spot)));
    buttons.unshift(...unshown.sort((a, b) => inOrder(a.name, b.name)).map((spot) => {
      const pressed = String(chosen.includes(spot));
      return el("button", { type: "button", class: "rs-action", "aria-pressed": pressed, on: { click: () => this.point(spot, true, null, false) } }, spot.name);
    }));
    if (held) {
      asked = "";
      buttons = [button("Turn", () => this.hover(held, null, 1), "Turn it (R)"), button("Done", () => this.lay(), null, "rs-strong")];
    } else {
      for (const [kind, answer] of this.answers) {
        if (actions.some(({ action }) => action === kind)) buttons.push(el("button", { type: "button", class: "rs-action", "aria-pressed": String(answer.isMore), on: { click: () => {
          answer.isMore = !answer.isMore;
          this.offer();
        } } }, answer.text));
      }
    }
    const { activeElement } = document, isHere = this.which.contains(activeElement);
    this.which.replaceChildren(...(asked ? [el("p", null, asked)] : []), ...buttons);
    if (isHere && activeElement) (buttons.find((one) => one.textContent === activeElement.textContent) || this.which).focus({ preventScroll: true });
  }

  /** A sentence about an action of the play as the viewer observed it. @param {number} i */
  sentence(i) {
    const { viewer, play } = this, seen = viewer === null || play.stage(i) ? undefined : play.observed(i, viewer);
    return play.game.sentence(play.states[i], play.steps[i].action, seen);
  }

  /** That sentence, and what chance gave after it in a game without secrets, but for lists. @param {number} i */
  account(i) {
    const { game, steps } = this.play, given = game.about.secrets ? [] : steps[i].outcomes.filter((text) => text[0] !== "[");
    return this.sentence(i) + (given.length ? " Chance gives " + listed(given) + "." : "");
  }

  /** The task, or the move of the book that is to be done, in sentences; at the end, the way on. */
  task() {
    const { exercise, play: { at, steps, isLast } } = this, before = at ? [this.sentence(at - 1)] : [];
    if (isLast) return [...before, "That was all of this exercise; you may play on from here."];
    const number = "Move " + (at + 1) + " of " + steps.length;
    return exercise ? [...before, number + ".", exercise] : [...before, number + ": " + this.sentence(at), "Do that on the board."];
  }

  /** Offer the exercise that follows on the page, if there is one. */
  offerNext() {
    const all = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rs-exercise"))], next = all[all.findIndex((one) => one === this.opener) + 1];
    if (next) this.which.append(button("Next exercise", () => next.click(), null, "rs-strong"));
  }

  /** The actions since the viewer's last turn and the player to move, in sentences. */
  news() {
    if (this.isExercise) return this.task();
    const { game, state, at } = this.play, end = game.outcome(state), name = (/** @type {number} */ seat) => game.about.names[seat];
    const many = game.about.seats.length > 1, said = [];
    const stage = at ? this.play.stage(at - 1) : null;
    if (stage && stage.last === at - 1) {
      const chosen = this.play.steps.slice(stage.first, at).map((_, i) => this.sentence(stage.first + i));
      said.push(at + ": At once: " + chosen.join(" "));
    } else if (at && !this.isAway) {
      // Everything since the viewer's last turn, so that no move of a machine is missed.
      let from = at - 1;
      while (from && this.seats.persons.length && at - from < MOST_TOLD && !this.seats.isPerson(game.mover(this.play.states[from]))) from--;
      for (let i = from; i < at; i++) said.push(this.account(i));
    }
    if (end) {
      const { witness } = this;
      said.push(sentence(end.text));
      if (witness && witness.names.length <= MOST_TOLD) said.push("Marked on the board: " + listed(witness.names.sort(inOrder)) + ".");
      const scores = end.scores || [];
      if (scores.length) said.push(many ? "Scores: " + scores.map((score, seat) => name(seat) + " has " + score).join(", ") + "." : "Score: " + scores[0] + ".");
      said.push(...game.tieBreakers(state));
      if (many) said.push(end.winners.length ? listed(end.winners.map(name)) + (end.winners.length > 1 ? " win." : " wins.") : "Nobody wins.");
      game.titles(state).forEach((title, seat) => {
        if (title) said.push((many ? name(seat) + ": " : "") + title + ".");
      });
    } else {
      const mover = game.mover(state), isFirst = !at && !this.isAway, isOutlined = this.board.overlay.firstChild;
      if (!this.seats.isPerson(mover)) said.push(name(mover) + (this.play.isLast ? " (the machine) is thinking." : " (the machine) moved on from here."));
      else said.push(...(isFirst ? this.seats.machines() : []), ...(isFirst && isOutlined ? ["What can be chosen is outlined."] : []),
        !many ? "Your turn." : this.seats.persons.length > 1 ? name(mover) + " is to move." : "Your turn, " + name(mover) + ".");
    }
    return said;
  }

  /** Say why something is not so; empty to say nothing any more. Of a very long text the beginning and the end.
   * @param {string} text @param {Spot} [spot] */
  say(text, spot) {
    this.place(spot);
    const said = text.length > LONGEST ? text.slice(0, LONGEST / 2) + " … " + text.slice(-LONGEST / 2) : text;
    this.reason.replaceChildren(...(said ? [el("p", null, ...prose(said))] : []));
  }

  /** Let what is said next stand in a bubble beside a spot, else below the table. @param {Spot | undefined} spot */
  place(spot) {
    const { reason, board } = this, home = spot ? board.element : this.element;
    if (reason.parentNode !== home) home.append(reason);
    reason.classList.toggle("rs-bubble", Boolean(spot));
    if (!spot) return;
    const [left, top, width, height] = spot.box, { box } = board, isLow = top + height / 2 > box.y + box.height / 2;
    reason.classList.toggle("rs-above", isLow);
    reason.style.setProperty("--rs-x", (100 * (left + width / 2 - box.x)) / box.width + "%");
    reason.style.setProperty("--rs-y", (100 * (top + (isLow ? 0 : height) - box.y)) / box.height + "%");
  }

  /** Say which rules refuse an action, in the words of the table, each linked to where the page tells it. One that was
   * typed has its notation where the ruleset has no sentence.
   * @param {Action} action @param {Reason[]} reasons @param {Spot} [spot] */
  refuse(action, reasons, spot) {
    this.place(spot);
    const { game, state } = this.play, isTold = game.mover(state) >= 0 && game.bundle.told[action.action].length > 0;
    const what = isTold ? "“" + game.sentence(state, action).slice(0, -1) + "”" : spot ? "This" : el("code", null, game.note(state, action));
    const items = reasons.map(({ id, clause, text, fact }) => {
      const place = [clause + "." + id, clause].find((name) => document.getElementById(name)), words = prose(text + (fact && " (" + fact + ")"));
      const target = place ? "#" + encodeURIComponent(place) : clause && this.manifest.rules && this.manifest.rules + "#" + encodeURIComponent(clause);
      return el("li", null, ...(target ? [el("a", { href: target }, ...words)] : words));
    });
    this.reason.replaceChildren(el("p", null, what, " is not allowed:"), el("ul", null, ...items));
  }

  // ---- what a person does

  /** Show what pointing at a spot would lay down there, after it was turned.
   * @param {Spot | null} spot @param {Point | null} at @param {number} turned */
  hover(spot, at, turned) {
    this.ruled(() => {
      const { choices } = this;
      if (!choices) return;
      if (spot && turned) choices.turn(spot, at, turned);
      const way = (!choices.held || spot) && spot ? choices.aim(spot, at) : choices.way;
      this.look(way ? choices.actions[way.meant[0]] : null);
      if (turned && choices.held) this.offer();
    });
  }

  /** @param {Spot} spot @param {boolean} mayPlay @param {Point | null} at @param {boolean} isSeen */
  point(spot, mayPlay, at, isSeen) {
    this.ruled(() => {
      const { choices } = this;
      if (!choices) return;
      const found = choices.point(spot, at, !isSeen);
      if (found.reasons && found.action) this.refuse(found.action, found.reasons, spot);
      else if (found.kind === "nothing") this.say("Nothing can be done there now.", spot);
      else if (found.kind === "full") this.say("That one cannot be chosen too. Point at another one again to leave it out.", spot);
      else this.say("");
      const action = mayPlay && found.kind === "chosen" ? this.meant(choices, true) : null;
      if (action) this.act(action);
      else this.offer();
      if (!action) this.look(choices.way ? choices.actions[choices.way.meant[0]] : null);
    });
  }

  /** The action that is meant, what is asked for being answered as is usual; null if there are several.
   * @param {Choices} choices @param {boolean} [isTaken] true if it is taken now */
  meant(choices, isTaken) {
    const more = choices.further, answer = more && this.answers.get(more.short.action);
    if (!more || !answer || answer.text !== more.text) return choices.complete();
    const action = answer.isMore ? more.long : more.short;
    if (isTaken) {
      answer.usual += answer.isMore ? 1 : -1;
      answer.isMore = answer.usual >= 0;
    }
    return action;
  }

  /** Lay down what is held. */
  lay() {
    const { choices } = this;
    if (!choices) return;
    choices.held = null;
    const action = this.meant(choices, true);
    if (action) this.act(action);
    else this.offer();
  }

  /** A text that somebody typed, and how many legal actions it may mean. @param {string} text @param {number} found */
  typed(text, found) {
    this.ruled(() => {
      const { game, state } = this.play, action = game.read(state, text);
      const reasons = action ? game.refusals(state, action) : [];
      if (action && reasons.length) this.refuse(action, reasons);
      else if (action) this.act(action);
      else this.say(found ? "Several actions are meant: type more of one." : sentence(game.advice(text)));
    });
  }

  /** @param {Action} action */
  act(action) {
    this.say("");
    this.ruled(() => {
      const { play } = this, isTask = this.isExercise && !play.isLast;
      if (isTask && play.game.compare(action, play.steps[play.at].action)) {
        this.say(this.play.game.sentence(play.state, action) + " That is allowed, but the book’s move is another: " + this.sentence(play.at));
        return;
      }
      if (isTask) play.go(play.at + 1);
      else {
        this.isExercise = false;
        play.play(action, this.random);
        if (this.deal && play.game.outcome(play.state)) this.deal.keep(play);
      }
      this.isPlayed = true;
    });
    this.show();
    this.element.dispatchEvent(new Event("rulespec-play"));
  }

  undo() {
    const persons = this.seats.persons;
    if (this.isExercise) return this.step(-1);
    if (this.play) this.say("");
    this.ruled(() => {
      do this.play.undo(persons.length ? persons : this.play.game.about.seats.map((_, i) => i));
      while (this.play.at && this.isForced());
    });
    this.show();
  }

  /** @param {number} by */
  step(by) {
    if (this.play) this.go(this.play.at + by);
  }

  /** @param {number} to */
  go(to) {
    if (this.play) this.say("");
    this.ruled(() => this.play.go(to));
    this.show();
  }

  /** Somebody else has taken a seat. */
  seated() {
    this.holder = null;
    this.show();
  }

  /** Leave the table; the page is as it was before. */
  close() {
    this.turn++;
    this.machine.stop();
    this.element.remove();
    this.block.classList.remove("rs-open");
    const opening = this.opener || this.block.querySelector("button");
    if (opening) opening.focus();
  }

  // ---- what the machine does

  /** @param {number} seat */
  async think(seat) {
    const turn = this.turn, kind = this.seats.kinds[seat], began = performance.now();
    setTimeout(() => {
      if (turn === this.turn) this.which.replaceChildren(button("Stop", () => this.halt(seat)));
    }, PATIENCE);
    try {
      const { action } = await this.machine.choose(this.play, this.manifest.settings[this.setting].key, seat, kind);
      const wait = pace() - (performance.now() - began);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (turn === this.turn) this.act(action);
    } catch (error) {
      if (turn !== this.turn) return;
      this.status.textContent = this.play.game.about.names[seat] + " (the machine) has not moved.";
      this.say(error.message);
    }
  }

  /** Let the machine at a seat think no longer. @param {number} seat */
  halt(seat) {
    this.turn++;
    this.machine.stop();
    this.status.textContent = this.play.game.about.names[seat] + " (the machine) has not moved.";
    const again = button("Let it move", () => this.show());
    this.which.replaceChildren(again);
    again.focus({ preventScroll: true });
  }

  // ---- records and addresses

  save() {
    this.ruled(() => {
      const url = URL.createObjectURL(new Blob([this.play.record()], { type: "application/json" }));
      const link = el("a", { href: url, download: this.play.game.about.id + ".json" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    });
  }

  opened() {
    const [file] = this.file.files || [];
    this.file.value = "";
    if (file) this.guarded(async () => this.load(await file.text()));
  }

  /** Go on with the play of a record, which is gone through ply by ply; the reader stands after `to` actions, or at the end.
   * @param {string} text @param {number} [to] */
  async load(text, to = Infinity) {
    const record = readRecord(text);
    const at = this.manifest.settings.findIndex((one) =>
      one.players === record.players && ordered(one.parameters) === ordered(record.parameters) && ordered(one.readings) === ordered(record.readings));
    if (at < 0) throw new Error("This page does not carry the settings of this record; rulespec replay does.");
    const game = await this.game(at);
    const other = record.digest ? record.digest !== game.about.digest : record.ruleset !== game.about.ruleset;
    if (other) throw new Error("This record is of a game with other rules.");
    const play = Play.again(game, record, this.random);
    play.go(to);
    this.start(play, at, game.mover(play.state));
  }

  /** Remember the play for a reload of the page; forget it if the table is closed. */
  remember() {
    if (!this.play) return;
    try {
      if (this.element.isConnected) sessionStorage.setItem(storageKey(), JSON.stringify({ at: this.play.at, kinds: this.seats.kinds, record: this.play.record() }));
      else sessionStorage.removeItem(storageKey());
    } catch {
      // Storage is forbidden or full: nothing is remembered.
    }
  }

  share() {
    return this.guarded(async () => {
      const { game, at } = this.play;
      this.address = await playAddress(at, this.play.record());
      history.replaceState(null, "", this.address);
      const secret = game.about.secrets ? " It tells everything, hidden cards too." : "";
      await this.copy(location.href, "The address of this play", secret, "The address of this page now leads to this play.");
    });
  }

  /** Copy a text, and say so; where that is forbidden, say it, or `instead`.
   * @param {string} text @param {string} name @param {string} [further] @param {string} [instead] */
  async copy(text, name, further = "", instead = text) {
    const shown = () => this.say(instead + further);
    if (!navigator.clipboard) return shown();
    await navigator.clipboard.writeText(text).then(() => this.say(name + " has been copied." + further), shown);
  }
}

/** The name under which a tab of the browser remembers the play of this page. */
const storageKey = () => "rulespec play " + location.pathname;

/** Open the table with the play that this tab remembers. A play of other rules is forgotten.
 * @param {HTMLElement} block @param {Manifest} manifest */
export async function openRemembered(block, manifest) {
  const text = sessionStorage.getItem(storageKey());
  sessionStorage.removeItem(storageKey());
  const { at, kinds, record } = JSON.parse(text || "{}"), table = await open(block, manifest);
  table.seats.kinds = kinds;
  await table.guarded(() => table.load(record, at));
}

/** Open the table at the play or position in the address of the page, unless it was opened there, or shared from there, before.
 * @param {HTMLElement} block @param {Manifest} manifest */
export async function openAddress(block, manifest) {
  const address = location.hash, found = readPositionAddress(address);
  if (block.rulespecTable && block.rulespecTable.address === address) return;
  if (address.includes("~")) {
    const table = await open(block, manifest);
    table.address = address;
    await table.guarded(async () => {
      const shared = await readPlayAddress(address);
      if (!shared) throw new Error("This address holds no play.");
      await table.load(shared.record, shared.at);
    });
    return;
  }
  const written = found ? { ...found, chance: [], plays: [] } : { key: "", plays: [] };
  const table = await open(block, manifest, written, 0);
  table.address = address;
}

/** Open the table in its block of the page: with a new game, or the play that is `written` somewhere. When it is closed
 * the reader is back at the `opener`, if there is one.
 * @param {HTMLElement} block @param {Manifest} manifest @param {WrittenPlay} [written] @param {number} [at]
 * @param {HTMLElement} [opener] @param {boolean} [isExercise] */
export async function open(block, manifest, written, at, opener, isExercise) {
  const table = block.rulespecTable || new Table(block, manifest);
  table.opener = opener;
  block.rulespecTable = table;
  block.append(table.element);
  block.classList.add("rs-open");
  const wrong = written ? await table.resume(written, at, isExercise) : "";
  if (!table.play) await table.begin(0);
  else if (!written) table.show();
  if (wrong) table.say(wrong);
  // Not from another page, in whose frame the table is.
  if (parent === window || document.hasFocus()) table.element.focus({ preventScroll: true });
  table.element.scrollIntoView({ block: "nearest" });
  return table;
}
