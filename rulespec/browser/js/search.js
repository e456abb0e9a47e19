/** A player that searches, by the tree search of the kernels (`rulespec/kernels/tree_search.py`) in the module of the game. */
import { pick } from "./chance.js";

const FULL = -2;
/** So many plies are made between two looks at the clock, at first and at most. */
const FIRST_PLIES = 200, MOST_AT_ONCE = 20000;
/** Milliseconds between two looks at the clock. */
const SLICE = 20;
/** The most states that a search begins from, nodes of a tree, and numbers that its edges take. */
const MOST_WORLDS = 8, MOST_NODES = 1 << 17, MOST_NUMBERS = 1 << 22;

export class Search {
  /** @param {Game} game */
  constructor(game) {
    const { machine, bundle } = game, k = bundle.search;
    this.game = game;
    this.machine = machine;
    this.k = k;
    this.rows = this.looks = 0;
    const room = (/** @type {number} */ size) => machine.room(size);
    this.tally = room(k.TALLY);
    this.tables = [room(k.TABLED), room(k.TABLED + 64)];
    this.worlds = [room(MOST_WORLDS * k.CELLS), room(MOST_WORLDS * k.WORDS)];
    this.scratch = [room(2 * k.DEEPEST), room(2 * game.about.seats.length), room(k.ROW), room(k.CELLS + k.MOST_ANSWERS * k.WIDTH), room(k.WORDS)];
    game.exports.fill_tables(...this.tables);
    this.edge = Number(game.exports.edge_width());
    this.nodes = MOST_NODES;
    const edges = Math.floor(MOST_NUMBERS / this.edge), slots = 2 ** Math.ceil(Math.log2(2 * (MOST_NODES + edges)));
    this.tree = [room(k.NODE * MOST_NODES), room(edges * this.edge), room(slots), room(slots), this.tally, ...this.tables];
    this.size = 0;
  }

  /**
   * The action that was tried most, after so many plays or milliseconds, and the reason.
   * @param {number} seat the seat that searches
   * @param {State[]} worlds the states that it holds possible, at most eight
   * @param {Action[]} legal its legal actions
   * @param {() => number} random a source of whole numbers of 32 bits
   * @param {number} plays
   * @param {number} milliseconds
   * @returns {Advice} */
  choose(seat, worlds, legal, random, plays, milliseconds) {
    const { game, machine, k } = this, end = performance.now() + milliseconds;
    worlds.slice(0, MOST_WORLDS).forEach((world, i) => {
      game.hold(world);
      machine.copy(this.worlds[0] + 8 * i * k.CELLS, game.s, k.CELLS);
      machine.copy(this.worlds[1] + 8 * i * k.WORDS, game.b, k.WORDS);
    });
    for (const [place, value] of [[k.T_SEAT, game.layout.seats[seat]], [k.T_WORLDS, Math.min(worlds.length, MOST_WORLDS)], [k.T_LIMIT, k.MOST_PLIES], [k.T_SEED, random()]]) {
      machine.set(this.tally, place, value);
    }
    const actions = legal.slice(), n = actions.length;
    for (let i = n - 1; i > 0; i--) {
      const j = pick(random(), i + 1);
      [actions[i], actions[j]] = [actions[j], actions[i]];
    }
    if (n > this.size) [this.size, this.rows, this.looks] = [2 * n, machine.room(2 * n * k.WIDTH), machine.room(2 * n * k.LOOK)];
    actions.forEach((action, i) => {
      const row = game.row(action);
      machine.put(this.rows, i * k.WIDTH, row.concat(new Array(k.WIDTH - row.length).fill(0)));
    });
    let looked = 0;
    for (; looked < Math.min(n, k.MOST_LOOKED) && (!looked || performance.now() < end); looked++) {
      this.call("look", BigInt(looked), this.rows, n <= k.MOST_LOOKED ? 1 : 0, this.looks, this.tally);
    }
    const left = Number(game.exports.put_in_order(BigInt(n), BigInt(looked), this.rows, this.looks));
    if (left === 1) return { action: this.action(machine.take(this.rows, 0, k.WIDTH)), why: "nothing else is worth trying" };
    game.exports.begin(BigInt(left), this.rows, ...this.tree);
    for (let slice = FIRST_PLIES; this.plays < plays && (!this.plays || performance.now() < end);) {
      const began = performance.now();
      this.call("grow", BigInt(plays), BigInt(Math.floor(slice)), ...this.tree);
      slice = Math.max(1, Math.min(MOST_AT_ONCE, (slice * SLICE) / Math.max(1, performance.now() - began)));
    }
    const isAtOnce = actions.some(({ action }) => game.about.actions[action].atOnce !== undefined);
    return this.best(seat, isAtOnce ? random : null);
  }

  /** The plays that were tried. */
  get plays() {
    return this.machine.get(this.tally, this.k.T_PLAYS);
  }

  /** The action of the root that was tried most, and its results for a seat; where others choose at once, one
   * drawn in proportion to its tries. @param {number} seat @param {(() => number) | null} random @returns {Advice} */
  best(seat, random) {
    const { game, machine, k, edge, plays } = this, edges = this.tree[1], seats = game.about.seats.length;
    let most = -1, found = 0, total = 0;
    for (let at = machine.get(this.tree[0], k.N_FIRST); at >= 0; at = machine.get(edges, at * edge + k.E_NEXT)) {
      const visits = machine.get(edges, at * edge + k.E_VISITS);
      total += visits;
      if (random ? visits && pick(random(), total) < visits : visits > most) [most, found] = [visits, at];
    }
    const read = (/** @type {number} */ place) => machine.get(edges, found * edge + place), visits = read(k.E_VISITS), cut = plays - machine.get(this.tally, k.T_ENDED);
    let why = visits + " of " + plays + " trial plays begin with it";
    if (seats > 1) why += ", worth " + Math.round((100 * read(k.EDGE + seat)) / visits / k.UNIT) + "% of a win on average";
    if (game.exports.score) {
      const points = read(k.EDGE + seats + seat) / visits;
      why += ", " + (seats > 1 ? Math.abs(points) : points).toFixed(1) + " points " + (seats === 1 ? "in the end" : points < 0 ? "behind" : "ahead");
    }
    if (cut > 1) why += "; " + (cut < plays ? cut + " of them" : "all") + " were cut short and judged as they stood";
    return { action: this.action(machine.take(edges, (found + 1) * edge - k.WIDTH, k.WIDTH)), why };
  }

  /** The action in a row. @param {number[]} row */
  action(row) {
    const values = this.game.layout.rows[row[0]].flatMap(([place, size]) => row.slice(place, place + size));
    return { action: row[0], values };
  }

  /** Call a function of the kernel, again where the buffer of legal actions was too short. @param {string} name @param {...any} given */
  call(name, ...given) {
    const { game } = this;
    while (Number(game.exports[name](...given, ...this.worlds, game.s, game.b, game.c, game.m, ...this.scratch)) === FULL) game.grow();
  }
}
