// Leistiko's Ziggurat for two under the usual readings: 7x7 squares, bit 7 * row + column. A place is the bit
// of its lower square, in one word for those that lie across and in another for those that stand upright.
#include <cstring>
#include <vector>

#include "dominoes.hpp"

namespace leistiko {

static const int WIDTH = 7, SIDE = 4, SQUARES = WIDTH * WIDTH;
static const u64 TABLE = (1ULL << SQUARES) - 1;

// The frames that the base can fill, and which sets of squares of a frame dominoes can fill.
struct Frames {
    std::vector<bool> fillable;
    u64 squares[SIDE * SIDE], not_last = 0;

    Frames() : fillable(1 << SIDE * SIDE, false) {
        fillable[0] = true;
        for (u32 free = 1; free < 1u << SIDE * SIDE; free++) {
            int first = lowest(free);
            u32 rest = free & (free - 1), right = 1u << (first + 1), above = 1u << (first + SIDE);
            bool across = first % SIDE < SIDE - 1 && (rest & right) && fillable[rest & ~right];
            bool upright = first < SIDE * (SIDE - 1) && (rest & above) && fillable[rest & ~above];
            fillable[free] = across || upright;
        }
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                u64 inside = 0;
                for (int j = 0; j < SIDE; j++)
                    for (int i = 0; i < SIDE; i++)
                        inside |= 1ULL << ((y + j) * WIDTH + x + i);
                squares[y * SIDE + x] = inside;
            }
        for (int i = 0; i < SQUARES; i++)
            if (i % WIDTH < WIDTH - 1)
                not_last |= 1ULL << i;
    }
};
static const Frames frames;

static inline u64 beside(u64 squares) {
    return ((squares & frames.not_last) << 1) | ((squares >> 1) & frames.not_last) |
           ((squares << WIDTH) & TABLE) | squares >> WIDTH;
}

static inline u64 across(u64 squares) {
    return squares & (squares >> 1) & frames.not_last;
}

static inline u64 upright(u64 squares) {
    return squares & (squares >> WIDTH);
}

struct Places {
    u64 across, upright;

    inline int size() const { return count(across) + count(upright); }
};

struct Table {
    u64 laid = 0, here = 0, below = 0; // all squares with a domino; those at this level, and one below
    u32 hand[2];
    int points[2] = {0, 0}, mover = 0, level = 1;
    signed char pips[SQUARES];

    explicit Table(const u32 *hands) {
        memcpy(hand, hands, sizeof hand);
        memset(pips, -1, sizeof pips);
    }

    // Places of the base: they touch what lies, and some frame with all in it can still be filled.
    inline Places base() const {
        if (!laid)
            return {1ULL << (SIDE - 1) * (WIDTH + 1), 0};
        u64 free = ~laid & TABLE, near = beside(laid) & free;
        u64 flat = across(free) & (near | near >> 1), high = upright(free) & (near | near >> WIDTH);
        Places found{0, 0};
        for (u64 frame : frames.squares) {
            if (laid & ~frame)
                continue;
            u32 inside = u32(_pext_u64(free, frame));
            u64 pairs = flat & frame & (frame >> 1) & frames.not_last & ~found.across;
            for (u64 left = pairs; left; left &= left - 1) {
                u64 put = left & -left;
                if (frames.fillable[inside & ~u32(_pext_u64(put | put << 1, frame))])
                    found.across |= put;
            }
            pairs = high & frame & (frame >> WIDTH) & ~found.upright;
            for (u64 left = pairs; left; left &= left - 1) {
                u64 put = left & -left;
                if (frames.fillable[inside & ~u32(_pext_u64(put | put << WIDTH, frame))])
                    found.upright |= put;
            }
        }
        return found;
    }

    // The open places, on the next level where this one is full; none where the game is over. It is inlined
    // so that the table can lie in registers.
    [[gnu::always_inline]] inline Places open() {
        if (!(hand[0] | hand[1]))
            return {0, 0};
        Places found = level == 1 ? base() : Places{across(below), upright(below)};
        while (!found.size()) {
            below = here;
            here = 0;
            level++;
            found = {across(below), upright(below)};
            if (found.size() == 1)
                return {0, 0};
        }
        return found;
    }

    // In how many ways a domino of the hand can be laid on one place: doubles in one, all in one on the
    // first.
    inline int ways() const {
        int n = count(hand[mover]);
        return laid ? 2 * n - count(hand[mover] & DOUBLES) : n;
    }

    inline bool likes(int square, int pip) const {
        int column = square % WIDTH;
        return (column && pips[square - 1] == pip) || (column < WIDTH - 1 && pips[square + 1] == pip) ||
               (square >= WIDTH && pips[square - WIDTH] == pip) ||
               (square < SQUARES - WIDTH && pips[square + WIDTH] == pip);
    }

    // Lay a domino of the hand by the number of its place and the number of its way.
    inline void lay(const Places &places, int place, int way) {
        int flat = count(places.across);
        u64 low, high;
        if (place < flat) {
            low = kth_bit(places.across, place);
            high = low << 1;
        } else {
            low = kth_bit(places.upright, place - flat);
            high = low << WIDTH;
        }
        u32 own = hand[mover], domino;
        bool turned = false;
        if (!laid) {
            domino = u32(kth_bit(own, way));
        } else if (int doubles = count(own & DOUBLES); way < doubles) {
            domino = u32(kth_bit(own & DOUBLES, way));
        } else {
            domino = u32(kth_bit(own & ~DOUBLES, (way - doubles) >> 1));
            turned = (way - doubles) & 1;
        }
        int number = lowest(domino), a = lowest(low), b = lowest(high);
        signed char x = turned ? halves.high[number] : halves.low[number];
        signed char y = turned ? halves.low[number] : halves.high[number];
        if (level == 1)
            points[mover] += laid ? likes(a, x) + likes(b, y) : 0;
        else
            points[mover] += level * ((pips[a] == x) + (pips[b] == y));
        pips[a] = x;
        pips[b] = y;
        laid |= low | high;
        here |= low | high;
        below &= ~(low | high);
        hand[mover] ^= domino;
        mover ^= 1;
    }

    // Fewer dominoes left win where points are equal.
    inline bool first_wins() const {
        return points[0] > points[1] || (points[0] == points[1] && count(hand[0]) <= count(hand[1]));
    }
};

extern "C" long leistiko_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        unsigned char pile[DOMINOES];
        shuffle(pile, random);
        u32 hands[2] = {0, 0};
        for (int i = 0; i < DOMINOES; i++)
            hands[i & 1] |= 1u << pile[i];
        Table table(hands);
        for (;;) {
            Places places = table.open();
            int n = places.size();
            if (!n)
                break;
            int place = random.below(n);
            table.lay(places, place, random.below(table.ways()));
            played++;
        }
        first_won += table.first_wins();
    }
    *plies = played;
    return first_won;
}

static long sequences(Table &table, int depth) {
    Places places = table.open();
    int n = places.size(), ways = table.ways();
    if (depth == 1)
        return long(n) * ways;
    long sum = 0;
    for (int place = 0; place < n; place++)
        for (int way = 0; way < ways; way++) {
            Table next = table;
            next.lay(places, place, way);
            sum += sequences(next, depth - 1);
        }
    return sum;
}

// Sequences from a deal: for each domino the player (0 or 1) who holds it.
extern "C" long leistiko_perft(int depth, const unsigned char *deal) {
    u32 hands[2] = {0, 0};
    for (int i = 0; i < DOMINOES; i++)
        hands[deal[i]] |= 1u << i;
    Table table(hands);
    return sequences(table, depth);
}

} // namespace leistiko
