#include "kernel/multiply.h"

#include "base/size.h"
#include "kernel/threads.h"

/* Rows, or columns, of a part are a multiple of this, the widest vector: products of one row or
 * column that belong to one sum stay together. */
enum { PART_UNIT = 16 };
/* A rest at the end that is shorter than this goes with the part before it: few rows are summed in
 * another order (gemm_few_internal.h), and the number of threads must not decide whether they are
 * few. */
enum { LEAST_PART = 48 };
/* A part this large loses little by copying for itself the side that it shares with others. */
enum { LARGE_PART = 512 };
/* Up to this number of rows, most of the time goes into reading b from memory. */
enum { ROWS_WORTH_A_READ = 4 };

struct batch {
    const struct kernel *kernel;
    const struct gemm *products;
    const volatile sig_atomic_t *stop;
    size_t n_parts; /* of each product */
};

/* Each part of rows packs b for the tiles again, each part of columns packs a: the side with less
 * work is the one to be copied by each. Dense rows are copied as they are; turning takes longer,
 * and counts four times in a, twice in b. */
static bool is_cut_by_rows(const struct gemm *gemm)
{
    if (gemm->m < 2 * LEAST_PART || gemm->n < 2 * LEAST_PART)
        return gemm->m >= gemm->n;
    size_t a = gemm->m * (gemm->a_column == 1 ? 1 : 4), b = gemm->n * (gemm->b_column == 1 ? 1 : 2);
    return b < a;
}

/* The begin of the part planned at `at`; size if no part may begin there. */
static size_t part_begin(size_t size, size_t at)
{
    return at > 0 && (at >= size || size - at < LEAST_PART) ? size : at;
}

/* Part `part` of the n_parts of a product; it may be empty. */
static struct gemm part_of(const struct gemm *gemm, size_t part, size_t n_parts)
{
    bool by_rows = is_cut_by_rows(gemm);
    size_t size = by_rows ? gemm->m : gemm->n;
    size_t each = ((size + n_parts - 1) / n_parts + PART_UNIT - 1) / PART_UNIT * PART_UNIT;
    size_t first = part_begin(size, part * each), n = part_begin(size, (part + 1) * each) - first;
    struct gemm piece = *gemm;
    if (n_parts == 1)
        return piece;
    if (by_rows) {
        piece.m = n;
        piece.a += (ptrdiff_t)first * gemm->a_row;
        piece.c += (ptrdiff_t)first * gemm->c_row;
    } else {
        piece.n = n;
        piece.b += (ptrdiff_t)first * gemm->b_column;
        piece.c += first;
    }
    return piece;
}

static void multiply_part(void *context, size_t task, float *room)
{
    const struct batch *batch = context;
    struct gemm piece =
        part_of(&batch->products[task / batch->n_parts], task % batch->n_parts, batch->n_parts);
    batch->kernel->gemm(&piece, room, batch->stop);
}

static double work_of(const struct gemm *products, size_t n)
{
    double work = 0;
    for (size_t i = 0; i < n; i++)
        work += (double)size_max(products[i].m, ROWS_WORTH_A_READ) * (double)products[i].n *
                (double)products[i].k;
    return work;
}

/* The number of parts each product is cut into: enough that every thread has one of the batch; and
 * two if they stay large, so that a part that other programs hold up leaves the next one to another
 * thread. But memory is read fastest in one long piece. */
static size_t parts_for(const struct gemm *products, size_t n, size_t n_threads)
{
    if (n == 0 || n_threads == 1 || n >= 2 * n_threads)
        return 1;
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size = size_max(size, is_cut_by_rows(&products[i]) ? products[i].m : products[i].n);
    size_t one_each = size_min((n_threads + n - 1) / n, size / LEAST_PART + 1);
    size_t two_each = size_min((2 * n_threads + n - 1) / n, size / LARGE_PART);
    return products[0].m > ROWS_WORTH_A_READ ? size_max(one_each, two_each) : one_each;
}

bool kernel_multiply(const struct kernel *kernel, const struct gemm *products, size_t n,
                     const volatile sig_atomic_t *stop, struct error *reterr)
{
    struct batch batch = {.kernel = kernel, .products = products, .stop = stop};
    struct thread_work work = {.what = "matmul",
                               .run = multiply_part,
                               .context = &batch,
                               .n_threads = threads_for(work_of(products, n))};
    batch.n_parts = parts_for(products, n, work.n_threads);
    work.n_tasks = n * batch.n_parts;
    for (size_t i = 0; i < n; i++)
        work.room = size_max(work.room, kernel->gemm_room(&products[i]));
    return threads_run(&work, stop, reterr);
}
