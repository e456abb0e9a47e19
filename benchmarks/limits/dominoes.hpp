// A set of 28 dominoes, numbered from 0-0 over 0-1 to 6-6.
#pragma once

#include <utility>

#include "common.hpp"

static const int DOMINOES = 28;
static const u32 ALL = (1u << DOMINOES) - 1;
static const u32 DOUBLES = 1u << 0 | 1u << 7 | 1u << 13 | 1u << 18 | 1u << 22 | 1u << 25 | 1u << 27;

struct Halves {
    signed char low[DOMINOES], high[DOMINOES];

    Halves() {
        int k = 0;
        for (signed char a = 0; a < 7; a++)
            for (signed char b = a; b < 7; b++) {
                low[k] = a;
                high[k++] = b;
            }
    }
};
static const Halves halves;

// Shuffle from the front on.
static inline void shuffle(unsigned char *pile, Random &random) {
    for (int i = 0; i < DOMINOES; i++)
        pile[i] = (unsigned char)i;
    for (int i = 0; i < DOMINOES; i++)
        std::swap(pile[i], pile[i + random.below(DOMINOES - i)]);
}
