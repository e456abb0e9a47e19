/**
 * Elements of the page, made of texts and never of markup. Attributes are set by name; `on` holds listeners.
 */
(function (rulespec) {
  "use strict";

  /** An element with attributes and children (elements or texts). */
  rulespec.el = function (tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };

  /** A button with a text, or with a sign and a name for those who do not see it. */
  rulespec.button = function (text, act, name, kind) {
    return rulespec.el("button", { type: "button", "aria-label": name, title: name, class: kind, on: { click: act } }, text);
  };

  /** A label with something to fill in. */
  rulespec.field = function (text, control) {
    return rulespec.el("label", { class: "rs-field" }, rulespec.el("span", null, text), control);
  };

  /** A list to choose from; `options` are pairs of a value and a text. */
  rulespec.select = function (options, value, act) {
    const made = rulespec.el("select", { on: { change: () => act(made.value) } });
    for (const [key, text] of options) made.append(rulespec.el("option", { value: key }, text));
    made.value = value;
    return made;
  };

  /** Let an element have these children, in this order: those that it has already stay what they are. */
  rulespec.arrange = function (parent, children) {
    const wanted = new Set(children);
    for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
    let next = parent.firstChild;
    for (const child of children) {
      if (child === next) next = next.nextSibling;
      else parent.insertBefore(child, next);
    }
  };

  /** Set attributes of an element that are not so yet; what is the same costs a page nothing then. */
  rulespec.attribute = function (element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  };

  /** Words of rules, in which what stands in backquotes is code. */
  rulespec.prose = function (text) {
    return text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? rulespec.el("code", null, part) : part));
  };

  /** Load a script of the site; a page that was opened as a file may load scripts, and nothing else. */
  const loaded = new Map();
  rulespec.script = function (address) {
    if (!loaded.has(address)) {
      loaded.set(address, new Promise((resolve, reject) => {
        const script = rulespec.el("script", { src: address });
        script.onload = () => resolve();
        script.onerror = () => {
          loaded.delete(address);
          reject(new Error("A file of this page could not be loaded."));
        };
        document.head.append(script);
      }));
    }
    return loaded.get(address);
  };
})(globalThis.rulespec = globalThis.rulespec || {});
