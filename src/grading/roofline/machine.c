/* See machine.h. */
#include "roofline/machine.h"

#include <math.h>
#include <stdlib.h>

#include "attention/attention.h"
#include "base/size.h"
#include "files/clock.h"
#include "kernel/kernel.h"
#include "kernel/threads.h"
#include "tensor/random.h"

enum {
    PEAK_SIZE = 512,             /* rows and columns of the products: as fast as they get */
    STREAM_BYTES = 128 << 20,    /* several times what caches hold */
    STREAM_TASK_BYTES = 1 << 20, /* that a thread reads at a time */
    LEAST_CALLS = 3,
};

/* Does the work once. */
typedef bool work(void *data, struct error *reterr);

static uint64_t now_ns(size_t n_threads)
{
    return n_threads == 1 ? clock_spent_ns() : clock_ns();
}

/* The seconds of the quickest call. The first does not count. */
static bool quickest(const struct machine_time *how, work *run, void *data, double *ret,
                     struct error *reterr)
{
    size_t before = threads_most();
    uint64_t end_ns = clock_ns() + (uint64_t)(1e9 * how->seconds);
    bool ok = true;
    *ret = (double)INFINITY;
    threads_set(how->n_threads);
    for (int i = 0; ok && (i <= LEAST_CALLS || clock_ns() < end_ns); i++) {
        uint64_t began_ns = now_ns(how->n_threads);
        ok = run(data, reterr);
        if (i > 0)
            *ret = fmin(*ret, 1e-9 * (double)(now_ns(how->n_threads) - began_ns));
    }
    threads_set(before);
    return ok;
}

static bool draw(const size_t shape[2], unsigned seed, struct tensor *ret, struct error *reterr)
{
    struct random random;
    if (!tensor_empty(2, shape, ret, reterr))
        return false;
    random_seed(&random, seed);
    random_normal(&random, tensor_size(ret), ret->data);
    return true;
}

/* ---- products ---- */

struct product {
    struct tensor a, b, c;
    const struct kernel *kernel;
    size_t n_threads;
};

/* The rows of c that are one thread's. */
static struct gemm rows_of(const struct product *product, size_t task)
{
    const size_t n = PEAK_SIZE, first = task * n / product->n_threads;
    return (struct gemm){.m = (task + 1) * n / product->n_threads - first,
                         .n = n,
                         .k = n,
                         .a = product->a.data + first * n,
                         .b = product->b.data,
                         .a_row = PEAK_SIZE,
                         .a_column = 1,
                         .b_row = PEAK_SIZE,
                         .b_column = 1,
                         .c = product->c.data + first * n,
                         .c_row = PEAK_SIZE};
}

static void multiply_rows(void *context, size_t task, float *room)
{
    const struct product *product = context;
    const struct gemm gemm = rows_of(product, task);
    product->kernel->gemm(&gemm, room, NULL);
}

static bool multiply(void *data, struct error *reterr)
{
    struct product *product = data;
    const struct gemm last = rows_of(product, product->n_threads - 1); /* none has more rows */
    const struct thread_work work_of_all = {.what = "matmul",
                                            .run = multiply_rows,
                                            .context = product,
                                            .n_tasks = product->n_threads,
                                            .n_threads = product->n_threads,
                                            .room = product->kernel->gemm_room(&last)};
    return threads_run(&work_of_all, NULL, reterr);
}

bool machine_peak(const struct machine_time *how, double *ret, struct error *reterr)
{
    const size_t shape[] = {PEAK_SIZE, PEAK_SIZE};
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    struct product product = {.n_threads = size_min(how->n_threads, PEAK_SIZE)};
    double seconds = 0;
    kernel_sets(sets);
    product.kernel = sets[0];
    bool ok = draw(shape, 1, &product.a, reterr) && draw(shape, 2, &product.b, reterr) &&
              tensor_empty(2, shape, &product.c, reterr) &&
              quickest(how, multiply, &product, &seconds, reterr);
    tensor_release(&product.a);
    tensor_release(&product.b);
    tensor_release(&product.c);
    if (ok)
        *ret = 2 * pow(PEAK_SIZE, 3) / seconds;
    return ok;
}

/* ---- memory ---- */

struct stream {
    const float *numbers;
    float *found; /* a number for each task, so that nothing that is read is of no use */
    const struct kernel *kernel;
    size_t n_threads;
};

/* Uses the kernels, which look at numbers faster than memory gives them; plain loops may be slower.
 * The next numbers are prefetched meanwhile, as products of one row do. */
static void read_part(void *context, size_t task, float *room)
{
    enum { SOME = 1024, AHEAD = 2 * SOME, LINE = 16 }; /* numbers */
    const struct stream *stream = context;
    const size_t n = STREAM_TASK_BYTES / sizeof *stream->numbers;
    const float *numbers = stream->numbers + task * n;
    float found = 0;
    (void)room;
    for (size_t at = 0; at < n; at += SOME) {
        for (size_t i = 0; at + AHEAD < n && i < SOME; i += LINE)
            __builtin_prefetch(numbers + at + AHEAD + i);
        found += stream->kernel->extreme(numbers + at, SOME, false);
    }
    stream->found[task] = found;
}

static bool read_all(void *data, struct error *reterr)
{
    struct stream *stream = data;
    const struct thread_work part = {.what = "reading",
                                     .run = read_part,
                                     .context = stream,
                                     .n_tasks = STREAM_BYTES / STREAM_TASK_BYTES,
                                     .n_threads = stream->n_threads};
    return threads_run(&part, NULL, reterr);
}

bool machine_bandwidth(const struct machine_time *how, double *ret, struct error *reterr)
{
    float found[STREAM_BYTES / STREAM_TASK_BYTES] = {0};
    float *numbers = malloc(STREAM_BYTES);
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    double seconds = 0;
    if (numbers == NULL)
        return error_memory(reterr, "the memory to read");
    for (size_t i = 0; i < STREAM_BYTES / sizeof *numbers; i++)
        numbers[i] = (float)i; /* else all pages might be one page of zeros */
    kernel_sets(sets);
    struct stream stream = {
        .numbers = numbers, .found = found, .kernel = sets[0], .n_threads = how->n_threads};
    bool ok = quickest(how, read_all, &stream, &seconds, reterr);
    free(numbers);
    if (ok)
        *ret = STREAM_BYTES / seconds;
    return ok;
}

/* ---- attention ---- */

static bool attend(void *data, struct error *reterr)
{
    struct tensor context;
    if (!attention_forward(data, NULL, &context, NULL, reterr))
        return false;
    tensor_release(&context);
    return true;
}

bool machine_attention(const struct machine_time *how, size_t n_q, size_t n_k, size_t d,
                       double *ret, struct error *reterr)
{
    const size_t query_shape[] = {n_q, d}, key_shape[] = {n_k, d};
    struct tensor query = {0}, key = {0}, value = {0};
    struct attention_input input = {.query = &query, .key = &key, .value = &value};
    bool ok = draw(query_shape, 1, &query, reterr) && draw(key_shape, 2, &key, reterr) &&
              draw(key_shape, 3, &value, reterr) && quickest(how, attend, &input, ret, reterr);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
    return ok;
}
