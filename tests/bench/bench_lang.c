/* What the language costs beyond the arithmetic: a 3x3 attention typed as one line, 100,000 times.
 *
 * Prints, as medians of rounds that take turns in one run: a line as a whole, its parsing, the same
 * tensor functions called directly from C, and the memory calls that line makes. The overhead of an
 * operation is (line - direct calls) / operations. Fails over the limit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attention/softmax.h"
#include "base/arena.h"
#include "base/array.h"
#include "lang/commands/command.h"
#include "lang/session/session.h"
#include "lang/syntax/parser.h"
#include "show/doc.h"
#include "tensor/elementwise.h"
#include "tensor/matmul.h"

enum { LINES = 100000, ROUNDS = 5 };
static const double OVERHEAD_LIMIT_US = 2.0;
static const char line[] = "context = softmax(Q @ K.T / sqrt(3)) @ V\n";
static const char inputs[] = "Q = randn(3, 3); K = randn(3, 3); V = randn(3, 3)\n";

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void give_up(const char *what, const struct error *error)
{
    fprintf(stderr, "bench lang: %s: %s\n", what, error->text);
    exit(1);
}

/* Microseconds a line of a script of 100,000; *ret_operations is how many nodes a line makes. */
static double script_us(const char *script, size_t size, double *ret_operations)
{
    struct settings settings = {.digits = 4, .width_cols = 80};
    struct session session;
    struct doc out;
    struct error error;
    doc_init(&out);
    session_init(&session, command_find, &settings, NULL, NULL);
    if (!session_run(&session, inputs, strlen(inputs), &out, &error))
        give_up("inputs", &error);
    uint64_t nodes = session.graph.last_id;
    double begin = now_us();
    if (!session_run_script(&session, &(struct script){.source = script, .size = size}, &out,
                            &error))
        give_up("script", &error);
    double spent = now_us() - begin;
    *ret_operations = (double)(session.graph.last_id - nodes) / LINES;
    session_release(&session);
    doc_release(&out);
    return spent / LINES;
}

static double parse_us(void)
{
    struct arena arena = {0};
    struct error error;
    double begin = now_us();
    for (size_t i = 0; i < LINES; i++) {
        struct statement *statement;
        if (!parser_parse_line(&arena, command_find, line, sizeof line - 1, &statement, &error))
            give_up("parse", &error);
        arena_clear(&arena);
    }
    double spent = now_us() - begin;
    arena_release(&arena);
    return spent / LINES;
}

/* The tensor functions behind the line, called directly. */
static void attend(const struct tensor *q, const struct tensor *k, const struct tensor *v)
{
    struct error error;
    struct tensor three, root, k_t = tensor_transpose(k, 0, 1), scores, scaled, weights, context;
    bool ok = tensor_scalar(3, &three, &error) &&
              tensor_unary(UNARY_SQRT, &three, NULL, &root, &error) &&
              tensor_matmul(q, &k_t, NULL, &scores, &error) &&
              tensor_binary(BINARY_DIV, &scores, &root, NULL, &scaled, &error) &&
              softmax_forward(&scaled, -1, &weights, &error) &&
              tensor_matmul(&weights, v, NULL, &context, &error);
    if (!ok)
        give_up("direct calls", &error);
    struct tensor *all[] = {&three, &root, &k_t, &scores, &scaled, &weights, &context};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        tensor_release(all[i]);
}

static double direct_us(void)
{
    float numbers[9] = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F};
    struct tensor x;
    struct error error;
    if (!tensor_from(2, (size_t[]){3, 3}, numbers, &x, &error))
        give_up("direct calls", &error);
    double begin = now_us();
    for (size_t i = 0; i < LINES; i++)
        attend(&x, &x, &x);
    double spent = now_us() - begin;
    tensor_release(&x);
    return spent / LINES;
}

/* One allocation of a node's size and its release, as the line makes them: a few held at a time. */
static double memory_call_us(void)
{
    enum { HELD = 8 };
    void *held[HELD] = {NULL};
    double begin = now_us();
    for (size_t i = 0; i < LINES; i++) {
        free(held[i % HELD]);
        held[i % HELD] = calloc(1, 64 + 64 * (i % HELD));
        if (held[i % HELD] == NULL)
            exit(1);
    }
    double spent = now_us() - begin;
    for (size_t i = 0; i < HELD; i++)
        free(held[i]);
    return spent / LINES;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, ascending);
    return times[ROUNDS / 2];
}

int main(void)
{
    size_t size = (sizeof line - 1) * LINES;
    char *script = malloc(size + 1);
    if (script == NULL)
        return 1;
    for (size_t i = 0; i < LINES; i++)
        memcpy(script + i * (sizeof line - 1), line, sizeof line - 1);
    double whole[ROUNDS], parsing[ROUNDS], direct[ROUNDS], memory[ROUNDS], operations = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        whole[round] = script_us(script, size, &operations);
        parsing[round] = parse_us();
        direct[round] = direct_us();
        memory[round] = memory_call_us();
    }
    free(script);
    double line_us = median(whole), overhead = (line_us - median(direct)) / operations;
    /* A node is two allocations, its numbers and itself; a line adds its name. */
    double memory_us = (2 * operations + 3) * median(memory);
    printf("lang: %.2f us a line of %.0f operations: parsing %.2f (%.0f %%), memory about %.2f "
           "(%.0f %%), the same tensor functions called directly %.2f\n",
           line_us, operations, median(parsing), 100 * median(parsing) / line_us, memory_us,
           100 * memory_us / line_us, median(direct));
    printf("lang: overhead %.2f us an operation, limit %.1f\n", overhead, OVERHEAD_LIMIT_US);
    return overhead < OVERHEAD_LIMIT_US ? 0 : 1;
}
