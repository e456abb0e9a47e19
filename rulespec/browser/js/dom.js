/** Elements of the page, made of texts and never of markup. Attributes are set by name; `on` holds listeners. */

/** An element with attributes and children (elements or texts).
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any> | null} [attributes] @param {(Node | string | null | undefined)[]} children */
export function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

/** A button with a text, or with a sign and a name for those who do not see it.
 * @param {string} text @param {() => any} act @param {string | null} [name] @param {string} [kind] */
export function button(text, act, name, kind) {
  return el("button", { type: "button", "aria-label": name, title: name, class: kind, on: { click: act } }, text);
}

/** A label with something to fill in. @param {string} text @param {Node} control */
export function field(text, control) {
  return el("label", { class: "rs-field" }, el("span", null, text), control);
}

/** A list to choose from; `options` are pairs of a value and a text.
 * @param {(string | number)[][]} options @param {any} value @param {(value: string) => any} act */
export function select(options, value, act) {
  const made = el("select", { on: { change: () => act(made.value) } });
  for (const [key, text] of options) made.append(el("option", { value: key }, String(text)));
  made.value = value;
  return made;
}

/** Let an element have these children, in this order: those that it has already stay what they are.
 * @param {Element} parent @param {ChildNode[]} children */
export function arrange(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  /** @type {ChildNode | null} */
  let next = parent.firstChild;
  for (const child of children) {
    if (next && child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
}

/** Set attributes of an element that are not so yet; what is the same costs a page nothing then.
 * @param {Element} element @param {Record<string, string>} attributes */
export function attribute(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/** Words of rules, in which what stands in backquotes is code. @param {string} text */
export function prose(text) {
  return text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? el("code", null, part) : part));
}

/** Names as a sentence has them. @param {string[]} names */
export const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

/** The order of two names, with numbers by their size. @param {string} a @param {string} b */
export const inOrder = (a, b) => a.localeCompare(b, "en", { numeric: true });

/** A text with a capital letter and a full stop. @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
