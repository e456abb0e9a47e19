// The market for two: cards of a kind are alike, a deck is an array of kinds.
#include <algorithm>

#include "common.hpp"

namespace market {

static const int KINDS = 5, COPIES = 10, HAND = 5, TURNS = 40, MOST = 80, FIRST = 10;
enum { COPPER, SILVER, GOLD, HOUSE, CASTLE };
static const int COINS[KINDS] = {1, 2, 3, 0, 0}, PRICE[KINDS] = {0, 3, 4, 2, 5}, POINTS[KINDS] = {0, 0, 0, 1, 6};
static const unsigned char BEGINNING[FIRST] = {COPPER, COPPER, COPPER, COPPER, COPPER,
                                               COPPER, COPPER, HOUSE,  HOUSE,  HOUSE};

struct Player {
    unsigned char deck[MOST], hand[HAND], discarded[MOST];
    int left = 0, thrown = 0, points = 3;

    inline void discard(int kind) { discarded[thrown++] = (unsigned char)kind; }

    inline void shuffle(Random &random) {
        for (int i = 0; i < thrown; i++) {
            int j = random.below(i + 1);
            deck[i] = deck[j];
            deck[j] = discarded[i];
        }
        left = thrown;
        thrown = 0;
    }

    inline void draw(Random &random) {
        for (int i = 0; i < HAND; i++) {
            if (!left)
                shuffle(random);
            hand[i] = deck[--left];
        }
    }
};

struct Game {
    Player players[2];
    int supply[KINDS] = {COPIES, COPIES, COPIES, COPIES, COPIES}, mover = 0, plies = 0;

    // The kinds that can be bought, as bits.
    inline u32 purchases() const {
        int purse = 0;
        u32 kinds = 0;
        for (unsigned char kind : players[mover].hand)
            purse += COINS[kind];
        for (int kind = 0; kind < KINDS; kind++)
            kinds |= u32(supply[kind] && PRICE[kind] <= purse) << kind;
        return kinds;
    }

    // Buy a kind, or nothing if it is below 0; whether the game is over.
    inline bool play(int kind, Random &random) {
        Player &player = players[mover];
        if (kind >= 0) {
            supply[kind]--;
            player.points += POINTS[kind];
            player.discard(kind);
        }
        for (unsigned char held : player.hand)
            player.discard(held);
        player.draw(random);
        mover ^= 1;
        return !supply[CASTLE] || ++plies == 2 * TURNS;
    }
};

extern "C" long market_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long number = 0; number < games; number++) {
        Game game;
        for (Player &player : game.players) {
            for (unsigned char kind : BEGINNING)
                player.discard(kind);
            player.draw(random);
        }
        for (bool over = false; !over; played++) {
            u32 kinds = game.purchases();
            int all = count(kinds), chosen = random.below(all + 1);
            over = game.play(chosen == all ? -1 : lowest(kth_bit(kinds, chosen)), random);
        }
        first_won += game.players[0].points >= game.players[1].points;
    }
    *plies = played;
    return first_won;
}

static long sequences(const Game &game, int depth, Random &random) {
    u32 kinds = game.purchases();
    if (depth == 1)
        return count(kinds) + 1;
    long found = 0;
    for (;; kinds &= kinds - 1) {
        Game after = game;
        if (!after.play(kinds ? lowest(kinds) : -1, random))
            found += sequences(after, depth - 1, random);
        if (!kinds)
            return found;
    }
}

// The deal: of each player the hand and then the deck from its top. It holds until a deck is shuffled again.
extern "C" long market_perft(int depth, const unsigned char *deal) {
    Game game;
    Random random(1);
    for (Player &player : game.players) {
        std::copy(deal, deal + HAND, player.hand);
        std::reverse_copy(deal + HAND, deal + FIRST, player.deck);
        player.left = FIRST - HAND;
        deal += FIRST;
    }
    return sequences(game, depth, random);
}

} // namespace market
