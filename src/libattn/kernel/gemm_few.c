/* See gemm_few_internal.h. */
#include "kernel/gemm_few_internal.h"

#include "kernel/transpose_internal.h"

/* ---- rows of b are dense: they are added to rows of c, which stay in the nearest cache ---- */

/* Rows of b added at once; floats of c in work; and how far ahead the numbers of a row are
 * prefetched: as far as it helps while b is in memory, and costs little while it is in a cache. */
enum { ADDED = 8, C_FLOATS = 4096, AHEAD = 128 };

/* A product of some rows of b that goes to some columns of c: n of them, from column j on. */
struct strip {
    const struct gemm *gemm;
    size_t p, j, n;
};

/* Numbers of a, each in all lanes. */
struct factors {
    vec of[FEW_ROWS][ADDED];
};

/* A vector of columns: c (m) += factors (m, rows) times rows of b, from places that are so far
 * apart. */
KERNEL_INLINE void add_vector(const struct factors *factors, size_t m, size_t rows, const float *b,
                              ptrdiff_t b_row, float *c, ptrdiff_t c_row)
{
    vec row[ADDED];
    KERNEL_UNROLL
    for (size_t q = 0; q < rows; q++)
        row[q] = vec_load(b + (ptrdiff_t)q * b_row);
    KERNEL_UNROLL
    for (size_t i = 0; i < m; i++) {
        float *to = c + (ptrdiff_t)i * c_row;
        vec sum = vec_load(to);
        KERNEL_UNROLL
        for (size_t q = 0; q < rows; q++)
            sum += factors->of[i][q] * row[q];
        vec_store(to, sum);
    }
}

/* The last columns, less than a vector, in a copy that is filled up. */
KERNEL_INLINE void add_rest(const struct factors *factors, size_t m, size_t rows, const float *b,
                            ptrdiff_t b_row, float *c, ptrdiff_t c_row, size_t columns)
{
    float from[ADDED][KERNEL_LANES] = {{0}}, to[FEW_ROWS][KERNEL_LANES] = {{0}};
    for (size_t q = 0; q < rows; q++)
        memcpy(from[q], b + (ptrdiff_t)q * b_row, columns * sizeof *b);
    for (size_t i = 0; i < m; i++)
        memcpy(to[i], c + (ptrdiff_t)i * c_row, columns * sizeof *c);
    add_vector(factors, m, rows, from[0], KERNEL_LANES, to[0], KERNEL_LANES);
    for (size_t i = 0; i < m; i++)
        memcpy(c + (ptrdiff_t)i * c_row, to[i], columns * sizeof *c);
}

/* Values that are the same for all columns are kept outside the loop: as far as the compiler knows,
 * c may overlap the arrays it is computed from. */
KERNEL_INLINE void add_rows(const struct strip *strip, size_t m, size_t rows)
{
    const struct gemm *gemm = strip->gemm;
    const ptrdiff_t b_row = gemm->b_row, c_row = gemm->c_row;
    const float *b = gemm->b + (ptrdiff_t)strip->p * b_row + (ptrdiff_t)strip->j;
    float *c = gemm->c + strip->j;
    const size_t n = strip->n;
    struct factors factors;
    KERNEL_UNROLL
    for (size_t i = 0; i < m; i++)
        KERNEL_UNROLL
    for (size_t q = 0; q < rows; q++)
        factors.of[i][q] = vec_splat(
            gemm->a[(ptrdiff_t)i * gemm->a_row + (ptrdiff_t)(strip->p + q) * gemm->a_column]);
    size_t at = 0;
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES) {
        KERNEL_UNROLL
        for (size_t q = 0; q < rows; q++)
            __builtin_prefetch(b + at + (ptrdiff_t)q * b_row + AHEAD);
        add_vector(&factors, m, rows, b + at, b_row, c + at, c_row);
    }
    if (at < n)
        add_rest(&factors, m, rows, b + at, b_row, c + at, c_row, n - at);
}

#define DEFINE_ADD(m)                                              \
    static void add_to_##m(const struct strip *strip, size_t rows) \
    {                                                              \
        if (rows == ADDED)                                         \
            add_rows(strip, m, ADDED);                             \
        else                                                       \
            add_rows(strip, m, 1);                                 \
    }
DEFINE_ADD(1)
DEFINE_ADD(2)
DEFINE_ADD(3)
DEFINE_ADD(4)
DEFINE_ADD(5)
DEFINE_ADD(6)
typedef void add_function(const struct strip *strip, size_t rows);
static add_function *const adds[FEW_ROWS + 1] = {NULL,     add_to_1, add_to_2, add_to_3,
                                                 add_to_4, add_to_5, add_to_6};

static void clear_columns(const struct gemm *gemm, size_t j, size_t n)
{
    for (size_t i = 0; i < gemm->m; i++)
        memset(gemm->c + (ptrdiff_t)i * gemm->c_row + j, 0, n * sizeof *gemm->c);
}

static void mix_some_rows(const struct gemm *gemm, const volatile sig_atomic_t *stop)
{
    size_t each = C_FLOATS / gemm->m / KERNEL_LANES * KERNEL_LANES;
    for (size_t j = 0; j < gemm->n; j += each) {
        struct strip strip = {.gemm = gemm, .j = j, .n = least(gemm->n - j, each)};
        if (!gemm->add)
            clear_columns(gemm, j, strip.n);
        while (strip.p < gemm->k && (stop == NULL || !*stop)) {
            size_t rows = gemm->k - strip.p >= ADDED ? ADDED : 1;
            adds[gemm->m](&strip, rows); /* NOLINT: there is a row */
            strip.p += rows;
        }
    }
}

/* ---- columns of b are dense: dots ---- */

/* Rows of a and columns of b of a tile, whose sums are vectors that stay in registers. */
#if KERNEL_LANES == 16 || defined(__aarch64__)
enum { DOT_ROWS = 6, DOT_COLUMNS = 4 };
#else
enum { DOT_ROWS = 3, DOT_COLUMNS = 4 };
#endif

/* Columns from j on, with rows of a from i on. */
struct dots {
    const struct gemm *gemm;
    size_t i, j;
    vec sums[DOT_ROWS][KERNEL_LANES]; /* of each row and column, to be added up across */
};

/* One vector further along rows and columns. */
KERNEL_INLINE void dot_step(const float *const *a, size_t rows, const float *const *b,
                            size_t columns, size_t p, vec sums[DOT_ROWS][DOT_COLUMNS])
{
    vec column[DOT_COLUMNS];
    KERNEL_UNROLL
    for (size_t j = 0; j < columns; j++)
        column[j] = vec_load(b[j] + p);
    KERNEL_UNROLL
    for (size_t i = 0; i < rows; i++) {
        vec row = vec_load(a[i] + p); /* NOLINT: each row has a place */
        KERNEL_UNROLL
        for (size_t j = 0; j < columns; j++)
            sums[i][j] += row * column[j];
    }
}

/* The last numbers, less than a vector, in copies that are filled up. */
KERNEL_INLINE void dot_rest(const float *const *a, size_t rows, const float *const *b,
                            size_t columns, size_t p, size_t n, vec sums[DOT_ROWS][DOT_COLUMNS])
{
    float copies[DOT_ROWS + DOT_COLUMNS][KERNEL_LANES] = {{0}};
    const float *from[DOT_ROWS + DOT_COLUMNS];
    for (size_t i = 0; i < rows + columns; i++) {
        from[i] = copies[i];
        memcpy(copies[i], (i < rows ? a[i] : b[i - rows]) + p, n * sizeof **copies);
    }
    dot_step(from, rows, from + rows, columns, 0, sums);
}

/* The columns [first, first + columns) of the group. */
KERNEL_INLINE void dot_tile(struct dots *dots, size_t rows, size_t first, size_t columns)
{
    const struct gemm *gemm = dots->gemm;
    const float *a[DOT_ROWS], *b[DOT_COLUMNS];
    vec sums[DOT_ROWS][DOT_COLUMNS] = {{{0}}};
    size_t whole = gemm->k / KERNEL_LANES * KERNEL_LANES;
    for (size_t i = 0; i < rows; i++)
        a[i] = gemm->a + (ptrdiff_t)(dots->i + i) * gemm->a_row;
    for (size_t j = 0; j < columns; j++)
        b[j] = gemm->b + (ptrdiff_t)(dots->j + first + j) * gemm->b_column;
    for (size_t p = 0; p < whole; p += KERNEL_LANES) {
        KERNEL_UNROLL
        for (size_t j = 0; j < columns; j++) /* the next columns */
            __builtin_prefetch(b[j] + p + (ptrdiff_t)columns * gemm->b_column, 0, 3);
        dot_step(a, rows, b, columns, p, sums);
    }
    if (whole < gemm->k)
        dot_rest(a, rows, b, columns, whole, gemm->k - whole, sums);
    KERNEL_UNROLL
    for (size_t i = 0; i < rows; i++)
        KERNEL_UNROLL
    for (size_t j = 0; j < columns; j++)
        dots->sums[i][first + j] = sums[i][j];
}

#define DEFINE_DOTS(rows)                                                       \
    static void dots_of_##rows(struct dots *dots, size_t first, size_t columns) \
    {                                                                           \
        if (columns == DOT_COLUMNS)                                             \
            dot_tile(dots, rows, first, DOT_COLUMNS);                           \
        else                                                                    \
            dot_tile(dots, rows, first, 1);                                     \
    }
DEFINE_DOTS(1)
DEFINE_DOTS(2)
DEFINE_DOTS(3)
#if KERNEL_LANES == 16 || defined(__aarch64__)
DEFINE_DOTS(4)
DEFINE_DOTS(5)
DEFINE_DOTS(6)
#endif
typedef void dots_function(struct dots *dots, size_t first, size_t columns);
static dots_function *const dots_of[DOT_ROWS + 1] = {
    NULL,      dots_of_1, dots_of_2, dots_of_3,
#if KERNEL_LANES == 16 || defined(__aarch64__)
    dots_of_4, dots_of_5, dots_of_6,
#endif
};

/* Up to LANES columns and DOT_ROWS rows of c. */
static void dot_group(struct dots *dots, size_t rows, size_t columns)
{
    const struct gemm *gemm = dots->gemm;
    for (size_t j = 0, n; j < columns; j += n) {
        n = columns - j >= DOT_COLUMNS ? DOT_COLUMNS : 1;
        dots_of[rows](dots, j, n);
    }
    for (size_t i = 0; i < rows; i++) {
        float *to = gemm->c + (ptrdiff_t)(dots->i + i) * gemm->c_row + dots->j;
        vec sums = sums_of_vectors(dots->sums[i]);
        if (columns == KERNEL_LANES)
            vec_store(to, gemm->add ? vec_load(to) + sums : sums);
        else
            vec_store_first(to, columns, gemm->add ? vec_load_first(to, columns, 0) + sums : sums);
    }
}

static void dot_some_rows(const struct gemm *gemm, const volatile sig_atomic_t *stop)
{
    size_t n_groups = (gemm->m + DOT_ROWS - 1) / DOT_ROWS;
    struct dots dots = {.gemm = gemm};
    for (; dots.j < gemm->n && (stop == NULL || !*stop); dots.j += KERNEL_LANES) {
        size_t columns = least(gemm->n - dots.j, KERNEL_LANES);
        dots.i = 0;
        for (size_t group = 0, rows; group < n_groups; group++, dots.i += rows) {
            rows = (gemm->m - dots.i + n_groups - group - 1) / (n_groups - group);
            dot_group(&dots, rows, columns);
        }
    }
}

void KERNEL(multiply_few)(const struct gemm *gemm, const volatile sig_atomic_t *stop)
{
    if (gemm->b_column == 1 && gemm->m <= FEW_ROWS)
        mix_some_rows(gemm, stop);
    else
        dot_some_rows(gemm, stop);
}
