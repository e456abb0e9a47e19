// Stout's race for four, each alone, under the usual readings. A place is 10 * file + rank, the table round the
// board included; a stack is a word of two bits a piece from the bottom up, below a bit that ends it.
#include <cstring>

#include "common.hpp"

namespace stout {

static const int PLACES = 100, COLOURS = 4, PIECES = 3, WAYS = 8;
static const int EAST[WAYS] = {0, 1, 1, 1, 0, -1, -1, -1}, NORTH[WAYS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int START[COLOURS] = {19, 98, 80, 1};
enum Face { NONE, TIP, SWAP, HOP, DIG, AIM, WILD, LEAP, REDO };

struct Pyramid {
    signed char level[PLACES];          // -1 off all places
    signed char next[PLACES][WAYS];     // the square one further in a way, or -1
    signed char ahead[COLOURS][PLACES]; // the square one further on the path, or -1
    bool stops[COLOURS][PLACES];
    int goal[COLOURS];

    static bool on_board(int file, int rank) { return file >= 1 && file <= 8 && rank >= 1 && rank <= 8; }

    static int entry(int colour, int l) {
        int file = colour == 0 || colour == 3 ? l : 9 - l, rank = colour < 2 ? 9 - l : l;
        return 10 * file + rank;
    }

    static int round(int file, int rank, int l) {
        if (file == l && rank > l)
            return 10 * l + rank - 1;
        if (rank == l && file < 9 - l)
            return 10 * (file + 1) + l;
        if (file == 9 - l && rank < 9 - l)
            return 10 * (9 - l) + rank + 1;
        return 10 * (file - 1) + 9 - l;
    }

    Pyramid() {
        memset(level, -1, sizeof level);
        memset(ahead, -1, sizeof ahead);
        memset(stops, 0, sizeof stops);
        for (int file = 1; file <= 8; file++)
            for (int rank = 1; rank <= 8; rank++) {
                int l = file < rank ? file : rank, m = 9 - (file > rank ? file : rank);
                level[10 * file + rank] = (signed char)(l < m ? l : m);
            }
        for (int colour = 0; colour < COLOURS; colour++) {
            level[START[colour]] = 0;
            ahead[colour][START[colour]] = (signed char)entry(colour, 1);
            goal[colour] = entry(colour, 4);
        }
        for (int p = 0; p < PLACES; p++)
            for (int way = 0; way < WAYS; way++) {
                int file = p / 10 + EAST[way], rank = p % 10 + NORTH[way];
                next[p][way] = on_board(file, rank) ? (signed char)(10 * file + rank) : -1;
            }
        for (int colour = 0; colour < COLOURS; colour++)
            for (int p = 0; p < PLACES; p++) {
                int l = level[p], file = p / 10, rank = p % 10;
                if (l < 1)
                    continue;
                int onward = round(file, rank, l);
                bool wall = l < 4 && onward == entry(colour, l), corner = file == rank || file + rank == 9;
                bool home = p == goal[colour];
                stops[colour][p] = home || wall || (corner && p != entry(colour, l));
                ahead[colour][p] = home ? -1 : (signed char)(wall ? entry(colour, l + 1) : onward);
            }
    }

    inline bool station(int p) const { return level[p] == 0 || level[p] == 4; }
    inline bool uphill(int p, int q) const { return q >= 0 && level[q] > level[p]; }
};
static const Pyramid pyramid;

static inline int size_of(u32 stack) { return (31 - __builtin_clz(stack)) / 2; }
static inline int piece(u32 stack, int i) { return stack >> (2 * i) & 3; }
static inline int top(u32 stack) { return piece(stack, size_of(stack) - 1); }
static inline u32 without_top(u32 stack) {
    int bits = 2 * size_of(stack) - 2;
    return (stack & ((1u << bits) - 1)) | 1u << bits;
}
static inline u32 with_top(u32 stack, int colour) {
    int bits = 2 * size_of(stack);
    return (stack & ((1u << bits) - 1)) | u32(colour) << bits | 4u << bits;
}
static inline u32 exchanged(u32 stack, int i, int j) {
    u32 other = u32(piece(stack, i) ^ piece(stack, j));
    return stack ^ other << (2 * i) ^ other << (2 * j);
}

enum Kind { DONE, ADVANCE, ENHANCE, LEAPT, DUG, SWAPPED, WITHIN, SPILLED, STEPPED, UNLOADED, MOVEMENT, ACTION };

struct Action {
    unsigned char kind;
    signed char a, b, c;
};

struct Race {
    u32 stack[PLACES];
    u64 occupied[2]; // of files 0 to 4 and of files 5 to 9
    int mover, moves, special;
    bool rerolled;

    Race() : occupied{}, mover(0), moves(0), special(NONE), rerolled(false) {
        for (u32 &one : stack)
            one = 1;
    }

    inline void put(int p, u32 now) {
        stack[p] = now;
        u64 bit = 1ULL << p % 50;
        occupied[p / 50] = now == 1 ? occupied[p / 50] & ~bit : occupied[p / 50] | bit;
    }

    inline bool blocks(int p) const { return p >= 0 && stack[p] >= 16; }

    inline int run(int colour, int from, int points) const {
        int p = from;
        for (; points; points--) {
            int q = pyramid.ahead[colour][p];
            if ((p != from && pyramid.stops[colour][p]) || q < 0 || blocks(q))
                break;
            p = q;
        }
        return p;
    }

    inline int aimed(int colour, int p, int points) const {
        for (; points; points--) {
            int q = pyramid.ahead[colour][p];
            if (q < 0 || blocks(q))
                break;
            p = q;
        }
        return p;
    }

    inline int hopped(int colour, int p, int points) const {
        for (; points; points--) {
            int q = pyramid.ahead[colour][p];
            for (int i = 0; i < 8 && q >= 0 && stack[q] != 1 && !pyramid.stops[colour][q]; i++)
                q = pyramid.ahead[colour][q];
            if (q < 0)
                break;
            p = q;
            if (pyramid.stops[colour][q])
                break;
        }
        return p;
    }

    inline int leapt(int colour, int from) const {
        int p = from;
        for (int i = 0; i < 8; i++) {
            int q = pyramid.ahead[colour][p];
            if ((p != from && pyramid.stops[colour][p]) || q < 0 || stack[q] != 1)
                break;
            p = q;
        }
        return p;
    }

    inline bool shows(int face) const { return special == face || special == WILD; }

    int actions(Action *found) const {
        int n = 0;
        auto add = [&](int kind, int a, int b, int c) {
            found[n++] = {(unsigned char)kind, (signed char)a, (signed char)b, (signed char)c};
        };
        add(DONE, 0, 0, 0);
        if (shows(REDO) && !rerolled) {
            add(MOVEMENT, 0, 0, 0);
            add(ACTION, 0, 0, 0);
        }
        if (shows(TIP) && stack[START[mover]] != 1)
            add(UNLOADED, 0, 0, 0);
        for (int half = 0; half < 2; half++)
            for (u64 left = occupied[half]; left; left &= left - 1)
                from(50 * half + lowest(left), add);
        return n;
    }

    template <class Add> inline void from(int p, Add add) const {
        u32 here = stack[p];
        int height = size_of(here), level = pyramid.level[p];
        bool station = pyramid.station(p);
        const signed char *next = pyramid.next[p];
        if (piece(here, height - 1) == mover) {
            if (moves) {
                int q = run(mover, p, moves);
                if (q != p)
                    add(ADVANCE, p, q, 0);
                if (shows(AIM) && (q = aimed(mover, p, moves + 1)) != p)
                    add(ENHANCE, p, q, 0);
                if (shows(HOP) && (q = hopped(mover, p, moves + 1)) != p)
                    add(ENHANCE, p, q, 0);
            }
            if (shows(LEAP)) {
                int q = leapt(mover, p);
                if (q != p)
                    add(LEAPT, p, q, 0);
            }
            if (shows(SWAP) && !station)
                for (int way = 0; way < WAYS; way++) {
                    int s = next[way];
                    if (s >= 0 && !pyramid.station(s) && stack[s] != 1 && top(stack[s]) != mover)
                        add(SWAPPED, p, s, 0);
                }
            if (shows(TIP)) {
                for (int way = 0; way < WAYS; way++) {
                    int s = next[way];
                    if (s >= 0 && stack[s] != 1 && pyramid.level[s] != 4 &&
                        !pyramid.uphill(s, pyramid.next[s][way]))
                        add(SPILLED, s, way, 0);
                }
                if (height == 1 && level > 0 && level < 4) {
                    int q = pyramid.ahead[mover][p];
                    if (q >= 0 && !pyramid.uphill(p, q))
                        add(STEPPED, p, q, 0);
                }
            }
        }
        if (shows(DIG) && !station && piece(here, 0) == mover)
            for (int way = 0; way < WAYS; way++) {
                int s = next[way];
                if (s >= 0 && !pyramid.station(s) && !pyramid.uphill(p, s))
                    add(DUG, p, s, 0);
            }
        if (height < 2 || level == 4)
            return;
        if (shows(SWAP))
            for (int i = 0; i < height; i++)
                for (int j = i + 1; j < height; j++) {
                    int x = piece(here, i), y = piece(here, j);
                    if (x != y && (x == mover || y == mover))
                        add(WITHIN, p, i, j);
                }
        if (shows(TIP) && level > 0) {
            bool mine = false;
            for (int i = 0; i < height; i++)
                mine |= piece(here, i) == mover;
            for (int way = 0; mine && way < WAYS; way++)
                if (!pyramid.uphill(p, next[way]))
                    add(SPILLED, p, way, 0);
        }
    }

    inline void advance(int p, int q) {
        int colour = top(stack[p]);
        put(p, without_top(stack[p]));
        put(q, with_top(stack[q], colour));
    }

    void spill(int s, int way) {
        u32 lifted = stack[s];
        put(s, 1);
        int file = s / 10, rank = s % 10;
        for (int i = 0; i < size_of(lifted); i++) {
            file += EAST[way];
            rank += NORTH[way];
            int colour = piece(lifted, i);
            int q = Pyramid::on_board(file, rank) ? 10 * file + rank : START[colour];
            put(q, with_top(stack[q], colour));
        }
    }

    void unload() {
        int p = START[mover];
        u32 lifted = stack[p];
        put(p, 1);
        for (int i = 0; i < size_of(lifted); i++) {
            p = pyramid.ahead[mover][p];
            put(p, with_top(stack[p], mover));
        }
    }

    inline bool home(int colour) const {
        u32 here = stack[pyramid.goal[colour]];
        int found = 0;
        for (int i = 0; i < size_of(here); i++)
            found += piece(here, i) == colour;
        return found == PIECES;
    }

    inline void begin(Random &random) {
        rerolled = false;
        special = 1 + random.below(8);
        moves = 1 + random.below(8);
    }

    // Play an action, with the dice of the next turn; the colour that has won, or -1.
    int play(const Action &action, Random &random) {
        int p = action.a, q = action.b;
        switch (action.kind) {
        case DONE:
            moves = special = NONE;
            break;
        case ADVANCE:
            advance(p, q);
            moves = 0;
            break;
        case ENHANCE:
            advance(p, q);
            moves = special = NONE;
            break;
        case LEAPT:
        case STEPPED:
            advance(p, q);
            special = NONE;
            break;
        case DUG: {
            u32 bottom = stack[p] & 3;
            put(p, stack[p] >> 2);
            put(q, stack[q] << 2 | bottom);
            special = NONE;
            break;
        }
        case SWAPPED: {
            int mine = top(stack[p]), other = top(stack[q]);
            put(p, with_top(without_top(stack[p]), other));
            put(q, with_top(without_top(stack[q]), mine));
            special = NONE;
            break;
        }
        case WITHIN:
            put(p, exchanged(stack[p], q, action.c));
            special = NONE;
            break;
        case SPILLED:
            spill(p, q);
            special = NONE;
            break;
        case UNLOADED:
            unload();
            special = NONE;
            break;
        case MOVEMENT:
            rerolled = true;
            special = NONE;
            moves = 1 + random.below(8);
            break;
        case ACTION:
            rerolled = true;
            special = 1 + random.below(8);
            if (special == REDO)
                special = NONE;
            break;
        }
        for (int colour = 0; colour < COLOURS; colour++)
            if (home(colour))
                return colour;
        if (!moves && (special == NONE || special == AIM || special == HOP)) {
            mover = (mover + 1) % COLOURS;
            begin(random);
        }
        return -1;
    }
};

extern "C" long stout_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    Action actions[1024];
    for (long number = 0; number < games; number++) {
        Race race;
        for (int colour = 0; colour < COLOURS; colour++) {
            u32 all = 1;
            for (int i = 0; i < PIECES; i++)
                all = with_top(all, colour);
            race.put(START[colour], all);
        }
        race.begin(random);
        int won;
        do {
            int n = race.actions(actions);
            won = race.play(actions[random.below(n)], random);
            played++;
        } while (won < 0);
        first_won += won == 0;
    }
    *plies = played;
    return first_won;
}

// The actions in a position: the mover from 0, the dice (0 where none is left), whether one was rolled again; then
// for each place how many pieces stand there, and their colours from the bottom up in twelve bytes.
extern "C" long stout_actions(const unsigned char *position) {
    Race race;
    Action actions[1024];
    race.mover = position[0];
    race.moves = position[1];
    race.special = position[2];
    race.rerolled = position[3] != 0;
    position += 4;
    for (int p = 0; p < PLACES; p++, position += 13)
        for (int i = 0; i < position[0]; i++)
            race.put(p, with_top(race.stack[p], position[1 + i]));
    return race.actions(actions);
}

} // namespace stout
