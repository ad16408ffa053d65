/* What a user would write on OpenBLAS: attention as two products around a softmax, its gradients as
 * five, in blocks of queries whose scores stay in the cache, threads over heads; and sgemm itself.
 * The block is the fastest of a few, tried before the first round. */
#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "worker.h"

/* e^x for x <= 0, good to about 2^-22: 2^f by its Taylor series for |f| <= 1/2. */
static inline float exp_below(float x)
{
    float t = (x < -87.0F ? -87.0F : x) * 1.44269504F;
    int32_t whole = (int32_t)(t - 0.5F);
    float f = (t - (float)whole) * 0.693147181F;
    float power =
        1 +
        f * (1 + f * (1.0F / 2 + f * (1.0F / 6 + f * (1.0F / 24 + f * (1.0F / 120 + f / 720)))));
    int32_t bits;
    memcpy(&bits, &power, sizeof bits);
    bits += whole * (1 << 23);
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* x[0..n) becomes softmax(x). */
static void softmax(float *x, size_t n)
{
    float most = -FLT_MAX, sum = 0;
#pragma omp simd reduction(max : most)
    for (size_t j = 0; j < n; j++)
        most = x[j] > most ? x[j] : most;
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < n; j++) {
        x[j] = exp_below(x[j] - most);
        sum += x[j];
    }
    float factor = 1 / sum;
#pragma omp simd
    for (size_t j = 0; j < n; j++)
        x[j] *= factor;
}

struct attention {
    float *query, *key, *value, *context, *d_context, *d_query, *d_key, *d_value;
    float *scores; /* of each thread two of (block, n_k) */
    long n_heads, n_q, n_k, dim;
    long block; /* queries at a time */
    int n_threads;
    bool causal;
};

/* How many keys the queries below `end` may see. */
static long keys_below(const struct attention *a, long end)
{
    return a->causal && end < a->n_k ? end : a->n_k;
}

/* weights (n, n_keys) of queries [begin, begin + n) of one head. */
static void make_weights(const struct attention *a, const float *query, const float *key,
                         long begin, long n, long n_keys, float *weights)
{
    float scale = 1 / sqrtf((float)a->dim);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)n_keys, (int)a->dim, scale,
                query + begin * a->dim, (int)a->dim, key, (int)a->dim, 0, weights, (int)n_keys);
    for (long i = 0; i < n; i++) {
        long open = keys_below(a, begin + i + 1);
        softmax(weights + i * n_keys, (size_t)open);
        memset(weights + i * n_keys + open, 0, (size_t)(n_keys - open) * sizeof *weights);
    }
}

/* One query: a matrix and a vector, twice. */
static void forward_one(const struct attention *a, long head, float *weights)
{
    int n_k = (int)a->n_k, dim = (int)a->dim;
    cblas_sgemv(CblasRowMajor, CblasNoTrans, n_k, dim, 1 / sqrtf((float)dim),
                a->key + head * a->n_k * dim, dim, a->query + head * dim, 1, 0, weights, 1);
    softmax(weights, (size_t)n_k);
    cblas_sgemv(CblasRowMajor, CblasTrans, n_k, dim, 1, a->value + head * a->n_k * dim, dim,
                weights, 1, 0, a->context + head * dim, 1);
}

static void forward_block(const struct attention *a, long head, long begin, float *weights)
{
    long n = begin + a->block < a->n_q ? a->block : a->n_q - begin,
         n_keys = keys_below(a, begin + n);
    make_weights(a, a->query + head * a->n_q * a->dim, a->key + head * a->n_k * a->dim, begin, n,
                 n_keys, weights);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)a->dim, (int)n_keys, 1,
                weights, (int)n_keys, a->value + head * a->n_k * a->dim, (int)a->dim, 0,
                a->context + (head * a->n_q + begin) * a->dim, (int)a->dim);
}

static float *scores_of_thread(const struct attention *a, int thread)
{
    return a->scores + 2 * (size_t)thread * (size_t)(a->block * a->n_k);
}

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void)
{
    return 0;
}
#endif

static void forward_call(void *data)
{
    struct attention *a = data;
    long n_blocks = (a->n_q + a->block - 1) / a->block;
#pragma omp parallel for num_threads(a->n_threads) schedule(dynamic, 1)
    for (long at = 0; at < a->n_heads * n_blocks; at++) /* the longest rows first */
        if (a->n_q == 1)
            forward_one(a, at, scores_of_thread(a, omp_get_thread_num()));
        else
            forward_block(a, at % a->n_heads, (n_blocks - 1 - at / a->n_heads) * a->block,
                          scores_of_thread(a, omp_get_thread_num()));
}

/* d_weights becomes the gradient of the scaled scores, times the scale. */
static void softmax_gradient(const struct attention *a, const float *weights, float *d_weights,
                             long n, long n_keys)
{
    float scale = 1 / sqrtf((float)a->dim);
    for (long i = 0; i < n; i++) {
        const float *w = weights + i * n_keys;
        float *d = d_weights + i * n_keys, sum = 0;
#pragma omp simd reduction(+ : sum)
        for (long j = 0; j < n_keys; j++)
            sum += w[j] * d[j];
#pragma omp simd
        for (long j = 0; j < n_keys; j++)
            d[j] = w[j] * (d[j] - sum) * scale;
    }
}

static void backward_block(const struct attention *a, long head, long begin, float *weights)
{
    int dim = (int)a->dim;
    long n = begin + a->block < a->n_q ? a->block : a->n_q - begin,
         n_keys = keys_below(a, begin + n);
    long at_q = (head * a->n_q + begin) * a->dim, at_k = head * a->n_k * a->dim;
    float *d_weights = weights + a->block * a->n_k;
    make_weights(a, a->query + head * a->n_q * a->dim, a->key + at_k, begin, n, n_keys, weights);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)n_keys, dim, 1,
                a->d_context + at_q, dim, a->value + at_k, dim, 0, d_weights, (int)n_keys);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)n_keys, dim, (int)n, 1, weights,
                (int)n_keys, a->d_context + at_q, dim, 1, a->d_value + at_k, dim);
    softmax_gradient(a, weights, d_weights, n, n_keys);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, dim, (int)n_keys, 1, d_weights,
                (int)n_keys, a->key + at_k, dim, 0, a->d_query + at_q, dim);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)n_keys, dim, (int)n, 1, d_weights,
                (int)n_keys, a->query + at_q, dim, 1, a->d_key + at_k, dim);
}

static void backward_call(void *data)
{
    struct attention *a = data;
    size_t size = (size_t)(a->n_heads * a->n_k * a->dim) * sizeof(float);
    memset(a->d_key, 0, size);
    memset(a->d_value, 0, size);
#pragma omp parallel for num_threads(a->n_threads) schedule(dynamic, 1)
    for (long head = 0; head < a->n_heads; head++)
        for (long begin = 0; begin < a->n_q; begin += a->block)
            backward_block(a, head, begin, scores_of_thread(a, omp_get_thread_num()));
}

static void attention_release(void *data)
{
    struct attention *a = data;
    float *all[] = {a->query,   a->key,   a->value,   a->context, a->d_context,
                    a->d_query, a->d_key, a->d_value, a->scores};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(a);
}

static double seconds_of(void (*call)(void *), struct attention *a)
{
    struct timespec begin, end;
    double best = DBL_MAX;
    for (int i = 0; i < 3; i++) {
        clock_gettime(CLOCK_MONOTONIC, &begin);
        call(a);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double spent =
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        best = spent < best ? spent : best;
        if (spent > 0.2)
            break;
    }
    return best;
}

static void choose_block(void (*call)(void *), struct attention *a, long most)
{
    double best = DBL_MAX;
    long chosen = most;
    for (long block = 32; block <= most; block *= 2) {
        a->block = block;
        double spent = seconds_of(call, a);
        if (spent < best) {
            best = spent;
            chosen = block;
        }
    }
    a->block = chosen;
}

static const char *attention_prepare(const struct request *request, struct job *job,
                                     void (*call)(void *))
{
    enum { MOST = 512 };
    struct attention *a = calloc(1, sizeof *a);
    if (a == NULL)
        return "not enough memory";
    size_t heads = request_size(request, "heads", 1), q = request_size(request, "q", 1);
    size_t k = request_size(request, "k", 1), d = request_size(request, "d", 1);
    a->n_heads = (long)heads;
    a->n_q = (long)q;
    a->n_k = (long)k;
    a->dim = (long)d;
    a->causal = request_size(request, "causal", 0) != 0;
    a->n_threads = (int)request_size(request, "threads", 1);
    a->query = worker_numbers(heads * q * d, 1);
    a->key = worker_numbers(heads * k * d, 2);
    a->value = worker_numbers(heads * k * d, 3);
    a->d_context = worker_numbers(heads * q * d, 4);
    a->context = worker_numbers(heads * q * d, 0);
    a->d_query = worker_numbers(heads * q * d, 0);
    a->d_key = worker_numbers(heads * k * d, 0);
    a->d_value = worker_numbers(heads * k * d, 0);
    a->scores = worker_numbers(2 * (size_t)a->n_threads * MOST * k, 0);
    openblas_set_num_threads(1); /* the heads are shared out here */
    choose_block(call, a, a->n_q < MOST ? a->n_q > 32 ? a->n_q : 32 : MOST);
    *job = (struct job){.call = call, .release = attention_release, .data = a};
    job->output = call == forward_call ? a->context : a->d_key;
    job->n_output = heads * d * (call == forward_call ? q : k);
    return NULL;
}

static const char *forward_prepare(const struct request *request, struct job *job)
{
    return attention_prepare(request, job, forward_call);
}

static const char *backward_prepare(const struct request *request, struct job *job)
{
    return attention_prepare(request, job, backward_call);
}

/* c (rows, cols) = a (rows, inner) b (inner, cols); ta or tb: a or b is stored the other way round.
 */
struct gemm {
    float *a, *b, *c;
    int rows, cols, inner;
    bool ta, tb;
    int n_threads;
};

static void gemm_call(void *data)
{
    const struct gemm *g = data;
    openblas_set_num_threads(g->n_threads);
    cblas_sgemm(CblasRowMajor, g->ta ? CblasTrans : CblasNoTrans, g->tb ? CblasTrans : CblasNoTrans,
                g->rows, g->cols, g->inner, 1, g->a, g->ta ? g->rows : g->inner, g->b,
                g->tb ? g->inner : g->cols, 0, g->c, g->cols);
}

static void gemm_release(void *data)
{
    struct gemm *g = data;
    free(g->a);
    free(g->b);
    free(g->c);
    free(g);
}

static const char *gemm_prepare(const struct request *request, struct job *job)
{
    struct gemm *g = calloc(1, sizeof *g);
    if (g == NULL)
        return "not enough memory";
    size_t rows = request_size(request, "rows", 1), cols = request_size(request, "cols", 1);
    size_t inner = request_size(request, "inner", 1);
    *g = (struct gemm){.a = worker_numbers(rows * inner, 1),
                       .b = worker_numbers(inner * cols, 2),
                       .c = worker_numbers(rows * cols, 0),
                       .rows = (int)rows,
                       .cols = (int)cols,
                       .inner = (int)inner,
                       .ta = request_size(request, "ta", 0) != 0,
                       .tb = request_size(request, "tb", 0) != 0,
                       .n_threads = (int)request_size(request, "threads", 1)};
    *job = (struct job){.call = gemm_call, .release = gemm_release, .data = g};
    job->output = g->c;
    job->n_output = rows * cols;
    return NULL;
}

int main(void)
{
    static const struct operation table[] = {
        {.name = "forward", .prepare = forward_prepare},
        {.name = "backward", .prepare = backward_prepare},
        {.name = "gemm", .prepare = gemm_prepare},
    };
    return worker_run(table, sizeof table / sizeof *table);
}
