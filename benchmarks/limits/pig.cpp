// Pig to a hundred points: a coin decides between another roll and a hold, where both are legal.
#include "common.hpp"

namespace pig {

static const int GOAL = 100;

extern "C" long pig_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        int points[2] = {0, 0}, mover = 0, turn = 0;
        for (;;) {
            played++;
            if (turn && (points[mover] + turn >= GOAL || random.next() >> 63)) {
                points[mover] += turn;
                turn = 0;
                if (points[mover] >= GOAL) {
                    first_won += mover == 0;
                    break;
                }
                mover ^= 1;
            } else {
                int die = 1 + random.below(6);
                if (die == 1) {
                    turn = 0;
                    mover ^= 1;
                } else {
                    turn += die;
                }
            }
        }
    }
    *plies = played;
    return first_won;
}

} // namespace pig
