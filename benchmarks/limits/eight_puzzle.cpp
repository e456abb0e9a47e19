// The eight puzzle: four bits for each place, bit 60 set so that no position is the word 0.
#include <vector>

#include "common.hpp"

namespace eight_puzzle {

static const int ENTRIES = 1 << 19, SHIFT = 45;

// How many positions a breadth-first search finds; *bytes of memory for them.
extern "C" long eight_puzzle_explore(long *bytes) {
    std::vector<u64> found, table(ENTRIES, 0);
    auto add = [&](u64 position) {
        u64 i = (position * 0x9E3779B97F4A7C15ULL >> SHIFT) & (ENTRIES - 1);
        while (table[i] && table[i] != position)
            i = (i + 1) & (ENTRIES - 1);
        if (table[i])
            return;
        table[i] = position;
        found.push_back(position);
    };
    u64 start = 1ULL << 60;
    for (int i = 0; i < 9; i++)
        start |= u64((i + 1) % 9) << (4 * i);
    add(start);
    for (size_t i = 0; i < found.size(); i++) {
        u64 position = found[i];
        int gap = 0;
        while (position >> (4 * gap) & 15)
            gap++;
        auto slide = [&](bool can, int from) {
            if (!can)
                return;
            u64 tile = position >> (4 * from) & 15;
            add((position & ~(15ULL << (4 * from))) | tile << (4 * gap));
        };
        slide(gap % 3 != 0, gap - 1);
        slide(gap % 3 != 2, gap + 1);
        slide(gap >= 3, gap - 3);
        slide(gap <= 5, gap + 3);
    }
    *bytes = long(sizeof(u64) * (found.capacity() + table.size()));
    return long(found.size());
}

} // namespace eight_puzzle
