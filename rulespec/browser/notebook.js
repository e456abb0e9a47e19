// The table in the output of a notebook, as an anywidget: its play goes to Python as a record, and back.
/** @param {{ model: any, el: HTMLElement }} cell */
async function render({ model, el }) {
  const { rulespec } = /** @type {any} */ (globalThis), manifest = model.get("manifest"), block = document.createElement("div");
  rulespec.bundles[manifest.settings[0].key] = model.get("bundle");
  block.className = "rs-play-here";
  el.append(block);
  const table = await rulespec.open(block, manifest);
  const load = () => {
    const text = model.get("record");
    if (text && text !== table.play.record()) table.guarded(() => table.load(text));
  };
  load();
  table.element.addEventListener("rulespec-play", () => {
    model.set("record", table.play.record());
    model.save_changes();
  });
  model.on("change:record", load);
  return () => table.close();
}
export default { render };
