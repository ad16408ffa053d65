/* A judgement in words and tables: see explain.h. The most helpful comes first, and all of it fits
 * about one screen. */
#include "judge/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "graph/why.h"
#include "judge/run/case_runner.h"
#include "judge/shown_internal.h"
#include "result/safe_text.h"
#include "show/backend.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    RESULT_ROWS = 8,   /* of an array that is right or wrong */
    INPUT_ROWS = 6,    /* of an input */
    INPUTS_UNTIL = 26, /* lines after which no more inputs are shown */
    WHY_LINES = 6,
    PRINTED_LINES = 5,  /* of what the program printed */
    BUILD_LINES = 24,   /* of the compiler's words when it failed */
    WARNING_LINES = 6,  /* and when it did not */
    MESSAGE_LINES = 60, /* of result.message */
    MESSAGE_COLS = 80,
};

/* The judgement being explained, and the text to write. */
struct explaining {
    const struct exercise *exercise;
    struct judgement *judgement;
    const struct show_options *options;
    struct doc *doc;
    bool
        is_message; /* for a result, where a program of the same speed should have the same words */
};

/* What to look at first, where the verdict's sentence does not say it already. */
static const char *const next_steps[N_VERDICTS] = {
    [VERDICT_MODIFIED_INPUTS] = "Work on a variable or an array of your own instead.",
    [VERDICT_EXITED_EARLY] = "End the function with return, not with exit().",
    [VERDICT_TIME_LIMIT] = "Does every loop come to its end? A size_t is never below 0.",
    [VERDICT_MEMORY_LIMIT] = "Which of your arrays grows with the sizes, and could do without?",
    [VERDICT_OUTPUT_LIMIT] = "Is there a printf in the innermost loop?",
    [VERDICT_FORBIDDEN_SYSCALL] = "Arithmetic needs no files, no network and no other programs.",
    [VERDICT_LEAK] = "Free whatever malloc gives you before you return.",
    [VERDICT_INTERNAL_ERROR] = "Try again; attn doctor says what this machine lacks.",
};

static const char changing_numbers[] =
    "The same inputs gave other numbers the second time. Is something read before it is set, kept "
    "from one call to the next, or taken from a clock or an address?";

static const struct result *result_of(const struct explaining *e)
{
    return &e->judgement->result;
}

static size_t count_passed(const struct result *result)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n_cases; i++)
        n += result->cases[i].verdict == VERDICT_PASS;
    return n;
}

/* Adds the first n lines of `from`, moved right; says how many more there are. */
static void add_lines(struct doc *doc, const struct doc *from, size_t n, size_t indent_cols)
{
    doc_append_lines(doc, from, n, indent_cols);
    if (from->n_lines > n) {
        doc_add(doc, STYLE_PLAIN, "%*s", (int)indent_cols, "");
        doc_add(doc, STYLE_QUIET, "(%zu more lines)", from->n_lines - n);
        doc_end_line(doc);
    }
}

/* Adds the first n lines of a text, and how many more there are. */
static void add_text(struct doc *doc, enum style style, const struct text *text, size_t n,
                     size_t indent_cols)
{
    struct doc lines;
    doc_init(&lines);
    doc_put(&lines, style, text_string(text), text->size);
    if (text->size > 0 && text->bytes[text->size - 1] != '\n')
        doc_end_line(&lines);
    add_lines(doc, &lines, n, indent_cols);
    doc_release(&lines);
}

/* ---- the first line ---- */

void explain_headline(const struct exercise *exercise, const struct judgement *judgement,
                      const struct show_options *options, struct doc *doc)
{
    const struct result *result = &judgement->result;
    bool passed = result->verdict == VERDICT_PASS;
    const char *sign =
        options->ascii ? (passed ? "ok" : "x ") : (passed ? "\xE2\x9C\x93" : "\xE2\x9C\x97");
    doc_add(doc, passed ? STYLE_GOOD : STYLE_BAD, "%s %s", sign, exercise->id);
    doc_add(doc, STYLE_PLAIN, "  %s", verdict_sentence(result->verdict));
    if (passed)
        doc_add(doc, STYLE_QUIET, "  %zu %s", result->n_cases,
                result->n_cases == 1 ? "case" : "cases");
    doc_end_line(doc);
}

/* There are numbers, and they are wrong. */
static bool has_difference(const struct explaining *e)
{
    return e->judgement->fixture != NULL &&
           e->judgement->answer.floats[e->judgement->difference.array] != NULL &&
           e->judgement->difference.n_different > 0;
}

static bool is_detail(const struct result *result, const char *detail)
{
    return result->detail != NULL && strcmp(result->detail, detail) == 0;
}

/* The sanitizers may have met a fault in another case first. One step beside an array is enough:
 * theirs has a line. */
static bool crash_report_says(const struct explaining *e)
{
    return e->judgement->crash_report.size > 0;
}

/* Then there is a closer question than that of the verdict. */
static bool names_symptom(const struct explaining *e)
{
    const struct diagnosis *diagnosis = &e->judgement->diagnosis;
    return diagnosis->n_ideas > 0 && diagnosis->ideas[0]->seen != NULL;
}

/* What the verdict's sentence, the numbers and the crash report do not say already. */
static void show_detail(const struct explaining *e)
{
    const struct result *result = result_of(e);
    bool numbers = result->verdict == VERDICT_WRONG_ANSWER || result->verdict == VERDICT_NON_FINITE;
    if (result->detail != NULL && result->detail[0] != '\0' && !(numbers && has_difference(e)) &&
        !is_detail(result, NONDETERMINISTIC) && !crash_report_says(e) &&
        result->verdict != VERDICT_TIME_LIMIT)
        doc_wrap(e->doc, STYLE_BAD, result->detail, e->options->width_cols, 2);
    if (names_symptom(e))
        return;
    if (result->verdict == VERDICT_WRONG_ANSWER && is_detail(result, NONDETERMINISTIC))
        doc_wrap(e->doc, STYLE_PLAIN, changing_numbers, e->options->width_cols, 2);
    if (next_steps[result->verdict] != NULL)
        doc_wrap(e->doc, STYLE_PLAIN, next_steps[result->verdict], e->options->width_cols, 2);
}

/* ---- what was misunderstood ---- */

/* "Stage total: total = sum over i of a[i] * b[i]", the formula on a line of its own when it is
 * long. */
static void show_idea(const struct explaining *e, const struct misconception *idea)
{
    size_t width = e->options->width_cols;
    doc_wrap(e->doc, STYLE_NOTE, idea->ask, width, 2);
    if (idea->math == NULL || idea->math[0] == '\0')
        return;
    doc_add(e->doc, STYLE_QUIET, "  Stage %s:", idea->stage);
    size_t used = doc_line_width(e->doc, e->doc->n_lines) + 1;
    if (used + text_width(idea->math, strlen(idea->math)) <= width) {
        doc_add(e->doc, STYLE_NAME, " %s", idea->math);
        doc_end_line(e->doc);
    } else {
        doc_end_line(e->doc);
        doc_wrap(e->doc, STYLE_NAME, idea->math, width, 4);
    }
}

/* What the learner did, or the idea's name; slugs are shown as words. */
static void add_idea(struct text *line, const struct misconception *idea, bool is_second)
{
    text_put(line, !is_second ? "" : idea->when != NULL ? ", and " : " and ");
    if (idea->when != NULL) {
        text_put(line, idea->when);
        return;
    }
    for (const char *at = idea->id; *at != '\0'; at++)
        text_char(line, *at == '-' ? ' ' : *at);
}

/* Says whose numbers these are, then what to ask oneself. */
static void show_diagnosis(const struct explaining *e)
{
    const struct diagnosis *diagnosis = &e->judgement->diagnosis;
    struct text line = {0};
    if (diagnosis->n_ideas == 0) {
        if (e->judgement->where.size > 0)
            doc_wrap(e->doc, STYLE_NOTE, text_string(&e->judgement->where), e->options->width_cols,
                     2);
        return;
    }
    if (names_symptom(e)) {
        doc_wrap(e->doc, STYLE_TITLE, diagnosis->ideas[0]->seen, e->options->width_cols, 2);
        show_idea(e, diagnosis->ideas[0]);
        return;
    }
    if (diagnosis->ideas[0]->when != NULL)
        text_put(&line, "These numbers come out when ");
    else if (diagnosis->ideas[0]->verdict != NULL)
        text_put(&line, "The idea behind it: ");
    else
        text_format(&line, "These are the numbers of %s: ",
                    diagnosis->n_ideas > 1 ? "two ideas" : "a known idea");
    for (size_t i = 0; i < diagnosis->n_ideas; i++)
        add_idea(&line, diagnosis->ideas[i], i > 0);
    doc_wrap(e->doc, STYLE_TITLE, text_string(&line), e->options->width_cols, 2);
    e->doc->failed = e->doc->failed || line.failed;
    text_release(&line);
    for (size_t i = 0; i < diagnosis->n_ideas; i++)
        show_idea(e, diagnosis->ideas[i]);
}

/* The learner's own line, and what is wrong there: never what belongs there instead. */
static void show_line(const struct explaining *e)
{
    const struct line_found *found = &e->judgement->line;
    struct text line = {0}, safe = {0};
    if (found->line == 0)
        return;
    result_safe_text(&safe, text_string(&found->says), found->says.size, false);
    text_format(&line,
                "Line %u: %s. With that one place changed, the numbers are right in all "
                "cases.",
                found->line, text_string(&safe));
    doc_wrap(e->doc, STYLE_TITLE, text_string(&line), e->options->width_cols, 2);
    e->doc->failed = e->doc->failed || line.failed || safe.failed;
    text_release(&safe);
    text_release(&line);
}

/* ---- the case ---- */

/* The number as short as it can be and still differ from the other. */
static void write_apart(float number, float other, int digits, char text[NUMBER_TEXT])
{
    char other_text[NUMBER_TEXT];
    number_short(number, digits, text);
    for (int more = digits + 1;
         more <= 9 && strcmp(number_short(other, more - 1, other_text), text) == 0; more++)
        number_short(number, more, text);
}

/* What there is in place of the expected number. */
static void show_got(const struct explaining *e, bool returned)
{
    const struct difference *difference = &e->judgement->difference;
    const char *detail = result_of(e)->detail != NULL ? result_of(e)->detail : "";
    char got[NUMBER_TEXT];
    if (strcmp(detail, "not written") == 0 && isnan(difference->got)) {
        doc_add(e->doc, STYLE_PLAIN, "; it was never set, or added to before it was.");
        return;
    }
    write_apart((float)difference->got, (float)difference->expected, e->options->digits, got);
    doc_add(e->doc, STYLE_PLAIN, returned ? "; yours returned " : "; yours is ");
    doc_add(e->doc, STYLE_BAD, "%s", got);
}

/* weights[0, 1] should be 0.25; yours is 0.5. Or: dot should return 3; yours returned 2. */
static void show_first_difference(const struct explaining *e)
{
    const struct difference *difference = &e->judgement->difference;
    const struct exercise_array *array = &e->exercise->arrays[difference->array];
    bool returned = e->exercise->prototype.returns_float && strcmp(array->name, "result") == 0;
    const struct fixture_array *cells = &e->judgement->fixture->arrays[difference->array];
    char place[64] = "", expected[NUMBER_TEXT];
    if (cells->n_axes > 0)
        fixture_place(cells, difference->cell, place, sizeof place);
    write_apart((float)difference->expected, (float)difference->got, e->options->digits, expected);
    if (returned)
        doc_add(e->doc, STYLE_PLAIN, "  %s should return ", e->exercise->prototype.function);
    else
        doc_add(e->doc, STYLE_PLAIN, "  %s%s should be ", array->name, place);
    doc_add(e->doc, STYLE_GOOD, "%s", expected);
    show_got(e, returned);
    if (difference->n_different > 1)
        doc_add(e->doc, STYLE_QUIET, "  (%zu numbers differ)", difference->n_different);
    doc_end_line(e->doc);
    double allowed = cells->allowed[difference->cell];
    double off = fabs(difference->got - difference->expected);
    if (off > 0 && off < 1e-3 * fabs(difference->expected)) /* nearly right: how near is asked */
        doc_line(e->doc, STYLE_QUIET, "  That is off by %.2g, and %.2g is allowed.", off, allowed);
}

/* Expected numbers where the answer is wrong, else the answer: what to mark differences from. */
static bool make_marks(const struct explaining *e, unsigned array, struct tensor *ret,
                       struct error *reterr)
{
    const struct fixture *fixture = e->judgement->fixture;
    const struct fixture_array *a = &fixture->arrays[array];
    const float *got = e->judgement->answer.floats[array];
    float *numbers = calloc(a->n_cells > 0 ? a->n_cells : 1, sizeof *numbers);
    if (numbers == NULL)
        return error_memory(reterr, "a table");
    for (size_t i = 0; i < a->n_cells; i++)
        numbers[i] = fixture_cell_right(fixture, array, i, got[i]) ? got[i] : a->expected[i];
    bool ok = tensor_from(a->n_axes, a->shape, numbers, ret, reterr);
    free(numbers);
    return ok;
}

/* Looks at the same place in another array, as far as their axes have the same sizes by name: for
 * weights[i, j], the row i of query and the row j of key. */
static void focus_alike(const struct explaining *e, unsigned array, unsigned from, size_t cell,
                        size_t focus[TENSOR_MAX_AXES])
{
    const struct strings *shape = &e->exercise->arrays[array].shape;
    const struct strings *from_shape = &e->exercise->arrays[from].shape;
    const struct fixture *fixture = e->judgement->fixture;
    size_t index[TENSOR_MAX_AXES] = {0};
    for (unsigned axis = fixture->arrays[from].n_axes; axis-- > 0;) {
        index[axis] = cell % fixture->arrays[from].shape[axis];
        cell /= fixture->arrays[from].shape[axis];
    }
    for (unsigned axis = 0; axis < shape->n && axis < fixture->arrays[array].n_axes; axis++) {
        focus[axis] = 0;
        for (unsigned other = 0; other < from_shape->n; other++)
            if (strcmp(shape->items[axis], from_shape->items[other]) == 0 &&
                index[other] < fixture->arrays[array].shape[axis])
                focus[axis] = index[other];
    }
}

/* Expected beside got. */
static bool show_answer(const struct explaining *e, struct error *reterr)
{
    unsigned array = e->judgement->difference.array;
    const struct fixture_array *a = &e->judgement->fixture->arrays[array];
    const char *name = e->exercise->arrays[array].name;
    struct array_excerpt pair[2] = {0};
    bool ok = array_excerpt_of_numbers(a, a->expected, &pair[0], reterr) &&
              array_excerpt_of_numbers(a, e->judgement->answer.floats[array], &pair[1], reterr) &&
              make_marks(e, array, &pair[1].marks, reterr);
    if (ok && a->n_axes > 0) {
        struct doc tables;
        doc_init(&tables);
        snprintf(pair[0].title, sizeof pair[0].title, "%s, expected", name);
        snprintf(pair[1].title, sizeof pair[1].title, "%s, yours", name);
        for (int i = 0; i < 2; i++)
            focus_alike(e, array, array, e->judgement->difference.cell, pair[i].focus);
        array_excerpts_show(pair, 2, RESULT_ROWS, e->options, &tables);
        doc_append(e->doc, &tables, 0);
        doc_release(&tables);
    }
    array_excerpt_release(&pair[0]);
    array_excerpt_release(&pair[1]);
    return ok;
}

/* All that the function was given, the outputs that it fills in too. */
static bool show_inputs(const struct explaining *e, struct error *reterr)
{
    const struct judgement *judgement = e->judgement;
    struct array_excerpt excerpts[FIXTURE_MAX_ARRAYS] = {0};
    size_t n = 0;
    bool ok = true;
    for (unsigned i = 0; i < e->exercise->n_arrays && ok; i++) {
        const struct exercise_array *array = &e->exercise->arrays[i];
        if (array->role == ROLE_OUT)
            continue;
        if (!judgement->fixture->arrays[i].present) {
            doc_line(e->doc, STYLE_QUIET, "%s is NULL", array->name);
            continue;
        }
        ok = array_excerpt_of_input(&judgement->fixture->arrays[i], &excerpts[n], reterr);
        snprintf(excerpts[n].title, sizeof excerpts[n].title, "%s%s", array->name,
                 array->role == ROLE_INOUT ? ", before" : "");
        focus_alike(e, i, judgement->difference.array, judgement->difference.cell,
                    excerpts[n].focus);
        n += ok;
    }
    if (ok)
        array_excerpts_show(excerpts, n, INPUT_ROWS, e->options, e->doc);
    for (size_t i = 0; i < n; i++)
        array_excerpt_release(&excerpts[i]);
    return ok;
}

/* How the expected number comes about. */
static bool show_why(const struct explaining *e, struct error *reterr)
{
    const struct difference *difference = &e->judgement->difference;
    struct node *node = e->judgement->fixture->arrays[difference->array].node;
    struct doc lines;
    if (node == NULL || difference->cell >= tensor_size(&node->value))
        return true;
    doc_init(&lines);
    bool ok =
        explain_why((struct cell){node, difference->cell}, e->options->digits, &lines, reterr);
    if (ok)
        add_lines(e->doc, &lines, WHY_LINES, 2);
    doc_release(&lines);
    return ok;
}

/* A case whose numbers stay untold: its sizes, and which arrays it has not. */
static void show_sizes(const struct explaining *e)
{
    const struct prototype *prototype = &e->exercise->prototype;
    const struct fixture *fixture = e->judgement->fixture;
    const char *before = "  Sizes: ";
    unsigned size = 0;
    for (unsigned i = 0; i < prototype->n_params; i++) {
        const struct param *param = &prototype->params[i];
        if (param->kind != PARAM_SIZE)
            continue;
        doc_add(e->doc, STYLE_PLAIN, "%s%s %.0f", before, param->name, fixture->scalars[i]);
        before = ", ";
        size++;
    }
    if (size > 0)
        doc_end_line(e->doc);
    for (unsigned i = 0; i < e->exercise->n_arrays; i++)
        if (!fixture->arrays[i].present)
            doc_line(e->doc, STYLE_PLAIN, "  %s is NULL", e->exercise->arrays[i].name);
    doc_wrap(e->doc, STYLE_QUIET,
             "Its inputs are not shown. attn check tries other numbers, and shows them.",
             e->options->width_cols, 2);
}

/* "3 of 12 cases are right. In "one key":", and that case. */
static void show_case(const struct explaining *e)
{
    const struct result *result = result_of(e);
    const struct fixture *fixture = e->judgement->fixture;
    struct error error;
    bool ok = true;
    if (result->n_cases > 0)
        doc_add(e->doc, STYLE_QUIET, "%zu of %zu %s right. ", count_passed(result), result->n_cases,
                result->n_cases == 1 ? "case is" : "cases are");
    if (fixture != NULL)
        doc_add(e->doc, STYLE_QUIET, "In \"%s\":", fixture->name);
    if (result->n_cases > 0 || fixture != NULL)
        doc_end_line(e->doc);
    if (fixture == NULL)
        return;
    if (has_difference(e))
        show_first_difference(e);
    if (e->judgement->hides_case) {
        show_sizes(e);
        return;
    }
    if (has_difference(e))
        ok = show_answer(e, &error);
    if (ok && e->doc->n_lines < INPUTS_UNTIL)
        ok = show_inputs(e, &error);
    if (ok && has_difference(e))
        ok = show_why(e, &error);
    e->doc->failed = e->doc->failed || (!ok && error.kind == ERR_MEMORY);
}

/* ---- the rest ---- */

static void show_printed(const struct explaining *e)
{
    const struct judgement *judgement = e->judgement;
    if (judgement->printed.size > 0) {
        doc_line(e->doc, STYLE_QUIET, "It printed:");
        add_text(e->doc, STYLE_PLAIN, &judgement->printed, PRINTED_LINES, 2);
    } else if (judgement->n_hidden_bytes > 0) {
        doc_line(e->doc, STYLE_QUIET, "It printed %zu bytes, which are not shown.",
                 judgement->n_hidden_bytes);
    }
}

static void show_speed(const struct explaining *e)
{
    if (!e->is_message && e->judgement->speed.size > 0)
        doc_wrap(e->doc, STYLE_NOTE, text_string(&e->judgement->speed), e->options->width_cols, 2);
}

static void show_failure(const struct explaining *e)
{
    const struct judgement *judgement = e->judgement;
    size_t width = e->options->width_cols;
    show_printed(e);
    if (judgement->build.plain.size > 0)
        doc_wrap(e->doc, STYLE_NOTE, text_string(&judgement->build.plain), width, 2);
    show_detail(e);
    if (judgement->crash_report.size > 0)
        doc_wrap(e->doc, STYLE_NOTE, text_string(&judgement->crash_report), width, 2);
    if (judgement->is_unexplained)
        doc_wrap(
            e->doc, STYLE_NOTE,
            "attn did not look for the line: the time that this class has for crashes was used "
            "up. attn check says more.",
            width, 2);
    show_speed(e);
    show_diagnosis(e);
    show_line(e);
    show_case(e);
    if (judgement->build.messages.size > 0) {
        doc_line(e->doc, STYLE_QUIET, "The compiler warns:");
        add_text(e->doc, STYLE_PLAIN, &judgement->build.messages, WARNING_LINES, 2);
    }
}

static void show_rest(const struct explaining *e)
{
    switch (e->judgement->result.verdict) {
    case VERDICT_PASS:
        show_speed(e);
        show_printed(e);
        break;
    case VERDICT_COMPILE_ERROR:
    case VERDICT_LINK_ERROR:
        show_detail(e);
        if (e->judgement->build.plain.size > 0)
            doc_wrap(e->doc, STYLE_NOTE, text_string(&e->judgement->build.plain),
                     e->options->width_cols, 2);
        add_text(e->doc, STYLE_PLAIN, &e->judgement->build.messages, BUILD_LINES, 2);
        break;
    case VERDICT_NOT_IMPLEMENTED:
        doc_wrap(e->doc, STYLE_PLAIN, "Write the function's body in place of the TODO and save.",
                 e->options->width_cols, 2);
        break;
    default:
        show_failure(e);
    }
}

void explain_rest(const struct exercise *exercise, struct judgement *judgement,
                  const struct show_options *options, struct doc *doc)
{
    show_rest(&(const struct explaining){exercise, judgement, options, doc, false});
}

void explain_shown(struct judgement *judgement, const struct show_options *options, struct doc *doc)
{
    if (judgement->show_messages.size > 0) {
        doc_line(doc, STYLE_QUIET, "What you SHOW does not compile, which costs no points:");
        add_text(doc, STYLE_PLAIN, &judgement->show_messages, WARNING_LINES, 2);
    }
    if (judgement->shown_in != NULL)
        shown_show(&judgement->shown, judgement->shown_in, options, doc);
}

bool explain_message(const struct exercise *exercise, struct judgement *judgement,
                     struct error *reterr)
{
    const struct show_options options = {.width_cols = MESSAGE_COLS, .digits = 4, .ascii = true};
    struct doc all, kept;
    struct text text = {0};
    doc_init(&all);
    doc_init(&kept);
    explain_headline(exercise, judgement, &options, &all);
    show_rest(&(const struct explaining){exercise, judgement, &options, &all, true});
    add_lines(&kept, &all, MESSAGE_LINES, 0);
    doc_to_plain(&kept, &text);
    bool ok = doc_check(&kept, reterr) && (!text.failed || error_memory(reterr, "a message"));
    if (ok) {
        free(judgement->result.message);
        judgement->result.message = text.bytes;
    } else {
        text_release(&text);
    }
    doc_release(&kept);
    doc_release(&all);
    return ok;
}
