/* attn grade PATH...: grades a class unattended. Exit code 0 when all pass, 1 when some fail, 2 for
 * wrong usage, 3 when it could not be graded. */
#include <limits.h>
#include <stdio.h>
#include <sys/resource.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <stdlib.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/box.h"
#include "sandbox/system.h"
#include "sandbox/visible_paths.h"
#include "judge/run/sandbox_selftest.h"
#include "base/array.h"
#include "cli/grade_options.h"
#include "cli/grade_resume.h"
#include "files/clock.h"
#include "batch/batch.h"
#include "batch/compare_works.h"
#include "batch/submission.h"
#include "report/partial.h"
#include "compile/compiler.h"

/* ---- grade times ---- */

/* attn grade --times: how long grading took, and what took it. */

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Says on standard error how many files were graded in how many ms; what share of the processor
 * time of this process and all below it, which have ended, the compiler and the linker took
 * (build_us); and the most memory that this process held. */
static void grade_times_tell(size_t n_files, uint64_t ms, uint64_t build_us)
{
    struct rusage own;
    if (getrusage(RUSAGE_SELF, &own) != 0)
        return;
    double seconds = (double)ms / 1e3, build_s = (double)build_us / 1e6;
    double all_s =
        seconds_of(own.ru_utime) + seconds_of(own.ru_stime) + (double)box_all_cpu_us() / 1e6;
    fprintf(stderr,
            "attn: %zu files in %.1f s, %.2f a second; processor time %.1f s, %.0f %% of it the "
            "compiler's and the linker's; at most %.0f MiB of memory\n",
            n_files, seconds, seconds > 0 ? (double)n_files / seconds : 0, all_s,
            all_s > 0 ? 100 * build_s / all_s : 0, (double)system_peak_bytes() / 0x1p20);
}

/* ---- grade sandbox ---- */

/* attn grade's sandbox: the compiler, the layers that boxes get, and the proof that they hold. */

struct grade_sandbox {
    struct compiler compiler;
    unsigned layers;  /* of enum layer */
    struct text head; /* what a report says of them: see struct results */
};

static int could_not(const struct error *error)
{
    print_error(error, NULL, 0, NULL, 0);
    return EXIT_UNGRADED;
}

/* The names of a set of layers. */
static void add_layers(struct text *text, unsigned layers, const char *separator)
{
    bool first = true;
    for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1) {
        if (!(layers & bit))
            continue;
        text_format(text, "%s%s", first ? "" : separator, layer_name((enum layer)bit));
        first = false;
    }
}

static int refuse(const struct text *why, const struct text *reasons)
{
    fprintf(stderr,
            "attn: grade: %s. Not graded: a submission could harm this machine or forge a pass. "
            "attn doctor tells more; --accept-weak-isolation grades all the same\n%s",
            text_string(why), text_string(reasons));
    return EXIT_UNGRADED;
}

/* Adds a line "NAME: why"; where the machine lacks something, that is why. */
static void add_reason(struct text *text, const char *name, const char *line, size_t size)
{
    char why[160];
    snprintf(why, sizeof why, "%.*s", (int)size, line);
    const char *lack = build_lack_in(why);
    if (lack != NULL)
        text_format(text, "%s: %s\n", name, lack);
    else
        text_format(text, "%.*s\n", (int)size, line);
}

/* Of reasons, a line "NAME: why" for each layer that is not there, those that are about these; and
 * one for each of them that was left out. */
static void add_reasons(struct text *text, const struct text *reasons, unsigned layers,
                        unsigned without)
{
    for (const char *line = text_string(reasons); *line != '\0';) {
        size_t size = strcspn(line, "\n");
        for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1) {
            const char *name = layer_name((enum layer)bit);
            if ((layers & bit & ~without) && strncmp(line, name, strlen(name)) == 0 &&
                line[strlen(name)] == ':')
                add_reason(text, name, line, size);
        }
        line += size + (line[size] == '\n');
    }
    for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1)
        if (layers & bit & without)
            text_format(text, "%s: left out by --without\n", layer_name((enum layer)bit));
}

static int refuse_weak(const struct grade_sandbox *sandbox, const struct grade_options *options,
                       const struct text *reasons)
{
    struct text why = {0}, lines = {0};
    text_put(&why, "the sandbox is too weak, it needs ");
    unsigned needed = layers_needed(sandbox->layers, geteuid() == 0, &why);
    add_reasons(&lines, reasons, needed, options->without);
    int code = refuse(&why, &lines);
    text_release(&why);
    text_release(&lines);
    return code;
}

static int choose_layers(const struct grade_options *options, struct grade_sandbox *sandbox)
{
    struct text reasons = {0};
    int code = EXIT_OK;
    sandbox->layers = layers_available(&reasons) & ~options->without;
    if (!(sandbox->layers & LAYER_NAMESPACES))
        sandbox->layers &= ~(unsigned)LAYER_ROOT; /* which needs them */
    add_layers(&sandbox->head, sandbox->layers, "\n");
    text_char(&sandbox->head, '\n');
    enum isolation isolation = layers_isolation(sandbox->layers);
    if (isolation == ISOLATION_WEAK && !options->accepts_weak)
        code = refuse_weak(sandbox, options, &reasons);
    else if (isolation != ISOLATION_FULL) {
        text_format(&sandbox->head, "%s: without ",
                    isolation == ISOLATION_WEAK ? RESULTS_WEAK " accepted" : RESULTS_REDUCED);
        add_layers(&sandbox->head, LAYERS_ALL & ~sandbox->layers, " and ");
        text_char(&sandbox->head, '\n');
    }
    text_release(&reasons);
    return code;
}

static int prove(const struct grade_options *options, struct grade_sandbox *sandbox)
{
    struct selftest_result probes[SELFTEST_PROBES];
    struct text faults = {0};
    struct error error;
    bool all_right, accepts = options->accepts_weak;
    if (!selftest_run(&sandbox->compiler, &limits_default, sandbox->layers, probes, &all_right,
                      &error))
        return could_not(&error);
    for (int i = 0; i < SELFTEST_PROBES; i++) {
        const struct selftest_probe *probe = probes[i].probe;
        if (probes[i].got != probe->expects)
            text_format(
                accepts ? &sandbox->head : &faults, "%sprobe %s gave %s instead of %s; %s %s\n",
                accepts ? RESULTS_WEAK " accepted: " : "", probe->name, verdict_name(probes[i].got),
                verdict_name(probe->expects), layer_name(probe->layer),
                sandbox->layers & probe->layer ? "does not hold" : "is missing");
    }
    int code = EXIT_OK;
    if (!all_right && !accepts) {
        struct text why = {0};
        text_put(&why, "the sandbox failed its self-test");
        code = refuse(&why, &faults);
        text_release(&why);
    }
    text_release(&faults);
    return code;
}

/* Chooses the compiler and the layers, and has the sandbox prove itself before anybody's code runs
 * in it. EXIT_OK, or, which is said on standard error, EXIT_UNGRADED where there is no compiler or
 * the sandbox is too weak. *ret is to be released either way. */
static int grade_sandbox_prepare(const struct grade_options *options, struct grade_sandbox *ret)
{
    struct error error;
    *ret = (struct grade_sandbox){0};
    if (!compiler_find(options->compiler, &ret->compiler, &error))
        return could_not(&error);
    int code = choose_layers(options, ret);
    return code == EXIT_OK ? prove(options, ret) : code;
}

static void grade_sandbox_release(struct grade_sandbox *sandbox)
{
    text_release(&sandbox->head);
}

/* ---- grade ---- */

enum {
    REFRESH_MS = 100,    /* between two writings of the reports, or two pictures of the bar */
    REFRESH_FACTOR = 50, /* and so many times what writing took, where that is longer */
    BAR_COLS = 24,
    LEFT_OUT_SHOWN = 5,
    ODD_SHOWN = 50,
};

struct grade {
    struct grade_options options;
    struct exercises exercises;
    struct submissions submissions, known; /* known: to compare with */
    struct grade_sandbox sandbox;
    struct resumed resumed; /* of the run that is resumed */
    struct partial partial;
    uint64_t seed;

    /* While it runs. */
    bool shows_bar;
    size_t n_graded; /* this time */
    uint64_t start_ms, written_ms, write_cost_ms, shown_ms;
};

static int fail(const struct error *error, int code)
{
    print_error(error, NULL, 0, NULL, 0);
    return code;
}

/* ---- signals ---- */

/* What is graded when a signal to end comes is written, then the program ends. */
static void catch_signals(void)
{
    interrupt_catch_all();
    signal(SIGPIPE, SIG_IGN); /* who reads the report may go; its files are written all the same */
}

/* ---- what to grade ---- */

static void say_odd(const struct submissions *found)
{
    for (size_t i = 0; i < found->n_odd && i < ODD_SHOWN; i++)
        fprintf(stderr, "attn: not graded: %s%s%s: %s\n", found->odd[i].student,
                found->odd[i].student[0] != '\0' ? ": " : "", found->odd[i].file,
                found->odd[i].why);
    if (found->n_odd > ODD_SHOWN)
        fprintf(stderr, "attn: not graded: %zu more files, which are bad_file in the reports\n",
                found->n_odd - ODD_SHOWN);
}

static void say_left_out(const struct submissions *found)
{
    say_odd(found);
    for (size_t i = 0; i < found->n_crowds; i++) {
        const struct crowd *crowd = &found->crowds[i];
        fprintf(stderr,
                "attn: %s: more files than one student may hand in: the first %zu by name are "
                "graded, the %zu after %s are left out\n",
                crowd->folder, crowd->n_kept, crowd->n_left_out, crowd->last);
    }
    if (found->n_left_out == 0)
        return;
    fprintf(stderr, "attn: left out, since nothing there is named after an exercise: ");
    for (size_t i = 0; i < found->n_left_out && i < LEFT_OUT_SHOWN; i++)
        fprintf(stderr, "%s%s", i > 0 ? ", " : "", found->left_out[i]);
    if (found->n_left_out > LEFT_OUT_SHOWN)
        fprintf(stderr, " and %zu more", found->n_left_out - LEFT_OUT_SHOWN + found->n_unlisted);
    fputc('\n', stderr);
}

/* Leaves what is of this part of the class: its students' work, and their lines of the list. */
static bool keep_part(struct grade *grade, struct error *reterr)
{
    unsigned part = grade->options.part.k, n = grade->options.part.n;
    if (n == 0)
        return true;
    submissions_keep_part(&grade->submissions, part, n);
    return students_keep_part(&grade->options.rules.roster, part, n, reterr);
}

/* Is it graded for a place where all that is found is one person's? */
static bool is_of_one_student(const struct grade_options *options)
{
    for (size_t i = 0; i < options->outputs.n; i++)
        if (options->outputs.items[i].format->is_of_one_student)
            return true;
    return false;
}

/* An exit code; EXIT_OK goes on. */
static int find_submissions(struct grade *grade)
{
    const struct grade_options *options = &grade->options;
    const char *name = options->exercise;
    const struct exercise *exercise = NULL;
    struct error error;
    const char *data = data_dir();
    if (data == NULL)
        error_set(&error, ERR_FILE,
                  "the exercises are missing; set ATTN_DATA_DIR to the folder that holds them");
    if (data == NULL ||
        !exercises_load(data, own_exercises(options->rules.exercises), &grade->exercises, &error))
        return fail(&error, EXIT_UNGRADED);
    if (!class_rules_read(&grade->options.rules, &grade->exercises, &error))
        return fail(&error, EXIT_USAGE);
    if (name != NULL && (exercise = exercises_find(&grade->exercises, name)) == NULL) {
        const char *near = exercises_suggest(&grade->exercises, name);
        fprintf(stderr, "attn: grade: --exercise %s: no such exercise%s%s%s\n", name,
                near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                near != NULL ? "?" : "");
        return EXIT_USAGE;
    }
    struct submissions_wanted wanted = {
        .paths = options->paths,
        .n_paths = options->n_paths,
        .exercises = &grade->exercises,
        .assignment = grade->options.rules.settling.assignment,
        .roster = grade->options.rules.settling.roster,
        .who = &grade->options.rules.who,
        .exercise = exercise,
        .student = is_of_one_student(options) && options->student == NULL ? "" : options->student,
        .max_files = grade->options.rules.settling.assignment != NULL
                         ? grade->options.rules.assignment.files_a_student
                         : limits_default.files};
    if (!submissions_find(&wanted, &grade->submissions, &error))
        return fail(&error, EXIT_USAGE);
    const struct submissions_wanted known = {.paths = (char *[]){(char *)options->compare_path},
                                             .n_paths = 1,
                                             .exercises = &grade->exercises,
                                             .exercise = exercise};
    if (options->compare_path != NULL && !submissions_find(&known, &grade->known, &error))
        return fail(&error, EXIT_USAGE);
    if (options->part.n == 0 || options->part.k == 1)
        say_left_out(&grade->submissions);
    if (!keep_part(grade, &error))
        return fail(&error, EXIT_UNGRADED);
    if (grade->submissions.n == 0 && options->part.n == 0) {
        fputs("attn: grade: nothing to grade there: files are called after their exercise, such as "
              "softmax_rows.c, or --exercise says what they are for\n",
              stderr);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* ---- the seed, and the run that is resumed ---- */

/* Does the report lie in a folder that is graded? Then a student may have handed it in. */
static const char *folder_around(const char *report, char *const *paths, size_t n)
{
    char folder[PATH_MAX], whole[PATH_MAX], around[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", report);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        snprintf(folder, sizeof folder, ".");
    else
        slash[slash == folder] = '\0';
    if (realpath(folder, whole) == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t size = realpath(paths[i], around) != NULL ? strlen(around) : 0;
        bool is_root = size == 1;
        if (size > 0 && strncmp(whole, around, size) == 0 &&
            (is_root || whole[size] == '/' || whole[size] == '\0'))
            return paths[i];
    }
    return NULL;
}

static int resume(struct grade *grade)
{
    const char *path = outputs_json(&grade->options.outputs);
    const char *around = folder_around(path, grade->options.paths, grade->options.n_paths);
    if (around != NULL) {
        fprintf(stderr,
                "attn: grade: --resume: %s lies in %s, which is graded, so a student may have "
                "handed it in; keep the report in another folder\n",
                path, around);
        return EXIT_USAGE;
    }
    struct error error;
    struct text again = {0};
    const struct students *roster = grade->options.rules.settling.roster;
    const struct resume_wanted wanted = {.submissions = &grade->submissions,
                                         .paths = grade->options.paths,
                                         .n_paths = grade->options.n_paths,
                                         .max_source_bytes = limits_default.source_bytes};
    if (!resume_read(path, &wanted, &grade->resumed, &error) ||
        (roster != NULL &&
         !results_call_by(&grade->resumed.others, roster, &grade->options.rules.who, &error)))
        return fail(&error, EXIT_UNGRADED);
    if (!grade->resumed.found_report && !grade->resumed.found_partial)
        return EXIT_OK; /* nothing to go on from: this is the first run */
    uint64_t seed = grade->resumed.current.seed;
    if (grade->options.has_seed && grade->options.seed != seed) {
        fprintf(
            stderr,
            "attn: grade: --resume: %s was graded with another seed; leave --seed out, or write to "
            "another file\n",
            path);
        return EXIT_USAGE;
    }
    resume_explain(&grade->resumed, &again);
    if (again.size > 0)
        fprintf(stderr, "attn: %s: %s", path, text_string(&again));
    text_release(&again);
    grade->options.has_seed = true;
    grade->options.seed = seed;
    return EXIT_OK;
}

static int choose_seed(struct grade *grade)
{
    struct error error;
    int code = grade->options.resume ? resume(grade) : EXIT_OK;
    grade->seed = grade->options.seed;
    if (code != EXIT_OK || grade->options.has_seed)
        return code;
    if (!system_random(&grade->seed, sizeof grade->seed)) {
        error_set(&error, ERR_FILE, "no random seed can be had: %s; give one by --seed",
                  strerror(errno));
        return fail(&error, EXIT_UNGRADED);
    }
    grade->seed >>= 64 - RESULTS_MAX_SEED_BITS; /* which JSON's numbers keep exactly */
    return EXIT_OK;
}

/* ---- reports ---- */

/* The exercises in the assignment's order, else those of the submissions in the catalogue's. */
static bool order_exercises(const struct grade *grade, struct exercise_order *order)
{
    const struct assignment *assignment = grade->options.rules.settling.assignment;
    bool ok = true;
    for (unsigned i = 0; assignment != NULL && i < assignment->n_exercises; i++)
        ok = ok && exercise_order_add(order, assignment->exercises[i].id, NULL);
    for (size_t i = 0; assignment == NULL && i < grade->exercises.n; i++) {
        const struct exercise *exercise = grade->exercises.items[i];
        bool is_there = false;
        for (size_t j = 0; j < grade->submissions.n && !is_there; j++)
            is_there = grade->submissions.items[j].exercise == exercise;
        ok = ok && (!is_there || exercise_order_add(order, exercise->id, NULL));
    }
    return ok;
}

/* The results as they are reported: under their head, together with the others, and one for each
 * student and exercise. Their words are borrowed. */
static bool join(const struct grade *grade, const struct results *results, bool is_complete,
                 struct results *ret)
{
    struct settling settling = grade->options.rules.settling;
    const struct results *parts[] = {results, &grade->resumed.others};
    struct results joined = {.seed = grade->seed};
    bool ok = true;
    settling.is_complete = is_complete;
    joined.is_unfinished = !is_complete;
    ok = grade->options.part.n == 0 ||
         parts_set(grade->options.part.k, grade->options.part.n, &joined.parts, NULL);
    text_put(&joined.sandbox, text_string(&grade->sandbox.head));
    for (size_t part = 0; part < COUNT_OF(parts); part++) {
        for (size_t i = 0; ok && i < parts[part]->n; i++) {
            struct result borrowed = result_borrow(&parts[part]->items[i]);
            ok = results_insert(&joined, joined.n, &borrowed, NULL);
        }
    }
    if (joined.n > 1)
        qsort(joined.items, joined.n, sizeof *joined.items, result_compare);
    const struct comparison comparison = {.known = &grade->known,
                                          .data_dir = data_dir(),
                                          .max_bytes = limits_default.source_bytes,
                                          .keeps_marks = grade->options.part.n > 0};
    if (ok && is_complete)
        ok =
            submissions_compare(&grade->submissions, &grade->exercises, &comparison, &joined, NULL);
    ok = ok && !joined.sandbox.failed && order_exercises(grade, &joined.exercises) &&
         results_settle(&joined, &settling, NULL) &&
         outputs_anonymize(&grade->options.outputs, &joined, NULL);
    if (ok)
        *ret = joined;
    else
        results_release(&joined);
    return ok;
}

/* False when a file can't be written. That standard output can't be is said and changes nothing
 * else: its reader may have seen enough, and the verdicts stand. */
static bool write_last_reports(const struct grade *grade, const struct results *joined)
{
    bool ok = outputs_write_files(&grade->options.outputs, joined, true);
    outputs_print(&grade->options.outputs, joined);
    return ok;
}

/* What fails now is said in the end. */
static bool write_reports(const struct grade *grade, const struct results *results)
{
    struct results joined;
    if (!join(grade, results, false, &joined))
        return false;
    bool ok = outputs_write_files(&grade->options.outputs, &joined, false);
    results_release(&joined);
    return ok;
}

/* What the results are of, borrowed. */
static struct results head_of(const struct grade *grade)
{
    return (struct results){.seed = grade->seed, .sandbox = grade->sandbox.head};
}

/* Results are kept as they come, beside the json report; one without names is not gone on from.
 * What was kept before goes only once it is in the report. */
static void begin_partial(struct grade *grade)
{
    const char *json = outputs_json(&grade->options.outputs);
    const struct results head = head_of(grade);
    if (json != NULL && grade->options.outputs.anonymous == NULL &&
        (!grade->resumed.found_partial || write_reports(grade, &grade->resumed.current)))
        partial_begin(json, &head, &grade->partial);
}

/* The bar: on standard error, where that is a terminal. */
static void show_bar(struct grade *grade, size_t n_done, size_t n_all)
{
    char bar[BAR_COLS + 1];
    size_t full = n_done * BAR_COLS / n_all;
    double seconds = (double)((uint64_t)clock_ms() - grade->start_ms) / 1000;
    double rate = seconds > 0 ? (double)grade->n_graded / seconds : 0;
    memset(bar, '-', BAR_COLS);
    memset(bar, '#', full);
    bar[BAR_COLS] = '\0';
    fprintf(stderr, "\r%s %zu of %zu", bar, n_done, n_all);
    if (rate > 0)
        fprintf(stderr, ", %.1f a second, %.0f s left   ", rate, (double)(n_all - n_done) / rate);
    (void)fflush(stderr);
}

static void after_each(void *context, const struct results *results, const struct result *last,
                       size_t n_all)
{
    struct grade *grade = context;
    const struct results head = head_of(grade);
    uint64_t now = (uint64_t)clock_ms();
    grade->n_graded++;
    partial_add(&grade->partial, last);
    if (grade->shows_bar && now - grade->shown_ms >= REFRESH_MS) {
        show_bar(grade, results->n, n_all);
        grade->shown_ms = now;
    }
    uint64_t pause = grade->write_cost_ms * REFRESH_FACTOR;
    if (now - grade->written_ms < (pause > REFRESH_MS ? pause : REFRESH_MS))
        return;
    if (write_reports(grade, results))
        partial_clear(&grade->partial, &head);
    grade->written_ms = (uint64_t)clock_ms();
    grade->write_cost_ms = grade->written_ms - now;
}

/* ---- the run ---- */

static bool merge_sandbox(struct grade *grade)
{
    struct text both = {0};
    if (grade->resumed.current.n + grade->resumed.others.n == 0)
        return true;
    report_merge_sandboxes(&grade->sandbox.head, &grade->resumed.current.sandbox, &both);
    if (both.failed) {
        text_release(&both);
        return false;
    }
    text_release(&grade->sandbox.head);
    grade->sandbox.head = both;
    return true;
}

static int exit_code(const struct results *results)
{
    int code = EXIT_OK;
    for (size_t i = 0; i < results->n; i++) {
        if (results->items[i].verdict == VERDICT_INTERNAL_ERROR ||
            results->items[i].verdict == VERDICT_UNCLEAR || results->items[i].is_unclear)
            return EXIT_UNGRADED;
        if (results->items[i].verdict != VERDICT_PASS && result_counts(&results->items[i]))
            code = EXIT_FAILED;
    }
    return code;
}

/* What the tables of the instructor do not fit. In a report without names nobody is said either. */
static void say_by_class_list(const struct grade *grade, const struct results *joined)
{
    class_rules_say_unused(&grade->options.rules, joined);
    if (grade->options.rules.settling.roster != NULL)
        class_rules_say_unclear(joined, &grade->options.outputs);
}

/* The last reports, and the exit code that they come to. */
static int report_all(struct grade *grade, const struct results *results, bool finished)
{
    struct results joined;
    if (!join(grade, results, finished, &joined)) {
        fputs("attn: the report: not enough memory\n", stderr);
        return EXIT_UNGRADED;
    }
    if (finished && grade->options.part.n == 0 && grade->options.outputs.anonymous == NULL)
        say_by_class_list(grade, &joined);
    int code = write_last_reports(grade, &joined) ? EXIT_OK : EXIT_UNGRADED;
    if (code == EXIT_OK)
        partial_end(&grade->partial);
    bool is_of_one =
        is_of_one_student(&grade->options) && grade->options.rules.settling.roster == NULL;
    if (code == EXIT_OK && is_of_one && !results_mark_duplicates(&joined, 0, NULL))
        code = EXIT_UNGRADED;
    if (code == EXIT_OK)
        code = exit_code(&joined);
    results_release(&joined);
    return code;
}

/* Grades what there is, with the process that was made ready for it, and reports. */
static int run(struct grade *grade, struct batch *batch)
{
    const char *json = outputs_json(&grade->options.outputs);
    struct results results = {0};
    struct error error;
    grade->shows_bar = isatty(2);
    begin_partial(grade);
    grade->start_ms = grade->written_ms = (uint64_t)clock_ms();
    bool finished = batch_run(batch, grade->seed, &grade->resumed.current, &results, &error);
    if (grade->shows_bar)
        fprintf(stderr, "\r%70s\r", "");
    if (isatty(2)) /* and not into the log of a machine, which students may read */
        fprintf(stderr, "attn: the seed was %llu; --seed draws the same cases again\n",
                (unsigned long long)grade->seed);
    int code = report_all(grade, &results, finished);
    if (!finished)
        code = fail(&error, EXIT_UNGRADED);
    if (!finished && json != NULL)
        fprintf(stderr, "attn: what was graded is in %s; --resume goes on from there\n", json);
    results_release(&results);
    return code;
}

static int show_limits(const struct grade_options *options)
{
    struct settings settings = terminal_settings(&options->common, 1);
    struct doc doc;
    doc_init(&doc);
    limits_show(&limits_default, &doc);
    bool ok = finish_output(!doc.failed && print_doc(&doc, &settings));
    doc_release(&doc);
    return ok ? EXIT_OK : EXIT_UNGRADED;
}

static struct batch_plan batch_plan_of(struct grade *grade)
{
    return (struct batch_plan){.compiler = &grade->sandbox.compiler,
                               .limits = &limits_default,
                               .data_dir = data_dir(),
                               .layers = grade->sandbox.layers,
                               .jobs = grade->options.jobs,
                               .shows_inputs = grade->options.shows_inputs ||
                                               grade->options.rules.assignment.shows_inputs,
                               .after_each = after_each,
                               .context = grade,
                               .stop = &interrupt_flag};
}

static void warn_of_shown_inputs(const struct batch_plan *plan)
{
    if (plan->shows_inputs)
        fputs("attn: grade: messages show what this run's cases are made of, and then "
              "the seed is spent: whoever reads them can write the answers into a table. Grade "
              "nobody else with it\n",
              stderr);
}

enum { MANY_FILES = 40 }; /* with as many files an instructor wants to know how long it may take */

/* Opens the batch before the earlier run is read, so that none of that is in the workers' memory.
 */
static int go_on_and_run(struct grade *grade)
{
    const struct batch_plan plan = batch_plan_of(grade);
    struct error error;
    catch_signals();
    struct batch *batch = batch_open(&plan, &grade->submissions, &error);
    if (batch == NULL)
        return fail(&error, EXIT_UNGRADED);
    int code = choose_seed(grade);
    if (code == EXIT_OK && (!merge_sandbox(grade) || grade->sandbox.head.failed)) {
        fputs("attn: grade: not enough memory\n", stderr);
        code = EXIT_UNGRADED;
    }
    if (code == EXIT_OK) {
        warn_of_shown_inputs(&plan);
        if (grade->submissions.n >= MANY_FILES && isatty(2))
            fprintf(stderr,
                    "attn: grade: %zu files; up to %.3g minutes are for the reasons of crashes\n",
                    grade->submissions.n,
                    (double)batch_explain_ms(&plan, &grade->submissions) / 60000);
        code = run(grade, batch);
    }
    uint64_t build_us = batch_build_us(batch);
    batch_close(batch);
    if (grade->options.tells_times && grade->start_ms > 0)
        grade_times_tell(grade->n_graded, (uint64_t)clock_ms() - grade->start_ms, build_us);
    return code;
}

/* What a compiler can read may be handed in by a line of #include. */
static void warn_of_seen_solutions(const struct grade *grade)
{
    const char *data = data_dir(), *compiler = grade->sandbox.compiler.path;
    if (data != NULL && visible_paths_show(BOX_COMPILE, compiler, data))
        fprintf(stderr,
                "attn: grade: %s, where the right solutions are, can be read by %s in its box; "
                "install attn or the compiler below another folder\n",
                data, compiler);
}

static int note_times(struct grade *grade)
{
    const struct class_rules *rules = &grade->options.rules;
    const struct times_wanted wanted = {.assignment = rules->settling.assignment,
                                        .times = rules->times_path != NULL ? &rules->times : NULL,
                                        .roster = rules->settling.roster,
                                        .limits = &limits_default,
                                        .layers = grade->sandbox.layers};
    struct error error;
    size_t n;
    if (!submissions_note_times(&grade->submissions, &wanted, &n, &error))
        return fail(&error, EXIT_UNGRADED);
    if (n > 0)
        fprintf(stderr,
                "attn: grade: time: git: no answer about %zu file%s, whose time of handing in is "
                "not known. Is git installed, and can an ordinary user read the repositories?\n",
                n, n == 1 ? "" : "s");
    return EXIT_OK;
}

static int grade_all(struct grade *grade)
{
    int code = find_submissions(grade);
    if (code == EXIT_OK)
        code = grade_sandbox_prepare(&grade->options, &grade->sandbox);
    if (code == EXIT_OK) {
        warn_of_seen_solutions(grade);
        code = note_times(grade);
    }
    return code == EXIT_OK ? go_on_and_run(grade) : code;
}

static void grade_release(struct grade *grade)
{
    partial_close(&grade->partial);
    resumed_release(&grade->resumed);
    grade_sandbox_release(&grade->sandbox);
    submissions_release(&grade->submissions);
    submissions_release(&grade->known);
    class_rules_release(&grade->options.rules);
    exercises_release(&grade->exercises);
}

static int grade_main(int argc, char **argv)
{
    struct grade grade = {.options = grade_options(argc, argv), .partial.fd = -1};
    if (grade.options.only_limits)
        return show_limits(&grade.options);
    int code = grade_all(&grade);
    grade_release(&grade);
    return code;
}

const struct subcommand grade_command = {
    "grade",
    "PATH...",
    "grades a class, unattended",
    grade_main,
    grade_table,
    .about =
        "A PATH is a file, a folder of files, or a folder with a folder for each student. The name "
        "of a file says which exercise it is for: softmax_rows.c, anna_softmax_rows.c, "
        "04_softmax_rows.c.",
    .notes = "exit code: 0 all pass, 1 some fail, 2 wrong usage, 3 grading was not possible\n"
             "docs/instructors.md explains it all.",
};
