/* Dense rows are computed in place. Others are gathered in room, several neighbouring rows at once,
 * as columns of a matrix. */
#include "kernel/softmax.h"

#include "base/size.h"
#include "kernel/threads.h"

enum { TASK = 1 << 15, BESIDE = 16 }; /* numbers in a task; rows brought together at once */

/* The cost of one number, in multiply-adds. */
static const double cost = 24;

static bool is_gradient(const struct softmax_work *work)
{
    return work->form == SOFTMAX_GRADIENT || work->form == SOFTMAX_LOG_GRADIENT;
}

static const float *row_at(const struct softmax_rows *rows, size_t row)
{
    return rows->starts.data + strided_place(&rows->starts, row).offset;
}

static float *ret_at(const struct softmax_work *work, size_t row)
{
    return work->to + strided_place(&work->ret.starts, row).offset;
}

/* ---- dense rows ---- */

static bool are_dense(const struct softmax_work *work)
{
    return work->x.step == 1 && work->ret.step == 1 && (!is_gradient(work) || work->d.step == 1);
}

static size_t rows_of_task(const struct softmax_work *work)
{
    return size_max(TASK / work->n, 1);
}

static void dense_rows(void *context, size_t task, float *room) /* NOLINT: one of a kind */
{
    const struct softmax_work *work = context;
    (void)room;
    size_t first = task * rows_of_task(work),
           end = size_min(first + rows_of_task(work), work->n_rows);
    for (size_t row = first; row < end; row++)
        work->kernel->softmax_row(work->form, row_at(&work->x, row),
                                  is_gradient(work) ? row_at(&work->d, row) : NULL, work->n,
                                  ret_at(work, row));
}

/* ---- rows of any strides, n_rows of them beside each other on the last axis of starts ---- */

static ptrdiff_t to_next_row(const struct softmax_rows *rows)
{
    return rows->starts.stride[rows->starts.n_axes - 1];
}

/* room (n_rows, n) = the rows from `row` on. */
static void bring_together(const struct softmax_work *work, const struct softmax_rows *rows,
                           size_t row, size_t n_rows, float *room)
{
    const float *from = row_at(rows, row);
    ptrdiff_t next = to_next_row(rows);
    if (next == 1) {
        work->kernel->transpose(from, rows->step, work->n, n_rows, room, (ptrdiff_t)work->n);
        return;
    }
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < work->n; j++)
            room[i * work->n + j] = from[(ptrdiff_t)i * next + (ptrdiff_t)j * rows->step];
}

/* The reverse of gathering. */
static void spread(const struct softmax_work *work, const float *room, size_t row, size_t n_rows)
{
    float *to = ret_at(work, row);
    ptrdiff_t next = to_next_row(&work->ret);
    if (next == 1) {
        work->kernel->transpose(room, (ptrdiff_t)work->n, n_rows, work->n, to, work->ret.step);
        return;
    }
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < work->n; j++)
            to[(ptrdiff_t)i * next + (ptrdiff_t)j * work->ret.step] = room[i * work->n + j];
}

static size_t last_axis(const struct softmax_work *work)
{
    return work->x.starts.shape[work->x.starts.n_axes - 1];
}

static size_t blocks_of(const struct softmax_work *work)
{
    return (last_axis(work) + BESIDE - 1) / BESIDE;
}

static void strided_rows(void *context, size_t task, float *room)
{
    const struct softmax_work *work = context;
    size_t n = work->n, at = task % blocks_of(work) * BESIDE;
    size_t row = task / blocks_of(work) * last_axis(work) + at;
    size_t n_rows = size_min(last_axis(work) - at, BESIDE);
    float *x = room, *d = room + BESIDE * n;
    bring_together(work, &work->x, row, n_rows, x);
    if (is_gradient(work))
        bring_together(work, &work->d, row, n_rows, d);
    for (size_t i = 0; i < n_rows; i++)
        work->kernel->softmax_row(work->form, x + i * n, is_gradient(work) ? d + i * n : NULL, n,
                                  x + i * n);
    spread(work, x, row, n_rows);
}

bool kernel_softmax(const struct softmax_work *work, const volatile sig_atomic_t *stop,
                    struct error *reterr)
{
    struct softmax_work copy = *work;
    struct thread_work shared = {.what = "softmax",
                                 .context = &copy,
                                 .n_threads =
                                     threads_for((double)work->n_rows * (double)work->n * cost)};
    if (are_dense(work)) {
        shared.run = dense_rows;
        shared.n_tasks = (work->n_rows + rows_of_task(work) - 1) / rows_of_task(work);
    } else {
        shared.run = strided_rows;
        shared.n_tasks = work->n_rows / last_axis(work) * blocks_of(work);
        shared.room = BESIDE * work->n * (is_gradient(work) ? 2 : 1);
    }
    return threads_run(&shared, stop, reterr);
}
