// Go on 9x9: a bit for each point in 128, a guard column between the rows; of each chain its stones and liberties.
#include <cstring>

#include "common.hpp"

namespace go {

using Bits = unsigned __int128;

static const int SIDE = 9, STRIDE = SIDE + 1, PLACES = STRIDE * SIDE, MOST_PLIES = 3 * SIDE * SIDE, KOMI = 7;

static Bits board() {
    Bits points = 0;
    for (int i = 0; i < PLACES; i++)
        if (i % STRIDE < SIDE)
            points |= Bits(1) << i;
    return points;
}
static const Bits BOARD = board();

static inline Bits bit(int point) { return Bits(1) << point; }
static inline bool single(Bits points) { return points && !(points & (points - 1)); }
static inline int first(Bits points) { return u64(points) ? lowest(u64(points)) : 64 + lowest(u64(points >> 64)); }
static inline int size(Bits points) { return count(u64(points)) + count(u64(points >> 64)); }

static inline Bits beside(Bits points) {
    return (points << 1 | points >> 1 | points << STRIDE | points >> STRIDE) & BOARD;
}

// The k-th point, counted from 0.
static inline int kth(Bits points, int k) {
    int low = count(u64(points));
    return k < low ? lowest(kth_bit(u64(points), k)) : 64 + lowest(kth_bit(u64(points >> 64), k - low));
}

struct Game {
    Bits stones[2], roots[2], empty; // a root is the point by which a chain is known
    Bits chain[PLACES], liberties[PLACES];
    unsigned char root[PLACES];
    int ko, passes, plies, mover;

    Game() : stones{}, roots{}, empty(BOARD), ko(-1), passes(0), plies(0), mover(0) {}

    // The points on which a stone may be placed.
    Bits placements() const {
        Bits free = beside(empty);
        for (Bits left = roots[mover]; left; left &= left - 1) {
            Bits these = liberties[first(left)];
            if (!single(these))
                free |= these;
        }
        for (Bits left = roots[mover ^ 1]; left; left &= left - 1) {
            Bits these = liberties[first(left)];
            if (single(these))
                free |= these;
        }
        free &= empty;
        return ko < 0 ? free : free & ~bit(ko);
    }

    void place(int point) {
        Bits stone = bit(point), around = beside(stone), dead = 0;
        ko = -1;
        passes = 0;
        for (Bits left = around & stones[mover ^ 1]; left; left &= left - 1) {
            int at = root[first(left)];
            liberties[at] &= ~stone;
            if (!liberties[at] && roots[mover ^ 1] & bit(at)) {
                dead |= chain[at];
                roots[mover ^ 1] &= ~bit(at);
            }
        }
        if (single(dead) && !(around & ~stones[mover ^ 1]))
            ko = first(dead);
        stones[mover ^ 1] &= ~dead;
        stones[mover] |= stone;
        empty = (empty & ~stone) | dead;
        Bits all = stone;
        for (Bits left = around & stones[mover]; left; left &= left - 1) {
            int at = root[first(left)];
            if (roots[mover] & bit(at)) {
                all |= chain[at];
                roots[mover] &= ~bit(at);
            }
        }
        for (Bits left = all; left; left &= left - 1)
            root[first(left)] = (unsigned char)point;
        roots[mover] |= stone;
        chain[point] = all;
        liberties[point] = beside(all) & empty;
        if (dead) {
            for (Bits left = beside(dead) & stones[mover]; left; left &= left - 1) {
                int at = root[first(left)];
                liberties[at] = beside(chain[at]) & empty;
            }
        }
    }

    bool over() const { return passes == 2 || plies == MOST_PLIES; }

    // A point, or -1 to pass.
    void play(int point) {
        if (point < 0) {
            ko = -1;
            passes++;
        } else {
            place(point);
        }
        plies++;
        if (!over())
            mover ^= 1;
    }

    int area(int player) const {
        Bits theirs = stones[player ^ 1], reached = theirs, before = 0;
        while (reached != before) {
            before = reached;
            reached |= beside(reached) & empty;
        }
        return size(stones[player] | (empty & ~reached));
    }

    bool first_won() const { return area(0) >= area(1) + KOMI; }
};

extern "C" long go_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long number = 0; number < games; number++) {
        Game game;
        while (!game.over()) {
            Bits points = game.placements();
            int all = size(points), chosen = random.below(all + 1);
            game.play(chosen == all ? -1 : kth(points, chosen));
        }
        played += game.plies;
        first_won += game.first_won();
    }
    *plies = played;
    return first_won;
}

static long sequences(const Game &game, int depth) {
    Bits points = game.placements();
    if (depth == 1)
        return size(points) + 1;
    long found = 0;
    for (;; points &= points - 1) {
        Game after = game;
        after.play(points ? first(points) : -1);
        if (!after.over())
            found += sequences(after, depth - 1);
        if (!points)
            return found;
    }
}

extern "C" long go_perft(int depth) {
    return sequences(Game(), depth);
}

// The placements after a play: its points, STRIDE * rank + file from 0, or -1 for a pass. None is checked.
extern "C" long go_placements_after(const signed char *play, int plies) {
    Game game;
    for (int i = 0; i < plies; i++)
        game.play(play[i]);
    return size(game.placements());
}

} // namespace go
