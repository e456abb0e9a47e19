// Random numbers and words of bits, as all yardsticks use them.
#pragma once

#include <cstdint>
#include <immintrin.h>

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Random numbers: xorshift128+ (Vigna 2017).
struct Random {
    u64 a, b;

    explicit Random(u64 seed) : a(seed * 0x9E3779B97F4A7C15ULL + 1), b(seed ^ 0xD1B54A32D192ED03ULL) {
        for (int i = 0; i < 8; i++)
            next();
    }

    inline u64 next() {
        u64 x = a, y = b;
        a = y;
        x ^= x << 23;
        b = x ^ y ^ (x >> 17) ^ (y >> 26);
        return b + y;
    }

    // A number from 0 to n - 1.
    inline u32 below(u32 n) { return u32(((next() >> 32) * u64(n)) >> 32); }
};

static inline int count(u64 word) {
    return __builtin_popcountll(word);
}

// The place of the lowest bit of a word that is not 0.
static inline int lowest(u64 word) {
    return __builtin_ctzll(word);
}

// The k-th bit of a word, counted from 0.
static inline u64 kth_bit(u64 word, int k) {
    return _pdep_u64(1ULL << k, word);
}
