/** Settings of a game, as far as the page carries them, and who sits at which seat. */
import { button, el, field, listed, prose, select } from "./dom.js";
import { tables } from "./tables.js";

/** The kinds of players that may take a seat. */
const KINDS = [["person", "a person"], ["random", "the machine, at random"], ...Object.keys(tables.levels).map((name) => [name, "the machine, " + name])];

export class Seats {
  /** `began` is called with the number of a setting for a new game, `changed` when somebody else takes a seat.
   * @param {Manifest} manifest @param {(setting: number) => void} began @param {() => void} changed */
  constructor(manifest, began, changed) {
    this.manifest = manifest;
    this.setting = 0;
    this.kinds = /** @type {string[]} */ ([]);
    this.names = /** @type {string[]} */ ([]);
    this.changed = changed;
    this.form = el("form", { class: "rs-settings-form", on: { submit: (/** @type {Event} */ event) => event.preventDefault() } });
    this.begin = button("New game", () => began(this.setting), null, "rs-strong");
    this.element = el("details", { class: "rs-more rs-seats" }, el("summary", null, "Seats and settings"), this.form);
  }

  /**
   * Show the seats of a game; those that were there before keep who sits there. If persons play, one of them takes
   * `seat` (-1 for none) from the machine, which takes that person's.
   * @param {Game} game @param {number} setting @param {number} seat */
  show(game, setting, seat) {
    this.setting = setting;
    this.names = game.about.names;
    const before = this.kinds;
    this.kinds = this.names.map((_, i) => before[i] || (i ? KINDS[2][0] : "person"));
    const [person] = this.persons;
    if (person !== undefined && seat >= 0 && !this.isPerson(seat)) {
      [this.kinds[person], this.kinds[seat]] = [this.kinds[seat], this.kinds[person]];
    }
    this.#draw();
  }

  #draw() {
    const settings = this.manifest.settings, now = settings[this.setting];
    const numbers = [...new Set(settings.map((setting) => setting.players))].sort((a, b) => a - b);
    const rows = [];
    if (numbers.length > 1) {
      rows.push(field("Players", select(numbers.map((n) => [n, n]), now.players, (value) =>
        this.#take(settings.findIndex((setting) => setting.players === Number(value))))));
    }
    const rules = settings.map((setting, i) => [i, setting.label]).filter(([i]) => settings[Number(i)].players === now.players);
    if (rules.length > 1) {
      rows.push(field("Rules", select(rules, this.setting, (value) => this.#take(Number(value)))));
      if (now.text) rows.push(el("p", { class: "rs-by" }, ...prose(now.text)));
    }
    if (this.names.length === now.players) {
      this.names.forEach((name, i) => rows.push(field(
        this.names.length > 1 ? name : "Played by",
        select(KINDS, this.kinds[i], (value) => {
          this.kinds[i] = value;
          this.changed();
        })
      )));
    }
    this.form.replaceChildren(...rows, this.begin);
  }

  /** @param {number} setting */
  #take(setting) {
    this.setting = setting;
    this.#draw();
    /** @type {HTMLElement} */ (this.form.querySelector("select")).focus();
  }

  /** @param {number} seat */
  isPerson(seat) {
    return this.kinds[seat] === "person";
  }

  /** The seats of persons. */
  get persons() {
    return this.kinds.map((_, i) => i).filter((i) => this.isPerson(i));
  }

  /** A sentence about the seats that the machine has, if there are any. */
  machines() {
    const names = this.names.filter((_, i) => !this.isPerson(i));
    return names.length ? ["The machine plays " + listed(names) + "; Seats and settings changes that."] : [];
  }
}
