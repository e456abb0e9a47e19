// Smith for two: a bit for each card, rank by rank; the pyramid's active cards are kept up to date.
#include <algorithm>
#include <cstring>

#include "common.hpp"

namespace smith {

static const int ROWS = 7, SPOTS = 28, CARDS = 52, SUITS = 4, LOW_RANKS = 6;
static const int HAND = 6;
static const u64 KINGS = 15ULL << 48;

struct Pyramid {
    signed char above[SPOTS][2]; // the one or two spots that a spot covers
    signed char below[SPOTS];    // the left one of the two that cover it

    Pyramid() {
        int spot = 0;
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column <= row; column++, spot++) {
                above[spot][0] = column > 0 ? (signed char)(spot - row - 1) : -1;
                above[spot][1] = column < row ? (signed char)(spot - row) : -1;
                below[spot] = row + 1 < ROWS ? (signed char)(spot + row + 1) : -1;
            }
        }
    }
};
static const Pyramid pyramid;

struct Game {
    unsigned char card[SPOTS];
    signed char spot[CARDS];
    u32 present;
    u64 active, hand[2], aside[2];
    int collected[2], mover;

    explicit Game(const unsigned char *deal) {
        memcpy(card, deal, SPOTS);
        memset(spot, -1, sizeof spot);
        present = (1u << SPOTS) - 1;
        active = 0;
        for (int s = 0; s < SPOTS; s++) {
            spot[card[s]] = (signed char)s;
            if (s >= SPOTS - ROWS)
                active |= 1ULL << card[s];
        }
        const unsigned char *next = deal + SPOTS;
        for (int player = 0; player < 2; player++) {
            hand[player] = aside[player] = 0;
            for (int i = 0; i < HAND; i++)
                hand[player] |= 1ULL << *next++;
            for (int i = 0; i < HAND; i++)
                aside[player] |= 1ULL << *next++;
        }
        collected[0] = collected[1] = mover = 0;
    }

    inline u64 reach() const { return hand[mover] | active; }

    static inline u64 of_rank(u64 cards, int rank) { return cards >> (SUITS * rank) & 15; }

    int pairs() const {
        int pairs = 0;
        u64 cards = reach();
        for (int rank = 0; rank < LOW_RANKS; rank++)
            pairs += count(of_rank(cards, rank)) * count(of_rank(cards, 11 - rank));
        return pairs;
    }

    int actions() const { return pairs() + count(reach() & KINGS) + count(active); }

    inline void lift(int c) {
        int s = spot[c];
        if (s < 0)
            return;
        spot[c] = -1;
        present &= ~(1u << s);
        active &= ~(1ULL << c);
        for (int other : pyramid.above[s])
            if (other >= 0 && !(present >> pyramid.below[other] & 3))
                active |= 1ULL << card[other];
    }

    inline void collect(int c) {
        lift(c);
        hand[mover] &= ~(1ULL << c);
        collected[mover]++;
    }

    // Play the action of this number; whether the game is over.
    bool play(int action) {
        bool again = false;
        u64 cards = reach(), kings = cards & KINGS;
        int all = pairs(), singles = count(kings);
        if (action < all) {
            for (int rank = 0;; rank++) {
                u64 low = of_rank(cards, rank), high = of_rank(cards, 11 - rank);
                int these = count(low) * count(high);
                if (action >= these) {
                    action -= these;
                    continue;
                }
                int a = lowest(kth_bit(low, action / count(high))), b = lowest(kth_bit(high, action % count(high)));
                collect(SUITS * rank + a);
                collect(SUITS * (11 - rank) + b);
                again = a == b;
                break;
            }
        } else if (action < all + singles) {
            collect(lowest(kth_bit(kings, action - all)));
        } else {
            int c = lowest(kth_bit(active, action - all - singles));
            lift(c);
            hand[mover] |= 1ULL << c;
        }
        if (!hand[mover] && aside[mover]) {
            for (int player = 0; player < 2; player++) {
                hand[player] |= aside[player];
                aside[player] = 0;
            }
        }
        if (!hand[mover] || !present)
            return true;
        if (!again)
            mover ^= 1;
        return false;
    }

    // Of several players with the most cards the one who ended the game wins.
    bool first_won() const { return collected[0] > collected[1] || (collected[0] == collected[1] && mover == 0); }
};

extern "C" long smith_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    unsigned char deck[CARDS];
    for (int i = 0; i < CARDS; i++)
        deck[i] = (unsigned char)i;
    for (long number = 0; number < games; number++) {
        for (int i = 0; i < CARDS - 1; i++)
            std::swap(deck[i], deck[i + random.below(CARDS - i)]);
        Game game(deck);
        do
            played++;
        while (!game.play(random.below(game.actions())));
        first_won += game.first_won();
    }
    *plies = played;
    return first_won;
}

static long sequences(const Game &game, int depth) {
    int actions = game.actions();
    if (depth == 1)
        return actions;
    long found = 0;
    for (int action = 0; action < actions; action++) {
        Game after = game;
        if (!after.play(action))
            found += sequences(after, depth - 1);
    }
    return found;
}

// The deal: the cards of the pyramid by rows, then of each player the hand and what is laid aside.
extern "C" long smith_perft(int depth, const unsigned char *deal) {
    return sequences(Game(deal), depth);
}

} // namespace smith
