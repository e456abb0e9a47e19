// Nine men's morris: point 8 * ring + place, places clockwise, the odd ones in the middle of a side.
#include "common.hpp"

namespace nine_mens_morris {

static const u32 POINTS = 0xffffff;
static const int MEN = 9, FLYING = 3, QUIET = 50;

struct Graph {
    u32 beside[24], mills[24][2];

    Graph() {
        for (int ring = 0; ring < 3; ring++) {
            for (int place = 0; place < 8; place++) {
                int point = ring * 8 + place;
                auto bit = [&](int other) { return 1u << (ring * 8 + (other + 8) % 8); };
                beside[point] = bit(place + 1) | bit(place - 1);
                if (place & 1) {
                    if (ring > 0)
                        beside[point] |= 1u << (point - 8);
                    if (ring < 2)
                        beside[point] |= 1u << (point + 8);
                    mills[point][0] = bit(place - 1) | bit(place) | bit(place + 1);
                    mills[point][1] = 1u << place | 1u << (8 + place) | 1u << (16 + place);
                } else {
                    mills[point][0] = bit(place) | bit(place + 1) | bit(place + 2);
                    mills[point][1] = bit(place) | bit(place - 1) | bit(place - 2);
                }
            }
        }
    }
};
static const Graph graph;

static inline bool in_mill(u32 men, int point) {
    const u32 *mills = graph.mills[point];
    return (men & mills[0]) == mills[0] || (men & mills[1]) == mills[1];
}

// The men that stand in no mill, or all where every one does.
static inline u32 removable(u32 men) {
    u32 free = 0;
    for (u32 left = men; left; left &= left - 1)
        if (!in_mill(men, lowest(left)))
            free |= left & -left;
    return free ? free : men;
}

// Move a random man; the point that it comes to, or -1 where none can move.
static inline int move(u32 &men, u32 empty, Random &random) {
    int ways = 0, room = count(empty);
    bool flies = count(men) <= FLYING;
    if (flies)
        ways = count(men) * room;
    else
        for (u32 left = men; left; left &= left - 1)
            ways += count(graph.beside[lowest(left)] & empty);
    if (!ways)
        return -1;
    int chosen = random.below(ways);
    u32 from, to;
    if (flies) {
        from = u32(kth_bit(men, chosen / room));
        to = u32(kth_bit(empty, chosen % room));
    } else {
        u32 left = men;
        for (;; left &= left - 1) {
            int here = count(graph.beside[lowest(left)] & empty);
            if (chosen < here)
                break;
            chosen -= here;
        }
        from = left & -left;
        to = u32(kth_bit(graph.beside[lowest(from)] & empty, chosen));
    }
    men ^= from | to;
    return lowest(to);
}

extern "C" long nine_mens_morris_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        u32 men[2] = {0, 0};
        int hand[2] = {MEN, MEN}, mover = 0, quiet = 0;
        for (;;) {
            u32 empty = POINTS & ~(men[0] | men[1]);
            int to;
            if (hand[mover]) {
                u32 put = u32(kth_bit(empty, random.below(count(empty))));
                to = lowest(put);
                men[mover] |= put;
                hand[mover]--;
            } else {
                to = move(men[mover], empty, random);
                if (to < 0) {
                    first_won += mover == 1;
                    break;
                }
            }
            played++;
            int other = 1 - mover;
            bool mill = in_mill(men[mover], to);
            quiet = (mill || hand[mover]) ? 0 : quiet + 1;
            if (mill) {
                u32 choice = removable(men[other]);
                if (choice) {
                    men[other] ^= u32(kth_bit(choice, random.below(count(choice))));
                    played++;
                }
            }
            if (!hand[other] && count(men[other]) < 3) {
                first_won += mover == 0;
                break;
            }
            if (quiet >= QUIET)
                break;
            mover = other;
        }
    }
    *plies = played;
    return first_won;
}

} // namespace nine_mens_morris
