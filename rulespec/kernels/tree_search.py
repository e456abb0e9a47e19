"""Monte Carlo tree search: plays from a position, with more of those that go well.

A node represents what the searching seat can tell apart: information hidden from it never splits the tree
(information-set search with a single observer: Cowling, Powley and Whitehouse 2012). Plays begin in turn from
the states that are consistent with the seat's view, chance is drawn anew in each, and every player is assumed
to choose what is best for that player (max^n) by upper confidence bounds (UCT: Kocsis and Szepesvari 2006). A
tree without room for more nodes keeps its shape and goes on counting.

`look` and `put_in_order` order the actions of the root before a search: an action that wins at once is the
only one, and an action to which a reply wins at once is left out. `begin` makes the root, `grow` adds plays.
"""

from __future__ import annotations

from .game import (
    CELLS,
    CHANCY,
    ENDED_AT,
    FAULT_AT,
    FIRST_PLAYER,
    GAINS,
    HIDES,
    IS_FIRST_OF_SIDE,
    LAST_PLAYER,
    MOVER_AT,
    NUMBERS_SEEN,
    SCORED,
    SECRET_FROM,
    SECRET_PLACE,
    SECRET_SIZE,
    SECRETIVE,
    SEEN_CELLS,
    SEEN_WORDS,
    SHARED,
    SIDE_OF,
    SIDES,
    TOGETHER,
    WIDTH,
    WORDS,
    WORDS_SEEN,
    listing,
    play,
    rest,
    score,
    see,
    shown,
    winners,
)
from .kit import (
    BIT,
    DRAWS,
    FULL,
    NONE,
    ONE,
    RANDOM,
    STATE,
    ZERO,
    as_number,
    as_word,
    choose,
    fast,
    high,
    mix,
    part,
)
from .shapes import Numbers, Play, Reals, State, Word, Words
from .starts import copy_action, put_state, same_action

UNIT = 1 << 20
"""A whole win."""
EXPLORE = 1.2
"""The weight of exploration, with wins counted from 0 to 1."""
POINTS = 0.2
"""The weight of scores in a value, if the rules keep them; payoffs are all of it."""
MOST_LISTED = 40
"""With more legal actions, a node considers a few drawn at random, and more with more visits."""
WIDEN = 3
"""A node with more actions considers half this times the square root of its visits; the root always does."""
LEAST_WIDE, WIDE_AT_ROOT = 4, 12
"""Minimum number of actions considered, below the root and at it."""
MOST_LOOKED = 40
"""If the root has at most this many actions, the replies are tried, too."""
TRIES = 4
"""Number of trials of an action of the root if chance or hidden state matter."""
MOST_ANSWERS = 60
"""Maximum number of replies among which a winning one is sought."""

NODE = 3
N_VISITS, N_FIRST, N_EDGES = range(NODE)
"""The places of a node: its visits, its first edge or -1, and its number of edges."""
EDGE = 5
E_VISITS, E_AVAILABLE, E_NEXT, E_LEGAL, E_CHILD = range(EDGE)
"""The first places of an edge: visits, number of times it was legal when its node was visited, next edge
of the node or -1, last play in which it was legal, and its child if its action always leads to one state,
or -1. Then the sums of each player's wins and points, and the row of the action."""
TALLY = 12
T_NODES, T_EDGES, T_PLAYS, T_PLIES, T_TREE, T_ENDED, T_LOW, T_HIGH, T_SEAT, T_WORLDS, T_LIMIT, T_SEED = range(
    TALLY
)
"""The places of a tally: nodes; edges; plays; plies; plies within the tree; plays that ended; least and
greatest points met; code of the searching seat; number of worlds; maximum plies of a playout; seed."""
WON, OPEN, LOST = 2, 1, 0
"""The results of a look: the action wins in all trials, neither, or a reply wins at once in all trials."""
LOOK = 3
"""Size of a look: a result, and the sums of wins and points of the seat."""
TABLED = 1 << 12
"""Number of square roots and logarithms in the tables."""

Tree = tuple[Numbers, Numbers, Words, Numbers, Numbers, Reals, Reals]
"""Nodes, edges, the keys of a hash table and the numbers of nodes and edges in it, the tally, and two
tables: 1 / sqrt(n), and EXPLORE * sqrt(ln n)."""
Room = tuple[Numbers, Numbers, Numbers, Numbers, Words]
"""Scratch: the nodes and edges of a play, the value of a state for each player (wins, then points), an
action with the players who see its secrets, replies to try; and the state, numbers before and words here."""


# ---- worth


@part
def points_of(s: Numbers, b: Words, worths: Numbers, tally: Numbers) -> None:
    """Write each player's points to `worths`: the lead of the player's side, or a shared sum."""
    players = LAST_PLAYER - FIRST_PLAYER + 1
    for i in range(players):
        worths[i], worths[players + i] = score(s, b, FIRST_PLAYER + i) if SCORED else 0, 0
    if SCORED:
        for i in range(players):
            own, total, other = 0, 0, NONE
            for j in range(players):
                side = 0
                for k in range(players):
                    if SIDE_OF[k] == SIDE_OF[j]:
                        side += worths[k]
                total += worths[j]
                if SIDE_OF[i] == SIDE_OF[j]:
                    own = side
                else:
                    other = max(other, side)
            x = total if TOGETHER else own if SIDES == 1 or GAINS else own - other
            worths[players + i] = x
            tally[T_LOW], tally[T_HIGH] = min(tally[T_LOW], x), max(tally[T_HIGH], x)


@part
def share_of(number: int) -> int:
    """The value of a win shared by a number of sides."""
    if TOGETHER:
        return UNIT
    return (UNIT + UNIT // number) // 2 if SHARED else UNIT // number


@part
def judge(n: int, s: Numbers, b: Words, worths: Numbers, tally: Numbers) -> None:
    """Write the value of a state with n legal actions to `worths`: for each player wins, then points.

    After a fault nobody wins. If nobody won, all sides share the win, unless they win together. Before the
    end the leaders by score count as winners.
    """
    players = LAST_PLAYER - FIRST_PLAYER + 1
    points_of(s, b, worths, tally)
    won = winners(s, b) if n == 0 else ZERO
    if n > 0 and SCORED and SIDES > 1 and not TOGETHER:
        for i in range(players):
            if worths[players + i] >= 0:
                won |= BIT[FIRST_PLAYER + i]
    number = 0
    for i in range(players):
        if IS_FIRST_OF_SIDE[i] == 1 and won & BIT[FIRST_PLAYER + i] != ZERO:
            number += 1
    even = 0 if SIDES == 1 or TOGETHER else UNIT // SIDES
    share = 0
    if number > 0:
        even, share = 0, share_of(number)
        if n > 0:
            share = UNIT // number
    for i in range(players):
        worths[i] = share if won & BIT[FIRST_PLAYER + i] != ZERO else even


# ---- what the seat can tell apart


@part
def observed_of(rows: Numbers, at: int, seat: int, s: Numbers, b: Words, row: Numbers) -> Word:
    """A hash of an action (a row) without the parts secret from a seat."""
    for x in range(WIDTH):
        row[x] = rows[at + x]
    if SECRETIVE:
        a = row[0]
        if s[MOVER_AT] != seat and SECRET_FROM[a] < SECRET_FROM[a + 1]:
            shown(s, b, row)
            for i in range(SECRET_FROM[a], SECRET_FROM[a + 1]):
                if as_word(row[WIDTH + i - SECRET_FROM[a]]) & BIT[seat] == ZERO:
                    if SECRET_PLACE[i] < 0:
                        return ONE
                    for x in range(SECRET_PLACE[i], SECRET_PLACE[i] + SECRET_SIZE[i]):
                        row[x] = NONE
    h = ONE
    for x in range(WIDTH):
        h = mix(h ^ as_word(row[x]))
    return h


@part
def outcome_of(seat: int, s: Numbers, b: Words) -> Word:
    """A hash of everything that a seat may see differently after the same observed action."""
    h = ZERO
    if HIDES:
        see(s, b, seat)
        for i in range(NUMBERS_SEEN):
            h = mix(h ^ as_word(s[SEEN_CELLS[i]]))
        for i in range(WORDS_SEEN):
            h = mix(h ^ b[SEEN_WORDS[i]])
    elif CHANCY:
        for i in range(CELLS):
            h = mix(h ^ as_word(s[i]))
        for i in range(WORDS):
            h = mix(h ^ b[i])
    return h


# ---- the tree


@part
def slot_of(key: Word, keys: Words) -> int:
    """The place of a key in the hash table, or a free place for it."""
    at = as_number(key) & (len(keys) - 1)
    while keys[at] != ZERO and keys[at] != key:
        at = (at + 1) & (len(keys) - 1)
    return at


@part
def edge_key(node: int, rows: Numbers, at: int) -> Word:
    """The key for the edge from a node by the action in a row."""
    h = as_word(2 * node)
    for x in range(WIDTH):
        h = mix(h ^ as_word(rows[at + x]))
    return h | ONE


@part
def edge_size() -> int:
    """Size of an edge."""
    return EDGE + 2 * (LAST_PLAYER - FIRST_PLAYER + 1) + WIDTH


@part
def row_at(edge: int) -> int:
    """The place of the row of an edge."""
    return edge * edge_size() + EDGE + 2 * (LAST_PLAYER - FIRST_PLAYER + 1)


@part
def new_node(tree: Tree) -> int:
    """Make a node without edges; -1 if there is no room."""
    nodes, _, _, _, tally, _, _ = tree
    node = tally[T_NODES]
    if (node + 1) * NODE > len(nodes):
        return -1
    tally[T_NODES] = node + 1
    nodes[node * NODE + N_VISITS] = 0
    nodes[node * NODE + N_FIRST] = -1
    nodes[node * NODE + N_EDGES] = 0
    return node


@part
def new_edge(node: int, rows: Numbers, k: int, last: int, tree: Tree) -> int:
    """Make the edge for action k of a node, after the last one or as the first; -1 without room."""
    nodes, edges, _, _, tally, _, _ = tree
    edge = tally[T_EDGES]
    if (edge + 1) * edge_size() > len(edges):
        return -1
    tally[T_EDGES] = edge + 1
    e = edge * edge_size()
    for i in range(e, row_at(edge)):
        edges[i] = 0
    for x in range(WIDTH):
        edges[row_at(edge) + x] = rows[k * WIDTH + x]
    edges[e + E_CHILD] = -1
    if last < 0:
        edges[e + E_NEXT] = nodes[node * NODE + N_FIRST]
        nodes[node * NODE + N_FIRST] = edge
    else:
        edges[e + E_NEXT] = -1
        edges[last * edge_size() + E_NEXT] = edge
    nodes[node * NODE + N_EDGES] += 1
    return edge


@part
def wanted_at(node: int, n: int, tree: Tree) -> int:
    """Number of actions that a node considers if n are legal."""
    visits = tree[0][node * NODE + N_VISITS]
    wide = int_root(visits * WIDEN * WIDEN // 4)
    if node == 0:
        return max(WIDE_AT_ROOT, wide)
    return n if n <= MOST_LISTED else max(LEAST_WIDE, wide)


@part
def int_root(x: int) -> int:
    """The whole part of a square root."""
    if x <= 0:
        return 0
    y = 1 << (high(as_word(x)) // 2 + 1)
    z = (y + x // y) // 2
    while z < y:
        y = z
        z = (y + x // y) // 2
    return y


@part
def consider(node: int, n: int, c: Words, m: Numbers, tree: Tree) -> None:
    """Make the edges that a node needs for the n legal actions in m, and mark the legal ones.

    A table from actions to edges is used only if something is hidden or some actions are left out.
    """
    nodes, edges, keys, ids, tally, _, _ = tree
    mark, legal = tally[T_PLAYS] + 1, nodes[node * NODE + N_EDGES]
    wanted = wanted_at(node, n, tree)
    if HIDES:
        legal = 0
        for k in range(n):
            at = slot_of(edge_key(node, m, k * WIDTH), keys)
            if keys[at] != ZERO:
                edges[ids[at] * edge_size() + E_LEGAL] = mark
                legal += 1
    if node == 0 or legal >= min(n, wanted):
        return
    if not HIDES and n <= MOST_LISTED:
        if (tally[T_EDGES] + n) * edge_size() <= len(edges):
            for k in range(n):
                new_edge(node, m, k, -1, tree)
        return
    first, last = 0, n
    if n > MOST_LISTED:
        first = choose(c, n)
        last = first + 1
    for k in range(first, last):
        key = edge_key(node, m, k * WIDTH)
        at = slot_of(key, keys)
        if keys[at] == ZERO:
            edge = new_edge(node, m, k, -1, tree)
            if edge >= 0:
                keys[at], ids[at] = key, edge
                edges[edge * edge_size() + E_LEGAL] = mark


@part
def value_of(e: int, player: int, tree: Tree) -> float:
    """Mean value for a player, counted from 0, of the visited edge stored at e."""
    _, edges, _, _, tally, _, _ = tree
    at = e + EDGE + player
    wins = edges[at] / (edges[e + E_VISITS] * UNIT)
    if not SCORED or tally[T_HIGH] <= tally[T_LOW]:
        return wins
    points = edges[at + LAST_PLAYER - FIRST_PLAYER + 1] / edges[e + E_VISITS]
    weight = 1.0 if GAINS else POINTS
    return (1.0 - weight) * wins + weight * (points - tally[T_LOW]) / (tally[T_HIGH] - tally[T_LOW])


@part
def root_inverse(n: int, roots: Reals) -> float:
    """1 / sqrt(n), to a thousandth."""
    scale = 1.0
    while n >= TABLED:
        n >>= 2
        scale = scale / 2.0
    return roots[n] * scale


@part
def interest_of(n: int, logs: Reals) -> float:
    """EXPLORE * sqrt(ln n); for large n, that of the power of two below."""
    return logs[n] if n < TABLED else logs[TABLED + high(as_word(n))]


@part
def select_edge(node: int, n: int, c: Words, player: int, tree: Tree) -> int:
    """Select an unvisited legal edge, else that with the best confidence bound (-1: none); count options."""
    nodes, edges, _, _, tally, roots, logs = tree
    edge, found, fresh, best, left = nodes[node * NODE + N_FIRST], -1, 0, -1.0, wanted_at(node, n, tree)
    while edge >= 0 and left > 0:
        e = edge * edge_size()
        if not HIDES or edges[e + E_LEGAL] == tally[T_PLAYS] + 1:
            edges[e + E_AVAILABLE] += 1
            left -= 1
            if edges[e + E_VISITS] == 0:
                fresh += 1
                if (fresh == 1) if node == 0 else (choose(c, fresh) == 0):
                    found = edge
            elif fresh == 0:
                bound = interest_of(edges[e + E_AVAILABLE], logs) * root_inverse(edges[e + E_VISITS], roots)
                bound += value_of(e, player, tree)
                if bound > best:
                    best, found = bound, edge
        edge = edges[e + E_NEXT]
    return found


@part
def set_world(number: int, source: Word, worlds: State, now: Play) -> int:
    """Load a state consistent with the seat's view, with a source of chance; return the number of legal
    actions."""
    s, b, c, m = now
    put_state(worlds[0], worlds[1], number, s, b)
    s[ENDED_AT], s[FAULT_AT] = 0, 0
    c[RANDOM], c[STATE], c[DRAWS] = ONE, mix(source) | ONE, ZERO
    return listing(s, b, m)


@part
def follow(tree: Tree, worlds: State, now: Play, room: Room) -> int:
    """Play once through the tree and on to the end; 0, or `FULL` if m has no room."""
    s, b, c, m = now
    nodes, edges, keys, ids, tally, _, _ = tree
    path, worths, row, _, _ = room
    seat, players = tally[T_SEAT], LAST_PLAYER - FIRST_PLAYER + 1
    source = as_word(tally[T_SEED]) ^ mix(as_word(tally[T_PLAYS] + 1))
    n = set_world(tally[T_PLAYS] % tally[T_WORLDS], source, worlds, now)
    node, depth = 0, 0
    while n > 0 and 2 * depth < len(path):
        consider(node, n, c, m, tree)
        edge = select_edge(node, n, c, s[MOVER_AT] - FIRST_PLAYER, tree)
        if edge < 0:
            break
        path[2 * depth], path[2 * depth + 1] = node, edge
        depth += 1
        h = ZERO
        if HIDES or CHANCY:
            h = observed_of(edges, row_at(edge), seat, s, b, row)
        for x in range(WIDTH):
            m[x] = edges[row_at(edge) + x]
        n = play(s, b, c, m, 0)
        tally[T_TREE] += 1
        if HIDES or CHANCY:
            key = mix(mix(h ^ as_word(2 * node + 1)) ^ outcome_of(seat, s, b)) | ONE
            at = slot_of(key, keys)
            if keys[at] == ZERO:
                node = new_node(tree)
                if node >= 0:
                    keys[at], ids[at] = key, node
                break
            node = ids[at]
        else:
            node = edges[edge * edge_size() + E_CHILD]
            if node < 0:
                edges[edge * edge_size() + E_CHILD] = new_node(tree)
                break
    if n > 0:
        n, plies = rest(s, b, c, m, n, tally[T_LIMIT])
        tally[T_PLIES] += plies
    if n == FULL:
        return FULL
    judge(n, s, b, worths, tally)
    for i in range(depth):
        nodes[path[2 * i] * NODE + N_VISITS] += 1
        e = path[2 * i + 1] * edge_size()
        edges[e + E_VISITS] += 1
        for j in range(2 * players):
            edges[e + EDGE + j] += worths[j]
    tally[T_PLAYS] += 1
    if n <= 0:
        tally[T_ENDED] += 1
    return 0


# ---- called from outside


@fast
def edge_width() -> int:
    """Size of an edge, which ends with the row of the action."""
    return edge_size()


@fast
def fill_tables(roots: Reals, logs: Reals) -> None:
    """Fill the tables of 1 / sqrt(n), and of EXPLORE * sqrt(ln n), for large n by powers of two."""
    root, log, log_root = 1.0, 0.0, 0.0
    for n in range(1, TABLED):
        for _ in range(4):
            root = (root + n / root) / 2.0
        roots[n] = 1.0 / root
        y = 1.0 / (2 * n + 1)
        logs[n] = EXPLORE * log_root
        log += 2.0 * y * (1.0 + y * y * (1.0 / 3.0 + y * y * (1.0 / 5.0 + y * y / 7.0)))
        log_root = max(log_root, 1.0)
        for _ in range(6):
            log_root = (log_root + log / log_root) / 2.0
    for k in range(64):
        log = 0.6931471805599453 * k
        for _ in range(8):
            log_root = (log_root + log / log_root) / 2.0
        logs[TABLED + k] = EXPLORE * log_root


@fast
def look(
    at: int, rows: Numbers, deep: bool, looks: Numbers, tally: Numbers, worlds: State, now: Play, room: Room
) -> int:
    """Try an action, with all replies if `deep`, and write the result to its place in `looks`.

    `FULL` if m has no room, else 0.
    """
    s, b, c, m = now
    _, worths, _, answers, kept = room
    players, seat, many = LAST_PLAYER - FIRST_PLAYER + 1, tally[T_SEAT], tally[T_WORLDS]
    tried, won, lost, wins, points = 0, True, deep, 0, 0
    for number in range(TRIES if deep and (CHANCY or many > 1) else 1):
        source = as_word(tally[T_SEED]) ^ mix(as_word(-1 - number))
        n = set_world(number % many, source, worlds, now)
        legal = not HIDES
        k = 0
        while not legal and k < n:
            legal = same_action(m, k, rows, at)
            k += 1
        if legal:
            copy_action(m, 0, rows, at)
            n = play(s, b, c, m, 0)
            if n == FULL:
                return FULL
            judge(n, s, b, worths, tally)
            tried += 1
            wins += worths[seat - FIRST_PLAYER]
            points += worths[players + seat - FIRST_PLAYER]
            won = won and n == 0 and worths[seat - FIRST_PLAYER] == UNIT
            lost = lost and has_winning_answer(n, seat, now, answers, kept)
    looks[at * LOOK] = OPEN
    if tried > 0:
        if not GAINS:
            looks[at * LOOK] = WON if won else LOST if lost else OPEN
        wins, points = wins // tried, points // tried
    looks[at * LOOK + 1], looks[at * LOOK + 2] = wins, points
    return 0


@part
def has_winning_answer(n: int, seat: int, now: Play, answers: Numbers, kept: Words) -> bool:
    """True if another player is to move and one of the n legal actions in m wins at once."""
    s, b, c, m = now
    mover = s[MOVER_AT]
    if n <= 0 or mover == seat:
        return False
    n = min(n, MOST_ANSWERS)
    for i in range(CELLS):
        answers[i] = s[i]
    for i in range(WORDS):
        kept[i] = b[i]
    for i in range(n * WIDTH):
        answers[CELLS + i] = m[i]
    for k in range(n):
        put_state(answers, kept, 0, s, b)
        for x in range(WIDTH):
            m[x] = answers[CELLS + k * WIDTH + x]
        if play(s, b, c, m, 0) == 0:
            won = winners(s, b)
            if won & BIT[mover] != ZERO and won & BIT[seat] == ZERO:
                return True
    return False


@part
def exchange(rows: Numbers, one: int, other: int, size: int) -> None:
    """Swap two runs of numbers."""
    for i in range(size):
        x = rows[one + i]
        rows[one + i] = rows[other + i]
        rows[other + i] = x


@fast
def put_in_order(n: int, looked: int, rows: Numbers, looks: Numbers) -> int:
    """Sort the actions of the root, best first, by the looks at the first `looked` of them.

    Returns the number that remain: only one that wins at once, if there is any; if all were looked at, only
    those to which no reply wins at once, if there are any.
    """
    for i in range(1, looked):
        j = i
        while j > 0 and is_better(looks, j, j - 1):
            exchange(rows, j * WIDTH, (j - 1) * WIDTH, WIDTH)
            exchange(looks, j * LOOK, (j - 1) * LOOK, LOOK)
            j -= 1
    if looked > 0 and looks[0] == WON:
        return 1
    if looked == n and looks[0] == OPEN:
        while looks[(n - 1) * LOOK] == LOST:
            n -= 1
    return n


@part
def is_better(looks: Numbers, i: int, j: int) -> bool:
    """True if the look at i promises more than the one at j."""
    for x in range(LOOK):
        if looks[i * LOOK + x] != looks[j * LOOK + x]:
            return looks[i * LOOK + x] > looks[j * LOOK + x]
    return False


@fast
def begin(n: int, rows: Numbers, tree: Tree) -> None:
    """Make a tree whose root has n actions, in order; its tally keeps seat, worlds, limit and seed."""
    _, _, keys, ids, tally, _, _ = tree
    for at in range(len(keys)):
        keys[at] = ZERO
    tally[T_NODES], tally[T_EDGES], tally[T_PLAYS] = 0, 0, 0
    tally[T_PLIES], tally[T_TREE], tally[T_ENDED] = 0, 0, 0
    tally[T_LOW], tally[T_HIGH] = -NONE, NONE
    new_node(tree)
    last = -1
    for k in range(n):
        last = new_edge(0, rows, k, last, tree)
        key = edge_key(0, rows, k * WIDTH)
        at = slot_of(key, keys)
        keys[at], ids[at] = key, last


@fast
def grow(plays: int, plies: int, tree: Tree, worlds: State, now: Play, room: Room) -> int:
    """Add plays until there are `plays` in all, or `plies` more plies; 0, or `FULL` if m has no room."""
    tally = tree[4]
    most = tally[T_PLIES] + tally[T_TREE] + plies
    found = 0
    while found == 0 and tally[T_PLAYS] < plays and tally[T_PLIES] + tally[T_TREE] < most:
        found = follow(tree, worlds, now, room)
    return found
