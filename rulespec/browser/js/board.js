/**
 * The drawing of a position with spots to point at: by mouse, touch and pen (a drag points at two of them), and
 * by keyboard, where the arrows go from one spot that can be chosen to the next.
 */
import { arrange, attribute, button, el } from "./dom.js";
import { SIZES } from "./shapes.js";
import { tables } from "./tables.js";

/** A click follows its pointer within so many milliseconds. */
const MOST_LATE = 700;
/** So many pixels beside a thing it is still meant, if nothing else is there; what can be chosen is as large as a finger. */
const SLACK = 9, FINGER = 40;
/** On a screen of so many pixels at most, a unit of a drawing has at least this part of a pixel, as player.css says. */
const NARROW = 480, SHRUNK = 0.91;
/** A drawing that is at most so many times as wide as the screen can be played while the whole board is shown. */
const ALMOST = 1.1;
/** So many pixels beyond the screen are worth a button that shows them. */
const LEAST_HIDDEN = 4;
/** So many pixels beside what comes in sight come in sight, too. */
const BESIDE = 40;
/** More than a drawing has parts. */
const MOST_PARTS = 1e6;
/** At most so many times the area of a drawing is kept in sight. */
const MOST_EMPTY = 1.5;
/** The milliseconds that a piece takes to its place. */
const MOVING = 400;
/** Marks that never move. */
const GROUND = new Set(["square", "hexagon", "pit", "line"]);
/** @type {["left" | "top", "right" | "bottom", "scrollLeft" | "scrollTop"][]} */
const WAYS = [["left", "right", "scrollLeft"], ["top", "bottom", "scrollTop"]];
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /**
   * `pointed` is called with the spot that somebody points at, and `false` where a drag begins: nothing is played yet; with
   * the point, if there is one, and `true` where they have seen what would lie there. `hovered` is called with the spot
   * and the point under a mouse or a drag, null where there is none, and with the sense in which it is turned.
   * @param {(spot: Spot, mayPlay: boolean, at: Point | null, isSeen: boolean) => void} pointed
   * @param {(spot: Spot | null, at: Point | null, turned: number) => void} hovered */
  constructor(pointed, hovered) {
    this.pointed = pointed;
    this.hovered = hovered;
    /** What lies under the pointer. */
    this.over = /** @type {Spot | null} */ (null);
    this.at = /** @type {Point | null} */ (null);
    this.picture = el("div", { class: "rs-scene" });
    this.overlay = el("div", { class: "rs-spots", role: "group", "aria-label": "Board", tabindex: "-1" });
    this.sheet = /** @type {HTMLElement | null} */ (null);
    /** The drawing, the elements of each of its parts, by its text, and all targets by the keys of their spots. */
    this.svg = /** @type {SVGSVGElement | null} */ (null);
    this.parts = /** @type {Map<string, ChildNode[][]>} */ (new Map());
    this.targets = /** @type {Map<string, Target>} */ (new Map());
    this.element = el("div", { class: "rs-board" }, this.picture, this.overlay);
    /** Where the screen is narrow the board is as large as fingers need, and moves in this, or is shown whole until it is pointed at. */
    this.frame = el("div", { class: "rs-stage" }, this.element);
    this.whole = button("Whole board", () => this.zoom(!this.isWhole));
    this.box = new DOMRect();
    this.reach = /** @type {Box | null} */ (null);
    /** The things of the drawing that may move, by what they look like: the middle and the part of each. */
    this.things = /** @type {Map<string, Thing[]>} */ (new Map());
    this.choices = /** @type {Choices | null} */ (null);
    /** The spot and the place where a pointer went down, and what became of it. */
    this.start = [0, 0];
    this.dragging = this.mayDrag = false;
    /** True where actions have several choices, so that things are dragged. */
    this.drags = false;
    this.from = /** @type {Spot | null} */ (null);
    this.overlay.addEventListener("pointerdown", (event) => this.#down(event));
    this.overlay.addEventListener("pointermove", (event) => this.#drag(event));
    this.overlay.addEventListener("pointerup", (event) => this.#up(event));
    this.overlay.addEventListener("pointercancel", () => this.#dropped());
    this.overlay.addEventListener("pointerleave", () => this.#hover(null));
    this.overlay.addEventListener("wheel", (event) => this.#turn(event, Math.sign(event.deltaY)), { passive: false });
    this.overlay.addEventListener("click", (event) => this.#click(event));
    this.overlay.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Show a drawing, as `drawn` gives it. With `again` the same part of the table stays in sight as before, unless an action has left much of it empty.
   * Parts that were there before stay the elements that they are: browsers work out new ones alone. Where something was
   * `played`, things come from where they were, or along one of the arrows of the action.
   * @param {Drawing} drawing @param {boolean} again @param {[Point, Point][]} [played] */
  draw(drawing, again, played) {
    const now = drawing.box || /** @type {Box} */ ([0, 0, 0, 0]), before = (again && this.reach) || now;
    const both = /** @type {Box} */ (now.map((edge, i) => (i < 2 ? Math.min : Math.max)(edge, before[i])));
    const area = (/** @type {Box} */ [left, top, right, bottom]) => (right - left) * (bottom - top);
    const part = (this.reach = played && area(both) > MOST_EMPTY * area(now) ? now : both);
    if (!this.sheet) this.#shapes();
    const pool = this.parts, made = drawing.parts.map((text) => ({ text, nodes: text ? (pool.get(text) || []).pop() : [] }));
    const [svg, added] = elements(drawing.head(part), made.filter(({ nodes }) => !nodes).map(({ text }) => text));
    this.parts = new Map();
    const each = made.map(({ text, nodes }) => {
      const found = nodes || added.shift() || [];
      if (text) this.parts.set(text, [...(this.parts.get(text) || []), found]);
      return found;
    });
    const children = each.flat();
    const shown = this.svg || (this.svg = svg);
    attribute(shown, Object.fromEntries([...svg.attributes].map(({ name, value }) => [name, value])));
    arrange(shown, children);
    if (shown.parentNode !== this.picture) this.picture.append(shown);
    this.box = shown.viewBox.baseVal;
    const width = this.box.width + "px";
    if (this.element.style.getPropertyValue("--rs-width") !== width) this.element.style.setProperty("--rs-width", width);
    this.#move(drawing, each, played);
  }

  /** Let things that were elsewhere before come to where they are now.
   * @param {Drawing} drawing @param {ChildNode[][]} parts @param {[Point, Point][] | undefined} played */
  #move(drawing, parts, played) {
    const before = this.things, now = /** @type {Map<string, Thing[]>} */ (new Map());
    for (const { look, kind, part, box: [left, top, width, height] } of drawing.areas) {
      const found = now.get(look) || now.set(look, []).get(look) || [];
      if (part >= 0 && !GROUND.has(kind) && !found.some((other) => other.part === part)) found.push({ part, at: [left + width / 2, top + height / 2] });
    }
    this.things = now;
    if (!played || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    /** @param {Point} a @param {Point} b */
    const isSame = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < 9;
    for (const [look, things] of now) {
      const old = before.get(look) || [], gone = old.filter(({ at }) => !things.some((thing) => isSame(thing.at, at)));
      for (const { part, at } of things.filter((thing) => !old.some((other) => isSame(other.at, thing.at)))) {
        const arrow = played.find(([, to]) => isSame(to, at)), from = arrow ? arrow[0] : (gone.shift() || { at: null }).at;
        const start = from ? { transform: "translate(" + (from[0] - at[0]) + "px," + (from[1] - at[1]) + "px)" } : { opacity: 0 };
        for (const node of parts[part]) if (node instanceof Element) node.animate([start, {}], { duration: MOVING, easing: "ease-in-out", composite: from ? "add" : "replace" });
      }
    }
  }

  /** The width of a narrow screen in units of drawings, of which 44 are as wide as a finger, 0 for others; and its left end, if the same
   * part of the table stays in sight. @param {boolean} again */
  rowLayout(again) {
    const { frame: { clientWidth }, reach } = this, isNarrow = clientWidth && clientWidth <= NARROW;
    return { room: isNarrow ? clientWidth / SHRUNK - 2 * SIZES.MARGIN : 0, start: again && reach ? reach[0] : Infinity };
  }

  get isWhole() {
    return this.frame.classList.contains("rs-whole");
  }

  /** Show the whole board, or squares for fingers around a point of it, by default the upper middle. @param {boolean} isWhole @param {Point} [at] */
  zoom(isWhole, [x, y] = [this.box.x + this.box.width / 2, this.box.y]) {
    const { frame, box } = this;
    frame.classList.toggle("rs-whole", isWhole);
    this.whole.setAttribute("aria-pressed", String(isWhole));
    frame.scrollLeft = ((x - box.x) / box.width) * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = ((y - box.y) / box.height) * frame.scrollHeight - frame.clientHeight / 2;
  }

  /** Let some elements be in sight on a board that is larger than its frame, each way if there is room for all of them. @param {Iterable<Element>} shown */
  #pan(shown) {
    const { frame } = this, boxes = [...shown].map((one) => one.getBoundingClientRect());
    this.whole.hidden = !this.isWhole && frame.scrollWidth < frame.clientWidth + LEAST_HIDDEN;
    frame.classList.toggle("rs-large", !this.whole.hidden);
    const inside = frame.getBoundingClientRect();
    for (const [first, last, scroll] of WAYS) {
      const before = Math.min(...boxes.map((box) => box[first])) - inside[first], after = Math.max(...boxes.map((box) => box[last])) - inside[last];
      if ((before < 0) !== (after > 0)) frame[scroll] += before < 0 ? before - BESIDE : after + BESIDE;
    }
  }

  /** Show nothing. */
  clear() {
    this.picture.textContent = "";
  }

  /** Put all shapes that the page has not on a sheet, once: browsers work out every drawing of a page anew when a shape comes or goes. */
  #shapes() {
    this.sheet = el("div", { class: "rs-sheet", "aria-hidden": "true" });
    const missing = Object.entries(tables.symbols).filter(([name]) => !document.getElementById("rs-" + name));
    const shapes = missing.map(([name, body]) => '<g id="rs-' + name + '" class="rs-diagram">' + body + "</g>");
    this.sheet.innerHTML = '<svg width="0" height="0"><defs>' + shapes.join("") + "</defs></svg>";
    this.element.prepend(this.sheet);
  }

  /** Show what can be pointed at; null where nobody at this page is to choose. @param {Choices | null} choices */
  offer(choices) {
    const active = /** @type {HTMLElement} */ (document.activeElement), isHere = this.overlay.contains(active), focused = isHere && active.dataset.key;
    this.choices = choices;
    const taken = choices ? choices.chosen : [];
    const spots = choices ? choices.spots.filter((spot) => spot.reach.length && (taken.includes(spot) || choices.isOpen(spot))) : [];
    const box = this.box, at = (/** @type {number} */ value, /** @type {number} */ size) => (100 * value) / size + "%";
    const made = spots.map(({ key }) => {
      const target = this.targets.get(key) || /** @type {Target} */ (/** @type {HTMLElement} */ (el("button", { type: "button" })));
      this.targets.set(key, target);
      return target;
    });
    const again = made.find((target) => target.dataset.key === focused), first = again || made[0];
    spots.forEach((spot, i) => {
      const [x, y, width, height] = spot.box, chosen = taken.includes(spot), target = made[i];
      const left = at(x - box.x, box.width), top = at(y - box.y, box.height);
      attribute(target, {
        class: "rs-spot" + (chosen ? " rs-taken" : "") + (spot.key[0] === "@" ? "" : " rs-held") + (spot.reach[0].shape ? " rs-" + spot.reach[0].shape : ""),
        "aria-label": this.#name(spot),
        "aria-pressed": chosen ? "true" : "false",
        "data-key": spot.key,
        tabindex: target === first ? "0" : "-1",
      });
      const place = "left:" + left + ";top:" + top + ";width:" + at(width, box.width) + ";height:" + at(height, box.height);
      if (target.place !== place) target.style.cssText = target.place = place;
      target.spot = spot;
    });
    arrange(this.overlay, made);
    this.drags = Boolean(choices && choices.parts.some((choice) => choice.length > 1));
    this.overlay.classList.toggle("rs-drags", this.drags);
    this.overlay.classList.toggle("rs-choosing", Boolean(choices && choices.chosen.length));
    const news = taken.length ? [] : this.picture.querySelectorAll(".n");
    requestAnimationFrame(() => this.#pan(news.length ? news : this.overlay.querySelectorAll(":not(.rs-taken)")));
    const here = first || this.overlay;
    if (isHere && document.activeElement !== here) here.focus({ preventScroll: true });
  }

  /** The name of a spot and of what lies there, else how many actions it stands for. @param {Spot} spot */
  #name(spot) {
    const label = spot.label && spot.label !== spot.name ? spot.label : "";
    if (spot.name || label) return [spot.name, label].filter(Boolean).join(", ");
    const number = new Set([...spot.actions, ...spot.drawn]);
    const only = number.size === 1 ? [...number][0] : -1, { choices } = this;
    return only < 0 || !choices ? number.size + " actions" : choices.game.note(choices.state, choices.actions[only]);
  }

  /** The point of the drawing at a place of the window. @param {any} event @returns {Point} */
  #point(event) {
    const rect = this.overlay.getBoundingClientRect();
    return [this.box.x + ((event.clientX - rect.left) / rect.width) * this.box.width, this.box.y + ((event.clientY - rect.top) / rect.height) * this.box.height];
  }

  /** Something else lies under the pointer. @param {any} event */
  #hover(event) {
    [this.over, this.at] = event ? [this.#spot(event), this.#point(event)] : [null, null];
    this.hovered(this.over, this.at, 0);
  }

  /** The key R turns what would be laid down. @param {KeyboardEvent} event */
  turnByKey(event) {
    const isTyped = event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key.toLowerCase() === "r" && !isTyped) this.#turn(event, event.shiftKey ? -1 : 1);
  }

  /** Turn what would be laid down, if it can be. @param {any} event @param {number} by */
  #turn(event, by) {
    const held = this.choices && this.choices.held, spot = held || this.over;
    if (!spot || !this.choices || this.choices.ways(spot).length < 2) return;
    event.preventDefault();
    this.hovered(spot, this.at, by);
  }

  /** The spot at a place of the window; null if there is none. @param {any} event */
  #spot(event) {
    const rect = this.overlay.getBoundingClientRect();
    if (!this.choices || !rect.width || !rect.height) return null;
    const [x, y] = this.#point(event);
    // Of things that cover one another the highest is meant that can be chosen, else the highest. Boxes of hexagons and points overlap:
    // the nearest one is. Small things are hit beside them, too; those that can be chosen are as large as a finger, if no other one is there.
    let best = null, highest = -2, closest = null, least = Infinity, near = null, beside = Infinity, grown = null, edge = Infinity;
    const { choices } = this, unit = this.box.width / rect.width, finger = FINGER * unit;
    for (const spot of choices.spots) {
      for (const { box: [left, top, width, height], order, shape } of spot.reach) {
        const [dx, dy] = [Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height)], outside = Math.hypot(dx, dy);
        const far = Math.hypot(x - left - width / 2, y - top - height / 2), isNear = 2 * dx <= Math.max(0, finger - width) && 2 * dy <= Math.max(0, finger - height);
        if (outside && outside <= SLACK * unit && outside < beside) [near, beside] = [spot, outside];
        if (outside && isNear && outside < edge && choices.isOpen(spot)) [grown, edge] = [spot, outside];
        if (!outside && shape && far < least) [closest, least] = [spot, far];
        const rank = outside || shape ? -Infinity : choices.isOpen(spot) ? order + MOST_PARTS : order;
        if (rank > highest) [best, highest] = [spot, rank];
      }
    }
    const hit = best || closest;
    return hit && choices.isOpen(hit) ? hit : grown || hit || near;
  }

  /** @param {any} event */
  #down(event) {
    // Two fingers pinch.
    if (!event.isPrimary) this.#dropped();
    if (event.button || !event.isPrimary) return;
    this.from = this.#spot(event);
    this.start = [event.clientX, event.clientY];
    this.dragging = false;
    const isOpen = Boolean(this.from && this.choices && this.choices.isOpen(this.from)), isTouch = event.pointerType === "touch";
    // A finger that begins on a piece drags it; elsewhere it scrolls the page.
    this.mayDrag = !isTouch || (isOpen && this.drags);
    if (isOpen && !isTouch) event.preventDefault();
  }

  /** @param {any} event */
  #drag(event) {
    if (this.dragging || (event.pointerType === "mouse" && !event.buttons)) this.#hover(event);
    if (!this.from || this.dragging) return;
    if (Math.hypot(event.clientX - this.start[0], event.clientY - this.start[1]) < 8) return;
    if (!this.mayDrag) {
      this.#dropped();
      return;
    }
    this.dragging = true;
    if (this.choices && !this.choices.chosen.includes(this.from)) this.pointed(this.from, false, null, false);
    this.overlay.classList.add("rs-dragging");
    try {
      this.overlay.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already: there is nothing to follow.
    }
  }

  /** @param {any} event */
  #up(event) {
    const from = this.from, spot = this.#spot(event), dragged = this.dragging;
    this.#dropped();
    withoutClick(event.timeStamp);
    const point = this.#point(event);
    if (this.isWhole && this.box.width * SHRUNK > ALMOST * this.frame.clientWidth) this.zoom(false, point);
    else if (!from) return;
    else if (!dragged) this.pointed(from, true, point, event.pointerType === "mouse");
    else if (spot && spot.key !== from.key) this.pointed(spot, true, point, true);
  }

  #dropped() {
    this.from = null;
    this.dragging = false;
    this.overlay.classList.remove("rs-dragging");
  }

  /** A click that no pointer made, as those of a keyboard or of a screen reader. @param {any} event */
  #click(event) {
    const target = event.target.closest(".rs-spot");
    if (target) this.pointed(target.spot, true, null, false);
  }

  /** @param {any} event */
  #key(event) {
    const targets = /** @type {Target[]} */ ([...this.overlay.children]), now = event.target;
    if (!targets.includes(now)) return;
    const { key } = event, ends = /** @type {Record<string, Target>} */ ({ Home: targets[0], End: targets[targets.length - 1] });
    const next = ARROWS[key] ? nearest(now, targets, ARROWS[key]) : ends[key];
    if (next !== undefined) event.preventDefault();
    if (!next) return;
    now.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

/**
 * Let the click that follows a pointer, which went up at a time, be of no effect: the pointer was answered, and after
 * a touch the click meets what lies there by now, such as the button of a curtain.
 * @param {number} time */
function withoutClick(time) {
  const end = new AbortController(), how = { capture: true, once: true, signal: end.signal };
  document.addEventListener("pointerdown", () => end.abort(), how);
  document.addEventListener("click", (event) => {
    end.abort();
    // Keys make clicks without `detail`.
    if (!event.detail || event.timeStamp - time > MOST_LATE) return;
    event.stopPropagation();
    event.preventDefault();
  }, how);
}

/** An empty drawing, and the elements of each of some parts of it.
 * @param {string} head @param {string[]} parts @returns {[SVGSVGElement, ChildNode[][]]} */
function elements(head, parts) {
  const holder = el("div");
  holder.innerHTML = head + parts.map((text) => "<g>" + text + "</g>").join("") + "</svg>";
  const svg = /** @type {SVGSVGElement} */ (holder.firstElementChild), found = [...svg.children].map((group) => [...group.childNodes]);
  svg.textContent = "";
  return [svg, found];
}

/** The target that lies next in a direction; one straight ahead before one that is aside.
 * @param {Target} now @param {Target[]} targets @param {Point} direction */
function nearest(now, targets, [dx, dy]) {
  const centre = (/** @type {Target} */ target) => {
    const [x, y, width, height] = target.spot.box;
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = centre(now);
  let best = null, least = Infinity;
  for (const target of targets) {
    const [tx, ty] = centre(target), along = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (along < 4) continue;
    if (along + 2.5 * aside < least) [best, least] = [target, along + 2.5 * aside];
  }
  return best;
}
