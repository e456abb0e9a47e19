// Connect four: one bit for each square, columns of height + 1 bits, so that no line crosses their ends.
#include <algorithm>
#include <vector>

#include "common.hpp"

namespace connect_four {

// ---- seven columns of six squares

static const u64 BOTTOM = 1ULL | 1ULL << 7 | 1ULL << 14 | 1ULL << 21 | 1ULL << 28 | 1ULL << 35 | 1ULL << 42;
static const u64 BOARD = BOTTOM * 63;

static inline bool has_line(u64 discs) {
    u64 pairs = discs & (discs >> 7);
    if (pairs & (pairs >> 14))
        return true;
    pairs = discs & (discs >> 8);
    if (pairs & (pairs >> 16))
        return true;
    pairs = discs & (discs >> 6);
    if (pairs & (pairs >> 12))
        return true;
    pairs = discs & (discs >> 1);
    return (pairs & (pairs >> 2)) != 0;
}

extern "C" long connect_four_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        u64 mine = 0, discs = 0;
        for (;;) {
            u64 open = (discs + BOTTOM) & BOARD;
            u64 put = kth_bit(open, random.below(count(open)));
            mine |= put;
            discs |= put;
            played++;
            if (has_line(mine)) {
                first_won += count(discs) & 1;
                break;
            }
            if (discs == BOARD)
                break;
            mine ^= discs;
        }
    }
    *plies = played;
    return first_won;
}

static long sequences(u64 mine, u64 discs, int depth) {
    u64 open = (discs + BOTTOM) & BOARD;
    if (depth == 1)
        return count(open);
    long sum = 0;
    for (; open; open &= open - 1) {
        u64 put = open & -open;
        if (!has_line(mine | put))
            sum += sequences((mine | put) ^ (discs | put), discs | put, depth - 1);
    }
    return sum;
}

extern "C" long connect_four_perft(int depth) {
    return sequences(0, 0, depth);
}

// ---- any width and height

struct Frame {
    int width, height, column;
    u64 bottom = 0, board;

    Frame(int width, int height) : width(width), height(height), column(height + 1) {
        for (int c = 0; c < width; c++)
            bottom |= 1ULL << (c * column);
        board = bottom * ((1ULL << height) - 1);
    }

    bool has_line(u64 discs) const {
        for (int step : {1, column, column - 1, column + 1}) {
            u64 pairs = discs & (discs >> step);
            if (pairs & (pairs >> 2 * step))
                return true;
        }
        return false;
    }
};

// A set of words that are not 0, with open addressing, which grows when half of it is full.
struct Words {
    std::vector<u64> table = std::vector<u64>(1 << 16, 0);

    bool insert(u64 word) {
        size_t last = table.size() - 1;
        size_t i = (word * 0x9E3779B97F4A7C15ULL) >> 20 & last;
        while (table[i] && table[i] != word)
            i = (i + 1) & last;
        if (table[i])
            return false;
        table[i] = word;
        return true;
    }

    void grow() {
        std::vector<u64> before(2 * table.size(), 0);
        before.swap(table);
        for (u64 word : before)
            if (word)
                insert(word);
    }
};

// How many positions a breadth-first search finds until there are `most` or all; *bytes of memory for them.
extern "C" long connect_four_explore(int width, int height, long most, long *bytes) {
    Frame frame(width, height);
    std::vector<u64> mine{0}, discs{0};
    Words seen;
    seen.insert(frame.bottom);
    for (size_t i = 0; i < mine.size() && long(mine.size()) < most; i++) {
        u64 me = mine[i], all = discs[i];
        if (frame.has_line(me ^ all) || all == frame.board)
            continue;
        for (u64 open = (all + frame.bottom) & frame.board; open; open &= open - 1) {
            u64 next = me ^ all, more = all | (open & -open);
            if (seen.insert(next + more + frame.bottom)) {
                mine.push_back(next);
                discs.push_back(more);
                if (mine.size() * 2 > seen.table.size())
                    seen.grow();
            }
        }
    }
    *bytes = long(sizeof(u64) * (mine.capacity() + discs.capacity() + seen.table.size()));
    return long(mine.size());
}

// Alpha-beta with a table of one entry for each slot: columns from the middle, wins and forced moves first.
struct Search {
    enum Kept : signed char { LOST = -2, AT_MOST_DRAWN = -1, DRAWN = 0, AT_LEAST_DRAWN = 1, WON = 2 };

    Frame frame;
    std::vector<u64> key;
    std::vector<signed char> kept;
    int order[16];
    long positions = 0;

    Search(int width, int height, int log_entries)
        : frame(width, height), key(1ULL << log_entries, 0), kept(1ULL << log_entries, 0) {
        for (int i = 0; i < width; i++)
            order[i] = width / 2 + ((i & 1) ? -(i + 1) / 2 : i / 2);
    }

    // 1, 0 or -1 for the player to move, as far as it lies between alpha and beta.
    int value(u64 mine, u64 discs, int alpha, int beta) {
        positions++;
        if (discs == frame.board)
            return 0;
        u64 open = (discs + frame.bottom) & frame.board, theirs = mine ^ discs, forced = 0;
        for (u64 left = open; left; left &= left - 1) {
            u64 put = left & -left;
            if (frame.has_line(mine | put))
                return 1;
            if (frame.has_line(theirs | put))
                forced |= put;
        }
        if (forced) {
            if (forced & (forced - 1))
                return -1;
            open = forced;
        }
        u64 word = mine + discs + frame.bottom;
        size_t slot = (word * 0x9E3779B97F4A7C15ULL) >> 24 & (key.size() - 1);
        if (key[slot] == word) {
            switch (kept[slot]) {
            case DRAWN:
                return 0;
            case AT_LEAST_DRAWN:
                alpha = std::max(alpha, 0);
                if (alpha >= beta)
                    return alpha;
                break;
            case AT_MOST_DRAWN:
                beta = std::min(beta, 0);
                if (alpha >= beta)
                    return beta;
                break;
            default:
                return kept[slot] > 0 ? 1 : -1;
            }
        }
        int best = -2, before = alpha;
        u64 column = (1ULL << frame.height) - 1;
        for (int i = 0; i < frame.width; i++) {
            u64 put = open & (column << (order[i] * frame.column));
            if (!put)
                continue;
            int found = -value(theirs, discs | put, -beta, -alpha);
            if (found > best) {
                best = found;
                alpha = std::max(alpha, found);
                if (alpha >= beta)
                    break;
            }
        }
        key[slot] = word;
        if (best == 1)
            kept[slot] = WON;
        else if (best == -1)
            kept[slot] = LOST;
        else
            kept[slot] = best >= beta ? AT_LEAST_DRAWN : best <= before ? AT_MOST_DRAWN : DRAWN;
        return best;
    }
};

// What best play comes to for the first player: 1, 0 or -1; *positions that the search entered.
extern "C" int connect_four_solve(int width, int height, int log_entries, long *positions) {
    Search search(width, height, log_entries);
    int found = search.value(0, 0, -1, 1);
    *positions = search.positions;
    return found;
}

} // namespace connect_four
