/* Running one case: see case_runner.h. */
#include "judge/run/case_runner.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "judge/run/runner_internal.h"

/* ---- one case ---- */

void case_run_release(struct case_run *run)
{
    answer_release(&run->answer);
    *run = (struct case_run){0};
}

bool case_run_is_wrong(const struct case_run *run)
{
    return run->fixture != NULL && run->answered && run->difference.verdict != VERDICT_PASS;
}

void case_runner_init(struct case_runner *runner, const struct exercise *exercise,
                      const struct limits *limits, unsigned layers, int program_fd)
{
    *runner = (struct case_runner){.exercise = exercise};
    runner_plan_init(&runner->plan, limits, layers, program_fd);
}

void case_runner_release(struct case_runner *runner)
{
    if (runner->runner == NULL)
        return;
    const struct text *printed = runner_printed(runner->runner);
    if (runner->printed != NULL && runner->printed->size < runner->plan.limits->text_kept_bytes)
        text_add(runner->printed, text_string(printed), printed->size);
    uint64_t memory_bytes = runner_memory_bytes(runner->runner);
    if (memory_bytes > runner->memory_bytes)
        runner->memory_bytes = memory_bytes;
    runner_stop(runner->runner);
    runner->runner = NULL;
}

/* The verdict on the numbers, when nothing else was wrong. */
static void compare(struct case_run *run)
{
    run->difference = fixture_compare(run->fixture, &run->answer);
    if (run->verdict != VERDICT_PASS)
        return;
    run->verdict = run->difference.verdict;
    if (run->verdict != VERDICT_PASS && run->unwritten) {
        run->verdict = VERDICT_WRONG_ANSWER;
        snprintf(run->detail, sizeof run->detail, "not written");
    }
}

bool case_runner_start(struct case_runner *runner, struct error *reterr)
{
    if (runner->runner != NULL)
        return true;
    if (!runner_start(&runner->plan, runner->exercise, &runner->runner, reterr))
        return false;
    runner->n_starts++;
    return true;
}

/* A program that runs has as much room as it was started with. */
static void make_room(struct case_runner *runner, const struct fixture *fixture)
{
    if (runner_plan_holds(&runner->plan, fixture))
        return;
    case_runner_release(runner);
    runner_plan_fit(&runner->plan, fixture);
}

bool case_runner_run(struct case_runner *runner, struct fixture *fixture, bool at_end,
                     struct case_run *ret, struct error *reterr)
{
    struct case_run run = {.fixture = fixture, .at_end = at_end};
    struct runner_outcome outcome;
    if (!answer_init(fixture, &run.answer, reterr))
        return false;
    make_room(runner, fixture);
    if (!case_runner_start(runner, reterr)) {
        case_run_release(&run);
        return false;
    }
    runner_choose_variant(runner->runner, runner->variant);
    runner_call(runner->runner, fixture, at_end, &run.answer, &outcome);
    run.verdict = outcome.verdict;
    memcpy(run.detail, outcome.detail, sizeof run.detail);
    run.heap_bytes = outcome.heap_bytes;
    run.refused_memory = outcome.alive && outcome.refused_memory;
    run.spent_ns = outcome.spent_ns;
    run.answered = outcome.alive;
    run.unwritten = outcome.alive && outcome.poisoned;
    if (outcome.alive)
        compare(&run);
    else
        case_runner_release(runner); /* the next case starts the program again */
    *ret = run;
    return true;
}

/* ---- again ----
 *
 * One round repeats every case. Three more rounds repeat those that take little time, and after
 * each the heap is measured, always after the same case. Memory that is kept since the first round,
 * such as a buffer that grew for the largest case, does not grow then; memory that is lost in one
 * call of four, or more often, does. */

enum {
    N_ROUNDS = 4,
    MIN_CALLS = 4, /* in a round after the first */
    NS_A_MS = 1000000,
    QUICK_MS = 20,     /* of processor time, for a case that is run in each round */
    MAX_MS = 1000,     /* for a case that is repeated at all: near its limit it could cross it */
    PROGRAM_MS = 2000, /* for all cases together, before the program is started again */
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

/* ---- smaller ---- */

enum { LARGEST_TRIED = 3 }; /* larger sizes are not small enough to be worth a try */

struct shrink_search {
    struct case_runner *runner;
    const char *data_dir;
    struct sizes sizes; /* of the best so far, where they differ from the case's own */
    bool simple;
    struct case_run best; /* fixture NULL: nothing is smaller than the failing case yet */
    size_t n_cells;       /* of the best, or of the failing case */
};

/* A size that is a number can be changed; one that is worked out from others can't. */
static bool stands_alone(const char *value)
{
    for (; *value != '\0'; value++)
        if (!isdigit((unsigned char)*value) && *value != '.' && *value != ' ')
            return false;
    return true;
}

static void keep(struct shrink_search *search, const struct case_run *run,
                 const struct sizes *sizes, bool simple)
{
    if (search->best.fixture != NULL) {
        struct fixture *old = search->best.fixture;
        case_run_release(&search->best);
        fixture_free(old);
    }
    search->best = *run;
    search->n_cells = run->fixture->n_cells;
    search->sizes = *sizes;
    search->simple = simple;
}

/* Draws the case with these sizes; keeps it when it still fails and is no larger. */
static bool try_so(struct shrink_search *search, const struct fixture *from,
                   const struct sizes *sizes, bool simple)
{
    struct fixture *fixture;
    struct case_run run;
    if (!fixture_draw(from->exercise, from->source, from->repeat, from->seed, sizes, simple,
                      search->data_dir, &fixture, NULL))
        return false;
    bool smaller = fixture->n_cells < search->n_cells ||
                   (simple && !search->simple && fixture->n_cells == search->n_cells);
    if (smaller && case_runner_run(search->runner, fixture, true, &run, NULL)) {
        if (case_run_is_wrong(&run) && run.verdict != VERDICT_OUT_OF_BOUNDS) {
            keep(search, &run, sizes, simple);
            return true;
        }
        case_run_release(&run);
    }
    fixture_free(fixture);
    return false;
}

static void try_smaller(struct shrink_search *search, const struct fixture *from, const char *name)
{
    struct sizes sizes = search->sizes;
    if (sizes.n == PROTOTYPE_MAX_PARAMS)
        return;
    sizes.names[sizes.n++] = name;
    for (int value = 1; value <= LARGEST_TRIED; value++) {
        sizes.values[sizes.n - 1] = value;
        if (try_so(search, from, &sizes, false))
            return;
    }
}

bool case_shrink(struct case_runner *runner, const struct case_run *failing, const char *data_dir,
                 struct case_run *ret)
{
    const struct fixture *from = failing->fixture;
    struct shrink_search search = {
        .runner = runner, .data_dir = data_dir, .n_cells = from->n_cells};
    for (unsigned i = 0; i < from->source->sizes.n; i++)
        if (stands_alone(from->source->sizes.items[i].value))
            try_smaller(&search, from, from->source->sizes.items[i].name);
    struct sizes sizes = search.sizes;
    try_so(&search, from, &sizes, true);
    if (search.best.fixture == NULL)
        return false;
    *ret = search.best;
    return true;
}

/* ---- with other numbers ---- */

const char changed_little[] = "X * (1 + (rand(X.shape) - 0.5) / 20)";

const char changed_far_apart[] = "X * 30", changed_to_whole[] = "round(X)";

const char changed_hidden[] = "X & (rand(X.shape[-2], 1) > 0.4)";

const char *const changed_scales[CHANGED_SCALES] = {"X * 3",  "X * 8",   "X * 20",
                                                    "X * 50", "X * 120", "X * 300"};

const char *const changed_steps[CHANGED_STEPS] = {"X * 2",  "X * 4",   "X * 6",  "X * 11",
                                                  "X * 16", "X * 27",  "X * 40", "X * 70",
                                                  "X * 95", "X * 160", "X * 220"};

bool is_float_input(const struct fixture *fixture, unsigned array)
{
    const struct fixture_array *a = &fixture->arrays[array];
    return fixture->exercise->arrays[array].role != ROLE_OUT && a->present && !a->boolean &&
           a->n_cells > 0;
}

/* NAME = RECIPE, for an array. */
static void write_line(const char *name, const char *recipe, struct text *line)
{
    text_format(line, "%s = ", name);
    for (; *recipe != '\0'; recipe++) {
        if (*recipe == 'X')
            text_put(line, name);
        else
            text_char(line, *recipe);
    }
}

bool changed_case(const struct fixture *like, const char *recipe, int only, struct arena *arena,
                  struct exercise_case *ret, struct error *reterr)
{
    const struct exercise *exercise = like->exercise;
    const struct strings *draw = &like->source->draw;
    struct strings lines = {.n = 0};
    size_t most = draw->n + exercise->n_arrays;
    lines.items = arena_take(arena, (most + 1) * sizeof *lines.items);
    lines.lines = arena_take(arena, (most + 1) * sizeof *lines.lines);
    if (lines.items == NULL || lines.lines == NULL)
        return error_memory(reterr, "a case");
    for (; lines.n < draw->n; lines.n++) {
        lines.items[lines.n] = draw->items[lines.n];
        lines.lines[lines.n] = draw->lines[lines.n];
    }
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        struct text line = {0};
        if (only >= 0 ? i != (unsigned)only : !is_float_input(like, i))
            continue;
        write_line(exercise->arrays[i].name, recipe, &line);
        lines.items[lines.n] =
            line.failed ? NULL : arena_copy(arena, text_string(&line), line.size);
        text_release(&line);
        if (lines.items[lines.n] == NULL)
            return error_memory(reterr, "a case");
        lines.lines[lines.n++] = like->source->line;
    }
    *ret = *like->source;
    ret->draw = lines;
    return true;
}
