/* The tiles of every size, and panels made of them: see gemm_tile.h. */
#include "kernel/gemm_tile.h"

#define DEFINE_TILE(rows, vectors)                                               \
    static void tile_##rows##_##vectors(const struct tile *tile, size_t columns) \
    {                                                                            \
        tile_multiply(tile, rows, vectors, columns);                             \
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
FOR_EACH_TILE(DEFINE_TILE)

typedef void tile_function(const struct tile *tile, size_t columns);
#define TILE_ENTRY(rows, vectors) [rows][vectors] = tile_##rows##_##vectors,
static tile_function *const tiles[TILE_ROWS + 1][TILE_VECTORS + 1] = {FOR_EACH_TILE(TILE_ENTRY)};

void KERNEL(panel_multiply)(const struct tile *panel, size_t rows, size_t columns)
{
    size_t vectors = (columns + KERNEL_LANES - 1) / KERNEL_LANES;
    struct tile tile = *panel;
    for (size_t i = 0; i < rows; i += TILE_ROWS) {
        size_t n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
        tile.a = panel->a + (ptrdiff_t)(i / TILE_ROWS) * panel->a_tile;
        tile.c = panel->c + (ptrdiff_t)i * panel->c_row;
        tiles[n][vectors](&tile, columns);
    }
}
