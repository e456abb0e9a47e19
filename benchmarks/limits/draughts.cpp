// English draughts, one bit for each square of 8x8: the player to move always goes up, and the board is
// turned after each ply.
#include "common.hpp"

namespace draughts {

static const u64 DARK = 0xAA55AA55AA55AA55ULL, TOP = 0xff00000000000000ULL;
static const u64 NOT_LEFT = 0xfefefefefefefefeULL, NOT_RIGHT = 0x7f7f7f7f7f7f7f7fULL;
// Without two columns: a jump goes over one and lands on the other.
static const u64 LEFT_FREE = 0xfcfcfcfcfcfcfcfcULL, RIGHT_FREE = 0x3f3f3f3f3f3f3f3fULL;
static const int MOST_MOVES = 256, QUIET = 80;

struct Board {
    u64 mine, theirs, kings;
    int quiet;
};

static const Board START{DARK & 0xffffffULL, DARK & (0xffffffULL << 40), 0, 0};

struct Move {
    u64 from, to, taken;
};

static inline u64 turned(u64 word) {
    word = __builtin_bswap64(word);
    word = (word >> 1 & 0x5555555555555555ULL) | (word & 0x5555555555555555ULL) << 1;
    word = (word >> 2 & 0x3333333333333333ULL) | (word & 0x3333333333333333ULL) << 2;
    return (word >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (word & 0x0f0f0f0f0f0f0f0fULL) << 4;
}

// The pieces that can jump.
static inline u64 jumpers(const Board &board) {
    u64 empty = ~(board.mine | board.theirs) & DARK, kings = board.mine & board.kings;
    u64 found = ((empty & LEFT_FREE) >> 18) & (board.theirs >> 9) & board.mine;
    found |= ((empty & RIGHT_FREE) >> 14) & (board.theirs >> 7) & board.mine;
    if (kings) {
        found |= ((empty & LEFT_FREE) << 14) & (board.theirs << 7) & kings;
        found |= ((empty & RIGHT_FREE) << 18) & (board.theirs << 9) & kings;
    }
    return found;
}

// Write down every way to jump on from `at`; a man that reaches the last row jumps no further.
static void jumps(const Board &board, u64 from, u64 at, u64 taken, bool king, Move *moves, int &n) {
    bool more = false;
    u64 empty = (~(board.mine | board.theirs) | from) & DARK;
    auto over = [&](u64 man, u64 to) {
        if (!(man & board.theirs & ~taken) || !(to & empty))
            return;
        more = true;
        if (!king && (to & TOP))
            moves[n++] = {from, to, taken | man};
        else
            jumps(board, from, to, taken | man, king, moves, n);
    };
    over((at & NOT_RIGHT) << 9, (at & RIGHT_FREE) << 18);
    over((at & NOT_LEFT) << 7, (at & LEFT_FREE) << 14);
    if (king) {
        over((at & NOT_RIGHT) >> 7, (at & RIGHT_FREE) >> 14);
        over((at & NOT_LEFT) >> 9, (at & LEFT_FREE) >> 18);
    }
    if (!more && taken)
        moves[n++] = {from, at, taken};
}

// Where a piece can step to, by direction.
struct Steps {
    u64 up_right, up_left, down_left, down_right;
};

static inline Steps steps(const Board &board) {
    u64 empty = ~(board.mine | board.theirs) & DARK, kings = board.mine & board.kings;
    return {((board.mine & NOT_RIGHT) << 9) & empty, ((board.mine & NOT_LEFT) << 7) & empty,
            ((kings & NOT_LEFT) >> 9) & empty, ((kings & NOT_RIGHT) >> 7) & empty};
}

// Write down every legal move; how many.
static inline int legal(const Board &board, Move *moves) {
    int n = 0;
    if (u64 left = jumpers(board)) {
        for (; left; left &= left - 1) {
            u64 from = left & -left;
            jumps(board, from, from, 0, (from & board.kings) != 0, moves, n);
        }
        return n;
    }
    Steps to = steps(board);
    for (u64 left = to.up_right; left; left &= left - 1)
        moves[n++] = {(left & -left) >> 9, left & -left, 0};
    for (u64 left = to.up_left; left; left &= left - 1)
        moves[n++] = {(left & -left) >> 7, left & -left, 0};
    for (u64 left = to.down_left; left; left &= left - 1)
        moves[n++] = {(left & -left) << 9, left & -left, 0};
    for (u64 left = to.down_right; left; left &= left - 1)
        moves[n++] = {(left & -left) << 7, left & -left, 0};
    return n;
}

static inline int legal_count(const Board &board) {
    if (jumpers(board)) {
        Move moves[MOST_MOVES];
        return legal(board, moves);
    }
    Steps to = steps(board);
    return count(to.up_right) + count(to.up_left) + count(to.down_left) + count(to.down_right);
}

static inline Board after(const Board &board, const Move &move) {
    Board next = board;
    bool king = (board.kings & move.from) != 0;
    u64 mine = (board.mine & ~move.from) | move.to, theirs = board.theirs & ~move.taken;
    next.kings = board.kings & ~move.from & ~move.taken;
    if (king || (move.to & TOP))
        next.kings |= move.to;
    next.quiet = (move.taken || !king) ? 0 : board.quiet + 1;
    next.mine = turned(theirs);
    next.theirs = turned(mine);
    next.kings = turned(next.kings);
    return next;
}

extern "C" long draughts_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    Move moves[MOST_MOVES];
    for (long game = 0; game < games; game++) {
        Board board = START;
        long before = played;
        for (;;) {
            int n = legal(board, moves);
            if (!n) {
                first_won += (played - before) & 1;
                break;
            }
            board = after(board, moves[random.below(n)]);
            played++;
            if (board.quiet >= QUIET)
                break;
        }
    }
    *plies = played;
    return first_won;
}

static long sequences(const Board &board, int depth) {
    if (depth == 1)
        return legal_count(board);
    Move moves[MOST_MOVES];
    int n = legal(board, moves);
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += sequences(after(board, moves[i]), depth - 1);
    return sum;
}

extern "C" long draughts_perft(int depth) {
    return sequences(START, depth);
}

} // namespace draughts
