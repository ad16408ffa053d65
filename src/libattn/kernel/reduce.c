/* A group that is dense, or whose neighbours are far from each other, is read in chunks. Where
 * groups lie beside each other, as those of the columns of a matrix, a block of them is folded row
 * by row. */
#include "kernel/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernel/threads.h"

/* Numbers read at once, and numbers in a task; groups of a block that lie beside each other, whose
 * sums stay in the nearest cache, and rows of it that are folded at once. */
enum { CHUNK = 4096, TASK = 8 * CHUNK, COLUMNS = 256, ROWS = 32 };

/* The cost of one number, in multiply-adds. */
static const double cost = 8;

struct reducing {
    struct reduction_work work; /* collapsed */
    const volatile sig_atomic_t *stop;
    /* one group in parts */
    struct strided group;
    struct part *parts;
    enum fold f;
    double mean;
};

/* The results of a part of a group. */
struct part {
    double folded;
    float best; /* and its place in the group */
    size_t at;
};

static struct strided group_at(const struct reducing *r, size_t g)
{
    struct strided group = r->work.reduced;
    group.data = r->work.kept.data + strided_place(&r->work.kept, g).offset;
    return group;
}

/* ---- one group ---- */

static double fold_numbers(const struct reducing *r, enum fold f, double mean,
                           const struct strided *group, size_t first, size_t end, float *room)
{
    double folded = 0;
    for (size_t n; first < end; first += n) {
        n = size_min(end - first, CHUNK);
        folded += r->work.kernel->fold(f, strided_read(group, first, n, room), n, mean);
    }
    return folded;
}

/* Whether a later number takes the place of the best before. */
static bool takes_over(const struct reducing *r, float number, float best)
{
    if (best != best)
        return false;
    return number != number || (r->work.smallest ? number < best : number > best);
}

static struct part find_extreme(const struct reducing *r, const struct strided *group, size_t first,
                                size_t end, float *room)
{
    const struct kernel *kernel = r->work.kernel;
    struct part part = {.at = end};
    for (size_t n; first < end; first += n) {
        n = size_min(end - first, CHUNK);
        const float *x = strided_read(group, first, n, room);
        size_t at = 0;
        float best = r->work.wants_place ? kernel->place(x, n, r->work.smallest, &at)
                                         : kernel->extreme(x, n, r->work.smallest);
        if (part.at < end && !takes_over(r, best, part.best))
            continue;
        part.best = best;
        part.at = first + at;
    }
    return part;
}

static float extreme_of(const struct reducing *r, struct part part)
{
    return r->work.wants_place ? (float)part.at : part.best;
}

static float reduce_group(const struct reducing *r, size_t g, float *room)
{
    struct strided group = group_at(r, g);
    size_t n = r->work.group_size;
    if (r->work.is_extreme)
        return extreme_of(r, find_extreme(r, &group, 0, n, room));
    double mean = 0;
    if (r->work.f == FOLD_SQUARES)
        mean = fold_numbers(r, FOLD_SUM, 0, &group, 0, n, room) / (double)n;
    return r->work.finish(&r->work, fold_numbers(r, r->work.f, mean, &group, 0, n, room));
}

static size_t groups_of_task(const struct reducing *r)
{
    return size_max(TASK / r->work.group_size, 1);
}

static void reduce_groups(void *context, size_t task, float *room)
{
    const struct reducing *r = context;
    size_t first = task * groups_of_task(r),
           end = size_min(first + groups_of_task(r), r->work.n_groups);
    for (size_t g = first; g < end; g++)
        r->work.ret[g] = reduce_group(r, g, room);
}

static struct thread_work share_out(struct reducing *r, thread_task *run, size_t n_tasks,
                                    size_t room)
{
    double size = (double)r->work.n_groups * (double)r->work.group_size;
    return (struct thread_work){.what = "a reduction",
                                .run = run,
                                .context = r,
                                .n_tasks = n_tasks,
                                .n_threads = threads_for(size * cost),
                                .room = room};
}

/* ---- few large groups, one after the other, each in parts ---- */

static void reduce_part(void *context, size_t task, float *room)
{
    const struct reducing *r = context;
    size_t first = task * TASK, end = size_min(first + TASK, r->work.group_size);
    struct part *part = &r->parts[task];
    if (r->work.is_extreme)
        *part = find_extreme(r, &r->group, first, end, room);
    else
        part->folded = fold_numbers(r, r->f, r->mean, &r->group, first, end, room);
}

/* One pass over a group, and its parts joined in their order. */
static bool pass_over(struct reducing *r, enum fold f, double mean, struct part *ret,
                      struct error *reterr)
{
    size_t n = (r->work.group_size + TASK - 1) / TASK;
    struct thread_work work = share_out(r, reduce_part, n, CHUNK);
    r->f = f;
    r->mean = mean;
    if (!threads_run(&work, r->stop, reterr))
        return false;
    struct part joined = r->parts[0];
    for (size_t i = 1; i < n; i++) {
        joined.folded += r->parts[i].folded;
        if (takes_over(r, r->parts[i].best, joined.best)) {
            joined.best = r->parts[i].best;
            joined.at = r->parts[i].at;
        }
    }
    *ret = joined;
    return true;
}

static bool reduce_large_group(struct reducing *r, size_t g, struct error *reterr)
{
    struct part part;
    double mean = 0;
    r->group = group_at(r, g);
    if (!r->work.is_extreme && r->work.f == FOLD_SQUARES) {
        if (!pass_over(r, FOLD_SUM, 0, &part, reterr))
            return false;
        mean = part.folded / (double)r->work.group_size;
    }
    if (!pass_over(r, r->work.f, mean, &part, reterr))
        return false;
    r->work.ret[g] =
        r->work.is_extreme ? extreme_of(r, part) : r->work.finish(&r->work, part.folded);
    return true;
}

static bool reduce_large_groups(struct reducing *r, struct error *reterr)
{
    r->parts = calloc((r->work.group_size + TASK - 1) / TASK, sizeof *r->parts);
    if (r->parts == NULL)
        return error_memory(reterr, "a reduction");
    bool ok = true;
    for (size_t g = 0; ok && g < r->work.n_groups; g++)
        ok = reduce_large_group(r, g, reterr);
    free(r->parts);
    return ok;
}

/* ---- groups beside each other ---- */

/* Of one block of columns; all in room, COLUMNS of each. */
struct columns {
    const float *data; /* of the first column */
    size_t n;
    double *means, *folded;
    float *best;
    int32_t *at;
};

/* Follows the rows [0, group_size), each of n columns. False when it was stopped. */
static bool follow_rows(const struct reducing *r, const struct columns *columns, enum fold f)
{
    const struct reduction_work *work = &r->work;
    struct strided_place place = strided_place(&work->reduced, 0);
    unsigned last = work->reduced.n_axes - 1;
    struct fold_rows rows = {.n = columns->n, .row_step = work->reduced.stride[last]};
    for (size_t row = 0; row < work->group_size; row += rows.n_rows) {
        rows.x = columns->data + place.offset;
        rows.n_rows = size_min(work->reduced.shape[last] - place.index[last], ROWS);
        if (!work->is_extreme)
            work->kernel->fold_columns(f, &rows, columns->means, columns->folded);
        else
            work->kernel->extreme_columns(&rows, work->smallest, (int32_t)row, columns->best,
                                          work->wants_place ? columns->at : NULL);
        if (r->stop != NULL && *r->stop)
            return false;
        strided_move(&work->reduced, &place, rows.n_rows);
    }
    return true;
}

static void reduce_block(const struct reducing *r, struct columns *columns, float *ret)
{
    const struct reduction_work *work = &r->work;
    memset(columns->folded, 0, columns->n * sizeof *columns->folded);
    memset(columns->at, 0, columns->n * sizeof *columns->at);
    memcpy(columns->best, columns->data, columns->n * sizeof *columns->best);
    if (!work->is_extreme && work->f == FOLD_SQUARES) {
        if (!follow_rows(r, columns, FOLD_SUM))
            return;
        for (size_t j = 0; j < columns->n; j++) {
            columns->means[j] = columns->folded[j] / (double)work->group_size;
            columns->folded[j] = 0;
        }
    }
    if (!follow_rows(r, columns, work->f))
        return;
    for (size_t j = 0; j < columns->n; j++)
        ret[j] = !work->is_extreme   ? work->finish(work, columns->folded[j])
                 : work->wants_place ? (float)columns->at[j]
                                     : columns->best[j];
}

static size_t columns_of(const struct reducing *r)
{
    return r->work.kept.shape[r->work.kept.n_axes - 1];
}

static size_t blocks_of(const struct reducing *r)
{
    return (columns_of(r) + COLUMNS - 1) / COLUMNS;
}

static void reduce_columns(void *context, size_t task, float *room) /* NOLINT: one of a kind */
{
    const struct reducing *r = context;
    double doubles[2][COLUMNS];
    size_t first = task % blocks_of(r) * COLUMNS, g = task / blocks_of(r) * columns_of(r) + first;
    struct columns columns = {.data = group_at(r, g).data,
                              .n = size_min(columns_of(r) - first, COLUMNS),
                              .means = doubles[0],
                              .folded = doubles[1],
                              .best = room,
                              .at = (int32_t *)(void *)(room + COLUMNS)};
    reduce_block(r, &columns, r->work.ret + g);
}

/* ---- which of them ---- */

static bool lie_beside_each_other(const struct reducing *r)
{
    const struct strided *kept = &r->work.kept, *reduced = &r->work.reduced;
    enum { LEAST = 16 };
    return kept->stride[kept->n_axes - 1] == 1 && columns_of(r) >= LEAST &&
           reduced->stride[reduced->n_axes - 1] != 1 && r->work.group_size <= INT32_MAX;
}

bool kernel_reduce(const struct reduction_work *work, const volatile sig_atomic_t *stop,
                   struct error *reterr)
{
    enum { FEW = 16 };
    struct reducing r = {.work = *work, .stop = stop};
    r.work.kept = strided_collapse(&work->kept);
    r.work.reduced = strided_collapse(&work->reduced);
    struct thread_work shared;
    if (lie_beside_each_other(&r))
        shared = share_out(&r, reduce_columns, work->n_groups / columns_of(&r) * blocks_of(&r),
                           2 * COLUMNS);
    else if (work->n_groups < FEW && work->group_size > TASK)
        return reduce_large_groups(&r, reterr);
    else
        shared = share_out(&r, reduce_groups,
                           (work->n_groups + groups_of_task(&r) - 1) / groups_of_task(&r), CHUNK);
    return threads_run(&shared, stop, reterr);
}
