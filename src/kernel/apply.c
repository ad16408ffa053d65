#include "kernel/apply.h"

#include "base/size.h"
#include "kernel/threads.h"

/* Numbers that are computed at once, so that copies of them stay in a near cache; and chunks in a
 * task, which takes a millisecond or two at most. */
enum { CHUNK = 4096, CHUNKS = 8, TASK = CHUNK * CHUNKS };

/* What one number costs, in multiply-adds. */
static const double cost = 8;

static bool is_one_number(const struct strided *x)
{
    return x->n_axes == 1 && x->stride[0] == 0;
}

/* A number that is repeated is in the room since the first chunk of the task. */
static void apply_chunk(const struct application *a, size_t first, size_t n, float *room)
{
    static const ptrdiff_t dense[ELEMENT_INPUTS] = {1, 1, 1};
    const float *from[ELEMENT_INPUTS] = {0};
    for (unsigned input = 0; input < a->n_inputs; input++) {
        float *mine = room + (size_t)input * CHUNK;
        bool is_there = is_one_number(&a->inputs[input]) && first % TASK != 0;
        from[input] = is_there ? mine : strided_read(&a->inputs[input], first, n, mine);
    }
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
                               .room = (size_t)application->n_inputs * CHUNK};
    return threads_run(&work, stop, reterr);
}
