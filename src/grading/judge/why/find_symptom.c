/* Symptoms: see find_symptom.h. A table of them, and what each of them observes. */
#include "judge/why/find_symptom_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "compile/arguments.h"
#include "exercise/c_tokens.h"
#include "exercise/luck.h"
#include "graph/node.h"
#include "judge/run/case_runner.h"
#include "judge/why/symptom_source_internal.h"
#include "judge/why/symptom_trials_internal.h"

enum {
    WARNINGS = 40, /* of a build that is read by attn alone */
    WARNING_BYTES = 16 << 10,
    TALLIED_CASES = 16,
};

/* exp() of more than the first overflows a float; of less than the second it is 0. */
static const float largest_exponent = 88.7f, smallest_exponent = -104;

/* A question with what was found out on the way. */
struct observing {
    const struct symptom_question *question;
    struct trials *trials;
    struct build careful; /* with more warnings, and locals that begin at 0 */
    bool was_built;
    struct sanitizer_report fault; /* of a case with wrong numbers */
    bool was_rerun;
};

static const struct exercise *exercise_of(const struct observing *o)
{
    return o->question->request->exercise;
}

static bool is_about_numbers(const struct observing *o)
{
    enum verdict verdict = o->question->verdict;
    return verdict == VERDICT_WRONG_ANSWER || verdict == VERDICT_NON_FINITE;
}

static bool verdict_is(const struct observing *o, enum verdict verdict)
{
    return o->question->verdict == verdict;
}

/* ---- what is built for attn alone ---- */

/* The same file, with locals that begin at 0 and with warnings that are not for everybody. */
static void build_careful(struct observing *o)
{
    static char zero[] = "-ftrivial-auto-var-init=zero", maybe[] = "-Wmaybe-uninitialized",
                conditional[] = "-Wconditional-uninitialized", cut[] = "-Wfloat-conversion";
    const struct symptom_question *question = o->question;
    struct compile_request request = *question->request;
    struct limits limits = *request.limits;
    bool is_gcc = request.compiler->family == COMPILER_GCC;
    char *options[] = {cut, is_gcc ? maybe : conditional, zero};
    const struct strings also = {options, NULL, request.compiler->inits_locals ? 3 : 2};
    limits.max_errors = WARNINGS;
    limits.text_kept_bytes = WARNING_BYTES;
    request.limits = &limits;
    request.also = &also;
    request.use_cache = false;
    request.kept = NULL;
    request.ahead = NULL;
    o->was_built = true;
    o->careful = (struct build){.verdict = VERDICT_COMPILE_ERROR, .program_fd = -1};
    if (!compiler_is_gcc_like(request.compiler))
        return;
    build_program(&request, question->runtime, question->file_name, question->source,
                  question->size, &o->careful);
    o->trials->zero_locals_fd = request.compiler->inits_locals ? o->careful.program_fd : -1;
}

static const char *careful_messages(struct observing *o)
{
    if (!o->was_built)
        build_careful(o);
    return text_string(&o->careful.messages);
}

/* The line in "FILE:LINE:COLUMN: warning: ..." around a place in the messages; 0: none. */
static unsigned line_of_message(const char *messages, const char *at)
{
    while (at > messages && at[-1] != '\n')
        at--;
    for (; *at != '\0' && *at != '\n'; at++) {
        char *end = NULL;
        unsigned long line = *at == ':' ? strtoul(at + 1, &end, 10) : 0;
        if (line > 0 && line <= UINT_MAX && *end == ':')
            return (unsigned)line;
    }
    return 0;
}

/* "Line 7: " where the messages hold the words. */
static bool tell_line(const char *messages, const char *words, struct text *seen)
{
    const char *at = strstr(messages, words);
    if (at == NULL)
        return false;
    unsigned line = line_of_message(messages, at);
    if (line > 0)
        text_format(seen, "Line %u: ", line);
    return true;
}

/* ---- memory that was not given ---- */

/* The run of the case that the verdict rests on, or NULL. */
static const struct case_run *deciding_run(const struct observing *o)
{
    const struct symptom_question *question = o->question;
    for (size_t i = 0; question->fixture != NULL && i < question->cases->n; i++)
        if (question->runs[i].fixture == question->fixture)
            return &question->runs[i];
    return NULL;
}

static bool see_refused(struct observing *o, struct text *seen)
{
    const struct case_run *run = is_about_numbers(o) ? deciding_run(o) : NULL;
    char limit[LIMIT_TEXT];
    if (run == NULL || !run->refused_memory)
        return false;
    struct runner_plan plan = o->question->runner.plan;
    runner_plan_fit(&plan, run->fixture);
    text_format(seen,
                "In this case malloc() returned NULL: it was asked for more than the %s that a "
                "program may have.",
                runner_plan_memory_limit(&plan, true, limit));
    return true;
}

/* ---- memory that is read before it is set ---- */

static bool repeats_itself(struct observing *o)
{
    return trial_answers(o->trials, TRIAL_AGAIN) != NULL &&
           !trials_differ(o->trials, TRIAL_SAME, TRIAL_AGAIN);
}

static bool changes_with_locals(struct observing *o)
{
    if (!is_about_numbers(o) || !source_has_unset(o->question->source, o->question->size))
        return false;
    careful_messages(o);
    return trials_differ(o->trials, TRIAL_SAME, TRIAL_LOCALS_ZERO) && repeats_itself(o);
}

static bool see_output_read(struct observing *o, struct text *seen)
{
    bool has_nan = false;
    for (size_t i = 0; i < o->trials->n; i++)
        has_nan = has_nan || o->trials->cases[i]->unwritten ||
                  o->trials->cases[i]->difference.verdict == VERDICT_NON_FINITE;
    const char *name = is_about_numbers(o) && has_nan ? trials_output_read(o->trials) : NULL;
    if (name == NULL || !repeats_itself(o))
        return false;
    text_format(seen,
                "%s is added to, or read, before it is set: your numbers differ when it holds 0 "
                "before the call and when it holds 1.",
                name);
    return true;
}

/* What the sanitizers say of a wrong case that changes with what is left in memory. */
static void see_fault(struct observing *o)
{
    const struct symptom_question *question = o->question;
    struct text words = {.bytes = NULL};
    struct fixture *alike = NULL;
    o->was_rerun = true;
    o->fault = (struct sanitizer_report){.kind = FAULT_NONE};
    if (o->trials->n > 0 && fixture_draw_alike(o->trials->cases[0]->fixture, PUBLIC_SEED,
                                               question->data_dir, &alike, NULL))
        sanitizer_rerun(question->request, question->file_name, question->source, question->size,
                        alike, &words, &o->fault);
    fixture_free(alike);
    text_release(&words);
}

static bool tell_own_array(const struct sanitizer_report *fault, struct text *seen);

static bool changes_with_memory(struct observing *o)
{
    return is_about_numbers(o) && trials_differ(o->trials, TRIAL_SAME, TRIAL_HEAP_ZERO) &&
           repeats_itself(o);
}

/* What lies beside an array of the learner's own is not set either, but that is not the mistake. */
static bool see_read_beside(struct observing *o, struct text *seen)
{
    if (!changes_with_memory(o) && !changes_with_locals(o))
        return false;
    if (!o->was_rerun)
        see_fault(o);
    return tell_own_array(&o->fault, seen);
}

static bool see_heap_read(struct observing *o, struct text *seen)
{
    if (!changes_with_memory(o))
        return false;
    text_put(seen, "Memory of malloc() is read before it is set: with something else left in it, "
                   "your numbers change");
    text_put(seen, trial_is_right(o->trials, TRIAL_HEAP_ZERO)
                       ? ". They are right when all of it happens to be 0."
                       : ".");
    return true;
}

/* "Line 12: sum", of a message such as "'sum' is used uninitialized"; else "A variable". */
static void tell_variable(const char *messages, struct text *seen)
{
    const char *fact = strstr(messages, " is used uninitialized");
    const char *at = fact != NULL ? fact : strstr(messages, "uninitialized");
    const char *open = at, *close = NULL;
    unsigned line = at != NULL ? line_of_message(messages, at) : 0;
    while (open != NULL && open > messages && *open != '\n' && (close == NULL || *open != '\'')) {
        close = close == NULL && *open == '\'' ? open : close;
        open--;
    }
    if (line > 0)
        text_format(seen, "Line %u: ", line);
    if (close != NULL && *open == '\'' && close - open < SOURCE_NAME_BYTES)
        text_add(seen, open + 1, (size_t)(close - open - 1));
    else
        text_put(seen, line > 0 ? "a variable" : "A variable");
}

static bool see_locals_read(struct observing *o, struct text *seen)
{
    if (!is_about_numbers(o))
        return false;
    const char *messages = careful_messages(o);
    if (!trials_differ(o->trials, TRIAL_SAME, TRIAL_LOCALS_ZERO) || !repeats_itself(o))
        return false;
    tell_variable(messages, seen);
    text_put(seen, " is read before it has a value: when variables begin with other values, your "
                   "numbers change");
    text_put(seen, trial_is_right(o->trials, TRIAL_LOCALS_ZERO)
                       ? ". They are right when it begins with 0."
                       : ".");
    return true;
}

/* The same, where a variable is declared without a value at all. */
static bool see_unset_read(struct observing *o, struct text *seen)
{
    return source_has_unset(o->question->source, o->question->size) && see_locals_read(o, seen);
}

/* ---- words of C that are not what they seem ---- */

static bool see_power_sign(struct observing *o, struct text *seen)
{
    struct source_place place = source_power_sign(o->question->source, o->question->size);
    if (!is_about_numbers(o) || place.line == 0)
        return false;
    text_format(seen,
                "Line %u: in C ^ does not raise to a power: it compares the bits of whole numbers. "
                "With #include <math.h>, sqrtf(x) is a root and powf(x, y) any power.",
                place.line);
    return true;
}

static bool see_least_positive(struct observing *o, struct text *seen)
{
    struct source_place place = source_least_positive(o->question->source, o->question->size);
    if (!is_about_numbers(o) || place.line == 0)
        return false;
    text_format(seen,
                "Line %u: FLT_MIN is the smallest float above 0, about 1.2e-38, and not the lowest "
                "one. Scores below 0 are below it.",
                place.line);
    return true;
}

/* ---- from call to call ---- */

static bool see_state(struct observing *o, struct text *seen)
{
    const struct symptom_question *question = o->question;
    if (!is_about_numbers(o) || !trials_differ(o->trials, TRIAL_SAME, TRIAL_BACKWARDS) ||
        !repeats_itself(o))
        return false;
    struct source_place place = source_static(question->source, question->size);
    text_put(seen,
             "The same inputs give different numbers once the function has been called before; "
             "in a fresh program they are the same each time. Something is kept from call to "
             "call");
    if (place.line > 0)
        text_format(seen, ": line %u declares %s static", place.line, place.name);
    text_char(seen, '.');
    return true;
}

static bool see_unwritten(struct observing *o, struct text *seen)
{
    bool any = false;
    for (size_t i = 0; i < o->trials->n; i++)
        any = any || o->trials->cases[i]->unwritten;
    return any && is_about_numbers(o) &&
           trials_tell_unwritten(o->trials, o->question->hides_drawn, seen);
}

/* Cells of an array that is read and written: how many are wrong, and how many of these are as they
 * were given. */
struct left_cells {
    size_t n_wrong, n_left;
};

/* A NaN too is as it was. */
static bool same_bits(float a, float b)
{
    uint32_t a_bits, b_bits;
    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    return a_bits == b_bits;
}

static void count_left(const struct case_run *run, unsigned array, struct left_cells *left)
{
    const float *got = run->answer.floats[array], *before = run->fixture->arrays[array].before;
    for (size_t cell = 0;
         got != NULL && before != NULL && cell < run->fixture->arrays[array].n_cells; cell++) {
        if (fixture_cell_right(run->fixture, array, cell, got[cell]))
            continue;
        left->n_wrong++;
        left->n_left += same_bits(got[cell], before[cell]);
    }
}

/* Where nearly all that is wrong in an array is as it was given. Outputs are made of it, and may be
 * wrong for that reason. */
static bool see_left_as_it_was(struct observing *o, struct text *seen)
{
    const struct exercise *exercise = exercise_of(o);
    for (unsigned array = 0; array < exercise->n_arrays && is_about_numbers(o); array++) {
        struct left_cells left = {0, 0};
        for (size_t i = 0; i < o->trials->n; i++)
            count_left(o->trials->cases[i], array, &left);
        if (left.n_left == 0 || 4 * left.n_left < 3 * left.n_wrong)
            continue;
        text_format(
            seen,
            "%s wrong numbers of %s are those from before the call: nothing was written over them.",
            left.n_left == left.n_wrong ? "All" : "Nearly all", exercise->arrays[array].name);
        return true;
    }
    return false;
}

/* ---- numbers ---- */

/* Are all of a case's numbers whole, and were they to be others? Counts both. */
static bool count_whole(const struct case_run *run, size_t *n, size_t *n_broken)
{
    for (unsigned a = 0; a < run->fixture->exercise->n_arrays; a++) {
        const struct fixture_array *array = &run->fixture->arrays[a];
        const float *got = run->answer.floats[a];
        for (size_t cell = 0; got != NULL && cell < array->n_cells; cell++) {
            if (!isfinite(got[cell]) || got[cell] != floorf(got[cell]))
                return false;
            *n += 1;
            *n_broken += array->expected[cell] != floorf(array->expected[cell]);
        }
    }
    return true;
}

static bool see_whole_numbers(struct observing *o, struct text *seen)
{
    size_t n = 0, n_broken = 0;
    bool varies = false;
    float first = NAN;
    for (size_t i = 0; i < o->trials->n && is_about_numbers(o); i++) {
        const struct case_run *run = o->trials->cases[i];
        float only = answer_only_number(run->fixture, &run->answer);
        if (!count_whole(run, &n, &n_broken))
            return false;
        varies = varies || isnan(only) || (i > 0 && only != first);
        first = only;
    }
    if (!varies || n_broken < 3 || 2 * n_broken < n)
        return false;
    text_put(seen, "All your numbers are whole, and most of the right ones are not.");
    return true;
}

/* A float that goes into a whole number, as compilers tell it. */
static const char *const cuts[] = {
    "from 'float' to 'int'",     "from 'double' to 'int'",     "from 'float' to 'size_t'",
    "from 'double' to 'size_t'", "from 'float' to 'long",      "from 'double' to 'long",
    "from 'float' to 'unsigned", "from 'double' to 'unsigned", "into integer: 'float' to",
    "into integer: 'double' to",
};

/* Does the file round by itself, so that a whole number is what is meant? */
static bool rounds(const struct observing *o)
{
    static const char *const words[] = {"round",  "roundf", "lround", "lroundf", "floor",
                                        "floorf", "ceil",   "ceilf",  "rint",    "rintf"};
    struct c_scan scan = c_scan_of(o->question->source, o->question->size);
    struct c_token token;
    while (c_next_token(&scan, &token))
        for (size_t i = 0; i < COUNT_OF(words); i++)
            if (text_equals(token.begin, token.size, words[i]))
                return true;
    return false;
}

static bool see_cut(struct observing *o, struct text *seen)
{
    const char *messages = is_about_numbers(o) && !rounds(o) ? careful_messages(o) : "";
    for (size_t i = 0; i < COUNT_OF(cuts); i++)
        if (tell_line(messages, cuts[i], seen)) {
            text_put(seen,
                     "A float is kept in a whole number there, which cuts off the digits after "
                     "its decimal point.");
            return true;
        }
    return false;
}

/* Warnings that attn reports if nothing else explains the numbers. */
static const struct {
    const char *words, *say;
} warnings[] = {
    {"suggest parentheses around assignment used as truth value",
     "A single = in a condition assigns, and does not compare."},
    {"using the result of an assignment as a condition",
     "A single = in a condition assigns, and does not compare."},
    {"empty body", "The ; right after the ) is the whole body of this for, while or if."},
    {"does not guard", "Without braces only the next statement belongs to this if or for."},
    {"misleading indentation", "Without braces only the next statement belongs to this if or for."},
    {"sizeof", "sizeof of a pointer is the size of an address, not that of an array."},
    {"integer absolute value function", "abs() cuts a float to a whole number; fabsf() does not."},
    {"expression in '>= 0' is always true", "A size_t is never below 0, so this is always true."},
    {"expression >= 0 is always true", "A size_t is never below 0, so this is always true."},
    {"statement has no effect", "This statement changes nothing."},
    {"expression result unused", "This statement changes nothing."},
    {"left-hand operand of comma expression has no effect",
     "A comma here throws away what comes before it."},
};

static bool see_warning(struct observing *o, struct text *seen)
{
    const char *messages = is_about_numbers(o) ? text_string(&o->question->build->messages) : "";
    for (size_t i = 0; i < COUNT_OF(warnings); i++)
        if (tell_line(messages, warnings[i].words, seen)) {
            text_put(seen, warnings[i].say);
            return true;
        }
    return false;
}

/* An array, or a number, that the function is given and never reads. */
static bool see_unused(struct observing *o, struct text *seen)
{
    const struct prototype *prototype = &exercise_of(o)->prototype;
    const char *messages = is_about_numbers(o) ? text_string(&o->question->build->messages) : "";
    for (unsigned i = 0; i < prototype->n_params; i++) {
        char words[PROTOTYPE_MAX_NAME + 24];
        snprintf(words, sizeof words, "unused parameter '%s'", prototype->params[i].name);
        if (prototype->params[i].kind == PARAM_SIZE || strstr(messages, words) == NULL)
            continue;
        text_format(seen, "%s is never read.", prototype->params[i].name);
        return true;
    }
    return false;
}

/* ---- NaN ---- */

/* What exponentials make of a row of numbers where its maximum is not subtracted. */
static const char *fate_of_row(const struct tensor *tensor, size_t row, size_t n_cols)
{
    size_t n_hidden = 0, n_tiny = 0;
    for (size_t j = 0; j < n_cols; j++) {
        float number = tensor_at_position(tensor, row * n_cols + j);
        if (isfinite(number) && number > largest_exponent)
            return "if the maximum is not subtracted first, exp of them is infinite, since a "
                   "float ends at exp(88.7): infinity divided by infinity is NaN";
        n_hidden += isinf(number) && number < 0;
        n_tiny += number < smallest_exponent;
    }
    if (n_hidden == n_cols)
        return "all numbers of a row are -infinity: minus its maximum each becomes NaN, and "
               "the sum of its exponentials is 0";
    if (n_tiny == n_cols)
        return "a row is so far below 0 that, if its maximum is not subtracted first, each "
               "exponential is 0: 0 divided by 0 is NaN";
    return NULL;
}

/* Does a name hold what exp can't bear? */
static bool tell_name(const struct fixture *fixture, const char *name, size_t size,
                      struct text *seen)
{
    const struct value *value = names_get(&fixture->session->names, name, size);
    const char *fate = NULL;
    if (value == NULL || value->kind != VALUE_NODE)
        return false;
    const struct tensor *tensor = &value->as.node->value;
    size_t n_cols = tensor->n_axes > 0 ? tensor->shape[tensor->n_axes - 1] : 0;
    for (size_t row = 0; n_cols > 0 && row < tensor_size(tensor) / n_cols && fate == NULL; row++)
        fate = fate_of_row(tensor, row, n_cols);
    if (fate != NULL)
        text_format(seen, " Look at what exp is taken of: %s.", fate);
    return fate != NULL;
}

/* Looks at what a stage such as `exps = exp(scores - top)` takes the exponentials of. */
static bool tell_exponentials(const struct fixture *fixture, const char *stage, struct text *seen)
{
    struct c_scan scan = c_scan_of(stage, strlen(stage));
    struct c_token token;
    bool is_inside = false;
    while (c_next_token(&scan, &token)) {
        if (is_inside && tell_name(fixture, token.begin, token.size, seen))
            return true;
        is_inside = is_inside || text_equals(token.begin, token.size, "exp") ||
                    text_equals(token.begin, token.size, "softmax");
    }
    return false;
}

/* Are all numbers that are finite right? */
static bool only_nan_is_wrong(const struct observing *o)
{
    for (size_t i = 0; i < o->trials->n; i++) {
        const struct case_run *run = o->trials->cases[i];
        for (unsigned a = 0; a < run->fixture->exercise->n_arrays; a++) {
            const float *got = run->answer.floats[a];
            for (size_t cell = 0; got != NULL && cell < run->fixture->arrays[a].n_cells; cell++)
                if (isfinite(got[cell]) && !fixture_cell_right(run->fixture, a, cell, got[cell]))
                    return false;
        }
    }
    return true;
}

/* Where right numbers are infinite, the function is to write infinities: one too many comes of no
 * overflow. */
static bool expects_infinity(const struct case_run *run)
{
    const struct fixture_array *array = &run->fixture->arrays[run->difference.array];
    for (size_t cell = 0; cell < array->n_cells; cell++)
        if (isinf(array->expected[cell]))
            return true;
    return false;
}

static bool see_nan(struct observing *o, struct text *seen)
{
    const struct exercise *exercise = exercise_of(o);
    const struct case_run *run = NULL;
    for (size_t i = 0; i < o->trials->n && run == NULL; i++)
        if (o->trials->cases[i]->difference.verdict == VERDICT_NON_FINITE)
            run = o->trials->cases[i];
    if (run == NULL || !is_about_numbers(o) || !only_nan_is_wrong(o))
        return false;
    bool is_nan = isnan(run->difference.got);
    if (!is_nan && expects_infinity(run))
        return false;
    text_format(seen, "%s stands where a number should be, first in %s.",
                is_nan ? "NaN" : "An infinity", exercise->arrays[run->difference.array].name);
    for (unsigned i = 0; i < exercise->stages.n; i++)
        if (tell_exponentials(run->fixture, exercise->stages.items[i], seen))
            return true;
    if (is_nan)
        text_put(seen, " It comes from 0 divided by 0, from infinity divided by infinity or minus "
                       "infinity, or from 0 times infinity.");
    else
        text_put(seen,
                 " It comes from a division by 0, or from a number that is too large for a float.");
    return true;
}

/* ---- verdicts ---- */

static bool see_leak(struct observing *o, struct text *seen)
{
    const struct symptom_question *question = o->question;
    if (!verdict_is(o, VERDICT_LEAK))
        return false;
    struct source_place place = source_never_freed(question->source, question->size);
    text_put(seen, "More memory is in use after each call: something from malloc() is not freed.");
    if (place.line > 0)
        text_format(seen, " Line %u gives %s memory, and no free(%s) follows.", place.line,
                    place.name, place.name);
    return true;
}

static bool see_changed_input(struct observing *o, struct text *seen)
{
    if (!verdict_is(o, VERDICT_MODIFIED_INPUTS))
        return false;
    text_format(seen, "%s holds other numbers after the call. It may only be read.",
                o->question->detail);
    return true;
}

static bool see_endless(struct observing *o, struct text *seen)
{
    if (!verdict_is(o, VERDICT_TIME_LIMIT))
        return false;
    text_put(seen, "The call had not come back when its time was up.");
    return true;
}

static bool see_too_slow(struct observing *o, struct text *seen)
{
    if (!verdict_is(o, VERDICT_TOO_SLOW))
        return false;
    text_put(seen, "The numbers are right, and take longer than they should.");
    return true;
}

/* ---- beside an array ---- */

/* The array of the exercise that the detail speaks of: "...; weights has 3 rows (0..2)". */
static int array_in(const struct exercise *exercise, const char *detail)
{
    const char *at = strchr(detail, ';');
    for (unsigned i = 0; at != NULL && i < exercise->n_arrays; i++) {
        size_t size = strlen(exercise->arrays[i].name);
        if (strncmp(at + 2, exercise->arrays[i].name, size) == 0 && at[2 + size] == ' ')
            return (int)i;
    }
    return -1;
}

static bool goes_beside(enum verdict verdict)
{
    return verdict == VERDICT_OUT_OF_BOUNDS || verdict == VERDICT_CRASH;
}

/* Which small cases go beside an array, each in a program of its own. */
struct fault_tally {
    const struct fixture *fixtures[TALLIED_CASES];
    bool faults[TALLIED_CASES];
    size_t n, n_faults;
};

/* Does it fault with its arrays at one end of their memory, or at the other? */
static bool case_faults(const struct observing *o, struct fixture *fixture)
{
    struct case_runner runner = o->question->runner;
    bool faults = false, ok = true;
    runner_plan_fit(&runner.plan, fixture);
    for (int at_end = 1; at_end >= 0 && ok && !faults; at_end--) {
        struct case_run run;
        ok = case_runner_run(&runner, fixture, at_end != 0, &run, o->trials->reterr);
        faults = ok && goes_beside(run.verdict);
        if (ok)
            case_run_release(&run);
    }
    case_runner_release(&runner);
    return faults;
}

static void tally_faults(const struct observing *o, struct fault_tally *ret)
{
    const struct fixtures *cases = o->question->cases;
    *ret = (struct fault_tally){.n = 0};
    for (size_t i = 0; i < cases->n && ret->n < TALLIED_CASES; i++) {
        if (cases->items[i]->memory_bytes > 0)
            continue;
        ret->fixtures[ret->n] = cases->items[i];
        ret->faults[ret->n] = case_faults(o, cases->items[i]);
        ret->n_faults += ret->faults[ret->n];
        ret->n++;
    }
}

/* Does it fault only where size a is larger than size b? Not every such case goes beyond the last
 * row. */
static bool splits(const struct fault_tally *tally, unsigned a, unsigned b)
{
    size_t n_larger = 0;
    for (size_t i = 0; i < tally->n; i++) {
        const double *sizes = tally->fixtures[i]->scalars;
        if (tally->faults[i] && !(sizes[a] > sizes[b]))
            return false;
        n_larger += sizes[a] > sizes[b];
    }
    return n_larger + 2 <= tally->n;
}

/* One size, or array, was taken for another: then only cases fault where that one is larger, while
 * a loop with a step too many goes too far for all sizes. */
static bool one_size_for_another(const struct observing *o, const struct fault_tally *tally)
{
    const struct prototype *prototype = &exercise_of(o)->prototype;
    if (tally->n_faults == 0 || tally->n_faults == tally->n)
        return false;
    for (unsigned a = 0; a < prototype->n_params; a++)
        for (unsigned b = 0; b < prototype->n_params; b++)
            if (prototype->params[a].kind == PARAM_SIZE &&
                prototype->params[b].kind == PARAM_SIZE && splits(tally, a, b))
                return true;
    return false;
}

/* is_given: what it goes beyond is an array of the exercise. One of the learner's own may be the
 * one that is too short. */
static void tell_sizes(const struct prototype *prototype, const struct size_mistake *mistake,
                       bool is_given, struct text *seen)
{
    const char *one = prototype->params[mistake->one].name,
               *other = prototype->params[mistake->other].name;
    text_format(seen,
                "Your function is right wherever %s and %s are the same number, whatever the other "
                "sizes are; with %s %.0f and %s %.0f %s.",
                one, other, one, mistake->one_value, other, mistake->other_value,
                mistake->goes_beyond ? "an index goes beyond an array" : "its numbers are wrong");
    if (mistake->one_is_too_large && is_given)
        text_format(seen, " %s is used somewhere in place of %s.", one, other);
}

/* As the end of a loop, or as the length of a row. */
static bool see_other_size(struct observing *o, struct text *seen)
{
    const struct sizes_question question = {.cases = o->question->cases,
                                            .data_dir = o->question->data_dir,
                                            .seed = o->question->seed,
                                            .runner = &o->question->runner};
    struct size_mistake mistake;
    if (!(is_about_numbers(o) || goes_beside(o->question->verdict)) ||
        !find_size_mistake(&question, &mistake, o->trials->reterr))
        return false;
    tell_sizes(&exercise_of(o)->prototype, &mistake,
               array_in(exercise_of(o), o->question->detail) >= 0, seen);
    return true;
}

static void tell_shape(const struct exercise_array *array, struct text *seen)
{
    for (unsigned i = 0; i < array->shape.n; i++)
        text_format(seen, "%s%s", i > 0 ? " x " : "", array->shape.items[i]);
}

static bool is_axis(const struct exercise_array *array, const char *size)
{
    for (unsigned i = 0; i < array->shape.n; i++)
        if (strcmp(array->shape.items[i], size) == 0)
            return true;
    return false;
}

/* Asks about a loop only where the array that it is about has as many rows or columns. */
static void tell_loop(const struct observing *o, const struct exercise_array *array,
                      struct text *seen)
{
    struct source_place place =
        source_loop_too_far(&exercise_of(o)->prototype, o->question->source, o->question->size);
    if (place.line > 0 && is_axis(array, place.limit))
        text_format(
            seen,
            " The loop in line %u goes on for %s <= %s, so that %s comes to %s: is that <=, "
            "or <?",
            place.line, place.name, place.limit, place.name, place.limit);
}

static bool see_beside_array(struct observing *o, struct text *seen)
{
    const struct exercise *exercise = exercise_of(o);
    int array = array_in(exercise, o->question->detail);
    struct fault_tally tally;
    if (!verdict_is(o, VERDICT_OUT_OF_BOUNDS) || array < 0)
        return false;
    tally_faults(o, &tally);
    if (one_size_for_another(o, &tally))
        return false;
    text_format(seen, "An index goes beyond %s, which has ", exercise->arrays[array].name);
    tell_shape(&exercise->arrays[array], seen);
    text_put(seen, " numbers. Each index has to stay below its size.");
    tell_loop(o, &exercise->arrays[array], seen);
    return true;
}

/* An array of the learner's own that is too short for what goes into it. */
static bool tell_own_array(const struct sanitizer_report *fault, struct text *seen)
{
    if (fault->kind == FAULT_VARIABLE && fault->variable[0] != '\0') {
        text_format(seen, "An index goes beyond %s, an array of your own", fault->variable);
        if (fault->variable_bytes >= sizeof(float))
            text_format(seen, ": it has room for %" PRIu64 " floats",
                        fault->variable_bytes / sizeof(float));
        text_char(seen, '.');
    } else if (fault->kind == FAULT_HEAP && fault->allocated_line > 0 && fault->block_bytes > 0) {
        text_format(seen,
                    "An index goes beyond memory of malloc() in line %u: it has %" PRIu64
                    " bytes, which is room for %" PRIu64 " floats.",
                    fault->allocated_line, fault->block_bytes, fault->block_bytes / sizeof(float));
    } else {
        return false;
    }
    if (fault->line > 0)
        text_format(seen, " It happens in line %u.", fault->line);
    return true;
}

static bool see_beside_own(struct observing *o, struct text *seen)
{
    return tell_own_array(o->question->fault, seen);
}

static bool see_crash(struct observing *o, struct text *seen)
{
    const struct symptom_question *question = o->question;
    const struct fixture *fixture = question->fixture;
    if (!verdict_is(o, VERDICT_CRASH))
        return false;
    if (strcmp(question->detail, "no address") == 0) {
        text_put(seen, "The program read or wrote through a pointer that holds no address, as one "
                       "that was never set.");
        return true;
    }
    if (strcmp(question->detail, "null pointer") != 0) {
        text_format(seen, "The program ended in the middle of a call (%s).", question->detail);
        return true;
    }
    text_put(seen, "The program read or wrote through a pointer that is NULL.");
    for (unsigned i = 0; fixture != NULL && i < fixture->exercise->n_arrays; i++)
        if (!fixture->arrays[i].present)
            text_format(seen, " %s is NULL in this case.", fixture->exercise->arrays[i].name);
    return true;
}

/* ---- the table ---- */

static const char
    ask_unset[] = "What does it hold before the first number is added to it? Memory "
                  "does not start at 0 by itself.",
    ask_whole[] = "Which of your variables is an int or a size_t, and should hold a "
                  "float?",
    ask_unwritten[] = "Does every loop come to its end, for each size, and does each path through "
                      "the function write the result?",
    ask_too_far[] =
        "What is the last value that the index takes, and what is the last index of the array?",
    ask_warning[] = "What did you mean this line to do?";

static const struct symptom table[] = {
    {"memory-refused", SYMPTOM_CERTAIN,
     "Which of your arrays is so large, and how many numbers does it need to hold?", NULL,
     see_refused},
    {"loop-too-far", SYMPTOM_CERTAIN, ask_too_far, NULL, see_beside_array},
    {"power-sign", SYMPTOM_CERTAIN, "Which number was meant to be raised to which power?", NULL,
     see_power_sign},
    {"least-positive", SYMPTOM_CERTAIN, "Which float is below all others?", NULL,
     see_least_positive},
    {"uninitialised", SYMPTOM_CERTAIN, ask_unset, NULL, see_output_read},
    {"not-written", SYMPTOM_CERTAIN, ask_unwritten, NULL, see_unwritten},
    {"loop-too-far", SYMPTOM_CERTAIN, ask_too_far, NULL, see_read_beside},
    {"uninitialised", SYMPTOM_CERTAIN, ask_unset, NULL, see_heap_read},
    {"uninitialised", SYMPTOM_CERTAIN, ask_unset, NULL, see_unset_read},
    {"state-kept", SYMPTOM_CERTAIN, "What is set only once, and not at the beginning of each call?",
     NULL, see_state},
    {"other-size", SYMPTOM_LEFT,
     "Up to which size does each loop run, and how long is a row of each array that an index walks "
     "through?",
     NULL, see_other_size},
    {"uninitialised", SYMPTOM_LEFT, ask_unset, NULL, see_locals_read},
    {"not-written", SYMPTOM_LEFT, ask_unwritten, NULL, see_left_as_it_was},
    {"truncated", SYMPTOM_LEFT, ask_whole, NULL, see_whole_numbers},
    {"truncated", SYMPTOM_LEFT, ask_whole, NULL, see_cut},
    {"compiler-warning", SYMPTOM_LEFT, ask_warning, NULL, see_warning},
    {"compiler-warning", SYMPTOM_LEFT, "What is it for? The task says where it belongs.", NULL,
     see_unused},
    {"nan-born", SYMPTOM_LEFT,
     "Which number does the first division that gives NaN divide by? Print it for this case.",
     "debugging#not-a-number", see_nan},
    {"memory-lost", SYMPTOM_LEFT, "Which of your malloc() calls has no free() before the return?",
     NULL, see_leak},
    {"input-overwritten", SYMPTOM_LEFT,
     "Which variable or array of your own could hold what you write there?", NULL,
     see_changed_input},
    {"endless", SYMPTOM_LEFT,
     "Does every loop come to its end? Which variable changes in each round, and can its "
     "condition become false?",
     NULL, see_endless},
    {"too-slow", SYMPTOM_LEFT, "Which line runs most often, and what does it wait for?", NULL,
     see_too_slow},
    {"loop-too-far", SYMPTOM_FAULT, ask_too_far, NULL, see_beside_own},
    {"crash", SYMPTOM_FAULT, "In which line does it end, and what do its pointers hold there?",
     NULL, see_crash},
};

const struct symptom *symptoms(size_t *ret_n)
{
    *ret_n = COUNT_OF(table);
    return table;
}

static char *keep(struct diagnosis *diagnosis, const char *words)
{
    return words != NULL ? arena_copy(&diagnosis->words, words, strlen(words)) : NULL;
}

static bool add_symptom(struct diagnosis *diagnosis, const struct symptom *symptom,
                        const char *seen, struct error *reterr)
{
    struct misconception *idea = arena_take(&diagnosis->words, sizeof *idea);
    if (idea == NULL)
        return error_memory(reterr, "a diagnosis");
    *idea = (struct misconception){.id = keep(diagnosis, symptom->id),
                                   .seen = keep(diagnosis, seen),
                                   .ask = keep(diagnosis, symptom->ask),
                                   .lesson = keep(diagnosis, symptom->lesson)};
    if (idea->id == NULL || idea->seen == NULL || idea->ask == NULL)
        return error_memory(reterr, "a diagnosis");
    diagnosis->ideas[diagnosis->n_ideas++] = idea;
    return true;
}

bool find_symptom(const struct symptom_question *question, enum symptom_stage stage,
                  struct diagnosis *ret, struct error *reterr)
{
    struct error error = {.kind = ERR_NONE};
    struct trials trials;
    struct observing o = {.question = question, .trials = &trials, .careful.program_fd = -1};
    struct text seen = {.bytes = NULL};
    bool found = false, ok = true;
    trials_init(&trials, &question->runner, question->runs, question->cases->n, &error);
    for (size_t i = 0; i < COUNT_OF(table) && !found && error.kind == ERR_NONE; i++) {
        text_clear(&seen);
        found = table[i].stage == stage && table[i].see(&o, &seen);
        if (found)
            ok = add_symptom(ret, &table[i], text_string(&seen), reterr);
    }
    if (seen.failed)
        ok = error_memory(reterr, "a diagnosis");
    if (error.kind != ERR_NONE)
        ok = error_set(reterr, error.kind, "%s", error.text);
    text_release(&seen);
    trials_release(&trials);
    build_release(&o.careful);
    return ok;
}
