/**
 * The table: a game to play in the page, with its board, its list of actions, its seats and its record.
 */
(function (rulespec) {
  "use strict";

  const { el, button } = rulespec;
  /** How long the machine lets its action be seen before the next one, in milliseconds. */
  const PACE = 250;
  /** The most characters of a message: browsers take seconds to lay out megabytes. */
  const LONGEST = 1000;
  /** The most actions that have buttons of their own below the board; the list has all. */
  const MOST_OFFERED = 100;

  class Table {
    constructor(block, manifest) {
      this.block = block;
      this.manifest = manifest;
      this.random = rulespec.random(crypto.getRandomValues(new Uint32Array(1))[0]);
      this.games = new Map();
      this.turn = 0;
      this.holder = null;
      /** The part of an address that was opened or shared last. */
      this.address = "";
      this.board = new rulespec.Board((spot, mayPlay) => this.point(spot, mayPlay));
      this.list = new rulespec.ActionList((action) => this.act(action), (text, found) => this.typed(text, found), (action) => this.look(action));
      this.plays = new rulespec.PlayList((at) => this.go(at));
      this.seats = new rulespec.Seats(manifest, (setting) => this.begin(setting), () => this.seated());
      this.status = el("p", { class: "rs-status", role: "status" });
      this.reason = el("div", { class: "rs-reason", role: "alert" });
      this.curtain = el("div", { class: "rs-curtain", hidden: true, tabindex: "-1" });
      this.undoing = button("Undo", () => this.undo());
      this.slots = { first: button("«", () => this.go(0), "First position"), back: button("‹", () => this.step(-1), "One action back"),
        on: button("›", () => this.step(1), "One action on"), last: button("»", () => this.go(Infinity), "Last position") };
      this.file = el("input", { type: "file", accept: ".json,application/json", class: "rs-file", tabindex: "-1", "aria-hidden": "true", on: { change: () => this.opened() } });
      const bar = el("div", { class: "rs-bar", role: "toolbar", "aria-label": "Play" }, this.undoing, ...Object.values(this.slots),
        button("Save", () => this.save(), "Save the record as a file"), button("Open", () => this.file.click(), "Open a record"),
        button("Link", () => this.share(), "Copy the address of this position"), button("Close", () => this.close()), this.file);
      this.side = el("div", { class: "rs-side" }, this.list.element, this.plays.element, this.seats.element);
      this.which = el("div", { class: "rs-which", role: "group", "aria-label": "Actions to choose by name", tabindex: "-1" });
      this.main = el("div", { class: "rs-table-main" }, el("div", null, this.board.element, this.which), this.side);
      // A refusal comes below: the board stays where it is.
      this.element = el("section", { class: "rs-player", tabindex: "-1", "aria-label": "Play " + manifest.title }, this.status, this.curtain, this.main, bar, this.reason);
      this.machine = new rulespec.Machines();
    }

    // ---- games and plays

    /** The game of a setting; its bundle is loaded when it is first asked for. */
    async game(setting) {
      const { key, file } = this.manifest.settings[setting];
      if (!this.games.has(key)) {
        await rulespec.script(file);
        this.games.set(key, rulespec.load(rulespec.bundles[key]));
      }
      return this.games.get(key);
    }

    /** A new game of a setting. */
    async begin(setting) {
      await this.guarded(async () => {
        const game = await this.game(setting);
        this.start(rulespec.Play.start(game, this.random), setting, -1);
      });
    }

    /** Go on from a play that is written somewhere, `at` some of its actions. */
    async resume(written, at) {
      return this.guarded(async () => {
        const setting = this.manifest.settings.findIndex((one) => one.key === written.key);
        if (setting < 0) throw new Error("This position is of other rules than those on this page.");
        const play = rulespec.Play.again(await this.game(setting), written, this.random);
        if (at !== undefined) play.go(at);
        this.start(play, setting, play.game.mover(play.state));
      });
    }

    /** Begin with a play; a person takes `seat`, if it is one (not -1). */
    start(play, setting, seat) {
      this.play = play;
      this.setting = setting;
      this.holder = null;
      this.seats.show(play.game, setting, seat);
      this.say("");
      this.show(false);
    }

    /** Do something that may fail; say so, and give what was said. */
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
      if (!game.about.secrets || !persons.length || game.outcome(state)) return null;
      return persons.length === 1 ? persons[0] : this.holder;
    }

    /** True if the one to move is a person who has not come to the screen yet. */
    get isAway() {
      const { game, state } = this.play, mover = game.mover(state);
      return game.about.secrets && this.seats.persons.length > 1 && mover >= 0 && this.seats.isPerson(mover) && this.holder !== mover;
    }

    /** Show how it stands; `again` keeps the same part of the table in sight. */
    show(again = true) {
      this.ruled(() => this._show(again), () => this.clear());
    }

    /**
     * Do something with the play, if there is one, within the work that a page gives the rules. If it fails, say so,
     * and do what else is to be done then.
     */
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
      this.board.offer(null);
      this.board.clear();
      this.list.offer([], [], []);
      this.which.replaceChildren();
      this.plays.show(() => [], 0);
    }

    _show(again) {
      const { game, state } = this.play;
      this.turn++;
      this.machine.stop();
      this.list.leave();
      const away = this.isAway, mover = game.mover(state);
      this.list.hold(mover >= 0 && !this.seats.isPerson(mover) && this.seats.persons.length > 0 && !this.main.hidden);
      // The curtain is as high as what it hides, so that the page below stays where it is.
      if (away && !this.main.hidden) this.curtain.style.minHeight = this.main.offsetHeight + "px";
      const isHere = this.main.contains(document.activeElement);
      this.main.hidden = away;
      this.curtain.hidden = !away;
      this.undoing.disabled = !this.play.at;
      this.slots.first.disabled = this.slots.back.disabled = !this.play.at;
      this.slots.on.disabled = this.slots.last.disabled = this.play.isLast;
      if (away) this.drawCurtain();
      else this.draw(again);
      // Not its button: a key that is held for too long would take the curtain away.
      if (away && isHere) this.curtain.focus({ preventScroll: true });
      this.status.textContent = this.news();
      if (mover >= 0 && !this.seats.isPerson(mover) && this.play.isLast) this.think(mover);
    }

    drawCurtain() {
      const mover = this.play.game.mover(this.play.state), name = this.play.game.about.seats[mover];
      const ready = button("I am player " + name, () => {
        this.holder = mover;
        this.show();
        this.list.element.focus({ preventScroll: true });
      }, null, "rs-strong");
      this.curtain.replaceChildren(el("p", null, "Hand over to player " + name + ". What they hold is hidden until they are there."), ready);
      this.clear();
    }

    /** The scene of the position, with an action that is looked at. */
    scene(action) {
      const { game, state, at, states } = this.play;
      return game.scene(state, this.viewer, { before: at ? states[at - 1] : null, actions: action ? [action] : [] });
    }

    /** Show what an action would do; null to show it no longer. */
    look(action) {
      if (this.looking === action || this.isAway) return;
      this.looking = action;
      this.ruled(() => this.board.draw(rulespec.drawn(this.scene(action)), true));
    }

    draw(again) {
      const { game, state, at } = this.play, viewer = this.viewer, mover = game.mover(state);
      const scene = this.scene(null), drawing = rulespec.drawn(scene);
      this.looking = null;
      const legal = mover >= 0 && this.seats.isPerson(mover) ? game.legal(state) : [];
      this.choices = new rulespec.Choices(game, state, viewer, legal, scene, drawing.areas);
      this.texts = legal.map((action) => game.note(state, action));
      this.board.draw(drawing, again);
      this.offer();
      this.plays.show(() => this.play.steps.map((_, i) => this.observed(i)), at);
    }

    /** Offer what can still be chosen. */
    offer() {
      this.list.offer(this.choices.actions, this.texts, this.choices.meant);
      this.board.offer(this.choices.actions.length ? this.choices : null);
      this.name();
    }

    /**
     * Buttons for actions that are not to be pointed at, or not any further. Where one goes on from another in words, as
     * `take 2 and draw` does, the other comes later and says what it leaves out.
     */
    name() {
      const { actions, offered, chosen } = this.choices, { texts } = this;
      const longer = (i) => offered.map((j) => texts[j]).filter((text) => text.startsWith(texts[i] + " "));
      const buttons = offered.map((i) => {
        const more = longer(i).map((text) => text.slice(texts[i].length + 1)), without = more.length ? ", without “" + more[0] + "”" : "";
        return [more.length, button(texts[i] + without, () => this.act(actions[i]), null, "rs-action")];
      });
      const ordered = buttons.sort(([a], [b]) => a - b).slice(0, MOST_OFFERED).map(([, made]) => made);
      if (this.which.contains(document.activeElement)) this.which.focus({ preventScroll: true });
      this.which.replaceChildren(...(chosen.length && ordered.length > 1 ? [el("p", null, "Which one?")] : []), ...ordered);
    }

    /** The notation of an action of the play as the viewer observed it. */
    observed(i) {
      const viewer = this.viewer;
      return viewer === null ? this.play.steps[i].note : this.play.observed(i, viewer).text;
    }

    /** The last action and the player to move, in a sentence. */
    news() {
      const { game, state, at } = this.play, end = game.outcome(state), name = (seat) => "Player " + game.about.seats[seat];
      const many = game.about.seats.length > 1, said = [];
      if (at && !this.isAway) said.push(at + ": " + this.observed(at - 1) + ".");
      if (end) {
        said.push(sentence(end.text));
        if (many) said.push(end.winners.length ? listed(end.winners.map(name)) + (end.winners.length > 1 ? " win." : " wins.") : "Nobody wins.");
        if (end.scores && end.scores.length) said.push(many ? "Scores: " + end.scores.join(", ") + "." : "Score: " + end.scores[0] + ".");
        game.titles(state).forEach((title, seat) => {
          if (title) said.push((many ? name(seat) + ": " : "") + title + ".");
        });
      } else {
        const mover = game.mover(state), number = this.choices && !this.isAway ? this.choices.actions.length : 0;
        if (!this.seats.isPerson(mover)) said.push(name(mover) + (this.play.isLast ? " (the machine) is thinking." : " (the machine) moved on from here."));
        else if (this.isAway) said.push(name(mover) + " is to move.");
        else said.push(...this.machines(at), (many ? name(mover) + " is to move" : "You are to move") + ", " + (number === 1 ? "one action" : number + " actions") + ".");
      }
      return said.join(" ");
    }

    /** Before the first action, which seats the machine has. */
    machines(at) {
      const names = this.play.game.about.seats.filter((_, i) => !this.seats.isPerson(i));
      return at || !names.length ? [] : ["The machine plays " + listed(names) + "; Seats and settings changes that."];
    }

    /** Say why something is not so; empty to say nothing any more. Of a very long text the beginning and the end. */
    say(text) {
      const said = text.length > LONGEST ? text.slice(0, LONGEST / 2) + " … " + text.slice(-LONGEST / 2) : text;
      this.reason.replaceChildren(...(said ? [el("p", null, ...rulespec.prose(said))] : []));
    }

    /** Say which rules refuse an action, each linked to where the page tells it. */
    refuse(note, reasons) {
      const items = reasons.map(({ id, clause, text, fact }) => {
        const place = [clause + "." + id, clause].find((name) => document.getElementById(name)), words = rulespec.prose(text + (fact && " (" + fact + ")"));
        const target = place ? "#" + encodeURIComponent(place) : clause && this.manifest.rules && this.manifest.rules + "#" + encodeURIComponent(clause);
        return el("li", null, ...(target ? [el("a", { href: target }, ...words)] : words));
      });
      this.reason.replaceChildren(el("p", null, el("code", null, note), " is not allowed:"), el("ul", null, ...items));
    }

    // ---- what a person does

    point(spot, mayPlay) {
      this.ruled(() => this._point(spot, mayPlay));
    }

    _point(spot, mayPlay) {
      const found = this.choices.point(spot);
      if (found.reasons) this.refuse(found.note, found.reasons);
      else this.say(found.kind === "nothing" ? "Nothing can be done there now." : "");
      const action = mayPlay && found.kind === "chosen" ? this.choices.complete() : null;
      if (action) this.act(action);
      else this.offer();
    }

    /** A text that somebody typed, and how many legal actions it may mean. */
    typed(text, found) {
      this.ruled(() => this._typed(text, found));
    }

    _typed(text, found) {
      const { game, state } = this.play, action = game.read(state, text);
      const reasons = action ? game.refusals(state, action) : [];
      if (reasons.length) this.refuse(game.note(state, action), reasons);
      else if (action) this.act(action);
      else this.say(found ? "Several actions are meant: type more of one." : sentence(game.advice(text)));
    }

    act(action) {
      this.say("");
      this.ruled(() => this.play.play(action, this.random));
      this.show();
    }

    undo() {
      const persons = this.seats.persons;
      if (this.play) this.say("");
      this.ruled(() => this.play.undo(persons.length ? persons : this.play.game.about.seats.map((_, i) => i)));
      this.show();
    }

    step(by) {
      if (this.play) this.go(this.play.at + by);
    }

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
      const opening = this.block.querySelector("button");
      if (opening) opening.focus();
    }

    // ---- what the machine does

    async think(seat) {
      const turn = this.turn, kind = this.seats.kinds[seat], began = performance.now();
      try {
        const action = await this.machine.choose(this.play, this.manifest.settings[this.setting].key, seat, kind);
        const wait = PACE - (performance.now() - began);
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        if (turn === this.turn) this.act(action);
      } catch (error) {
        if (turn !== this.turn) return;
        this.status.textContent = "Player " + this.play.game.about.seats[seat] + " (the machine) has not moved.";
        this.say(error.message);
      }
    }

    // ---- records and addresses

    save() {
      this.ruled(() => this._save());
    }

    _save() {
      const url = URL.createObjectURL(new Blob([this.play.record()], { type: "application/json" }));
      const link = el("a", { href: url, download: this.play.game.about.id + ".json" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    }

    opened() {
      const file = this.file.files[0];
      this.file.value = "";
      if (file) this.guarded(async () => this.load(await file.text()));
    }

    /** Go on with the play of a record, which is gone through ply by ply. */
    async load(text) {
      const record = rulespec.readRecord(text), same = (a, b) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
      const at = this.manifest.settings.findIndex((one) =>
        one.players === record.players && same(one.parameters, record.parameters) && same(one.readings, record.readings));
      if (at < 0) throw new Error("This page does not carry the settings of this record; rulespec replay does.");
      const game = await this.game(at);
      const other = record.digest ? record.digest !== game.about.digest : record.ruleset !== game.about.ruleset;
      if (other) throw new Error("This record is of a game with other rules.");
      const play = rulespec.Play.again(game, record, this.random);
      this.start(play, at, game.mover(play.state));
    }

    share() {
      this.ruled(() => this._share());
    }

    _share() {
      const { game, state } = this.play;
      this.address = rulespec.playAddress(this.manifest.settings[this.setting].key, game.pack(state));
      history.replaceState(null, "", this.address);
      const done = (said) => this.say(said + (game.about.secrets ? " It tells everything, hidden cards too." : ""));
      const shown = () => done("The address of this page now leads to this position.");
      if (!navigator.clipboard) return shown();
      navigator.clipboard.writeText(location.href).then(() => done("The address of this position has been copied."), shown);
    }
  }

  /** Names as a sentence has them. */
  const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

  /** A text with a capital letter and a full stop. */
  const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

  const sorted = (names) => Object.keys(names).sort().map((name) => [name, names[name]]);

  /** Open the table at the position in the address of the page, unless it was opened there, or shared from there, before. */
  rulespec.openAddress = async function (block, manifest) {
    const address = location.hash, found = rulespec.readAddress(address);
    if (block.rulespecTable && block.rulespecTable.address === address) return;
    const written = found ? { ...found, chance: [], plays: [] } : { key: "" };
    const table = await rulespec.open(block, manifest, written, 0);
    table.address = address;
  };

  /** Open the table in its block of the page: with a new game, or the play that is `written` somewhere. */
  rulespec.open = async function (block, manifest, written, at) {
    const table = block.rulespecTable || new Table(block, manifest);
    block.rulespecTable = table;
    block.append(table.element);
    block.classList.add("rs-open");
    const wrong = written ? await table.resume(written, at) : "";
    if (!table.play) await table.begin(0);
    else if (!written) table.show();
    if (wrong) table.say(wrong);
    table.element.focus({ preventScroll: true });
    table.element.scrollIntoView({ block: "nearest" });
    return table;
  };
})(globalThis.rulespec = globalThis.rulespec || {});
