/* A matrix product in blocks: see gemm_internal.h. A block of b is packed into panels as wide as a
 * tile, so that its numbers are read one after the other; a is read in place if its rows or its
 * columns are dense. */
#include "kernel/kernel_internal.h"

#include "kernel/gemm_few_internal.h"
#include "kernel/gemm_tile_internal.h"
#include "kernel/transpose_internal.h"
#include "kernel/vector_products_internal.h"

/* A block of the inner size, so that a panel of b stays in the nearest caches, and a panel of
 * AVX-512 is the widest; rows of a block of a and columns of a block of b, so that they stay in the
 * next. */
enum { BLOCK_K = KERNEL_LANES == 16 ? 256 : 384, BLOCK_M = 96, BLOCK_N = 1024 };

/* b is read in place if its rows are dense and it is used too seldom to pay for a copy; only the
 * last columns are copied, if they fill no vector. */
static bool reads_b_in_place(const struct gemm *gemm)
{
    enum { SELDOM = 5 * BLOCK_M };
    return gemm->b_column == 1 && gemm->m <= SELDOM;
}

/* A column c as a row: b as a row times rows that are the columns of a. */
static struct gemm with_row(const struct gemm *gemm)
{
    if (gemm->n != 1 || gemm->m == 1 || gemm->c_row != 1)
        return *gemm;
    return (struct gemm){.m = 1,
                         .n = gemm->m,
                         .k = gemm->k,
                         .a = gemm->b,
                         .a_column = gemm->b_row,
                         .b = gemm->a,
                         .b_row = gemm->a_column,
                         .b_column = gemm->a_row,
                         .c = gemm->c,
                         .add = gemm->add};
}

/* Whether nothing has to be copied: *ret is the product as it is done then. */
static bool is_direct(const struct gemm *gemm, struct gemm *ret)
{
    *ret = with_row(gemm);
    return is_few_rows(ret);
}

/* a is copied when there is so much to do with each of its numbers that it pays to have those of a
 * tile next to each other; and when neither its rows nor its columns are dense. */
static bool packs_a(const struct gemm *gemm)
{
    bool dense = gemm->a_column == 1 || gemm->a_row == 1;
    return !dense || (gemm->n > 2 * TILE_COLUMNS && gemm->m > TILE_ROWS);
}

/* From a row of a copy of a (m, k) to the next, where rows stay rows: so many numbers that rows of
 * a tile don't fall into the same places of a cache. */
static size_t a_row_of(size_t k)
{
    return k + 16;
}

/* Floats of room for copies of a block (k, n) of b. */
static size_t room_of_b(const struct gemm *gemm, size_t k, size_t n)
{
    if (reads_b_in_place(gemm))
        return gemm->n % KERNEL_LANES == 0 ? 0 : k * TILE_COLUMNS;
    return k * whole_vectors(n);
}

size_t KERNEL(gemm_room)(const struct gemm *gemm)
{
    struct gemm direct;
    if (is_direct(gemm, &direct))
        return 0;
    size_t k = least(gemm->k, BLOCK_K), m = (least(gemm->m, BLOCK_M) + TILE_ROWS - 1) / TILE_ROWS;
    size_t a = packs_a(gemm) ? a_row_of(k) * m * TILE_ROWS : 0;
    return a + room_of_b(gemm, k, least(gemm->n, BLOCK_N));
}

/* A block of b as panels of TILE_COLUMNS columns (the last may have fewer vectors), filled up with
 * zeros. Where rows are dense, a few of them for all panels at a time: memory is read in their
 * order. */
static void pack_b(const struct gemm *gemm, size_t p, size_t k, size_t j, size_t n, float *room)
{
    enum { ROWS_AT_ONCE = 8 };
    size_t each = gemm->b_column == 1 ? ROWS_AT_ONCE : k;
    for (size_t row = 0; row < k; row += each)
        for (size_t at = 0; at < n; at += TILE_COLUMNS) {
            size_t columns = least(n - at, TILE_COLUMNS), width = whole_vectors(columns);
            const float *from =
                gemm->b + (ptrdiff_t)(p + row) * gemm->b_row + (ptrdiff_t)(j + at) * gemm->b_column;
            pack_rows(from, gemm->b_row, gemm->b_column, least(k - row, each), columns,
                      room + at * k + row * width, width);
        }
}

/* m rows of a (m, k) whose rows are dense. */
static void copy_rows(const float *from, ptrdiff_t row, size_t m, size_t k, float *to)
{
    for (size_t i = 0; i < m; i++)
        memcpy(to + i * a_row_of(k), from + (ptrdiff_t)i * row, k * sizeof *to);
}

/* m rows of a (m, k), as tiles that lie one after the other: in each, TILE_ROWS numbers for every
 * inner place. */
static void pack_tiles(const struct gemm *gemm, const float *from, size_t m, size_t k, float *to)
{
    for (size_t i = 0; i < m; i += TILE_ROWS, from += TILE_ROWS * gemm->a_row) {
        size_t n = least(m - i, TILE_ROWS);
        bool dense = n == TILE_ROWS && gemm->a_row == 1;
        for (size_t p = 0; p < k; p++, to += TILE_ROWS) {
            const float *column = from + (ptrdiff_t)p * gemm->a_column;
            if (dense)
                memcpy(to, column, TILE_ROWS * sizeof *to);
            else
                for (size_t row = 0; row < n; row++)
                    to[row] = column[(ptrdiff_t)row * gemm->a_row];
        }
    }
}

/* Tells *tile about the rows [i, i + m) of a at the inner places [p, p + k). */
static void take_a(const struct gemm *gemm, size_t i, size_t m, size_t p, size_t k, float *room,
                   struct tile *tile)
{
    const float *from = gemm->a + (ptrdiff_t)i * gemm->a_row + (ptrdiff_t)p * gemm->a_column;
    tile->a = room;
    if (!packs_a(gemm)) {
        tile->a = from;
        tile->a_row = gemm->a_row;
        tile->a_column = gemm->a_column;
        tile->a_tile = TILE_ROWS * gemm->a_row;
    } else if (gemm->a_column == 1) {
        copy_rows(from, gemm->a_row, m, k, room);
        tile->a_row = (ptrdiff_t)a_row_of(k);
        tile->a_column = 1;
        tile->a_tile = TILE_ROWS * tile->a_row;
    } else {
        pack_tiles(gemm, from, m, k, room);
        tile->a_row = 1;
        tile->a_column = TILE_ROWS;
        tile->a_tile = (ptrdiff_t)(TILE_ROWS * k);
    }
}

/* A block of b: the place of its panels, and the first column that has a copy. */
struct block {
    const float *in_place, *copies;
    size_t n, first_copy;
};

/* The block (k, n) of b at (p, j), with copies in room for the columns that need them. */
static struct block take_b(const struct gemm *gemm, size_t p, size_t k, size_t j, size_t n,
                           float *room)
{
    struct block block = {.copies = room, .n = n};
    if (reads_b_in_place(gemm)) {
        block.in_place = gemm->b + (ptrdiff_t)p * gemm->b_row + (ptrdiff_t)j;
        block.first_copy = n % KERNEL_LANES == 0 ? n : n / TILE_COLUMNS * TILE_COLUMNS;
    }
    if (block.first_copy < n)
        pack_b(gemm, p, k, j + block.first_copy, n - block.first_copy, room);
    return block;
}

/* One block of rows against all panels of one block of b. */
static void multiply_block(const struct gemm *gemm, struct tile *tile, size_t m,
                           const struct block *block, float *c)
{
    for (size_t at = 0; at < block->n; at += TILE_COLUMNS) {
        size_t columns = least(block->n - at, TILE_COLUMNS);
        bool in_place = at < block->first_copy;
        tile->b =
            in_place ? block->in_place + at : block->copies + (at - block->first_copy) * tile->k;
        tile->b_row = in_place ? gemm->b_row : (ptrdiff_t)whole_vectors(columns);
        tile->c = c + at;
        KERNEL(panel_multiply)(tile, m, columns);
    }
}

/* One block of the inner size for one block of columns. */
static void add_block(const struct gemm *gemm, size_t p, size_t j, float *room,
                      const volatile sig_atomic_t *stop)
{
    size_t k = least(gemm->k - p, BLOCK_K), n = least(gemm->n - j, BLOCK_N);
    float *a_room = room + room_of_b(gemm, k, n);
    struct block block = take_b(gemm, p, k, j, n, room);
    struct tile tile = {.k = k, .c_row = gemm->c_row, .add = gemm->add || p > 0};
    for (size_t i = 0; i < gemm->m && (stop == NULL || !*stop); i += BLOCK_M) {
        size_t m = least(gemm->m - i, BLOCK_M);
        take_a(gemm, i, m, p, k, a_room, &tile);
        multiply_block(gemm, &tile, m, &block, gemm->c + (ptrdiff_t)i * gemm->c_row + j);
    }
}

static void multiply_directly(const struct gemm *gemm, const volatile sig_atomic_t *stop)
{
    if (gemm->m == 1 && gemm->b_column != 1)
        KERNEL(dot_rows)(gemm->a, gemm->k, gemm->b, gemm->b_column, gemm->n, gemm->add, gemm->c);
    else
        KERNEL(multiply_few)(gemm, stop);
}

static void clear(const struct gemm *gemm)
{
    for (size_t i = 0; i < gemm->m; i++)
        memset(gemm->c + (ptrdiff_t)i * gemm->c_row, 0, gemm->n * sizeof *gemm->c);
}

void KERNEL(gemm)(const struct gemm *gemm, float *room, const volatile sig_atomic_t *stop)
{
    struct gemm direct;
    if (gemm->k == 0) {
        if (!gemm->add)
            clear(gemm);
        return;
    }
    if (is_direct(gemm, &direct)) {
        multiply_directly(&direct, stop);
        return;
    }
    for (size_t j = 0; j < gemm->n; j += BLOCK_N)
        for (size_t p = 0; p < gemm->k && (stop == NULL || !*stop); p += BLOCK_K)
            add_block(gemm, p, j, room, stop);
}
