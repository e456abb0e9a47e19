// A game of this site in any page: <rulespec-game src="…-table.html" title="…"></rulespec-game>. The table is in a frame, so that
// neither page reaches into the other; the frame is as high as the table.
customElements.define("rulespec-game", class extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const frame = document.createElement("iframe");
    const { href, protocol } = new URL(this.getAttribute("src") || "", document.baseURI);
    if (/^(https?|file):$/.test(protocol)) frame.src = href; // a script in its place would run as one of this page
    frame.title = this.title || "A game to play";
    frame.loading = "lazy";
    frame.allow = "clipboard-write; fullscreen";
    frame.style.cssText = "display:block;width:100%;height:40rem;border:0";
    addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data && data.rulespecHeight > 0) frame.style.height = Math.ceil(data.rulespecHeight) + "px";
    });
    this.attachShadow({ mode: "open" }).append(frame);
  }
});
