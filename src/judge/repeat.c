/* Repeating the cases: see repeat.h.
 *
 * One round repeats every case. Three more repeat those that take little time, and after each the
 * heap is measured, always after the same case: what is kept from the first round on, such as a
 * buffer that grew for the largest case, does not grow then, and what is lost in one call of four
 * or more often does. */
#include "judge/repeat.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    N_ROUNDS = 4,
    MIN_CALLS = 4, /* in a round after the first */
    NS_A_MS = 1000000,
    QUICK_MS = 20,     /* of processor time, for a case that is run in each round */
    MAX_MS = 1000,     /* for a case that is repeated at all: near its limit it could cross it */
    PROGRAM_MS = 2000, /* for all cases together, before the program is started anew */
};

struct repeating {
    struct case_runner *runner;
    struct case_run *runs;
    size_t n;
    struct repeat_finding *found;
    uint64_t spent_ns; /* by the program that runs now */
    uint64_t heap[N_ROUNDS];
    struct error *reterr;
};

/* Bit for bit; but a NaN is as good as another one, which may be attn's poison. */
static bool same_number(float a, float b)
{
    uint32_t a_bits, b_bits;
    static_assert(sizeof a == sizeof a_bits, "binary32");
    memcpy(&a_bits, &a, sizeof a);
    memcpy(&b_bits, &b, sizeof b);
    return a_bits == b_bits || (isnan(a) && isnan(b));
}

bool answers_same(const struct fixture *fixture, const struct answer *a, const struct answer *b)
{
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (size_t cell = 0; a->floats[i] != NULL && cell < fixture->arrays[i].n_cells; cell++)
            if (!same_number(a->floats[i][cell], b->floats[i][cell]))
                return false;
    return true;
}

static bool is_about_numbers(enum verdict verdict)
{
    return verdict == VERDICT_WRONG_ANSWER || verdict == VERDICT_NON_FINITE ||
           verdict == VERDICT_PASS;
}

static void note(struct repeating *repeating, struct case_run *run, enum verdict verdict,
                 const char *detail)
{
    struct repeat_finding *found = repeating->found;
    found->verdict = verdict;
    snprintf(found->detail, sizeof found->detail, "%s", detail);
    if (!is_about_numbers(verdict) || run->verdict == VERDICT_PASS) {
        run->verdict = verdict;
        snprintf(run->detail, sizeof run->detail, "%s", detail);
    }
}

/* Runs a case once more; *ret_heap is the heap after it. */
static bool run_again(struct repeating *repeating, struct case_run *run, bool first_round,
                      uint64_t *ret_heap)
{
    struct case_runner *runner = repeating->runner;
    struct case_run again;
    if (repeating->spent_ns + run->spent_ns > (uint64_t)PROGRAM_MS * NS_A_MS) {
        case_runner_release(runner);
        repeating->spent_ns = 0;
    }
    if (!case_runner_run(runner, run->fixture, run->at_end, &again, repeating->reterr))
        return false;
    repeating->spent_ns += again.spent_ns;
    *ret_heap = again.heap_bytes;
    /* What it prints in all rounds together is no matter. */
    bool printed = again.verdict == VERDICT_OUTPUT_LIMIT && !first_round;
    if (!is_about_numbers(again.verdict) && !printed)
        note(repeating, run, again.verdict, again.detail);
    else if (!printed &&
             !(again.answered && answers_same(run->fixture, &run->answer, &again.answer)))
        note(repeating, run, VERDICT_WRONG_ANSWER, NONDETERMINISTIC);
    case_run_release(&again);
    return true;
}

static bool has_answer(const struct case_run *run)
{
    return run->fixture != NULL && run->answered && !run->unwritten;
}

/* Goes on to the end of the round while nothing ends the program. */
static bool run_round(struct repeating *repeating, size_t round, size_t *ret_calls)
{
    uint64_t longest_ns = (uint64_t)(round == 0 ? MAX_MS : QUICK_MS) * NS_A_MS;
    for (size_t i = repeating->n; i-- > 0;) {
        struct case_run *run = &repeating->runs[i];
        if (!has_answer(run) || run->spent_ns > longest_ns)
            continue;
        if (!run_again(repeating, run, round == 0, &repeating->heap[round]))
            return false;
        (*ret_calls)++;
        if (!is_about_numbers(repeating->found->verdict))
            return true;
    }
    return true;
}

static void look_at_heap(struct repeating *repeating, unsigned n_starts)
{
    const uint64_t *heap = repeating->heap;
    struct repeat_finding *found = repeating->found;
    if (repeating->runner->n_starts != n_starts || repeating->runner->runner == NULL ||
        !(heap[1] < heap[2] && heap[2] < heap[3]))
        return;
    found->verdict = VERDICT_LEAK;
    snprintf(found->detail, sizeof found->detail, "%llu bytes in %d rounds of all cases",
             (unsigned long long)(heap[3] - heap[1]), 2);
}

bool cases_repeat(struct case_runner *runner, struct case_run *runs, size_t n,
                  struct repeat_finding *ret, struct error *reterr)
{
    struct repeating repeating = {
        .runner = runner, .runs = runs, .n = n, .found = ret, .reterr = reterr};
    *ret = (struct repeat_finding){.verdict = VERDICT_PASS};
    unsigned n_starts = 0;
    for (size_t round = 0; round < N_ROUNDS && ret->verdict == VERDICT_PASS; round++) {
        size_t n_calls = 0, before;
        if (round == 1)
            n_starts = runner->n_starts;
        do {
            before = n_calls;
            if (!run_round(&repeating, round, &n_calls))
                return false;
        } while (round > 0 && n_calls > before && n_calls < MIN_CALLS);
    }
    if (ret->verdict == VERDICT_PASS)
        look_at_heap(&repeating, n_starts);
    return true;
}

bool case_repeat(struct case_runner *runner, struct case_run *run, struct repeat_finding *ret,
                 struct error *reterr)
{
    struct repeating repeating = {.runner = runner, .found = ret, .reterr = reterr};
    uint64_t heap;
    *ret = (struct repeat_finding){.verdict = VERDICT_PASS};
    return !has_answer(run) || run_again(&repeating, run, true, &heap);
}
