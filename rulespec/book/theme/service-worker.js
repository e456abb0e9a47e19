// Keeps the pages that were read and the games that were opened for when there is no network. Pages come from the network
// if there is one, and so do files without a digest in their address (`?v=`). One with the right digest is asked for once.
(function () {
  "use strict";
  var worker = /** @type {any} */ (self), scope = worker.registration.scope, name = "rulespec " + scope;
  /** The addresses of a small site, all of which are kept at once; none of a larger one. @type {string[]} */
  var all = [];

  /** The digest in an address; empty without one. @param {string} address */
  function versionOf(address) {
    return new URL(address).searchParams.get("v") || "";
  }

  /** @param {string} text @param {string} version */
  async function hasDigest(text, version) {
    var found = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return Array.from(found, function (byte) { return byte.toString(16).padStart(2, "0"); }).join("").startsWith(version);
  }

  /** Remove the files to which no page that is kept refers any more. @param {Cache} cache */
  async function tidy(cache) {
    var addresses = (await cache.keys()).map(function (request) { return request.url; }), texts = "";
    for (var page of addresses) if (!versionOf(page)) texts += await /** @type {Response} */ (await cache.match(page)).text();
    for (var address of addresses) if (versionOf(address) && !texts.includes("?v=" + versionOf(address))) await cache.delete(address);
  }

  /** An answer from the network, which is kept unless its server forbids that. @param {string} address @param {RequestRedirect} redirect */
  async function fresh(address, redirect) {
    var cache = await caches.open(name), answer = await fetch(address, { cache: "no-cache", redirect: redirect });
    if (answer.status === 404) await cache.delete(address);
    if (!answer.ok || /no-store|private/.test(answer.headers.get("cache-control") || "")) return answer;
    var text = await answer.clone().text(), version = versionOf(address), old = await cache.match(address);
    if (version && !await hasDigest(text, version)) return answer;
    var before = old && await old.text();
    await cache.put(address, answer.clone());
    if (old && before !== text) await tidy(cache);
    return answer;
  }

  /** @param {string} address @param {RequestRedirect} [redirect] */
  async function answerTo(address, redirect) {
    var cache = await caches.open(name), kept = await cache.match(address);
    if (kept && versionOf(address)) return kept;
    try {
      return await fresh(address, redirect || "follow");
    } catch (error) {
      kept = kept || await cache.match(address + "index.html") || await cache.match(address, { ignoreSearch: true });
      if (kept) return kept;
      throw error;
    }
  }

  /** Keep what is at some addresses of the site; what cannot be had is not kept. @param {string[]} addresses */
  function keep(addresses) {
    return Promise.allSettled(addresses.filter(function (one) { return one.startsWith(scope); }).map(function (one) { return answerTo(one); }));
  }

  worker.addEventListener("install", function (/** @type {any} */ event) {
    worker.skipWaiting();
    event.waitUntil(keep(all.map(function (path) { return new URL(path, scope).href; })));
  });
  worker.addEventListener("activate", function (/** @type {any} */ event) { event.waitUntil(worker.clients.claim()); });
  worker.addEventListener("message", function (/** @type {any} */ event) { event.waitUntil(keep(event.data)); });
  worker.addEventListener("fetch", function (/** @type {any} */ event) {
    var request = event.request, address = request.url.split("#")[0];
    if (request.method === "GET" && address.startsWith(scope)) event.respondWith(answerTo(address, request.redirect));
  });
})();
