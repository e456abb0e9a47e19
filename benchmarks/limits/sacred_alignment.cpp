// The Ziggurat of Sacred Alignment under the usual readings: 56 cells in three tiers over a plan of 6x6
// squares.
#include <cstring>
#include <vector>

#include "dominoes.hpp"

namespace sacred_alignment {

static const int TIERS = 3, WIDTH = 6, SQUARES = WIDTH * WIDTH, CELLS = 56, SLOTS = 88;
static const int HAND = 3, MOST_CHEATS = 99, ANY_PIP = 127, MOST_PLACINGS = 2 * DOMINOES * SLOTS;

// Two cells side by side, their squares of the plan, and the cells below them, -1 on the foundation.
struct Slot {
    unsigned char cell[2], square[2];
    signed char below[2];
};

struct Ziggurat {
    int cell_at[TIERS][WIDTH][WIDTH], below[CELLS];
    Slot slots[SLOTS];

    Ziggurat() {
        struct {
            int tier, row, column;
        } cells[CELLS];
        int cell_count = 0, slot_count = 0;
        memset(cell_at, -1, sizeof cell_at);
        for (int t = 0; t < TIERS; t++)
            for (int r = t; r < WIDTH - t; r++)
                for (int c = t; c < WIDTH - t; c++) {
                    cell_at[t][r][c] = cell_count;
                    cells[cell_count++] = {t, r, c};
                }
        for (int i = 0; i < CELLS; i++)
            below[i] = cells[i].tier ? cell_at[cells[i].tier - 1][cells[i].row][cells[i].column] : -1;
        for (int i = 0; i < CELLS; i++)
            for (int d = 0; d < 2; d++) {
                int t = cells[i].tier, r = cells[i].row + d, c = cells[i].column + 1 - d;
                if (r >= WIDTH || c >= WIDTH || cell_at[t][r][c] < 0)
                    continue;
                int j = cell_at[t][r][c];
                Slot &slot = slots[slot_count++];
                slot.cell[0] = (unsigned char)i;
                slot.cell[1] = (unsigned char)j;
                slot.square[0] = (unsigned char)(cells[i].row * WIDTH + cells[i].column);
                slot.square[1] = (unsigned char)(r * WIDTH + c);
                slot.below[0] = (signed char)below[i];
                slot.below[1] = (signed char)below[j];
            }
    }
};
static const Ziggurat ziggurat;

struct Placing {
    unsigned char domino, slot, turned;
};

// The legal actions: placings, each once more with a draw where the hand is short; and what lifts take up.
struct Actions {
    Placing placings[MOST_PLACINGS];
    u32 lifted[DOMINOES];
    int placing_count, lift_count;
    bool may_draw;

    inline int size() const { return (may_draw ? 2 : 1) * placing_count + lift_count; }
};

struct Table {
    unsigned char pile[DOMINOES], slot_of[DOMINOES], shown[SQUARES]; // shown: the pips over a square, as bits
    signed char pips[CELLS], tile[CELLS];
    u32 hand, in_air = 0, laid = 0;
    int drawn = HAND, cheats = 0;

    explicit Table(const unsigned char *shuffled) {
        memcpy(pile, shuffled, sizeof pile);
        memset(shown, 0, sizeof shown);
        memset(pips, -1, sizeof pips);
        memset(tile, -1, sizeof tile);
        hand = 1u << pile[0] | 1u << pile[1] | 1u << pile[2];
    }

    inline bool complete() const { return laid == ALL; }

    inline void list(Actions &actions) const {
        list_placings(actions);
        actions.lift_count = 0;
        if (!in_air && laid)
            list_lifts(actions);
    }

    inline void list_placings(Actions &actions) const {
        int n = 0;
        u32 dominoes = in_air ? in_air : hand;
        unsigned char near[SQUARES];
        for (int i = 0; i < SQUARES; i++) {
            unsigned char all = 0;
            if (i % WIDTH)
                all |= shown[i - 1];
            if (i % WIDTH < WIDTH - 1)
                all |= shown[i + 1];
            if (i >= WIDTH)
                all |= shown[i - WIDTH];
            if (i < SQUARES - WIDTH)
                all |= shown[i + WIDTH];
            near[i] = all;
        }
        u64 vacant = 0;
        for (int i = 0; i < CELLS; i++)
            vacant |= u64(pips[i] < 0) << i;
        for (int i = 0; i < SLOTS; i++) {
            const Slot &slot = ziggurat.slots[i];
            if (!(vacant >> slot.cell[0] & 1) || !(vacant >> slot.cell[1] & 1))
                continue;
            unsigned over_a = ANY_PIP, over_b = ANY_PIP; // the pips that are higher than what lies below
            if (slot.below[0] >= 0) {
                int a = pips[slot.below[0]], b = pips[slot.below[1]];
                if (a < 0 || b < 0)
                    continue;
                over_a &= ~((2u << a) - 1);
                over_b &= ~((2u << b) - 1);
            }
            unsigned like_a = laid ? near[slot.square[0]] : ANY_PIP, like_b = near[slot.square[1]];
            for (u32 left = dominoes; left; left &= left - 1) {
                int domino = lowest(left), low = halves.low[domino], high = halves.high[domino];
                auto can = [&](int x, int y) {
                    return (over_a >> x & 1) && (over_b >> y & 1) && ((like_a >> x | like_b >> y) & 1);
                };
                if (can(low, high))
                    actions.placings[n++] = {(unsigned char)domino, (unsigned char)i, 0};
                if (low != high && can(high, low))
                    actions.placings[n++] = {(unsigned char)domino, (unsigned char)i, 1};
            }
        }
        actions.placing_count = n;
        actions.may_draw = !in_air && drawn < DOMINOES && count(hand) <= HAND;
    }

    // For each domino that lies, it and all that rests on it.
    inline void list_lifts(Actions &actions) const {
        u32 upon[DOMINOES];
        memset(upon, 0, sizeof upon);
        for (int i = SQUARES; i < CELLS; i++)
            if (tile[i] >= 0)
                upon[int(tile[ziggurat.below[i]])] |= 1u << tile[i];
        for (u32 left = laid; left; left &= left - 1) {
            int domino = lowest(left);
            u32 taken = 1u << domino | upon[domino], next = upon[domino];
            while (next) {
                u32 over = 0;
                for (; next; next &= next - 1)
                    over |= upon[lowest(next)];
                next = over & ~taken;
                taken |= next;
            }
            actions.lifted[actions.lift_count++] = taken;
        }
    }

    inline void take(const Actions &actions, int chosen) {
        int placings = (actions.may_draw ? 2 : 1) * actions.placing_count;
        if (chosen >= placings)
            lift(actions.lifted[chosen - placings]);
        else if (chosen < actions.placing_count)
            place(actions.placings[chosen], false);
        else
            place(actions.placings[chosen - actions.placing_count], true);
    }

    inline void place(const Placing &placing, bool draw) {
        const Slot &slot = ziggurat.slots[placing.slot];
        int domino = placing.domino;
        signed char x = placing.turned ? halves.high[domino] : halves.low[domino];
        signed char y = placing.turned ? halves.low[domino] : halves.high[domino];
        pips[slot.cell[0]] = x;
        pips[slot.cell[1]] = y;
        tile[slot.cell[0]] = tile[slot.cell[1]] = (signed char)domino;
        slot_of[domino] = placing.slot;
        shown[slot.square[0]] |= 1 << x;
        shown[slot.square[1]] |= 1 << y;
        laid |= 1u << domino;
        if (in_air) {
            in_air &= ~(1u << domino);
            return;
        }
        hand &= ~(1u << domino);
        if (draw)
            while (drawn < DOMINOES && count(hand) < HAND)
                hand |= 1u << pile[drawn++];
    }

    inline void lift(u32 taken) {
        cheats += count(taken);
        if (cheats > MOST_CHEATS)
            cheats = MOST_CHEATS;
        in_air |= taken;
        laid &= ~taken;
        for (u32 left = taken; left; left &= left - 1) {
            const Slot &slot = ziggurat.slots[slot_of[lowest(left)]];
            pips[slot.cell[0]] = pips[slot.cell[1]] = -1;
            tile[slot.cell[0]] = tile[slot.cell[1]] = -1;
        }
        for (u32 left = taken; left; left &= left - 1)
            for (int square : ziggurat.slots[slot_of[lowest(left)]].square) {
                shown[square] = 0;
                for (int t = 0; t < TIERS; t++) {
                    int cell = ziggurat.cell_at[t][square / WIDTH][square % WIDTH];
                    if (cell >= 0 && pips[cell] >= 0)
                        shown[square] |= 1 << pips[cell];
                }
            }
    }
};

// Games are cut after `most` plies: cheating has no end.
extern "C" long sacred_alignment_play(long games, long seed, long most, long *plies) {
    static Actions actions;
    Random random(seed);
    long played = 0, built = 0;
    for (long game = 0; game < games; game++) {
        unsigned char pile[DOMINOES];
        shuffle(pile, random);
        Table table(pile);
        for (long ply = 0; ply < most; ply++) {
            table.list(actions);
            int n = actions.size();
            if (!n)
                break;
            table.take(actions, random.below(n));
            played++;
            if (table.complete()) {
                built++;
                break;
            }
        }
    }
    *plies = played;
    return built;
}

static long sequences(const Table &table, int depth) {
    if (table.complete())
        return 0;
    std::vector<Actions> own(1);
    Actions &actions = own[0];
    table.list(actions);
    if (depth == 1)
        return actions.size();
    long sum = 0;
    for (int i = 0; i < actions.size(); i++) {
        Table next = table;
        next.take(actions, i);
        sum += sequences(next, depth - 1);
    }
    return sum;
}

// Sequences from a shuffled pile, the first domino to be drawn first.
extern "C" long sacred_alignment_perft(int depth, const unsigned char *pile) {
    return sequences(Table(pile), depth);
}

} // namespace sacred_alignment
