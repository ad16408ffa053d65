/* Cases with a change that a right program does not notice: see symptom_trials_internal.h. */
#include "judge/why/symptom_trials_internal.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

/* ---- the cases again ---- */

enum { MOST_CELLS = 6000 }; /* of a case that is tried: larger ones say no more */

/* ---- the cases again: choosing them ---- */

static bool fits(const struct case_run *run)
{
    return run->fixture != NULL && run->answered && run->fixture->memory_bytes == 0 &&
           run->fixture->n_cells <= MOST_CELLS;
}

static void take_cases(struct trials *trials, const struct case_run *runs, size_t n_runs,
                       bool wrong)
{
    for (size_t i = 0; i < n_runs && trials->n < TRIAL_MAX_CASES; i++)
        if (fits(&runs[i]) && case_run_is_wrong(&runs[i]) == wrong)
            trials->cases[trials->n++] = &runs[i];
}

void trials_init(struct trials *trials, const struct case_runner *runner,
                 const struct case_run *runs, size_t n_runs, struct error *reterr)
{
    *trials = (struct trials){.runner = *runner, .zero_locals_fd = -1, .reterr = reterr};
    take_cases(trials, runs, n_runs, true);
    take_cases(trials, runs, n_runs, false);
    for (size_t i = 0; i < trials->n; i++)
        runner_plan_fit(&trials->runner.plan, trials->cases[i]->fixture);
}

void trials_release(struct trials *trials)
{
    for (unsigned trial = 0; trial < N_TRIALS; trial++)
        for (size_t i = 0; i < trials->n; i++)
            case_run_release(&trials->answers[trial][i]);
}

/* ---- the cases again: running them ---- */

static struct leftovers leftovers_of(enum trial trial)
{
    return (struct leftovers){.is_number =
                                  trial == TRIAL_OUTPUTS_ZERO || trial == TRIAL_OUTPUTS_ONE,
                              .number = trial == TRIAL_OUTPUTS_ONE,
                              .zero_heap = trial == TRIAL_HEAP_ZERO};
}

static bool run_one(struct trials *trials, struct case_runner *runner, enum trial trial, size_t i)
{
    struct case_run *ret = &trials->answers[trial][i];
    case_run_release(ret);
    return case_runner_run(runner, trials->cases[i]->fixture, trials->cases[i]->at_end, ret,
                           trials->reterr);
}

static void run_trial(struct trials *trials, enum trial trial)
{
    struct case_runner runner = trials->runner;
    bool ok = true;
    trials->was_run[trial] = true;
    runner.plan.leftovers = leftovers_of(trial);
    if (trial == TRIAL_LOCALS_ZERO) {
        runner.plan.program_fd = trials->zero_locals_fd;
        ok = trials->zero_locals_fd >= 0;
    }
    /* Backwards each case runs twice: what the first run left, the second one meets. */
    int times = trial == TRIAL_BACKWARDS ? 2 : 1;
    for (size_t i = 0; i < trials->n; i++)
        for (int k = 0; k < times && ok; k++)
            ok = run_one(trials, &runner, trial, trial == TRIAL_BACKWARDS ? trials->n - 1 - i : i);
    case_runner_release(&runner);
}

const struct case_run *trial_answers(struct trials *trials, enum trial trial)
{
    if (!trials->was_run[trial])
        run_trial(trials, trial);
    for (size_t i = 0; i < trials->n; i++)
        if (!trials->answers[trial][i].answered)
            return NULL;
    return trials->n > 0 ? trials->answers[trial] : NULL;
}

bool trials_differ(struct trials *trials, enum trial a, enum trial b)
{
    const struct case_run *one = trial_answers(trials, a);
    const struct case_run *other = one != NULL ? trial_answers(trials, b) : NULL;
    for (size_t i = 0; other != NULL && i < trials->n; i++)
        if (!answers_same(one[i].fixture, &one[i].answer, &other[i].answer))
            return true;
    return false;
}

bool trial_is_right(struct trials *trials, enum trial trial)
{
    const struct case_run *runs = trial_answers(trials, trial);
    for (size_t i = 0; runs != NULL && i < trials->n; i++)
        if (runs[i].difference.verdict != VERDICT_PASS)
            return false;
    return runs != NULL;
}

/* ---- the cases again: cells of outputs ---- */

/* The answers of a case with three leftovers in its outputs. */
struct leftover_answers {
    const struct fixture *fixture;
    const struct answer *poison, *zero, *one;
};

static bool answers_of(struct trials *trials, size_t i, struct leftover_answers *ret)
{
    const struct case_run *poison = trial_answers(trials, TRIAL_SAME);
    const struct case_run *zero = poison != NULL ? trial_answers(trials, TRIAL_OUTPUTS_ZERO) : NULL;
    const struct case_run *one = zero != NULL ? trial_answers(trials, TRIAL_OUTPUTS_ONE) : NULL;
    if (one == NULL)
        return false;
    *ret = (struct leftover_answers){trials->cases[i]->fixture, &poison[i].answer, &zero[i].answer,
                                     &one[i].answer};
    return true;
}

static bool is_output(const struct leftover_answers *answers, unsigned array)
{
    const struct fixture_array *a = &answers->fixture->arrays[array];
    return a->present && a->before == NULL && answers->poison->floats[array] != NULL;
}

/* Is what lay there still there, whatever it was? */
static bool is_unwritten(const struct leftover_answers *answers, unsigned array, size_t cell)
{
    float zero = answers->zero->floats[array][cell];
    return isnan(answers->poison->floats[array][cell]) && zero == 0 && !signbit(zero) &&
           answers->one->floats[array][cell] == 1;
}

/* Does the number depend on the old memory, without being a copy of it? */
static bool is_read(const struct leftover_answers *answers, unsigned array, size_t cell)
{
    float poison = answers->poison->floats[array][cell], zero = answers->zero->floats[array][cell],
          one = answers->one->floats[array][cell];
    if (is_unwritten(answers, array, cell))
        return false;
    return isnan(poison) ? !isnan(zero) : zero != one && !isnan(zero) && !isnan(one);
}

static size_t count_cells(const struct leftover_answers *answers, unsigned array,
                          bool (*holds)(const struct leftover_answers *, unsigned, size_t))
{
    size_t n = 0;
    for (size_t cell = 0; cell < answers->fixture->arrays[array].n_cells; cell++)
        n += holds(answers, array, cell);
    return n;
}

const char *trials_output_read(struct trials *trials)
{
    struct leftover_answers answers;
    for (size_t i = 0; i < trials->n && answers_of(trials, i, &answers); i++)
        for (unsigned array = 0; array < answers.fixture->exercise->n_arrays; array++)
            if (is_output(&answers, array) && count_cells(&answers, array, is_read) > 0)
                return answers.fixture->exercise->arrays[array].name;
    return NULL;
}

/* ---- the cases again: cells that were not written ---- */

/* Lines of cells, rows or columns: cell = line * line_step + k * cell_step. */
struct cell_lines {
    const struct leftover_answers *answers;
    unsigned array;
    size_t n, line_step, length, cell_step;
    size_t n_missing;   /* lines none of whose cells was written */
    size_t first, last; /* of these */
};

/* Counts the lines of which nothing was written; false where a line was written in part. */
static bool take_lines(struct cell_lines *lines)
{
    for (size_t line = 0; line < lines->n; line++) {
        size_t n = 0;
        for (size_t k = 0; k < lines->length; k++)
            n += is_unwritten(lines->answers, lines->array,
                              line * lines->line_step + k * lines->cell_step);
        if (n > 0 && n < lines->length)
            return false;
        if (n == 0)
            continue;
        lines->first = lines->n_missing == 0 ? line : lines->first;
        lines->last = line;
        lines->n_missing++;
    }
    return true;
}

/* "Only the first row of context was written." */
static void say_lines(const struct cell_lines *lines, const char *what, const char *name,
                      struct text *text)
{
    size_t n = lines->n, last = n - 1;
    bool is_block = lines->last - lines->first + 1 == lines->n_missing;
    if (n > 1 && is_block && lines->first == 1 && lines->last == last)
        text_format(text, "Only the first %s of %s was written.", what, name);
    else if (n > 1 && is_block && lines->first == 0 && lines->last + 1 == last)
        text_format(text, "Only the last %s of %s was written.", what, name);
    else if (lines->n_missing == 1 && lines->first == 0)
        text_format(text, "The first %s of %s was never written.", what, name);
    else if (lines->n_missing == 1 && lines->last == last)
        text_format(text, "The last %s of %s was never written.", what, name);
    else if (is_block && lines->last == last)
        text_format(text, "The last %ss of %s were never written.", what, name);
    else if (is_block && lines->first == 0)
        text_format(text, "The first %ss of %s were never written.", what, name);
    else
        text_format(text, "Some %ss of %s were never written.", what, name);
}

/* The cells along the last axis are a row; a vector has cells alone. */
static void say_cells(const struct leftover_answers *answers, unsigned array, size_t n_missing,
                      struct text *text)
{
    const struct fixture_array *a = &answers->fixture->arrays[array];
    const char *name = answers->fixture->exercise->arrays[array].name;
    size_t n_cols = a->n_axes > 0 ? a->shape[a->n_axes - 1] : 1;
    size_t n_rows = n_cols > 0 ? a->n_cells / n_cols : 0;
    struct cell_lines rows = {answers, array, n_rows, n_cols, n_cols, 1, 0, 0, 0};
    struct cell_lines cols = {answers, array, n_cols, 1, n_rows, n_cols, 0, 0, 0};
    if (n_missing == a->n_cells)
        text_format(text, "No number of %s was ever written.", name);
    else if (a->n_axes == 1 && take_lines(&cols))
        say_lines(&cols, "number", name, text);
    else if (a->n_axes > 1 && take_lines(&rows))
        say_lines(&rows, "row", name, text);
    else if (a->n_axes > 1 && take_lines(&cols))
        say_lines(&cols, "column", name, text);
    else
        text_format(text, "Some numbers of %s were never written.", name);
}

/* The first output that has such cells, and how many. False: no output has any. */
static bool find_unwritten(const struct leftover_answers *answers, unsigned *ret_array,
                           size_t *ret_n)
{
    for (unsigned array = 0; array < answers->fixture->exercise->n_arrays; array++) {
        *ret_array = array;
        *ret_n = is_output(answers, array) ? count_cells(answers, array, is_unwritten) : 0;
        if (*ret_n > 0)
            return true;
    }
    return false;
}

bool trials_tell_unwritten(struct trials *trials, bool hides_drawn, struct text *text)
{
    struct leftover_answers answers, first = {.fixture = NULL}, largest = {.fixture = NULL};
    size_t n_missing, n_cases = 0;
    unsigned array;
    for (size_t i = 0; i < trials->n && answers_of(trials, i, &answers); i++) {
        if (!find_unwritten(&answers, &array, &n_missing))
            continue;
        first = n_cases == 0 ? answers : first;
        if (n_cases == 0 || answers.fixture->n_cells > largest.fixture->n_cells)
            largest = answers;
        n_cases++;
    }
    if (n_cases == 0)
        return false;
    const struct leftover_answers *told = n_cases == trials->n ? &largest : &first;
    if (n_cases < trials->n && (!hides_drawn || told->fixture->is_public))
        text_format(text, "In \"%s\": ", told->fixture->source->name);
    else if (n_cases < trials->n)
        text_put(text, "In some cases, not in all: ");
    find_unwritten(told, &array, &n_missing);
    say_cells(told, array, n_missing, text);
    return true;
}

/* ---- other sizes ---- */

enum size_outcome { SIZES_NOT_DRAWN, SIZES_RIGHT, SIZES_WRONG, SIZES_BEYOND };

enum { OTHERS = 5, LEAST_EQUAL = 3, ROUNDS = 3 };

/* Sizes of a case: of the two that are looked at, and of the others, which differ from them. The
 * later ones fit where one size has to divide another. */
struct size_plan {
    double one, other, others[OTHERS];
};

static const struct size_plan equal_plans[] = {
    {4, 4, {3, 5, 6, 2, 7}}, {3, 3, {5, 2, 7, 4, 6}}, {6, 6, {2, 4, 3, 5, 7}},
    {6, 6, {3, 2, 1, 5, 4}}, {8, 8, {4, 2, 3, 1, 5}}, {4, 4, {8, 2, 6, 1, 3}},
};

static const struct size_plan unequal_plans[] = {
    {5, 3, {4, 6, 2, 7, 8}},
    {3, 5, {4, 6, 2, 7, 8}},
    {6, 3, {2, 4, 1, 5, 8}},
    {3, 6, {2, 4, 1, 5, 8}},
};

struct asking_sizes {
    const struct sizes_question *question;
    const struct fixture *like; /* its sizes can be chosen */
    struct error *reterr;
};

static const struct prototype *prototype_of(const struct asking_sizes *asking)
{
    return &asking->like->exercise->prototype;
}

/* A case whose inputs are drawn as usual, for any sizes. */
static const struct fixture *case_of_any_size(const struct fixtures *cases)
{
    for (size_t i = 0; i < cases->n; i++) {
        const struct fixture *one = cases->items[i];
        if (!one->is_public && one->source->draw.n == 0 && one->memory_bytes == 0)
            return one;
    }
    return NULL;
}

static struct sizes sizes_of(const struct asking_sizes *asking, unsigned one, unsigned other,
                             const struct size_plan *plan)
{
    const struct prototype *prototype = prototype_of(asking);
    struct sizes sizes = {.n = 0};
    unsigned n_others = 0;
    for (unsigned i = 0; i < prototype->n_params; i++) {
        if (prototype->params[i].kind != PARAM_SIZE)
            continue;
        sizes.names[sizes.n] = prototype->params[i].name;
        sizes.values[sizes.n++] = i == one     ? plan->one
                                  : i == other ? plan->other
                                               : plan->others[n_others++ % OTHERS];
    }
    return sizes;
}

static enum size_outcome outcome_of(const struct case_run *run)
{
    if (run->verdict == VERDICT_OUT_OF_BOUNDS || run->verdict == VERDICT_CRASH)
        return SIZES_BEYOND;
    return run->verdict == VERDICT_PASS ? SIZES_RIGHT : SIZES_WRONG;
}

/* The worse of what comes out with the arrays at one end of their memory, and at the other. */
static enum size_outcome outcome_with(const struct asking_sizes *asking, unsigned one,
                                      unsigned other, const struct size_plan *plan, unsigned round)
{
    const struct sizes_question *question = asking->question;
    const struct fixture *like = asking->like;
    struct sizes sizes = sizes_of(asking, one, other, plan);
    struct case_runner runner = *question->runner;
    struct fixture *fixture;
    enum size_outcome worst = SIZES_NOT_DRAWN;
    if (!fixture_draw(like->exercise, like->source, like->repeat, question->seed + round, &sizes,
                      false, question->data_dir, &fixture, NULL))
        return SIZES_NOT_DRAWN;
    runner_plan_fit(&runner.plan, fixture);
    for (int at_end = 1; at_end >= 0 && asking->reterr->kind == ERR_NONE; at_end--) {
        struct case_run run;
        if (!case_runner_run(&runner, fixture, at_end != 0, &run, asking->reterr))
            break;
        worst = outcome_of(&run) > worst ? outcome_of(&run) : worst;
        case_run_release(&run);
    }
    case_runner_release(&runner);
    fixture_free(fixture);
    return worst;
}

static bool is_right_where_equal(const struct asking_sizes *asking, unsigned one, unsigned other)
{
    unsigned n_right = 0;
    for (size_t i = 0; i < COUNT_OF(equal_plans); i++) {
        enum size_outcome outcome = outcome_with(asking, one, other, &equal_plans[i], 0);
        if (outcome > SIZES_RIGHT)
            return false;
        n_right += outcome == SIZES_RIGHT;
    }
    return n_right >= LEAST_EQUAL;
}

/* Is the first plan, in which it goes wrong, an example? One that goes beyond an array is better.
 */
static void take_example(struct size_mistake *mistake, const struct size_plan *plan,
                         enum size_outcome outcome)
{
    bool beyond = outcome == SIZES_BEYOND;
    if (outcome <= SIZES_RIGHT || (mistake->one_value > 0 && (mistake->goes_beyond || !beyond)))
        return;
    mistake->one_value = plan->one;
    mistake->other_value = plan->other;
    mistake->goes_beyond = beyond;
}

/* Where the other one is too large: it comes first. */
static void exchange(struct size_mistake *mistake)
{
    struct size_mistake given = *mistake;
    mistake->one = given.other;
    mistake->other = given.one;
    mistake->one_value = given.other_value;
    mistake->other_value = given.one_value;
    mistake->one_is_too_large = true;
}

/* What goes wrong with the sizes of the plan, does it go right when only the two become equal, and
 * is it they and not the numbers that were drawn? */
static bool is_due_to_the_two(const struct asking_sizes *asking, unsigned one, unsigned other,
                              const struct size_plan *plan)
{
    struct size_plan larger = *plan, smaller = *plan;
    larger.other = plan->one;
    smaller.one = plan->other;
    for (unsigned round = 0; round < ROUNDS; round++)
        if (outcome_with(asking, one, other, &larger, round) > SIZES_RIGHT ||
            outcome_with(asking, one, other, &smaller, round) > SIZES_RIGHT ||
            outcome_with(asking, one, other, plan, round) <= SIZES_RIGHT)
            return false;
    return true;
}

static bool is_of_an_array(const struct asking_sizes *asking, unsigned param)
{
    const struct exercise *exercise = asking->like->exercise;
    const char *name = exercise->prototype.params[param].name;
    for (unsigned i = 0; i < exercise->n_arrays; i++)
        for (unsigned axis = 0; axis < exercise->arrays[i].shape.n; axis++)
            if (strcmp(exercise->arrays[i].shape.items[axis], name) == 0)
                return true;
    return false;
}

/* How it goes where one is larger than the other, or where it is smaller. */
struct size_side {
    bool drawn, right, wrong, beyond;
};

static void note_outcome(struct size_side *side, enum size_outcome outcome)
{
    side->drawn = side->drawn || outcome != SIZES_NOT_DRAWN;
    side->right = side->right || outcome == SIZES_RIGHT;
    side->wrong = side->wrong || outcome > SIZES_RIGHT;
    side->beyond = side->beyond || outcome == SIZES_BEYOND;
}

/* With one size for another it goes wrong on both sides, or always on one, where a loop ends too
 * soon. The latter is also so where one is the length of something that the other is cut into: it
 * tells nothing of a size that no array has. */
static bool are_sides_telling(const struct asking_sizes *asking, unsigned one, unsigned other,
                              const struct size_side *above, const struct size_side *below)
{
    /* Where one has to be the larger, both being equal is a case of its own. */
    if (!above->drawn || !below->drawn)
        return false;
    if (above->wrong && below->wrong)
        return true;
    const struct size_side *side = above->wrong ? above : below;
    return side->wrong && !side->right && is_of_an_array(asking, one) &&
           is_of_an_array(asking, other);
}

static bool is_wrong_where_unequal(const struct asking_sizes *asking, unsigned one, unsigned other,
                                   struct size_mistake *ret)
{
    struct size_side above = {0}, below = {0};
    *ret = (struct size_mistake){.one = one, .other = other};
    for (size_t i = 0; i < COUNT_OF(unequal_plans); i++) {
        const struct size_plan *plan = &unequal_plans[i];
        enum size_outcome outcome = outcome_with(asking, one, other, plan, 0);
        if (outcome > SIZES_RIGHT && !is_due_to_the_two(asking, one, other, plan))
            return false;
        take_example(ret, plan, outcome);
        note_outcome(plan->one > plan->other ? &above : &below, outcome);
    }
    ret->one_is_too_large = above.beyond && !below.beyond;
    bool is_telling = are_sides_telling(asking, one, other, &above, &below);
    if (below.beyond && !above.beyond)
        exchange(ret);
    return is_telling;
}

static bool is_size(const struct asking_sizes *asking, unsigned param)
{
    return prototype_of(asking)->params[param].kind == PARAM_SIZE;
}

bool find_size_mistake(const struct sizes_question *question, struct size_mistake *ret,
                       struct error *reterr)
{
    struct asking_sizes asking = {question, case_of_any_size(question->cases), reterr};
    if (asking.like == NULL)
        return false;
    unsigned n_params = prototype_of(&asking)->n_params;
    for (unsigned one = 0; one < n_params; one++)
        for (unsigned other = one + 1; other < n_params; other++)
            if (is_size(&asking, one) && is_size(&asking, other) &&
                is_right_where_equal(&asking, one, other) &&
                is_wrong_where_unequal(&asking, one, other, ret) && reterr->kind == ERR_NONE)
                return true;
    return false;
}
