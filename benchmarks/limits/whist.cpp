// Whist for four: a bit for each card, sixteen bits for each suit.
#include <algorithm>

#include "common.hpp"

namespace whist {

static const int CARDS = 52, RANKS = 13, PLAYERS = 4;
static const u64 SUIT = (1ULL << RANKS) - 1;

static inline u64 bit(int card) {
    return 1ULL << (card / RANKS * 16 + card % RANKS);
}

struct Game {
    u64 hand[PLAYERS] = {}, led = 0; // `led` has all cards of the suit that was led
    u64 trumps;
    int mover = 0, best = 0, taker = 0, cards = 0, tricks[2] = {};

    explicit Game(const unsigned char *deal) : trumps(SUIT << (deal[CARDS - 1] / RANKS * 16)) {
        for (int i = 0; i < CARDS; i++)
            hand[i % PLAYERS] |= bit(deal[i]);
    }

    inline u64 actions() const {
        u64 follow = hand[mover] & led;
        return follow ? follow : hand[mover];
    }

    // Play a card; whether the game is over.
    inline bool play(u64 card) {
        int place = lowest(card);
        hand[mover] &= ~card;
        if (!led)
            led = SUIT << (place & ~15);
        int strength = 1 + (place & 15) + (card & trumps ? RANKS : 0);
        if ((card & (led | trumps)) && strength > best) {
            best = strength;
            taker = mover;
        }
        cards++;
        if (cards % PLAYERS) {
            mover = (mover + 1) % PLAYERS;
            return false;
        }
        tricks[taker & 1]++;
        mover = taker;
        led = 0;
        best = 0;
        return cards == CARDS;
    }
};

extern "C" long whist_play(long games, long seed, long *plies) {
    Random random(seed);
    long first_won = 0;
    unsigned char deck[CARDS];
    for (int i = 0; i < CARDS; i++)
        deck[i] = (unsigned char)i;
    for (long number = 0; number < games; number++) {
        for (int i = 0; i < CARDS - 1; i++)
            std::swap(deck[i], deck[i + random.below(CARDS - i)]);
        Game game(deck);
        for (;;) {
            u64 cards = game.actions();
            if (game.play(kth_bit(cards, random.below(count(cards)))))
                break;
        }
        first_won += game.tricks[0] > game.tricks[1];
    }
    *plies = games * CARDS;
    return first_won;
}

static long sequences(const Game &game, int depth) {
    u64 cards = game.actions();
    if (depth == 1)
        return count(cards);
    long found = 0;
    for (; cards; cards &= cards - 1) {
        Game after = game;
        if (!after.play(cards & -cards))
            found += sequences(after, depth - 1);
    }
    return found;
}

// The deal: the cards in the order in which they are dealt, suit by suit numbered from the lowest.
extern "C" long whist_perft(int depth, const unsigned char *deal) {
    return sequences(Game(deal), depth);
}

} // namespace whist
