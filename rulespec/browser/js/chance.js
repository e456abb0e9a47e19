/**
 * Chance: the generator of the machine (xorshift64*, the upper half of its product), and picks.
 */
(function (rulespec) {
  "use strict";

  const ALL = (1n << 64n) - 1n;
  const CHOICE = 0x2545f4914f6cdd1dn;

  /** A state for the generator, not 0, that differs much for seeds that differ little. */
  function spread(seed) {
    let x = (BigInt(seed) * 0x9e3779b97f4a7c15n + 0xd1b54a32d192ed03n) & ALL;
    x ^= x >> 29n;
    return (x * 0xbf58476d1ce4e5b9n) & ALL || 1n;
  }

  /** A source of random whole numbers of 32 bits; the seed, a whole number, fixes them all. */
  rulespec.random = function (seed) {
    let x = spread(seed);
    return function () {
      x ^= x >> 12n;
      x = (x ^ (x << 25n)) & ALL;
      x ^= x >> 27n;
      return Number(((x * CHOICE) & ALL) >> 32n);
    };
  };

  /** One of so many outcomes, counted from 0, that a random number of 32 bits stands for. */
  rulespec.pick = function (number, size) {
    if (size <= 2097152) return Math.floor((number * size) / 4294967296);
    return Number((BigInt(number) * BigInt(size)) >> 32n);
  };

  rulespec.spread = spread;
})(globalThis.rulespec = globalThis.rulespec || {});
