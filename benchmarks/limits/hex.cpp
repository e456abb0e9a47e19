// Hex on 11x11: cells in an order that is shuffled on the way, joined in sets (union-find).
#include <algorithm>
#include <cstring>

#include "common.hpp"

namespace hex {

static const int SIDE = 11, STRIDE = SIDE + 2, SQUARES = STRIDE * STRIDE;
static const int AROUND[] = {1, -1, STRIDE, -STRIDE, STRIDE - 1, -STRIDE + 1};
// The edges of the board, a frame of cells of which each edge is one set from the start.
static const int TOP = 0, BOTTOM = SQUARES - 1, LEFT = STRIDE, RIGHT = 2 * STRIDE - 1;

struct Start {
    unsigned char stones[SQUARES];
    short cells[SIDE * SIDE];

    Start() {
        int k = 0;
        for (int i = 0; i < SQUARES; i++) {
            int y = i / STRIDE, x = i % STRIDE;
            stones[i] = y == 0 || y == STRIDE - 1 ? 1 : x == 0 || x == STRIDE - 1 ? 2 : 0;
            if (!stones[i])
                cells[k++] = short(i);
        }
    }
};
static const Start start;

struct Board {
    unsigned char stones[SQUARES];
    short parent[SQUARES], cells[SIDE * SIDE];

    Board() {
        memcpy(stones, start.stones, sizeof stones);
        memcpy(cells, start.cells, sizeof cells);
        for (int i = 0; i < SQUARES; i++) {
            int y = i / STRIDE, x = i % STRIDE;
            bool top = y == 0, bottom = y == STRIDE - 1, left = x == 0, right = x == STRIDE - 1;
            parent[i] = short(top ? TOP : bottom ? BOTTOM : left ? LEFT : right ? RIGHT : i);
        }
    }

    inline int root(int cell) {
        while (parent[cell] != cell) {
            parent[cell] = parent[parent[cell]];
            cell = parent[cell];
        }
        return cell;
    }

    inline void join(int cell, int other) {
        int a = root(cell), b = root(other), least = std::min(a, b), most = std::max(a, b);
        if (a != b)
            parent[most] = short(least);
    }
};

extern "C" long hex_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        Board board;
        for (int i = 0; i < SIDE * SIDE; i++) {
            int j = i + random.below(SIDE * SIDE - i);
            int cell = board.cells[j];
            board.cells[j] = board.cells[i];
            int player = 1 + (i & 1);
            board.stones[cell] = (unsigned char)player;
            played++;
            for (int step : AROUND)
                if (board.stones[cell + step] == player)
                    board.join(cell, cell + step);
            if (player == 1 ? board.root(TOP) == board.root(BOTTOM) : board.root(LEFT) == board.root(RIGHT)) {
                first_won += player == 1;
                break;
            }
        }
    }
    *plies = played;
    return first_won;
}

} // namespace hex
