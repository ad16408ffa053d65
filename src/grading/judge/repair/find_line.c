/* Which change of one place makes all cases pass: see find_line.h.
 *
 * Some hundred changes are compiled at once, without optimisation: a copy of the changed function
 * for each, and the request says which is called (runner_choose_variant()). So a change costs about
 * a millisecond of the compiler's time, and a round trip of one case until it fails. A file whose
 * changes do not all compile is built again without those that the compiler complains about. */
#include "judge/repair/find_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "compile/arguments.h"
#include "files/clock.h"
#include "judge/repair/repairs_internal.h"

enum {
    FEW = 300,         /* changes that are compiled at once, if some of them fit the name */
    FIRST_BATCH = 700, /* if none does: the likelier ones */
    BATCH = 1000,
    MOST_LINES = 3, /* that each carry a change which does it */
    MOST_CASES = 64,
    CASE_MS = 60,       /* of one case: a change can make an endless loop */
    MOST_CELLS = 20000, /* of a case that is run with every change */
    MOST_LINE = 100,    /* bytes of the learner's line that are shown */
    MOST_ERRORS = 200,  /* of the compiler, whose changes are then left out */
    MESSAGE_BYTES = 1 << 18,
    SOURCE_BYTES = 8 << 20,
    NS_IN_MS = 1000000,
    OWN_NS = 50000,      /* attn's own part of a call, about */
    START_NS = 10000000, /* of a program that is started */
    BUSY = 4,            /* how often the budget may pass on a busy machine */
};

struct finding {
    const struct line_question *question;
    struct c_source source;
    struct repairs repairs;
    const struct case_run *cases[MOST_CASES]; /* wrong ones first */
    size_t n_cases;
    struct repair found[MOST_LINES]; /* each of another line */
    unsigned n_found;
    struct limits limits;
    uint64_t ends_ns, build_us, run_ns; /* the last moment; processor time so far */
    struct error *reterr;
};

void line_found_release(struct line_found *found)
{
    text_release(&found->says);
    *found = (struct line_found){0};
}

static bool time_is_up(const struct finding *f)
{
    uint64_t spent_ns = f->build_us * 1000 + f->run_ns;
    return clock_ns() >= f->ends_ns || f->reterr->kind != ERR_NONE ||
           spent_ns >= (uint64_t)f->question->budget_ms * NS_IN_MS;
}

/* ---- the cases ---- */

static bool is_wrong(const struct case_run *run)
{
    return run->fixture != NULL && run->verdict != VERDICT_PASS;
}

/* Is a the better one to try first? One that fails by its numbers, and then the smaller one. */
static bool comes_before(const struct case_run *a, const struct case_run *b)
{
    if (is_wrong(a) != is_wrong(b))
        return is_wrong(a);
    if (is_wrong(a) && a->answered != b->answered)
        return a->answered;
    return a->fixture->n_cells < b->fixture->n_cells;
}

static void choose_cases(struct finding *f)
{
    for (size_t i = 0; i < f->question->n_runs && f->n_cases < MOST_CASES; i++) {
        const struct case_run *run = &f->question->runs[i];
        if (run->fixture == NULL || run->fixture->memory_bytes > 0 ||
            run->fixture->n_cells > MOST_CELLS)
            continue;
        size_t at = f->n_cases++;
        for (; at > 0 && comes_before(run, f->cases[at - 1]); at--)
            f->cases[at] = f->cases[at - 1];
        f->cases[at] = run;
    }
}

/* ---- building ---- */

static void build_batch(struct finding *f, struct repair *repairs, size_t n, struct build *ret)
{
    const struct line_question *question = f->question;
    struct compile_request request = *question->request;
    char *options[] = {"-O0", "-g0", "-w", "-std=gnu17"};
    const struct strings also = {options, NULL, COUNT_OF(options)};
    struct text text = {0};
    request.limits = &f->limits;
    request.also = &also;
    request.hints = NULL;
    request.use_cache = false;
    request.kept = NULL;
    request.ahead = NULL;
    request.keeps_later = false;
    request.cpu_us = &f->build_us;
    *ret = (struct build){.verdict = VERDICT_COMPILE_ERROR, .program_fd = -1};
    if (repairs_write(&f->source, request.exercise->prototype.function, repairs, n, &text) &&
        !text.failed)
        build_program(&request, question->runtime, question->file_name, text_string(&text),
                      text.size, ret);
    text_release(&text);
}

/* In which change does line `wanted` of the written file lie? n: in none of them. */
static size_t change_at(const struct text *text, const struct repair *repairs, size_t n,
                        unsigned wanted)
{
    static const char mark[] = "attn_variant == ";
    unsigned number = 0, line = 1;
    for (const char *at = text_string(text); *at != '\0' && line <= wanted; at++) {
        line += *at == '\n';
        if (*at == 'a' && strncmp(at, mark, sizeof mark - 1) == 0)
            number = (unsigned)strtoul(at + sizeof mark - 1, NULL, 10);
    }
    for (size_t i = 0; i < n; i++)
        if (number > 0 && repairs[i].variant == number)
            return i;
    return n;
}

/* Takes out the changes of all lines that the compiler complains about: which of a line's changes
 * is at fault it does not say, where one makes another type of the whole expression. Returns how
 * many are left. */
static size_t leave_out_refused(struct finding *f, struct repair *repairs, size_t n,
                                const struct build *build)
{
    bool *refused = calloc(n + 1, sizeof *refused);
    size_t left = 0;
    struct text text = {0};
    if (refused == NULL)
        return n;
    repairs_write(&f->source, f->question->request->exercise->prototype.function, repairs, n,
                  &text);
    const char *at = text_string(&build->messages);
    for (unsigned errors = 0; at != NULL && *at != '\0' && errors < MOST_ERRORS;) {
        const char *end = strchr(at, '\n'), *error = strstr(at, ": error:");
        if (error != NULL && (end == NULL || error < end)) {
            const char *colon = strchr(at, ':');
            unsigned long line = colon != NULL ? strtoul(colon + 1, NULL, 10) : 0;
            refused[change_at(&text, repairs, n, (unsigned)line)] = true;
            errors++;
        }
        at = end != NULL ? end + 1 : NULL;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; refused[i] && k < n; k++)
            repairs[k].is_refused =
                repairs[k].is_refused || k == i ||
                (repairs[k].line == repairs[i].line && !repairs[i].is_copy && !repairs[k].is_copy);
    for (size_t i = 0; i < n; i++)
        if (!repairs[i].is_refused)
            repairs[left++] = repairs[i];
    free(refused);
    text_release(&text);
    return left;
}

/* ---- running ---- */

static bool passes_case(struct finding *f, struct case_runner *runner, const struct case_run *like)
{
    struct case_run run;
    unsigned n_starts = runner->n_starts;
    if (!case_runner_run(runner, like->fixture, like->at_end, &run, f->reterr))
        return false;
    f->run_ns += run.spent_ns + OWN_NS + (runner->n_starts > n_starts ? START_NS : 0);
    bool passes = run.verdict == VERDICT_PASS;
    case_run_release(&run);
    return passes;
}

static bool passes_all(struct finding *f, struct case_runner *runner, unsigned variant)
{
    runner->variant = variant;
    for (size_t i = 0; i < f->n_cases; i++)
        if (!passes_case(f, runner, f->cases[i]))
            return false;
    return true;
}

/* Notes a change with which all cases pass, unless one of the same line is noted. */
static void note_found(struct finding *f, const struct repair *repair)
{
    for (unsigned i = 0; i < f->n_found; i++)
        if (f->found[i].line == repair->line)
            return;
    if (f->n_found < MOST_LINES)
        f->found[f->n_found++] = *repair;
}

/* Notes which of these changes make all cases pass: of those that fit what was named, or else of
 * the others. */
static void try_batch(struct finding *f, struct repair *repairs, size_t n)
{
    struct build build;
    build_batch(f, repairs, n, &build);
    if (build.verdict == VERDICT_COMPILE_ERROR) {
        size_t left = leave_out_refused(f, repairs, n, &build);
        if (left < n && left > 0 && !time_is_up(f)) {
            n = left;
            build_release(&build);
            build_batch(f, repairs, n, &build);
        }
    }
    if (build.verdict == VERDICT_PASS) {
        struct case_runner runner = f->question->runner;
        runner.plan.program_fd = build.program_fd;
        runner.plan.limits = &f->limits;
        for (size_t i = 0; i < f->n_cases; i++)
            runner_plan_fit(&runner.plan, f->cases[i]->fixture);
        /* A fault that does not show here, such as a step beyond allocated memory, proves nothing.
         */
        bool shows = !passes_all(f, &runner, 0);
        for (size_t i = 0; i < n && shows && !time_is_up(f); i++)
            if (f->n_found > 0 && f->found[0].fits && !repairs[i].fits)
                break;
            else if (repairs[i].variant > 0 && passes_all(f, &runner, repairs[i].variant))
                note_found(f, &repairs[i]);
        case_runner_release(&runner);
    }
    build_release(&build);
}

/* ---- in words ---- */

/* The learner's line without its indentation and comments, and without what stands in quotation
 * marks, so that a report has no sentences of the learner's; longer ones are cut. */
static void put_line(const struct c_source *source, unsigned line, struct text *text)
{
    const char *at = source->text, *end = source->text + source->size;
    size_t begin = text->size;
    for (unsigned i = 1; i < line && at < end; at++)
        i += *at == '\n';
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (at < end && *at != '\n' && *at != '\r' && text->size - begin < MOST_LINE) {
        const char *rest = at + 1;
        if (*at == '"' || *at == '\'') {
            while (rest < end && *rest != *at && *rest != '\n')
                rest += *rest == '\\' && rest + 1 < end ? 2 : 1;
            text_format(text, "%c...%c", *at, *at);
            at = rest < end && *rest == *at ? rest + 1 : rest;
        } else if (*at == '/' && rest < end && *rest == '/') {
            break;
        } else if (*at == '/' && rest < end && *rest == '*') {
            for (at += 2; at < end && *at != '\n' && !(*at == '/' && at[-1] == '*');)
                at++;
            at += at < end && *at == '/';
        } else {
            text_char(text, *at++);
        }
    }
    while (text->size > begin && isspace((unsigned char)text->bytes[text->size - 1]))
        text_shrink(text, text->size - 1);
}

static void tell(const struct finding *f, const struct repair *repair, struct line_found *ret)
{
    ret->line = repair->line;
    ret->id = repair->rule->id;
    ret->names_mistake = repair_names_mistake(repair->rule);
    text_char(&ret->says, '`');
    put_line(&f->source, repair->line, &ret->says);
    text_put(&ret->says, "`: ");
    repair_say(&f->source, repair, &ret->says);
    if (repair->line_too > 0)
        text_format(&ret->says, ", nor in line %u", repair->line_too);
    for (unsigned i = 1; i < f->n_found; i++)
        text_format(&ret->says, "%s %u", i == 1 ? "; a change would do as well in line" : " or",
                    f->found[i].line);
}

/* How many are tried first: those that fit the name, and as many more as cost little. */
static size_t first_batch(const struct repairs *repairs)
{
    bool some_fit = repairs->n > 0 && repairs->items[0].fits;
    bool few_fit = some_fit && (repairs->n <= FEW || !repairs->items[FEW].fits);
    return few_fit ? FEW : FIRST_BATCH;
}

bool find_line(const struct line_question *question, struct line_found *ret, struct error *reterr)
{
    struct error own = {.kind = ERR_NONE};
    struct finding f = {.question = question,
                        .limits = *question->request->limits,
                        .ends_ns = clock_ns() + (uint64_t)question->budget_ms * BUSY * NS_IN_MS,
                        .reterr = reterr != NULL ? reterr : &own};
    *ret = (struct line_found){0};
    if (!compiler_is_gcc_like(question->request->compiler))
        return true;
    f.limits.max_errors = MOST_ERRORS;
    f.limits.text_kept_bytes = MESSAGE_BYTES;
    f.limits.source_bytes = SOURCE_BYTES;
    f.limits.case_wall_ms = CASE_MS;
    choose_cases(&f);
    bool ok = c_source_read(question->source, question->size, &f.source, f.reterr) &&
              repairs_list(&f.source, &f.repairs, f.reterr);
    repairs_hold_against(&f.repairs, question->names, question->n_names);
    for (size_t at = 0, n; ok && at < f.repairs.n && f.n_found == 0 && !time_is_up(&f); at += n) {
        size_t batch = at == 0 ? first_batch(&f.repairs) : BATCH;
        n = f.repairs.n - at < batch ? f.repairs.n - at : batch;
        try_batch(&f, f.repairs.items + at, n);
    }
    /* A change here or there or elsewhere: none of these lines carries the mistake more than the
     * others, if the name does not say which. */
    if (f.n_found > 0 && (f.found[0].fits || f.n_found < MOST_LINES))
        tell(&f, &f.found[0], ret);
    ok = f.reterr->kind == ERR_NONE;
    if (ret->says.failed)
        ok = error_memory(f.reterr, "a line of the learner's file");
    repairs_release(&f.repairs);
    c_source_release(&f.source);
    return ok;
}
