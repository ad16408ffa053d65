/* What the language costs beyond the arithmetic: lines over 3x3 tensors, each typed 20,000 times a
 * round, the last of them an attention.
 *
 * Prints, as medians of rounds that take turns in one run: a line as a whole, its parsing, and the
 * same tensor functions called directly from C; of the last line also the memory calls that it
 * makes. The overhead of an operation is (line - direct calls) / operations. Fails where the last
 * line's is over the limit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attention/attention.h"
#include "attention/softmax.h"
#include "base/arena.h"
#include "base/array.h"
#include "commands/command.h"
#include "lang/session/session.h"
#include "lang/syntax/parser.h"
#include "show/doc.h"
#include "tensor/elementwise.h"
#include "tensor/matmul.h"
#include "tensor/reduce.h"

enum { LINES = 20000, ROUNDS = 7 };
static const double OVERHEAD_LIMIT_US = 0.5;
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

static double parse_us(const char *line)
{
    struct arena arena = {0};
    struct error error;
    double begin = now_us();
    for (size_t i = 0; i < LINES; i++) {
        struct statement *statement;
        if (!parser_parse_line(&arena, command_find, line, strlen(line), &statement, &error))
            give_up("parse", &error);
        arena_clear(&arena);
    }
    double spent = now_us() - begin;
    arena_release(&arena);
    return spent / LINES;
}

/* ---- the tensor functions behind each line, called directly; x stands for Q, K and V ---- */

typedef bool direct_call(const struct tensor *x, struct tensor *ret, struct error *error);

static bool add(const struct tensor *x, struct tensor *ret, struct error *error)
{
    return tensor_binary(BINARY_ADD, x, x, NULL, ret, error);
}

static bool twice(const struct tensor *x, struct tensor *ret, struct error *error)
{
    struct tensor two;
    bool ok = tensor_scalar(2, &two, error) && tensor_binary(BINARY_MUL, x, &two, NULL, ret, error);
    tensor_release(&two);
    return ok;
}

static bool turn(const struct tensor *x, struct tensor *ret, struct error *error)
{
    (void)error;
    *ret = tensor_transpose(x, 0, 1);
    return true;
}

static bool pick(const struct tensor *x, struct tensor *ret, struct error *error)
{
    return tensor_pick(x, 0, 0, ret, error);
}

static bool power(const struct tensor *x, struct tensor *ret, struct error *error)
{
    return tensor_unary(UNARY_EXP, x, NULL, ret, error);
}

static bool add_up(const struct tensor *x, struct tensor *ret, struct error *error)
{
    return tensor_reduce(REDUCE_SUM, x, 2, false, 0, NULL, ret, error);
}

static bool soften(const struct tensor *x, struct tensor *ret, struct error *error)
{
    return softmax_forward(x, -1, NULL, ret, error);
}

static bool multiply(const struct tensor *x, struct tensor *ret, struct error *error)
{
    return tensor_matmul(x, x, NULL, ret, error);
}

static bool attend(const struct tensor *x, struct tensor *ret, struct error *error)
{
    struct attention_input input = {.query = x, .key = x, .value = x};
    return attention_forward(&input, NULL, ret, NULL, error);
}

static bool attend_in_steps(const struct tensor *x, struct tensor *ret, struct error *error)
{
    struct tensor three = {0}, root = {0}, x_t = tensor_transpose(x, 0, 1), scores = {0};
    struct tensor scaled = {0}, weights = {0};
    bool ok = tensor_scalar(3, &three, error) &&
              tensor_unary(UNARY_SQRT, &three, NULL, &root, error) &&
              tensor_matmul(x, &x_t, NULL, &scores, error) &&
              tensor_binary(BINARY_DIV, &scores, &root, NULL, &scaled, error) &&
              softmax_forward(&scaled, -1, NULL, &weights, error) &&
              tensor_matmul(&weights, x, NULL, ret, error);
    struct tensor *all[] = {&three, &root, &x_t, &scores, &scaled, &weights};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        tensor_release(all[i]);
    return ok;
}

static const struct {
    const char *line;
    direct_call *direct;
} cases[] = {
    {"Y = Q + K\n", add},
    {"Y = Q * 2\n", twice},
    {"Y = Q.T\n", turn},
    {"Y = Q[0]\n", pick},
    {"Y = exp(Q)\n", power},
    {"Y = sum(Q, dim=-1)\n", add_up},
    {"Y = softmax(Q, dim=-1)\n", soften},
    {"Y = Q @ K\n", multiply},
    {"Y = attention(Q, K, V)\n", attend},
    {"Y = softmax(Q @ K.T / sqrt(3)) @ V\n", attend_in_steps},
};
enum { CASES = COUNT_OF(cases) };

static double direct_us(direct_call *direct)
{
    float numbers[9] = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F};
    struct tensor x, result;
    struct error error;
    if (!tensor_from(2, (size_t[]){3, 3}, numbers, &x, &error))
        give_up("direct calls", &error);
    double begin = now_us();
    for (size_t i = 0; i < LINES; i++) {
        if (!direct(&x, &result, &error))
            give_up("direct calls", &error);
        tensor_release(&result);
    }
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

/* line, LINES times; NULL without memory. */
static char *repeated(const char *line)
{
    size_t size = strlen(line);
    char *script = malloc(size * LINES + 1);
    if (script == NULL)
        return NULL;
    for (size_t i = 0; i < LINES; i++)
        memcpy(script + i * size, line, size);
    script[size * LINES] = '\0';
    return script;
}

/* What one line took in each round. */
struct times {
    double whole[ROUNDS], parsing[ROUNDS], direct[ROUNDS];
    double operations; /* that the line makes */
};

static void measure(size_t which, size_t round, struct times *times)
{
    char *script = repeated(cases[which].line);
    if (script == NULL)
        exit(1);
    times->whole[round] = script_us(script, strlen(script), &times->operations);
    times->parsing[round] = parse_us(cases[which].line);
    times->direct[round] = direct_us(cases[which].direct);
    free(script);
}

/* Prints a row of the table; the overhead of an operation. */
static double tell(const char *line, struct times *times)
{
    double overhead = (median(times->whole) - median(times->direct)) / times->operations;
    printf("%-36.*s%9.2f%9.2f%9.2f%6.0f%10.2f\n", (int)strcspn(line, "\n"), line,
           median(times->whole), median(times->parsing), median(times->direct), times->operations,
           overhead);
    return overhead;
}

int main(void)
{
    static struct times times[CASES];
    double memory[ROUNDS], overhead = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < CASES; i++)
            measure(i, round, &times[i]);
        memory[round] = memory_call_us();
    }
    printf("%-36s%9s%9s%9s%6s%10s\n", "lang: microseconds, 3x3", "line", "parsing", "direct", "ops",
           "beyond/op");
    for (size_t i = 0; i < CASES; i++)
        overhead = tell(cases[i].line, &times[i]);
    /* A node is two allocations, its numbers and itself; a line adds its name. */
    double memory_us = (2 * times[CASES - 1].operations + 3) * median(memory);
    printf("lang: of the last line about %.2f us for memory (%.0f %%)\n", memory_us,
           100 * memory_us / median(times[CASES - 1].whole));
    printf("lang: overhead %.2f us an operation, limit %.1f\n", overhead, OVERHEAD_LIMIT_US);
    return overhead < OVERHEAD_LIMIT_US ? 0 : 1;
}
