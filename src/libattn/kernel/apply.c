#include "kernel/apply.h"

#include "base/size.h"
#include "kernel/threads.h"

/* Numbers that are computed at once, so that copies of them stay in a near cache; and chunks in a
 * task, which takes a millisecond or two at most. */
enum { CHUNK = 4096, CHUNKS = 8, TASK = CHUNK * CHUNKS };

/* The cost of one number, in multiply-adds. */
static const double cost = 8;

static bool is_one_number(const struct strided *x)
{
    return x->n_axes == 1 && x->stride[0] == 0;
}

/* Whether rows of x lie beside each other in memory, as those of a transposed matrix do: a block of
 * them is brought together at once. */
static bool is_turned(const struct application *a, const struct strided *x)
{
    unsigned last = x->n_axes - 1;
    return a->kernel != NULL && last > 0 && x->stride[last - 1] == 1 && x->stride[last] != 1 &&
           x->stride[last] != 0;
}

/* to = the numbers [first, end) of x, which is turned: whole rows in blocks, others by themselves.
 */
static void turn_rows(const struct application *a, const struct strided *x, size_t first,
                      size_t end, float *to)
{
    unsigned last = x->n_axes - 1;
    size_t row = x->shape[last];
    for (size_t n; first < end; first += n, to += n) {
        struct strided_place place = strided_place(x, first);
        size_t n_rows = size_min((end - first) / row, x->shape[last - 1] - place.index[last - 1]);
        if (place.index[last] == 0 && n_rows > 0) {
            n = n_rows * row;
            a->kernel->transpose(x->data + place.offset, x->stride[last], row, n_rows, to,
                                 (ptrdiff_t)row);
        } else {
            n = size_min(end - first, row - place.index[last]);
            strided_read(x, first, n, to);
        }
    }
}

/* Room for the gathered numbers of each input: a chunk, or a task's numbers where an input is
 * turned. */
static size_t room_of(const struct application *a)
{
    for (unsigned input = 0; input < a->n_inputs; input++)
        if (is_turned(a, &a->inputs[input]))
            return TASK;
    return CHUNK;
}

/* n numbers of an input. One that is repeated, or turned, is in the room since the first chunk of
 * the task. */
static const float *read_chunk(const struct application *a, const struct strided *x, size_t first,
                               size_t n, float *room)
{
    size_t at = first % TASK;
    if (is_turned(a, x)) {
        if (at == 0)
            turn_rows(a, x, first, size_min(a->size, first + TASK), room);
        return room + at;
    }
    return is_one_number(x) && at != 0 ? room : strided_read(x, first, n, room);
}

static void apply_chunk(const struct application *a, size_t first, size_t n, float *room)
{
    static const ptrdiff_t dense[ELEMENT_INPUTS] = {1, 1, 1};
    const float *from[ELEMENT_INPUTS] = {0};
    for (unsigned input = 0; input < a->n_inputs; input++)
        from[input] = read_chunk(a, &a->inputs[input], first, n, room + input * room_of(a));
    if (a->kernel != NULL)
        a->kernel->element(a->f, n, from, a->ret + first);
    else
        a->plain(n, from, dense, a->ret + first);
}

/* A repeated number fills as much room as a chunk has; a short one leaves the nearest cache to the
 * others. */
static size_t chunk_of(const struct application *a)
{
    enum { SHORT = CHUNK / 4 };
    bool repeats = false;
    for (unsigned input = 0; input < a->n_inputs; input++)
        repeats = repeats || is_one_number(&a->inputs[input]);
    return repeats ? SHORT : CHUNK;
}

static void apply_task(void *context, size_t task, float *room)
{
    const struct application *a = context;
    size_t end = size_min(a->size, (task + 1) * TASK), each = chunk_of(a);
    for (size_t first = task * TASK; first < end; first += each)
        apply_chunk(a, first, size_min(end - first, each), room);
}

bool kernel_apply(const struct application *application, const volatile sig_atomic_t *stop,
                  struct error *reterr)
{
    struct application collapsed = *application;
    for (unsigned input = 0; input < application->n_inputs; input++)
        collapsed.inputs[input] = strided_collapse(&application->inputs[input]);
    struct thread_work work = {.what = "an operation number by number",
                               .run = apply_task,
                               .context = &collapsed,
                               .n_tasks = (application->size + TASK - 1) / TASK,
                               .n_threads = threads_for((double)application->size * cost),
                               .room = application->n_inputs * room_of(&collapsed)};
    return threads_run(&work, stop, reterr);
}
