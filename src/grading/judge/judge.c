/* The judge: see judge.h. How a submission is graded:
 *
 *  1. The starter itself, apart from spaces, is "not implemented" and is not built. Anything else
 *     is built in a box (compile/compiler.h); if that fails, the build has the verdict.
 *  2. The usual cases run one after another in one program (run/case_runner.h). In every second
 *     case the arrays lie at the other end of their memory. A program that crashes is started again
 *     for the next case, MAX_STARTS times in all.
 *  3. The verdict is that of the first case that fails, but a crash or a write out of bounds weighs
 *     more than wrong numbers.
 *  4. All cases are repeated: other numbers for the same inputs are "nondeterministic", and a heap
 *     that grows from round to round is a leak.
 *  5. Symptoms that can be seen without a formula come first: cells that are never written, memory
 *     that is read too early (why/find_symptom.h). Else, when the numbers are wrong, they are
 *     compared with those of each misconception and mistake (why/find_mistake.h), and then the
 *     other symptoms are looked for. If nothing is named, the probes are run too: they and the
 *     cases tell where the numbers are wrong and where they are right (why/tell_where.h). Last, to
 *     be shown, a smaller case that fails too is looked for (case_shrink()).
 *  6. While nothing has failed, each case with a memory limit of its own runs in a program of its
 *     own, and then the speed is measured (speed_internal.h).
 *  7. A crash is explained by a build with sanitizers (why/sanitizer_report.h), which decides
 *     nothing.
 *
 * With JUDGE_HIDE_DRAWN nothing that a message holds comes from a program that has seen the numbers
 * of this run, but for the verdict, its detail and one cell: a case that is shown in full is public
 * and was run by itself, a crash is explained with a case drawn from another seed, and what was
 * printed is dropped.
 *
 * A failure of attn's own ends the grading with VERDICT_INTERNAL_ERROR, whatever was found before.
 */
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "exercise/learner_files.h"
#include "exercise/luck.h"
#include "exercise/task.h"
#include "files/clock.h"
#include "judge/run/case_runner.h"
#include "judge/shown_internal.h"
#include "judge/speed_internal.h"
#include "judge/why/find_mistake.h"
#include "judge/why/find_symptom.h"
#include "judge/why/sanitizer_report.h"
#include "judge/why/tell_where.h"
#include "sandbox/system.h"

enum {
    MOST_STEPS = 1000000,    /* that are worked out in search of two mistakes, for a person */
    STEPS_OF_CLASS = 550000, /* for one of many, where the time is the compiler's */
    LINE_MS = 3000,          /* for the line of a mistake, for a person */
    LINE_MS_OF_CLASS = 2000, /* for one of many */
    MAX_STARTS = 4, /* of a program that crashes, so that the cases after it are judged too */
};

/* ---- the setup ---- */

static struct compile_request request_of(const struct judge_setup *setup)
{
    return (struct compile_request){.compiler = setup->plan.compiler,
                                    .exercise = setup->plan.exercise,
                                    .limits = setup->plan.limits,
                                    .hints = setup->hints.n_hints > 0 ? &setup->hints : NULL,
                                    .layers = setup->plan.layers,
                                    .use_cache = setup->plan.use_cache,
                                    .kept = setup->plan.kept,
                                    .cpu_us = setup->plan.build_cpu_us,
                                    .links_many = setup->plan.links_many,
                                    .ahead = setup->plan.ahead};
}

void judge_build(const struct judge_setup *setup, const char *file_name, const char *source,
                 size_t size, struct build *ret)
{
    struct compile_request request = request_of(setup);
    build_program(&request, &setup->runtime, file_name, source, size, ret);
}

static bool build_plain(struct judge_setup *setup, struct error *reterr)
{
    const struct exercise *exercise = setup->plan.exercise;
    struct build build;
    if (exercise->speed == NULL)
        return true;
    judge_build(setup, exercise->speed->plain, exercise->plain, strlen(exercise->plain), &build);
    bool ok = build.verdict == VERDICT_PASS;
    if (!ok)
        error_set(reterr, ERR_FILE, "%s/%s: it can't be built: %s", exercise->folder_name,
                  exercise->speed->plain, text_string(&build.messages));
    setup->plain_program_fd = build.program_fd;
    build.program_fd = -1;
    build_release(&build);
    return ok;
}

bool judge_setup_open(const struct judge_plan *plan, struct judge_setup *ret, struct error *reterr)
{
    struct judge_setup setup = {.plan = *plan, .plain_program_fd = -1};
    /* Without its sentences a message of the compiler stands alone, and the verdict is the same. */
    compiler_hints_open(plan->data_dir, &setup.hints, NULL);
    struct compile_request request = request_of(&setup);
    if (!fixtures_draw(plan->exercise, plan->seed, false, plan->data_dir, &setup.cases, reterr) ||
        !runtime_build(&request, &setup.runtime, reterr) || !build_plain(&setup, reterr)) {
        judge_setup_close(&setup);
        return false;
    }
    *ret = setup;
    return true;
}

void judge_setup_close(struct judge_setup *setup)
{
    fixtures_release(&setup->cases);
    runtime_release(&setup->runtime);
    compiler_hints_release(&setup->hints);
    if (setup->plain_program_fd >= 0)
        close(setup->plain_program_fd);
    setup->plain_program_fd = -1;
}

/* ---- one submission ---- */

struct grading {
    const struct judge_setup *setup;
    struct compile_request request; /* that all programs of the setup are built with */
    struct judgement *judgement;
    const char *file_name, *source; /* [size] */
    size_t size;
    int program_fd;
    unsigned options;
    struct case_run *runs; /* [setup->cases.n] */
    bool earned;           /* a case is right by work: see right_by_work() */
    bool told;             /* the listener knows the verdict */
    struct error error;    /* a failure of attn's own; kind ERR_NONE: no failure */
};

static struct result *result_of(struct grading *grading)
{
    return &grading->judgement->result;
}

/* Sets the verdict. The detail is lost without memory for it. If the machine lacks something that
 * attn needs, the detail of an internal error is that. */
static void decide(struct grading *grading, enum verdict verdict, const char *detail)
{
    struct result *result = result_of(grading);
    const char *lack = verdict == VERDICT_INTERNAL_ERROR ? build_lack_in(detail) : NULL;
    result->verdict = verdict;
    free(result->detail);
    result->detail = strdup(lack != NULL ? lack : detail);
}

static bool is_decided(struct grading *grading)
{
    return result_of(grading)->verdict != VERDICT_PASS;
}

/* The verdict stands: what follows explains it. */
static void tell_verdict(struct grading *grading)
{
    const struct judge_listener *listener = grading->setup->plan.listener;
    if (listener == NULL || grading->told || grading->error.kind != ERR_NONE ||
        result_of(grading)->verdict == VERDICT_INTERNAL_ERROR)
        return;
    grading->told = true;
    listener->verdict(listener->context, grading->judgement);
}

static struct case_runner open_runner(struct grading *grading)
{
    const struct judge_plan *plan = &grading->setup->plan;
    struct case_runner runner;
    case_runner_init(&runner, plan->exercise, plan->limits, plan->layers, grading->program_fd);
    return runner;
}

/* The usual cases are those without a memory limit of their own. */
static bool is_usual(const struct fixture *fixture)
{
    return fixture->memory_bytes == 0;
}

static void make_room(struct case_runner *runner, const struct fixtures *fixtures)
{
    for (size_t i = 0; i < fixtures->n; i++)
        if (is_usual(fixtures->items[i]))
            runner_plan_fit(&runner->plan, fixtures->items[i]);
}

/* A NaN may come from beside an array. With the array at the other end of its slot the same step
 * too far is not a NaN but a fault, which says more. Replaces *run when it is one. */
static bool run_at_other_end(struct grading *grading, struct case_runner *runner,
                             struct case_run *run)
{
    struct case_run other;
    if (run->verdict != VERDICT_NON_FINITE)
        return true;
    if (!case_runner_run(runner, run->fixture, !run->at_end, &other, &grading->error))
        return false;
    if (other.verdict == VERDICT_OUT_OF_BOUNDS) {
        case_run_release(run);
        *run = other;
    } else {
        case_run_release(&other);
    }
    return true;
}

/* Runs case i; returns whether the next one is worth running. After a crash the other cases still
 * say something; after other ends of the program they would say the same. */
static bool run_case(struct grading *grading, struct case_runner *runner, size_t i)
{
    struct case_run *run = &grading->runs[i];
    if (!case_runner_run(runner, grading->setup->cases.items[i], i % 2 == 0, run,
                         &grading->error) ||
        !run_at_other_end(grading, runner, run))
        return false;
    bool crashed = run->verdict == VERDICT_CRASH || run->verdict == VERDICT_OUT_OF_BOUNDS;
    return runner->runner != NULL || (crashed && runner->n_starts < MAX_STARTS);
}

static bool is_about_numbers(enum verdict verdict)
{
    return verdict == VERDICT_WRONG_ANSWER || verdict == VERDICT_NON_FINITE;
}

/* A fault of the program weighs more than wrong numbers; among equals the first case counts. */
static bool weighs_more(enum verdict a, enum verdict b)
{
    if (b == VERDICT_PASS)
        return a != VERDICT_PASS;
    return is_about_numbers(b) && !is_about_numbers(a) && a != VERDICT_PASS;
}

/* ---- what the runs come to ---- */

/* The run that the verdict rests on, or NULL when all passed. */
static const struct case_run *deciding_run(const struct grading *grading)
{
    const struct case_run *deciding = NULL;
    for (size_t i = 0; i < grading->setup->cases.n; i++) {
        const struct case_run *run = &grading->runs[i];
        enum verdict so_far = deciding != NULL ? deciding->verdict : VERDICT_PASS;
        if (run->fixture != NULL && weighs_more(run->verdict, so_far))
            deciding = run;
    }
    return deciding;
}

static bool all_right(const struct grading *grading)
{
    return deciding_run(grading) == NULL;
}

/* Repeats the cases in a program of their own. What gives other numbers for the same inputs has
 * earned nothing: that it was right in some case, each time that it was asked, is luck too. */
static void repeat_cases(struct grading *grading, struct case_runner *again)
{
    struct repeat_finding found;
    bool was_right = all_right(grading);
    if (cases_repeat(again, grading->runs, grading->setup->cases.n, &found, &grading->error) &&
        found.verdict != VERDICT_PASS && (found.verdict != VERDICT_LEAK || was_right)) {
        decide(grading, found.verdict, found.detail);
        grading->earned = grading->earned && strcmp(found.detail, NONDETERMINISTIC) != 0;
    }
}

/* Stops the program, and notes how much memory it held. */
static void end_runner(struct grading *grading, struct case_runner *runner)
{
    struct result *result = result_of(grading);
    case_runner_release(runner);
    result->memory_kib = fmax(result->memory_kib, (double)runner->memory_bytes / 1024);
}

/* The case of run i; of a case that goes through the kinds of rows, the last of its repeats is
 * reported for all, as the first that is not right: a vector of zeros alone shows little. */
static void report_case(struct grading *grading, size_t i)
{
    const struct fixtures *cases = &grading->setup->cases;
    const struct case_run *run = &grading->runs[i];
    const struct exercise_case *source = cases->items[i]->source;
    const char *name = cases->items[i]->name;
    if (exercise_case_results(source) < source->repeat) {
        if (i + 1 < cases->n && cases->items[i + 1]->source == source)
            return;
        const struct case_run *first = run - (source->repeat - 1);
        while (first < run && first->fixture != NULL && first->verdict == VERDICT_PASS)
            first++;
        run = first;
        name = source->name;
    }
    if (run->fixture != NULL)
        result_add_case(result_of(grading), name, source->group, run->verdict,
                        run->answered ? run->difference.max_abs_error : (double)NAN,
                        &grading->error);
}

static void report_cases(struct grading *grading)
{
    for (size_t i = 0; i < grading->setup->cases.n; i++)
        report_case(grading, i);
    if (!grading->earned)
        result_earn_nothing(result_of(grading));
}

/* Is a case right that took work? Where there are drawn cases, one of them: the answers of public
 * ones can be known by heart. */
static bool right_by_work(const struct grading *grading)
{
    bool any_drawn = false, drawn = false, public = false;
    for (size_t i = 0; i < grading->setup->cases.n; i++) {
        const struct case_run *run = &grading->runs[i];
        if (run->fixture == NULL || fixture_right_by_luck(run->fixture))
            continue;
        bool is_right = run->verdict == VERDICT_PASS;
        any_drawn = any_drawn || !run->fixture->is_public;
        drawn = drawn || (is_right && !run->fixture->is_public);
        public = public || (is_right && run->fixture->is_public);
    }
    return drawn || (public && !any_drawn);
}

/* Has it earned points at all? Not where each answer is one and the same number. */
static bool earned_something(const struct grading *grading)
{
    bool several = false;
    float only = NAN;
    for (size_t i = 0; i < grading->setup->cases.n; i++) {
        const struct case_run *run = &grading->runs[i];
        if (run->fixture == NULL || !run->answered)
            continue;
        float number = answer_only_number(run->fixture, &run->answer);
        several = several || isnan(number) || (!isnan(only) && number != only);
        only = number;
    }
    return several && right_by_work(grading);
}

/* Does a case with wrong numbers show more of the mistake than another? One of usual numbers does,
 * then a smaller one. */
static bool shows_more(const struct fixture *one, const struct fixture *other)
{
    if (one->is_extreme != other->is_extreme)
        return other->is_extreme;
    return one->n_cells < other->n_cells;
}

/* The case whose wrong numbers show most, or NULL. */
static const struct case_run *clearest_wrong(const struct grading *grading)
{
    const struct case_run *clearest = NULL;
    for (size_t i = 0; i < grading->setup->cases.n; i++) {
        const struct case_run *run = &grading->runs[i];
        if (case_run_is_wrong(run) &&
            (clearest == NULL || shows_more(run->fixture, clearest->fixture)))
            clearest = run;
    }
    return clearest;
}

/* ---- why ---- */

/* Runs the probes, and adds those that there are numbers for to answered[*n...]. */
static void answer_probes(struct grading *grading, const struct fixtures *probes,
                          struct case_run *runs, struct answered_case *answered, size_t *n)
{
    struct case_runner runner = open_runner(grading);
    make_room(&runner, probes);
    for (size_t i = 0; i < probes->n; i++) {
        if (!case_runner_run(&runner, probes->items[i], true, &runs[i], &grading->error))
            break;
        if (runs[i].answered)
            answered[(*n)++] = (struct answered_case){runs[i].fixture, &runs[i].answer};
    }
    case_runner_release(&runner);
}

/* Runs the probes too, and tells where the numbers are wrong and where they are right. */
static void find_where(struct grading *grading, const struct answered_case *cases, size_t n)
{
    const struct judge_plan *plan = &grading->setup->plan;
    struct judgement *judgement = grading->judgement;
    struct fixtures probes = {0};
    if (!fixtures_draw(plan->exercise, plan->seed, true, plan->data_dir, &probes, &grading->error))
        return;
    struct case_run *runs = calloc(probes.n + 1, sizeof *runs);
    struct answered_case *answered = calloc(n + probes.n + 1, sizeof *answered);
    if (runs == NULL || answered == NULL) {
        error_memory(&grading->error, "a diagnosis");
    } else {
        memcpy(answered, cases, n * sizeof *cases);
        answer_probes(grading, &probes, runs, answered, &n);
        if (grading->error.kind == ERR_NONE)
            tell_where(plan->exercise, answered, n, (grading->options & JUDGE_HIDE_DRAWN) != 0,
                       &judgement->where);
    }
    for (size_t i = 0; runs != NULL && i < probes.n; i++)
        case_run_release(&runs[i]);
    free(runs);
    free(answered);
    fixtures_release(&probes);
}

/* Does nothing else say where to look: no idea, no line of the compiler's, no detail? */
static bool asks_where(const struct grading *grading)
{
    const struct judgement *judgement = grading->judgement;
    const char *detail = judgement->result.detail;
    return judgement->diagnosis.n_ideas == 0 && clearest_wrong(grading) != NULL &&
           is_about_numbers(judgement->result.verdict) && judgement->build.messages.size == 0 &&
           (detail == NULL || detail[0] == '\0');
}

/* Finds the mistake that gives the numbers. */
static void search_mistake(struct grading *grading, const struct answered_case *answered, size_t n)
{
    const struct judge_plan *plan = &grading->setup->plan;
    struct case_runner runner = open_runner(grading);
    const struct mistake_question question = {
        .exercise = plan->exercise,
        .edits = plan->edits,
        .data_dir = plan->data_dir,
        .seed = plan->seed,
        .answered = answered,
        .n = n,
        .runner = &runner,
        .most_steps = grading->options & JUDGE_SHRINK ? MOST_STEPS : STEPS_OF_CLASS};
    find_mistake(&question, &grading->judgement->diagnosis, &grading->error);
    case_runner_release(&runner);
}

/* Looks for a symptom of this stage if nothing was named so far. */
static void name_symptom(struct grading *grading, enum symptom_stage stage,
                         const struct sanitizer_report *fault)
{
    struct judgement *judgement = grading->judgement;
    const struct case_run *deciding = deciding_run(grading);
    const char *detail = judgement->result.detail;
    const struct symptom_question question = {
        .cases = &grading->setup->cases,
        .data_dir = grading->setup->plan.data_dir,
        .seed = grading->setup->plan.seed,
        .request = &grading->request,
        .runtime = &grading->setup->runtime,
        .file_name = grading->file_name,
        .source = grading->source,
        .size = grading->size,
        .runner = open_runner(grading),
        .build = &judgement->build,
        .verdict = judgement->result.verdict,
        .hides_drawn = (grading->options & JUDGE_HIDE_DRAWN) != 0,
        .detail = detail != NULL ? detail : "",
        .runs = grading->runs,
        .fixture = deciding != NULL ? deciding->fixture : NULL,
        .fault = fault};
    if (judgement->diagnosis.n_ideas == 0 && grading->error.kind == ERR_NONE &&
        !(grading->options & JUDGE_NO_IDEAS))
        find_symptom(&question, stage, &judgement->diagnosis, &grading->error);
}

static void report_ideas(struct grading *grading)
{
    const struct diagnosis *diagnosis = &grading->judgement->diagnosis;
    for (size_t i = 0; i < diagnosis->n_ideas; i++) {
        struct text say = {0};
        misconception_explain(diagnosis->ideas[i], &say);
        if (say.failed)
            error_memory(&grading->error, "a diagnosis");
        else
            result_add_idea(result_of(grading), diagnosis->ideas[i]->id, text_string(&say),
                            &grading->error);
        text_release(&say);
    }
}

/* The idea that the exercise has for this verdict. */
static void name_idea_of_verdict(struct grading *grading)
{
    struct diagnosis *diagnosis = &grading->judgement->diagnosis;
    const struct misconception *shown =
        misconception_of_verdict(grading->setup->plan.exercise, result_of(grading)->verdict);
    if (diagnosis->n_ideas == 0 && shown != NULL && !(grading->options & JUDGE_NO_IDEAS))
        diagnosis->ideas[diagnosis->n_ideas++] = shown;
}

/* Adding to a number before it is set may be a foreseen mistake, as a sum that is not cleared; so
 * may a maximum that begins with the least number above 0. */
static bool may_be_foreseen(const struct diagnosis *diagnosis)
{
    const char *id = diagnosis->n_ideas > 0 ? diagnosis->ideas[0]->id : "";
    return strcmp(id, "uninitialised") == 0 || strcmp(id, "least-positive") == 0;
}

/* Does an idea of the exercise give these numbers? What its author says of them is closer. */
static bool is_foreseen(struct grading *grading, const struct answered_case *answered, size_t n)
{
    struct diagnosis foreseen = {.n_ideas = 0};
    if (clearest_wrong(grading) == NULL || (grading->options & JUDGE_NO_IDEAS))
        return false;
    bool found = misconception_find(grading->setup->plan.exercise, answered, n, false, &foreseen,
                                    &grading->error) &&
                 foreseen.n_ideas > 0;
    diagnosis_release(&foreseen);
    return found;
}

static bool lies_on_a_line(enum verdict verdict)
{
    return is_about_numbers(verdict) || verdict == VERDICT_OUT_OF_BOUNDS ||
           verdict == VERDICT_CRASH;
}

/* Finds the line that carries the mistake. What it proves names a mistake that nothing else
 * does. */
static void search_line(struct grading *grading)
{
    struct judgement *judgement = grading->judgement;
    struct result *result = result_of(grading);
    const struct diagnosis *diagnosis = &judgement->diagnosis;
    const char *names[COUNT_OF(diagnosis->ideas)];
    for (size_t i = 0; i < diagnosis->n_ideas; i++)
        names[i] = diagnosis->ideas[i]->id;
    const struct line_question question = {
        .request = &grading->request,
        .runtime = &grading->setup->runtime,
        .file_name = grading->file_name,
        .source = grading->source,
        .size = grading->size,
        .runner = open_runner(grading),
        .runs = grading->runs,
        .n_runs = grading->setup->cases.n,
        .names = names,
        .n_names = (unsigned)diagnosis->n_ideas,
        .budget_ms = grading->options & JUDGE_SHRINK ? LINE_MS : LINE_MS_OF_CLASS};
    if (grading->options & (JUDGE_NO_IDEAS | JUDGE_NO_LINE) || grading->error.kind != ERR_NONE ||
        !find_line(&question, &judgement->line, &grading->error) || judgement->line.line == 0)
        return;
    result_set_line(result, judgement->line.line, text_string(&judgement->line.says),
                    &grading->error);
    if (result->n_ideas == 0 && is_about_numbers(result->verdict) && judgement->line.names_mistake)
        result_add_idea(result, judgement->line.id, text_string(&judgement->line.says),
                        &grading->error);
}

/* The cases that there are numbers for. Near the ends of float two programs with one mistake
 * overflow at different steps, so extreme cases are asked only if the numbers are right in all
 * others. */
static size_t list_answered(const struct grading *grading, struct answered_case *answered)
{
    const struct case_run *clearest = clearest_wrong(grading);
    bool usual = clearest != NULL && !clearest->fixture->is_extreme;
    size_t n = 0;
    for (size_t i = 0; i < grading->setup->cases.n; i++) {
        const struct case_run *run = &grading->runs[i];
        if (run->answered && !(usual && run->fixture->is_extreme))
            answered[n++] = (struct answered_case){run->fixture, &run->answer};
    }
    return n;
}

/* Finds what explains the numbers, or the verdict. */
static void find_idea(struct grading *grading)
{
    struct diagnosis *diagnosis = &grading->judgement->diagnosis;
    struct answered_case *answered = calloc(grading->setup->cases.n, sizeof *answered);
    if (answered == NULL) {
        error_memory(&grading->error, "a diagnosis");
        return;
    }
    size_t n = list_answered(grading, answered);
    name_symptom(grading, SYMPTOM_CERTAIN, NULL);
    if (may_be_foreseen(diagnosis) && is_foreseen(grading, answered, n))
        diagnosis->n_ideas = 0;
    if (diagnosis->n_ideas == 0 && !(grading->options & JUDGE_NO_IDEAS) &&
        clearest_wrong(grading) != NULL && grading->error.kind == ERR_NONE)
        search_mistake(grading, answered, n);
    name_idea_of_verdict(grading);
    name_symptom(grading, SYMPTOM_LEFT, NULL);
    report_ideas(grading);
    if (lies_on_a_line(result_of(grading)->verdict))
        search_line(grading);
    if (grading->judgement->line.line == 0 && asks_where(grading) &&
        grading->error.kind == ERR_NONE)
        find_where(grading, answered, n);
    free(answered);
}

/* ---- what is shown of it ---- */

/* It shows in the numbers, and nothing worse does. */
static bool is_wrong_alone(const struct case_run *run)
{
    return is_about_numbers(run->verdict) && case_run_is_wrong(run);
}

/* The case that says most: the smallest with wrong numbers, or the one that decided. NULL when all
 * passed. */
static struct case_run *choose_run(struct grading *grading)
{
    const struct case_run *chosen = clearest_wrong(grading);
    const struct case_run *deciding = deciding_run(grading);
    if (deciding != NULL && !is_wrong_alone(deciding))
        chosen = deciding;
    return chosen != NULL ? &grading->runs[chosen - grading->runs] : NULL;
}

/* Went both wrong in the same way? */
static bool failed_alike(const struct case_run *a, const struct case_run *b)
{
    return is_wrong_alone(a) ? is_wrong_alone(b) : a->verdict == b->verdict;
}

/* Of the cases that failed as `chosen` did, the smallest that is public; NULL when none is. */
static struct case_run *smallest_public(struct grading *grading, const struct case_run *chosen)
{
    struct case_run *smallest = NULL;
    for (size_t i = 0; i < grading->setup->cases.n; i++) {
        struct case_run *run = &grading->runs[i];
        if (run->fixture != NULL && run->fixture->is_public && failed_alike(chosen, run) &&
            (smallest == NULL || run->fixture->n_cells < smallest->fixture->n_cells))
            smallest = run;
    }
    return smallest;
}

/* Runs a public case again, as the first that the program sees, and takes that answer. What it said
 * before may be made of the inputs of other cases. False when it does not fail so. */
static bool fails_alone(struct grading *grading, struct case_runner *fresh, struct case_run *run)
{
    struct case_run again;
    if (!case_run_is_wrong(run))
        return true; /* there is no answer to show */
    if (!case_runner_run(fresh, run->fixture, run->at_end, &again, &grading->error))
        return false;
    bool alike = failed_alike(run, &again);
    if (alike) {
        answer_release(&run->answer);
        run->answer = again.answer;
        run->difference = again.difference;
        again.answer = (struct answer){0};
    }
    case_run_release(&again);
    return alike;
}

/* Chooses the case that a person is shown, and makes it smaller where that may be seen. Its answer
 * moves to the judgement. The runner has run nothing yet. */
static void choose_case(struct grading *grading, struct case_runner *runner)
{
    struct judgement *judgement = grading->judgement;
    struct case_run *shown = choose_run(grading);
    struct case_run small, *public;
    if (shown == NULL)
        return;
    if (grading->options & JUDGE_HIDE_DRAWN) {
        public = smallest_public(grading, shown);
        judgement->hides_case = public == NULL || !fails_alone(grading, runner, public);
        shown = judgement->hides_case ? shown : public;
    } else if ((grading->options & JUDGE_SHRINK) && is_wrong_alone(shown) &&
               case_shrink(runner, shown, grading->setup->plan.data_dir, &small)) {
        judgement->owns_fixture = true;
        shown = &small;
    }
    judgement->fixture = shown->fixture;
    if (shown->answered) {
        judgement->answer = shown->answer;
        judgement->difference = shown->difference;
        shown->answer = (struct answer){0};
    }
}

/* Runs a crash once more under the sanitizers; *ret_fault is what they said. */
static void rerun_crash(struct grading *grading, struct sanitizer_report *ret_fault)
{
    struct fixture *alike = NULL, *fixture = grading->judgement->fixture;
    *ret_fault = (struct sanitizer_report){.kind = FAULT_NONE};
    if (!(grading->options & JUDGE_EXPLAIN_CRASH) || fixture == NULL)
        return;
    if ((grading->options & JUDGE_HIDE_DRAWN) && !fixture->is_public) {
        fixture_draw_alike(fixture, PUBLIC_SEED, grading->setup->plan.data_dir, &alike, NULL);
        fixture = alike;
    }
    if (fixture != NULL)
        sanitizer_rerun(&grading->request, grading->file_name, grading->source, grading->size,
                        fixture, &grading->judgement->crash_report, ret_fault);
    fixture_free(alike);
}

static void explain_crash(struct grading *grading)
{
    enum verdict verdict = result_of(grading)->verdict;
    struct sanitizer_report fault;
    if (verdict != VERDICT_CRASH && verdict != VERDICT_OUT_OF_BOUNDS)
        return;
    uint64_t began_ms = (uint64_t)clock_ms();
    rerun_crash(grading, &fault);
    grading->judgement->explain_ms = (uint64_t)clock_ms() - began_ms;
    grading->judgement->is_unexplained = !(grading->options & JUDGE_EXPLAIN_CRASH);
    if (grading->judgement->diagnosis.n_ideas > 0)
        return;
    name_symptom(grading, SYMPTOM_FAULT, &fault);
    report_ideas(grading);
}

/* A program can print what it is given. */
static void hide_printed(struct judgement *judgement)
{
    judgement->n_hidden_bytes = judgement->printed.size;
    text_release(&judgement->printed);
}

/* Builds the file once more, with a SHOW that shows, and runs the case in question. Work graded for
 * points is never asked to show anything, and no verdict depends on it. */
static void show_itself(struct grading *grading, const char *file_name, const char *source,
                        size_t size)
{
    const struct judge_setup *setup = grading->setup;
    struct judgement *judgement = grading->judgement;
    const struct fixture *fixture =
        judgement->fixture != NULL ? judgement->fixture : setup->cases.items[0];
    struct compile_request request = grading->request;
    struct runner_plan plan;
    struct build build;
    if (!(grading->options & JUDGE_SHOW) || grading->program_fd < 0 || !show_is_asked(source, size))
        return;
    request.shows = true;
    build_program(&request, &setup->runtime, file_name, source, size, &build);
    if (build.verdict == VERDICT_PASS) {
        runner_plan_init(&plan, setup->plan.limits, setup->plan.layers, build.program_fd);
        shown_run(&plan, fixture, &judgement->shown);
        judgement->shown_in = fixture;
    } else {
        text_put(&judgement->show_messages, text_string(&build.messages));
    }
    build_release(&build);
}

/* ---- the steps ---- */

static void grade_usual_cases(struct grading *grading)
{
    struct case_runner runner = open_runner(grading), again = open_runner(grading);
    runner.printed = &grading->judgement->printed;
    make_room(&runner, &grading->setup->cases);
    make_room(&again, &grading->setup->cases);
    /* The box of the repeats is made while the cases run; one that could not be is made then. */
    (void)(case_runner_start(&runner, NULL) && case_runner_start(&again, NULL));
    bool goes_on = true;
    for (size_t i = 0; i < grading->setup->cases.n && goes_on; i++)
        if (is_usual(grading->setup->cases.items[i]))
            goes_on = run_case(grading, &runner, i);
    const struct case_run *deciding = deciding_run(grading);
    grading->earned = earned_something(grading);
    if (deciding != NULL)
        decide(grading, deciding->verdict, deciding->detail);
    bool goes_on_running = runner.runner != NULL;
    end_runner(grading, &runner);
    if (goes_on_running && grading->error.kind == ERR_NONE &&
        (!is_decided(grading) || is_about_numbers(result_of(grading)->verdict)))
        repeat_cases(grading, &again);
    case_runner_release(&again);
    if (is_decided(grading) && grading->error.kind == ERR_NONE) {
        runner = open_runner(grading);
        make_room(&runner, &grading->setup->cases);
        tell_verdict(grading);
        find_idea(grading);
        choose_case(grading, &runner);
        case_runner_release(&runner);
    }
}

/* Can a case still earn points? After wrong numbers each case that is right earns its share. */
static bool can_earn(struct grading *grading)
{
    return !is_decided(grading) || is_about_numbers(result_of(grading)->verdict);
}

/* Each case runs in a program of its own, which gets the memory that the case allows. */
static void grade_memory_cases(struct grading *grading)
{
    const struct fixtures *cases = &grading->setup->cases;
    for (size_t i = 0; i < cases->n && can_earn(grading) && grading->error.kind == ERR_NONE; i++) {
        if (is_usual(cases->items[i]))
            continue;
        bool was_decided = is_decided(grading);
        struct case_runner runner = open_runner(grading);
        runner.printed = &grading->judgement->printed;
        runner_plan_fit(&runner.plan, cases->items[i]);
        struct case_run *run = &grading->runs[i];
        struct repeat_finding found;
        bool ok = case_runner_run(&runner, cases->items[i], true, run, &grading->error);
        case_runner_release(&runner);
        if (ok && run->verdict == VERDICT_PASS)
            ok = case_repeat(&runner, run, &found, &grading->error);
        end_runner(grading, &runner);
        if (ok && run->verdict != VERDICT_PASS && !was_decided) {
            decide(grading, run->verdict, run->detail);
            grading->earned = grading->earned && strcmp(run->detail, NONDETERMINISTIC) != 0;
            tell_verdict(grading);
            find_idea(grading);
        }
    }
}

/* Is the idea behind this verdict, if there is one, known to be the reason? */
static bool is_explained(struct grading *grading, const struct speed_result *speed)
{
    const struct misconception *idea =
        misconception_of_verdict(grading->setup->plan.exercise, result_of(grading)->verdict);
    return idea == NULL || idea->faster_with.n == 0 ||
           speed_reason_holds(grading->setup, &grading->request, idea, grading->file_name,
                              grading->source, grading->size, grading->program_fd, speed);
}

/* The speed case with one of its sizes as it is timed, and the others small: large cases are too
 * large for a search. NULL: it can't be drawn. */
static struct fixture *draw_with_one_size(struct grading *grading, const struct fixture *timed,
                                          unsigned kept)
{
    enum { SMALL = 3 };
    const struct judge_plan *plan = &grading->setup->plan;
    const struct prototype *prototype = &plan->exercise->prototype;
    struct fixture *fixture = NULL;
    struct sizes sizes = {.n = 0};
    for (unsigned i = 0; i < prototype->n_params; i++) {
        if (prototype->params[i].kind != PARAM_SIZE)
            continue;
        sizes.names[sizes.n] = prototype->params[i].name;
        sizes.values[sizes.n++] =
            i == kept ? timed->scalars[i] : fmin(timed->scalars[i], SMALL + (double)i);
    }
    return prototype->params[kept].kind == PARAM_SIZE &&
                   fixture_draw(plan->exercise, &plan->exercise->speed->timed, 0, plan->seed,
                                &sizes, false, plan->data_dir, &fixture, NULL)
               ? fixture
               : NULL;
}

/* The cases of draw_with_one_size() that were answered, after those of the usual cases. */
struct long_cases {
    struct fixture *fixtures[PROTOTYPE_MAX_PARAMS];
    struct case_run runs[PROTOTYPE_MAX_PARAMS];
    struct answered_case *answered;
    size_t n, n_answered;
};

static void run_long_case(struct grading *grading, struct fixture *fixture,
                          struct long_cases *cases)
{
    struct case_runner runner = open_runner(grading);
    struct case_run *run = &cases->runs[cases->n];
    runner_plan_fit(&runner.plan, fixture);
    bool ok = case_runner_run(&runner, fixture, true, run, &grading->error);
    case_runner_release(&runner);
    if (!ok) {
        fixture_free(fixture);
        return;
    }
    if (run->answered)
        cases->answered[cases->n_answered++] = (struct answered_case){fixture, &run->answer};
    cases->fixtures[cases->n++] = fixture;
}

/* "All cases are right. Wrong with n 3 and d 64." */
static void tell_long_cases(const struct grading *grading, const struct fixture *timed,
                            const struct long_cases *cases, struct text *text)
{
    const struct prototype *prototype = &grading->setup->plan.exercise->prototype;
    const struct fixture *wrong = timed;
    for (size_t i = cases->n; i-- > 0;)
        if (case_run_is_wrong(&cases->runs[i]))
            wrong = cases->fixtures[i];
    text_put(text, "The numbers are right in the other cases, and wrong where it is timed. They "
                   "are wrong with");
    for (unsigned i = 0, n = 0; i < prototype->n_params; i++)
        if (prototype->params[i].kind == PARAM_SIZE)
            text_format(text, "%s %s %.0f", n++ > 0 ? "," : "", prototype->params[i].name,
                        wrong->scalars[i]);
    text_char(text, '.');
}

/* Finds why the numbers are wrong where the program is timed. */
static void explain_long_cases(struct grading *grading, const struct fixture *timed)
{
    const struct judge_plan *plan = &grading->setup->plan;
    struct long_cases cases = {.n = 0};
    cases.answered = calloc(grading->setup->cases.n + PROTOTYPE_MAX_PARAMS, sizeof *cases.answered);
    if (cases.answered == NULL) {
        error_memory(&grading->error, "a diagnosis");
        return;
    }
    for (size_t i = 0; i < grading->setup->cases.n; i++)
        if (grading->runs[i].answered)
            cases.answered[cases.n_answered++] =
                (struct answered_case){grading->runs[i].fixture, &grading->runs[i].answer};
    for (unsigned i = 0; i < plan->exercise->prototype.n_params && grading->error.kind == ERR_NONE;
         i++) {
        struct fixture *fixture = draw_with_one_size(grading, timed, i);
        if (fixture != NULL)
            run_long_case(grading, fixture, &cases);
    }
    if (grading->error.kind == ERR_NONE)
        search_mistake(grading, cases.answered, cases.n_answered);
    tell_long_cases(grading, timed, &cases, &grading->judgement->where);
    for (size_t i = 0; i < cases.n; i++) {
        case_run_release(&cases.runs[i]);
        fixture_free(cases.fixtures[i]);
    }
    free(cases.answered);
}

static void explain_timed_numbers(struct grading *grading)
{
    const struct judge_plan *plan = &grading->setup->plan;
    struct fixture *timed = NULL;
    if (grading->options & JUDGE_NO_IDEAS ||
        !fixture_draw_speed(plan->exercise, plan->seed, plan->data_dir, &timed, NULL))
        return;
    explain_long_cases(grading, timed);
    fixture_free(timed);
}

static void grade_speed(struct grading *grading)
{
    const struct judge_setup *setup = grading->setup;
    struct speed_result speed;
    if (setup->plan.exercise->speed == NULL || is_decided(grading))
        return;
    if (!speed_measure(setup->plan.exercise, setup->plan.limits, setup->plan.layers,
                       setup->plan.seed, setup->plan.data_dir, grading->program_fd,
                       setup->plain_program_fd, &speed, &grading->error))
        return;
    result_add_case(result_of(grading), speed.name, GROUP_SPEED, speed.verdict, speed.max_abs_error,
                    &grading->error);
    decide(grading, speed.verdict, speed.detail);
    speed_tell(setup->plan.exercise->speed, &speed, &grading->judgement->speed);
    if (!is_decided(grading))
        return;
    tell_verdict(grading);
    if (is_about_numbers(speed.verdict))
        explain_timed_numbers(grading);
    else if (is_explained(grading, &speed))
        name_idea_of_verdict(grading);
    name_symptom(grading, SYMPTOM_LEFT, NULL);
    report_ideas(grading);
}

static void grade_program(struct grading *grading)
{
    grading->runs = calloc(grading->setup->cases.n, sizeof *grading->runs);
    if (grading->runs == NULL) {
        error_memory(&grading->error, "the cases");
        return;
    }
    grade_usual_cases(grading);
    if (grading->error.kind == ERR_NONE)
        grade_memory_cases(grading);
    report_cases(grading);
    if (grading->error.kind == ERR_NONE)
        grade_speed(grading);
    if (grading->error.kind == ERR_NONE)
        explain_crash(grading);
    for (size_t i = 0; i < grading->setup->cases.n; i++)
        case_run_release(&grading->runs[i]);
    free(grading->runs);
}

/* False when there is no program to run; the verdict then says why. */
static bool build_submission(struct grading *grading)
{
    struct build *build = &grading->judgement->build;
    struct compile_request request = grading->request;
    if (learner_source_is_starter(grading->setup->plan.exercise, grading->source, grading->size)) {
        decide(grading, VERDICT_NOT_IMPLEMENTED, "");
        return false;
    }
    request.keeps_later = true;
    build_program(&request, &grading->setup->runtime, grading->file_name, grading->source,
                  grading->size, build);
    decide(grading, build->verdict, build->detail);
    grading->program_fd = build->program_fd;
    return !is_decided(grading);
}

/* A pass gets all points, wrong numbers the share of the cases that earn them, anything else 0. */
static double score_of(const struct result *result)
{
    size_t n_earned = 0;
    if (result->verdict == VERDICT_PASS)
        return result->max_score;
    if (!is_about_numbers(result->verdict))
        return 0;
    for (size_t i = 0; i < result->n_cases; i++)
        n_earned += result->cases[i].earns;
    double share = (double)n_earned / (double)result->n_cases;
    return floor(share * result->max_score * 100) / 100;
}

void judge_submission(const struct judge_setup *setup, const char *file_name, const char *source,
                      size_t size, unsigned options, struct judgement *ret)
{
    uint64_t began_ns = clock_ns(), before_us = box_all_cpu_us();
    system_give_back_memory();
    *ret = (struct judgement){.build.program_fd = -1};
    result_init(&ret->result);
    ret->result.verdict = VERDICT_PASS;
    ret->result.max_score = setup->plan.exercise->score;
    struct grading grading = {.setup = setup,
                              .request = request_of(setup),
                              .judgement = ret,
                              .file_name = file_name,
                              .source = source,
                              .size = size,
                              .options = options};
    if (build_submission(&grading))
        grade_program(&grading);
    if (options & JUDGE_HIDE_DRAWN)
        hide_printed(ret);
    if (grading.error.kind != ERR_NONE)
        decide(&grading, VERDICT_INTERNAL_ERROR, grading.error.text);
    result_judge(&ret->result, score_of(&ret->result), ret->result.max_score);
    ret->result.time_ms = (double)(clock_ns() - began_ns) / 1e6;
    tell_verdict(&grading);
    build_keep(&grading.request, &ret->build);
    show_itself(&grading, file_name, source, size);
    ret->result.cpu_ms = (double)(box_all_cpu_us() - before_us) / 1e3;
}

void judgement_release(struct judgement *judgement)
{
    result_release(&judgement->result);
    build_release(&judgement->build);
    answer_release(&judgement->answer);
    if (judgement->owns_fixture)
        fixture_free(judgement->fixture);
    text_release(&judgement->speed);
    text_release(&judgement->where);
    line_found_release(&judgement->line);
    diagnosis_release(&judgement->diagnosis);
    text_release(&judgement->printed);
    text_release(&judgement->crash_report);
    text_release(&judgement->show_messages);
    shown_release(&judgement->shown);
    *judgement = (struct judgement){.build.program_fd = -1};
}
