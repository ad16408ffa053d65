/* The tiles of every size, and panels made of them: see gemm_tile_internal.h. */
#include "kernel/gemm_tile_internal.h"

/* n tiles below each other. */
#define DEFINE_TILES(rows, vectors)                                                          \
    static void tiles_##rows##_##vectors(const struct tile *first, size_t n, size_t columns) \
    {                                                                                        \
        struct tile tile = *first;                                                           \
        for (size_t i = 0; i < n; i++, tile.a += tile.a_tile, tile.c += (rows)*tile.c_row)   \
            tile_multiply(&tile, rows, vectors, columns);                                    \
    }
#if KERNEL_LANES == 16 || defined(__aarch64__)
#define FOR_EACH_WIDTH(DO, rows) DO(rows, 1) DO(rows, 2) DO(rows, 3) DO(rows, 4)
#else
#define FOR_EACH_WIDTH(DO, rows) DO(rows, 1) DO(rows, 2)
#endif
#define FOR_EACH_TILE(DO) \
    FOR_EACH_WIDTH(DO, 1) \
    FOR_EACH_WIDTH(DO, 2) \
    FOR_EACH_WIDTH(DO, 3) FOR_EACH_WIDTH(DO, 4) FOR_EACH_WIDTH(DO, 5) FOR_EACH_WIDTH(DO, 6)
FOR_EACH_TILE(DEFINE_TILES)

typedef void tiles_function(const struct tile *first, size_t n, size_t columns);
#define TILES_ENTRY(rows, vectors) [rows][vectors] = tiles_##rows##_##vectors,
static tiles_function *const tiles[TILE_ROWS + 1][TILE_VECTORS + 1] = {FOR_EACH_TILE(TILES_ENTRY)};

void KERNEL(panel_multiply)(const struct tile *panel, size_t rows, size_t columns)
{
    size_t vectors = (columns + KERNEL_LANES - 1) / KERNEL_LANES;
    size_t whole = rows / TILE_ROWS, rest = rows % TILE_ROWS;
    tiles[TILE_ROWS][vectors](panel, whole, columns);
    if (rest > 0) {
        struct tile last = *panel;
        last.a += (ptrdiff_t)whole * panel->a_tile;
        last.c += (ptrdiff_t)(whole * TILE_ROWS) * panel->c_row;
        tiles[rest][vectors](&last, 1, columns);
    }
}
