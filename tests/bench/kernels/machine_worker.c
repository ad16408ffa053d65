/* What the machine can do at most: multiply-adds that never leave the registers, and memory read
 * and written in order. GCC's and clang's vector types, at the width this file is compiled for. */
#include <stdlib.h>

#include "worker.h"

#ifdef _OPENMP
#define SHARED(clauses) _Pragma(#clauses)
#else
#define SHARED(clauses)
#endif

#if defined(__AVX512F__)
enum { WIDTH = 64 };
#elif defined(__AVX__)
enum { WIDTH = 32 };
#else
enum { WIDTH = 16 };
#endif
enum { LANES = WIDTH / (int)sizeof(float), CHAINS = 12, STEPS = 20000 };
typedef float vector __attribute__((vector_size(WIDTH), aligned(4), may_alias));

/* More chains than the unit's latency times its width, fewer than there are registers. */
static float multiply_add(void)
{
    vector chain[CHAINS], factor, addend;
    for (int lane = 0; lane < LANES; lane++) {
        factor[lane] = 0.999F;
        addend[lane] = 0.001F * (float)lane;
    }
    for (int i = 0; i < CHAINS; i++)
        chain[i] = addend + (float)i;
    for (int step = 0; step < STEPS; step++)
        for (int i = 0; i < CHAINS; i++)
            chain[i] = chain[i] * factor + addend;
    vector sum = chain[0];
    for (int i = 1; i < CHAINS; i++)
        sum += chain[i];
    return sum[0] + sum[LANES - 1];
}

/* Every thread of OpenMP does STEPS * CHAINS * LANES multiply-adds. */
struct fma {
    float *sink; /* of each thread, 64 bytes apart */
    int n_threads;
};

static void fma_call(void *data)
{
    struct fma *fma = data;
    SHARED(omp parallel for num_threads(fma->n_threads) schedule(static, 1))
    for (int thread = 0; thread < fma->n_threads; thread++)
        fma->sink[16 * thread] = multiply_add();
}

static void fma_release(void *data)
{
    struct fma *fma = data;
    free(fma->sink);
    free(fma);
}

static const char *fma_prepare(const struct request *request, struct job *job)
{
    struct fma *fma = malloc(sizeof *fma);
    if (fma == NULL)
        return "not enough memory";
    fma->n_threads = (int)request_size(request, "threads", 1);
    fma->sink = worker_numbers(16 * (size_t)fma->n_threads, 1);
    *job = (struct job){.call = fma_call, .release = fma_release, .data = fma};
    job->output = fma->sink;
    job->n_output = 1;
    return NULL;
}

/* The operations a call of fma makes in one thread; for the driver. */
static float operations;

static void nothing(void *data)
{
    (void)data;
}

static const char *operations_prepare(const struct request *request, struct job *job)
{
    (void)request;
    operations = 2.0F * STEPS * CHAINS * LANES;
    *job = (struct job){.call = nothing, .output = &operations, .n_output = 1};
    return NULL;
}

/* n numbers in three arrays; reading uses the first as if it were all of them. */
struct stream {
    float *a, *b, *c;
    float total;
    long n;
    int n_threads;
};

static void triad_call(void *data)
{
    struct stream *stream = data;
    float *restrict a = stream->a;
    const float *restrict b = stream->b, *restrict c = stream->c;
    SHARED(omp parallel for simd num_threads(stream->n_threads) schedule(static))
    for (long i = 0; i < stream->n; i++)
        a[i] = b[i] + 0.5F * c[i];
}

static void read_call(void *data)
{
    struct stream *stream = data;
    const float *a = stream->a;
    float total = 0;
    SHARED(omp parallel for simd reduction(+ : total) num_threads(stream->n_threads) schedule(static))
    for (long i = 0; i < stream->n; i++)
        total += a[i];
    stream->total = total;
}

static void stream_release(void *data)
{
    struct stream *stream = data;
    free(stream->a);
    free(stream->b);
    free(stream->c);
    free(stream);
}

static const char *stream_prepare(const struct request *request, struct job *job, bool three)
{
    struct stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL)
        return "not enough memory";
    size_t n = request_size(request, "bytes", 1 << 28) / sizeof(float) / (three ? 3 : 1);
    stream->n = (long)n;
    stream->n_threads = (int)request_size(request, "threads", 1);
    stream->a = worker_numbers(n, 1);
    if (three) {
        stream->b = worker_numbers(n, 2);
        stream->c = worker_numbers(n, 3);
    }
    *job = (struct job){.call = three ? triad_call : read_call,
                        .release = stream_release,
                        .data = stream,
                        .output = three ? stream->a : &stream->total,
                        .n_output = 1};
    return NULL;
}

static const char *triad_prepare(const struct request *request, struct job *job)
{
    return stream_prepare(request, job, true);
}

static const char *read_prepare(const struct request *request, struct job *job)
{
    return stream_prepare(request, job, false);
}

int main(void)
{
    static const struct operation table[] = {
        {.name = "fma", .prepare = fma_prepare},
        {.name = "operations", .prepare = operations_prepare},
        {.name = "triad", .prepare = triad_prepare},
        {.name = "read", .prepare = read_prepare},
    };
    return worker_run(table, sizeof table / sizeof *table);
}
