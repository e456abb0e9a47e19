/** The legal actions of a position as a list in notation, with a filter, and the play so far. */
import { arrange, button, el } from "./dom.js";

const MOST_LISTED = 60;

export class ActionList {
  /**
   * `played` is called with an action, `typed` with a text that is no legal action, `looked` with an action that
   * somebody looks at, and with null when they look away.
   * @param {(action: Action) => void} played @param {(text: string, found: number) => void} typed
   * @param {(action: Action | null) => void} looked */
  constructor(played, typed, looked) {
    this.played = played;
    this.typed = typed;
    this.looked = looked;
    this.texts = /** @type {string[]} */ ([]);
    this.actions = /** @type {Action[]} */ ([]);
    this.meant = /** @type {number[]} */ ([]);
    /** The items of the list, of which the first ones are shown. */
    this.items = /** @type {HTMLElement[]} */ ([]);
    this.filter = el("input", {
      type: "text", autocomplete: "off", spellcheck: "false", autocapitalize: "off", "aria-label": "Find or type an action",
      placeholder: "Find or type an action",
      on: { input: () => this.#show(), keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
    });
    const look = (/** @type {any} */ event) => this.looked(event.target.action || null);
    this.list = el("ul", {
      class: "rs-action-list", "aria-label": "Legal actions",
      on: {
        keydown: (/** @type {any} */ event) => this.#move(event),
        click: (/** @type {any} */ event) => { if (event.target.action) this.played(event.target.action); },
        pointerover: look, pointerleave: () => this.looked(null), focusin: look, focusout: () => this.looked(null),
      },
    });
    this.more = el("p", { class: "rs-more-actions" });
    this.element = el("div", { class: "rs-actions-part", role: "group", "aria-label": "Actions", tabindex: "-1" }, this.filter, this.list, this.more);
  }

  /** Stay as high as now, or as high as needed again: where a list goes and comes back, the page below would jump.
   * @param {boolean} isHeld */
  hold(isHeld) {
    if (!isHeld) this.element.style.minHeight = "";
    else if (!this.element.style.minHeight) this.element.style.minHeight = this.element.offsetHeight + "px";
  }

  /** Let the focus go from an action to the whole list: before a page changes that costs nothing. */
  leave() {
    if (this.list.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  /** List these actions, with their notations; those numbered in `meant`.
   * @param {Action[]} actions @param {string[]} texts @param {number[]} meant */
  offer(actions, texts, meant) {
    if (actions !== this.actions) this.filter.value = "";
    this.actions = actions;
    this.texts = texts;
    this.meant = meant;
    this.#show();
  }

  /** The numbers of the actions that are meant and hold all words of the filter. */
  #found() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return this.meant.filter((i) => words.every((word) => this.texts[i].toLowerCase().includes(word)));
  }

  #show() {
    const found = this.#found();
    this.leave();
    const listed = found.slice(0, MOST_LISTED);
    while (this.items.length < listed.length) this.items.push(el("li", null, el("button", { type: "button", class: "rs-action" })));
    listed.forEach((i, at) => {
      const item = /** @type {HTMLElement & { action?: Action }} */ (this.items[at].firstChild);
      if (item.textContent !== this.texts[i]) item.textContent = this.texts[i];
      item.action = this.actions[i];
    });
    arrange(this.list, this.items.slice(0, listed.length));
    this.more.textContent =
      found.length > MOST_LISTED ? "and " + (found.length - MOST_LISTED) + " more: type a part of one"
      : this.actions.length && !found.length ? "No legal action is noted so. Enter says why." : "";
  }

  /** @param {any} event */
  #key(event) {
    if (event.key === "ArrowDown" && this.list.firstChild) {
      event.preventDefault();
      /** @type {HTMLElement} */ (this.list.querySelector("button")).focus();
    } else if (event.key === "Enter" && this.filter.value.trim()) {
      event.preventDefault();
      const text = this.filter.value.trim(), found = this.#found();
      const exact = this.texts.indexOf(text);
      if (exact >= 0) this.played(this.actions[exact]);
      else if (found.length === 1) this.played(this.actions[found[0]]);
      else this.typed(text, found.length);
    } else if (event.key === "Escape" && this.filter.value) {
      event.preventDefault();
      this.filter.value = "";
      this.#show();
    }
  }

  /** @param {any} event */
  #move(event) {
    const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 });
    const step = steps[event.key];
    const buttons = [...this.list.querySelectorAll("button")], now = buttons.indexOf(event.target);
    if (!step || now < 0) return;
    event.preventDefault();
    const next = buttons[now + step];
    if (next) next.focus();
    else if (step < 0) this.filter.focus();
  }
}

/** The actions of a play, each a way back to the position after it; it is made when it is unfolded. */
export class PlayList {
  /** @param {(at: number) => void} went */
  constructor(went) {
    this.went = went;
    this.texts = /** @type {string[]} */ ([]);
    this.source = () => /** @type {string[]} */ ([]);
    this.at = 0;
    this.list = el("ol", { class: "rs-play-list", start: "0" });
    this.element = el("details", { class: "rs-more", on: { toggle: () => this.#show() } },
      el("summary", null, "The play so far"), this.list);
  }

  /** Show the plays that `texts` gives when it is asked, the reader standing after `at` of them.
   * @param {() => string[]} texts @param {number} at */
  show(texts, at) {
    this.source = texts;
    this.at = at;
    this.#show();
  }

  #show() {
    if (!this.element.open) return;
    this.texts = ["the start", ...this.source()];
    const items = this.list.children;
    let same = 0;
    while (same < items.length && same < this.texts.length && items[same].textContent === this.texts[same]) same++;
    while (items.length > same) /** @type {ChildNode} */ (this.list.lastChild).remove();
    this.texts.slice(same).forEach((text, i) =>
      this.list.append(el("li", null, button(text, () => this.went(same + i), null, "rs-action"))));
    for (const item of this.list.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const now = /** @type {HTMLElement} */ (items[this.at]);
    if (!now) return;
    /** @type {HTMLElement} */ (now.firstChild).setAttribute("aria-current", "step");
    this.list.scrollTop = now.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }
}
