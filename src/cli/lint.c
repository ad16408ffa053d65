/* attn lint PATH...: are the lessons sound, do the exercises prove themselves? Each exercise is
 * tried by a process of its own. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <poll.h>
#include <sys/wait.h>

#include "cli/cli.h"
#include "course/lesson/lesson_lint.h"
#include "base/text.h"
#include "course/lesson/course.h"
#include "exercise/task.h"
#include "exercise/exercises.h"
#include "judge/prove/prove.h"
#include "verify/verify_mistakes.h"
#include "base/array.h"
#include "files/file.h"
#include "show/backend.h"
#include "show/doc.h"
#include "base/error.h"

/* ---- lint lessons ---- */

/* The part of attn lint that is about lessons. */

enum { PATH_BYTES = 4096 };

static const char ending[] = ".md";

static int is_lesson(const struct dirent *entry)
{
    return text_ends_with(entry->d_name, ending);
}

static void free_names(struct dirent **names, int n)
{
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

/* True for a lesson's file, and for a folder that holds Markdown and is not an exercise. */
static bool lint_is_lessons(const char *path)
{
    struct dirent **names = NULL;
    char exercise[PATH_BYTES];
    if (text_ends_with(path, ending))
        return true;
    snprintf(exercise, sizeof exercise, "%s/exercise.yaml", path);
    if (access(exercise, F_OK) == 0)
        return false; /* an exercise: its task.md is not a lesson */
    int n = scandir(path, &names, is_lesson, alphasort);
    free_names(names, n);
    return n > 0;
}

static bool lint_one(const char *path, bool notes_edits, size_t *n_lessons, size_t *n_faults,
                     struct error *reterr)
{
    struct lesson_faults faults = {0};
    bool ok = lesson_lint(path, data_dir(), NULL, &faults, reterr) &&
              (!notes_edits || faults.n > 0 ||
               lesson_note_edits(path, data_dir(), NULL, &faults.text, reterr));
    (void)fputs(text_string(&faults.text), stdout);
    (void)fflush(stdout);
    ++*n_lessons;
    *n_faults += faults.n;
    lesson_faults_release(&faults);
    return ok;
}

/* Checks them and prints what is wrong; with notes_edits also likely mistakes that have no text. */
static bool lint_lessons(const char *path, bool notes_edits, size_t *ret_n_lessons,
                         size_t *ret_n_faults, struct error *reterr)
{
    char file[PATH_BYTES];
    struct dirent **names = NULL;
    if (text_ends_with(path, ending))
        return lint_one(path, notes_edits, ret_n_lessons, ret_n_faults, reterr);
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    int n = scandir(path, &names, is_lesson, alphasort);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        snprintf(file, sizeof file, "%.*s/%s", (int)size, path, names[i]->d_name);
        ok = lint_one(file, notes_edits, ret_n_lessons, ret_n_faults, reterr);
    }
    free_names(names, n);
    return ok;
}

/* Prints what the lessons of a folder say to each answer of the file at path; see
 * lesson_judge_answers(). */
static bool lint_answers(const char *path, const char *folder, struct error *reterr)
{
    struct text lines = {0};
    bool ok = lesson_judge_answers(path, folder, data_dir(), NULL, &lines, reterr);
    (void)fputs(text_string(&lines), stdout);
    text_release(&lines);
    return ok;
}

/* ---- lint exercise ---- */

/* One exercise for `attn lint`: its task, its lessons, its cases and its solutions. */

struct lint_plan {
    const struct compiler *compiler;
    unsigned layers;        /* of enum layer */
    bool solutions_only;    /* what depends on the compiler */
    uint64_t seed, n_seeds; /* the first of the seeds, and how many: what holds for one draw of the
                             * cases must hold for others */
};

/* The folder of the proof: tests/exercises/NN-name beside exercises/, else attn's own. */
static void proof_folder(const struct exercise *exercise, char path[PATH_BYTES])
{
    static const char usual[] = "exercises/";
    size_t root = strlen(exercise->folder) - strlen(exercise->folder_name);
    const char *up = "../";
    if (root >= strlen(usual) &&
        memcmp(exercise->folder + root - strlen(usual), usual, strlen(usual)) == 0) {
        root -= strlen(usual);
        up = "";
    }
    int size = snprintf(path, PATH_BYTES, "%.*s%stests/exercises/%s", (int)root, exercise->folder,
                        up, exercise->folder_name);
    bool fits = size > 0 && size < PATH_BYTES;
    if ((!fits || access(path, F_OK) != 0) && data_dir() != NULL)
        snprintf(path, PATH_BYTES, "%s/tests/exercises/%s", data_dir(), exercise->folder_name);
}

static void add_fault(struct prove_report *report, const char *what)
{
    report->n_faults++;
    doc_line(report->doc, STYLE_BAD, "%s", what);
}

/* Reads the lesson of that id. */
static bool read_lesson(const char *id, struct lesson **ret, struct error *reterr)
{
    struct course course;
    if (!course_open(data_dir() != NULL ? data_dir() : ".", &course, reterr))
        return false;
    const struct course_entry *entry = course_entry_of(&course, id);
    bool ok = entry != NULL ? lesson_read(entry->path, ret, reterr)
                            : error_set(reterr, ERR_NAME, "there is no lesson %s", id);
    course_release(&course);
    return ok;
}

/* What a misconception says of its lesson, id#step, is there to be read. */
static void lint_lesson(const struct misconception *misconception, struct prove_report *report)
{
    char id[LESSON_NAME_BYTES], text[PATH_BYTES + 200];
    struct lesson *lesson;
    struct error error;
    const char *place = strchr(misconception->lesson, '#');
    size_t size = strcspn(misconception->lesson, "#");
    snprintf(id, sizeof id, "%.*s", (int)size, misconception->lesson);
    if (!read_lesson(id, &lesson, &error)) {
        snprintf(text, sizeof text, "%s: lesson: %s", misconception->id, error.text);
        add_fault(report, text);
        return;
    }
    if (place != NULL && lesson_step(lesson, place + 1) == NULL) {
        snprintf(text, sizeof text, "%s: lesson: %.*s has no step %s", misconception->id, (int)size,
                 misconception->lesson, place + 1);
        add_fault(report, text);
    }
    lesson_free(lesson);
}

static void tell_seed(struct prove_report *report, uint64_t seed)
{
    doc_line(report->doc, STYLE_QUIET, "(cases drawn with --seed %llu)", (unsigned long long)seed);
}

/* With each of the seeds until one finds faults: further ones would say the same again. */
static void lint_fixtures(const struct lint_plan *plan, const struct exercise *exercise,
                          struct prove_report *report)
{
    struct error error;
    size_t n_before = report->n_faults;
    for (uint64_t i = 0; i < plan->n_seeds && report->n_faults == n_before; i++) {
        uint64_t seed = plan->seed + i;
        if (!prove_fixtures(exercise, seed, data_dir(), report, &error))
            add_fault(report, error.text);
        if (report->n_faults > n_before)
            tell_seed(report, seed);
    }
}

static void lint_promises(const struct lint_plan *plan, const struct exercise *exercise,
                          struct prove_report *report)
{
    struct error error;
    if (!prove_promises(exercise, plan->seed, data_dir(), report, &error))
        add_fault(report, error.text);
}

static void lint_mutations(const struct lint_plan *plan, const struct exercise *exercise,
                           const struct edits *edits, struct prove_report *report)
{
    struct error error;
    if (!prove_mutations(exercise, edits, plan->seed, data_dir(), report, &error))
        add_fault(report, error.text);
}

static void lint_solutions(const struct lint_plan *plan, const struct exercise *exercise,
                           const struct edits *edits, struct prove_report *report)
{
    struct judge_plan judge_plan = {.exercise = exercise,
                                    .compiler = plan->compiler,
                                    .limits = &limits_default,
                                    .data_dir = data_dir(),
                                    .edits = edits,
                                    .layers = plan->layers};
    struct kept_builds kept = {.n = 0};
    char proof[PATH_BYTES];
    size_t n_before = report->n_faults;
    proof_folder(exercise, proof);
    judge_plan.kept = &kept;
    for (uint64_t i = 0; i < plan->n_seeds && report->n_faults == n_before; i++) {
        struct prove_report one = {.doc = report->doc};
        struct judge_setup setup;
        struct error error;
        judge_plan.seed = plan->seed + i;
        bool ok = judge_setup_open(&judge_plan, &setup, &error);
        if (ok) {
            ok = prove_solutions(&setup, proof, &one, &error);
            judge_setup_close(&setup);
        }
        if (!ok)
            add_fault(&one, error.text);
        report->n_faults += one.n_faults;
        report->n_right = one.n_right; /* the same for all seeds */
        report->n_wrong = one.n_wrong;
        if (one.n_faults > 0)
            tell_seed(report, judge_plan.seed);
    }
    kept_builds_release(&kept);
}

/* Tries the exercise in a folder. What is wrong, even that it can't be read, is a fault in *report.
 */
static void lint_exercise(const struct lint_plan *plan, const char *folder,
                          struct prove_report *report)
{
    struct exercise *exercise;
    struct error error;
    struct text task = {0};
    struct edits edits = {0};
    if (!exercise_load(folder, &exercise, &error)) {
        add_fault(report, error.text);
        return;
    }
    if (!task_write(exercise, data_dir(), &task, &error))
        add_fault(report, error.text);
    text_release(&task);
    for (unsigned i = 0; i < exercise->n_misconceptions; i++)
        if (exercise->misconceptions[i].lesson != NULL)
            lint_lesson(&exercise->misconceptions[i], report);
    if (!plan->solutions_only) {
        lint_fixtures(plan, exercise, report);
        lint_promises(plan, exercise, report);
    }
    if (!edits_open(data_dir(), &edits, &error))
        add_fault(report, error.text);
    if (!plan->solutions_only && report->n_faults == 0)
        lint_mutations(plan, exercise, &edits, report);
    lint_solutions(plan, exercise, &edits, report);
    edits_release(&edits);
    report->n_misconceptions = exercise->n_misconceptions;
    exercise_free(exercise);
}

/* ---- lint edits ---- */

/* The part of attn lint that is about assets/edits.yaml. */

static void print_fault(size_t *n_faults, unsigned line, const char *id, const char *what,
                        const char *words)
{
    printf("assets/edits.yaml:%u: %s: %s: %s\n", line, id, what, words);
    ++*n_faults;
}

/* LESSON#STEP, or NULL */
static void check_lesson(const struct course *course, const char *place, unsigned line,
                         const char *id, size_t *n_faults)
{
    char name[LESSON_NAME_BYTES];
    struct lesson *lesson;
    struct error error;
    if (place == NULL)
        return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(place, "#"), place);
    const struct course_entry *entry = course_entry_of(course, name);
    const char *step = strchr(place, '#');
    if (entry == NULL) {
        print_fault(n_faults, line, id, "there is no such lesson", place);
    } else if (!lesson_read(entry->path, &lesson, &error)) {
        print_fault(n_faults, line, id, place, error.text);
    } else {
        if (step != NULL && lesson_place(lesson, step + 1) >= lesson->n_pages)
            print_fault(n_faults, line, id, "the lesson has no such place", place);
        lesson_free(lesson);
    }
}

static bool has_hole(const char *text, const char *name, size_t size)
{
    const char *found;
    size_t at = 0, found_size;
    while ((found_size = hole_next(text, &at, &found)) > 0)
        if (found_size == size && memcmp(found, name, size) == 0)
            return true;
    return false;
}

/* Does the hole stand for something, whichever form and match it was? */
static bool is_filled(const struct edit *edit, const char *name, size_t size)
{
    for (unsigned i = 0; i < edit->n_forms; i++) {
        const struct edit_form *form = &edit->forms[i];
        bool in_put = true;
        for (unsigned k = 0; k < form->put.n; k++)
            in_put = in_put && has_hole(form->put.items[k], name, size);
        for (unsigned k = 0; k < form->match.n && !in_put; k++)
            if (!has_hole(form->match.items[k], name, size))
                return false;
    }
    return true;
}

static void check_holes(const struct edit *edit, const char *text, size_t *n_faults)
{
    const char *name;
    size_t size, at = 0;
    while (text != NULL && (size = hole_next(text, &at, &name)) > 0)
        if (!is_filled(edit, name, size))
            print_fault(n_faults, edit->line, edit->id, "a hole would be shown", text);
}

static void check_plain(const char *text, unsigned line, const char *id, size_t *n_faults)
{
    const char *name;
    size_t at = 0;
    if (hole_next(text, &at, &name) > 0)
        print_fault(n_faults, line, id, "a hole would be shown", text);
}

static void check_texts(const struct edits *edits, const struct course *course, size_t *n_faults)
{
    for (unsigned i = 0; i < edits->n; i++) {
        const struct edit *edit = &edits->items[i];
        check_lesson(course, edit->lesson, edit->line, edit->id, n_faults);
        check_plain(edit->ask, edit->line, edit->id, n_faults);
        check_holes(edit, edit->when, n_faults);
        check_holes(edit, edit->math, n_faults);
    }
    for (unsigned i = 0; i < edits->n_combinations; i++) {
        const struct combination *both = &edits->combinations[i];
        check_lesson(course, both->lesson, both->line, both->id, n_faults);
        check_plain(both->ask, both->line, both->id, n_faults);
        check_plain(both->when, both->line, both->id, n_faults);
        check_plain(both->math, both->line, both->id, n_faults);
    }
}

/* ---- what the edits do ---- */

enum { SEED = 1 }; /* of the cases that edits are tried in */

/* One that can't be read has its own fault elsewhere. */
static bool try_folder(const char *folder, const struct exercises *own, const struct edits *edits,
                       enum edit_use *uses, struct error *reterr)
{
    struct exercise *exercise;
    struct error ignored;
    if (!exercise_load(folder, &exercise, &ignored))
        return true;
    bool ok = exercises_find(own, exercise->id) != NULL ||
              prove_uses(exercise, edits, SEED, data_dir(), uses, &ignored) ||
              !error_is_stop(&ignored) || error_set(reterr, ignored.kind, "%s", ignored.text);
    exercise_free(exercise);
    return ok;
}

static bool each_changes_something(const struct edits *edits, const enum edit_use *uses)
{
    for (unsigned i = 0; i < edits->n; i++)
        if (uses[i] != EDIT_CHANGES)
            return false;
    return true;
}

/* Tries the edits in all formulas that there are, or until nothing is left to be found out. */
static bool find_uses(const struct edits *edits, const struct course *course,
                      const char *const *folders, size_t n, enum edit_use *uses,
                      struct error *reterr)
{
    struct exercises own;
    bool ok = mistake_note_uses(edits, uses, reterr);
    if (!ok || !exercises_load(data_dir(), NULL, &own, reterr))
        return false;
    for (size_t i = 0; ok && i < own.n; i++)
        ok = prove_uses(own.items[i], edits, SEED, data_dir(), uses, reterr);
    for (size_t i = 0; ok && i < n; i++)
        ok = try_folder(folders[i], &own, edits, uses, reterr);
    for (size_t i = 0; ok && i < course->n && !each_changes_something(edits, uses); i++)
        ok = lesson_note_uses(course->entries[i].path, data_dir(), edits, uses, reterr);
    exercises_release(&own);
    return ok;
}

static void check_uses(const struct edits *edits, const enum edit_use *uses, size_t *n_faults)
{
    for (unsigned i = 0; i < edits->n; i++) {
        const struct edit *edit = &edits->items[i];
        if (uses[i] == EDIT_FITS_NOWHERE)
            print_fault(n_faults, edit->line, edit->id,
                        "no formula is changed by it, or an earlier edit makes the same changes; "
                        "take it out, or match something else than",
                        edit->forms[0].match.items[0]);
        else if (uses[i] == EDIT_CHANGES_NOTHING)
            print_fault(n_faults, edit->line, edit->id,
                        "it changes no numbers, wherever it fits; take it out, or put something "
                        "else than",
                        edit->forms[0].put.items[0]);
    }
}

static bool lint_uses(const struct edits *edits, const struct course *course,
                      const char *const *folders, size_t n, size_t *n_faults, struct error *reterr)
{
    enum edit_use *uses = calloc(edits->n + 1, sizeof *uses);
    if (uses == NULL)
        return error_memory(reterr, "lint");
    bool ok = find_uses(edits, course, folders, n, uses, reterr);
    if (ok)
        check_uses(edits, uses, n_faults);
    free(uses);
    return ok;
}

/* Reads the table and prints what is wrong with it: lessons that are not there, holes that would be
 * shown, edits that are never made, and those that never change a number. Tried are the formulas of
 * attn's lessons and exercises, those of verify and those of the exercises in folders [n]; what an
 * earlier edit of the table makes is not made twice. False where it can't be read, nor the lessons
 * and attn's exercises. */
static bool lint_edits(const char *const *folders, size_t n, size_t *ret_n_faults,
                       struct error *reterr)
{
    struct edits edits;
    struct course course;
    size_t n_faults = 0;
    if (!edits_open(data_dir(), &edits, reterr))
        return false;
    if (!course_open(data_dir() != NULL ? data_dir() : ".", &course, reterr)) {
        edits_release(&edits);
        return false;
    }
    check_texts(&edits, &course, &n_faults);
    bool ok = lint_uses(&edits, &course, folders, n, &n_faults, reterr);
    if (ok)
        printf("assets/edits.yaml: %u edits, %u combinations: %zu %s\n", edits.n,
               edits.n_combinations, n_faults, n_faults == 1 ? "fault" : "faults");
    course_release(&course);
    edits_release(&edits);
    *ret_n_faults += n_faults;
    return ok;
}

/* ---- lint ---- */

enum {
    MAX_JOBS = 64,
};

struct lint_options {
    struct common_options common;
    const char *compiler, *answers;
    uint64_t seed, n_seeds;
    unsigned jobs;
    bool notes_edits, solutions_only;
};

/* What one exercise came to, as its process tells it. */
struct lint_counts {
    size_t n_faults, n_solutions, n_misconceptions;
};

/* One exercise and the process that tries it. */
struct lint_job {
    char folder[PATH_BYTES];
    pid_t process;
    int pipe;           /* what it writes: counts, then text; -1 when it is closed */
    struct text output; /* bytes of the pipe so far */
    bool done;
};

struct lint_run {
    struct lint_options options;
    struct compiler compiler;
    unsigned layers;
    struct lint_job *jobs;
    size_t n_jobs, capacity;
};

/* ---- options and paths ---- */

#define SETS(field) OPTION_SETS(struct lint_options, field)

static const struct option rows[] = {
    OPTIONS_COMMON(struct lint_options),
    {OPTION_PATH, "--answers", "FILE",
     "what the lessons of the folder PATH say to each answer of FILE: a line with the lesson, the "
     "question, what was typed, and right, foreseen N, edit IDS, unfinished or generic, with tabs "
     "between them",
     SETS(answers)},
    {OPTION_FLAG, "--edits", NULL,
     "also notes, for a lesson's questions, likely mistakes that have no text", SETS(notes_edits)},
    {OPTION_TEXT, "--compiler", "CC", "the compiler, else $CC, cc, gcc, clang or tcc",
     SETS(compiler)},
    {OPTION_NUMBER, "--jobs", "N", "how many exercises are tried at once, else 1", SETS(jobs),
     .low = 1, .high = MAX_JOBS},
    {OPTION_NUMBER, "--seed", "N", "the first of the seeds, else 1", SETS(seed),
     .high = UINT64_C(1) << 31},
    {OPTION_NUMBER, "--seeds", "N", "how many seeds, else 3", SETS(n_seeds), .low = 1, .high = 100},
    {OPTION_FLAG, "--solutions", NULL,
     "only judges an exercise's solutions, when all that no compiler changes was tried before",
     SETS(solutions_only)},
    {.kind = OPTION_END},
};

static int lint_main(int argc, char **argv);

const struct subcommand lint_command = {
    "lint",
    "PATH...",
    "are lessons and exercises sound? for their authors",
    lint_main,
    rows,
    .about =
        "PATH is a lesson's file, an exercise's folder, or a folder of either. A lesson's code "
        "must "
        "run, its answers must be right by their own questions, and the wrong ones it foresees "
        "wrong. An exercise must read well, tell its known mistakes apart, pass its right "
        "solutions and name its wrong ones, with three seeds.",
    .notes = "exit code: 0 proven, 1 there are faults, 2 wrong usage, 3 nothing could be tried",
};

/* Takes the options out of argv; what is left after argv[0] are paths. */
static int read_options(int argc, char **argv, struct lint_options *options)
{
    *options = (struct lint_options){.seed = 1, .n_seeds = 3, .jobs = 1};
    size_t n_paths = options_read(&lint_command, argc, argv, SIZE_MAX, options);
    if (n_paths == 0)
        usage_error("lint: which lessons or exercises? attn lint lessons/ exercises/");
    return (int)n_paths;
}

static bool add_job(struct lint_run *lint, const char *folder, const char *name,
                    struct error *reterr)
{
    struct lint_job *jobs = array_grow(lint->jobs, lint->n_jobs, &lint->capacity, sizeof *jobs);
    if (jobs == NULL)
        return error_memory(reterr, "lint");
    lint->jobs = jobs;
    jobs += lint->n_jobs++;
    *jobs = (struct lint_job){.pipe = -1};
    int size = name != NULL ? snprintf(jobs->folder, sizeof jobs->folder, "%s/%s", folder, name)
                            : snprintf(jobs->folder, sizeof jobs->folder, "%s", folder);
    if (size < 0 || (size_t)size >= sizeof jobs->folder)
        return error_set(reterr, ERR_FILE, "%s: the path is too long", folder);
    while (size > 1 && jobs->folder[size - 1] == '/')
        jobs->folder[--size] = '\0';
    return true;
}

/* What begins with two digits is meant to be an exercise. */
static int is_exercise(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return text_is_digit(name[0]) && text_is_digit(name[1]) && name[2] == '-';
}

/* All exercises of a folder, by name. */
static bool add_folder(struct lint_run *lint, const char *path, struct error *reterr)
{
    struct dirent **names = NULL;
    int n = scandir(path, &names, is_exercise, alphasort);
    bool ok = n > 0 || error_set(reterr, ERR_FILE, "%s: %s", path,
                                 n < 0 ? strerror(errno) : "no exercises are in there");
    for (int i = 0; i < n; i++) {
        ok = ok && add_job(lint, path, names[i]->d_name, reterr);
        free(names[i]);
    }
    free(names);
    return ok;
}

/* ---- one exercise, in a process of its own ---- */

/* The process: tries the exercise and tells what came of it. */
static int try_exercise(const struct lint_run *lint, const char *folder, int pipe)
{
    struct settings settings = terminal_settings(&lint->options.common, 1);
    struct doc doc;
    struct text text = {0};
    struct prove_report report = {.doc = &doc};
    const struct lint_plan plan = {.compiler = &lint->compiler,
                                   .layers = lint->layers,
                                   .solutions_only = lint->options.solutions_only,
                                   .seed = lint->options.seed,
                                   .n_seeds = lint->options.n_seeds};
    doc_init(&doc);
    lint_exercise(&plan, folder, &report);
    struct lint_counts counts = {.n_faults = report.n_faults,
                                 .n_solutions = report.n_right + report.n_wrong,
                                 .n_misconceptions = report.n_misconceptions};
    text_format(&text, "%s: %zu misconceptions, %zu solutions: %s; %zu edits, %zu told apart",
                path_base_name(folder), counts.n_misconceptions, counts.n_solutions,
                counts.n_faults == 0 ? "proven" : "not proven", report.n_edits, report.n_told);
    if (report.n_edits > 0)
        text_format(&text, " (%zu %%)", report.n_told * 100 / report.n_edits);
    if (report.n_excused > 0)
        text_format(&text, ", %zu with a reason", report.n_excused);
    text_char(&text, '\n');
    struct doc lines;
    doc_init(&lines);
    if (counts.n_faults > 0)
        doc_append(&lines, &doc, 2);
    doc_to_ansi(&lines, settings.colours, &text);
    bool ok = !text.failed && !lines.failed && file_write_all(pipe, &counts, sizeof counts) &&
              file_write_all(pipe, text_string(&text), text.size);
    doc_release(&lines);
    doc_release(&doc);
    text_release(&text);
    return ok ? 0 : 1;
}

/* ---- all of them ---- */

static bool start_job(const struct lint_run *lint, struct lint_job *job, struct error *reterr)
{
    int ends[2];
    if (pipe(ends) != 0)
        return error_set(reterr, ERR_FILE, "lint: no pipe: %s", strerror(errno));
    (void)fflush(stdout);
    job->process = fork();
    if (job->process == 0) {
        close(ends[0]);
        _exit(try_exercise(lint, job->folder, ends[1]));
    }
    close(ends[1]);
    job->pipe = ends[0];
    return job->process > 0 || error_set(reterr, ERR_FILE, "lint: no process: %s", strerror(errno));
}

/* Reads what a process wrote; at its end the job is done. */
static void read_job(struct lint_job *job)
{
    char bytes[8192];
    ssize_t size = read(job->pipe, bytes, sizeof bytes);
    if (size > 0) {
        text_add(&job->output, bytes, (size_t)size);
        return;
    }
    if (size < 0 && errno == EINTR)
        return;
    close(job->pipe);
    job->pipe = -1;
    waitpid(job->process, NULL, 0);
    job->done = true;
}

/* Waits until a process under way writes or ends. */
static void wait_for_jobs(struct lint_run *lint)
{
    struct pollfd ready[MAX_JOBS];
    struct lint_job *of[MAX_JOBS];
    nfds_t n = 0;
    for (size_t i = 0; i < lint->n_jobs && n < MAX_JOBS; i++)
        if (lint->jobs[i].pipe >= 0) {
            of[n] = &lint->jobs[i];
            ready[n++] = (struct pollfd){.fd = lint->jobs[i].pipe, .events = POLLIN};
        }
    if (poll(ready, n, -1) <= 0)
        return;
    for (nfds_t i = 0; i < n; i++)
        if (ready[i].revents != 0)
            read_job(of[i]);
}

/* Prints what one exercise came to and adds it up. A process that died is a fault. */
static void report_job(struct lint_job *job, struct lint_counts *total)
{
    struct lint_counts counts = {.n_faults = 1};
    if (job->output.size > sizeof counts) {
        memcpy(&counts, job->output.bytes, sizeof counts);
        (void)fwrite(job->output.bytes + sizeof counts, 1, job->output.size - sizeof counts,
                     stdout);
    } else {
        printf("%s: the process that tried it ended without a word\n", path_base_name(job->folder));
    }
    total->n_faults += counts.n_faults;
    total->n_solutions += counts.n_solutions;
    total->n_misconceptions += counts.n_misconceptions;
    text_release(&job->output);
    (void)fflush(stdout);
}

static bool run_all(struct lint_run *lint, struct lint_counts *ret, struct error *reterr)
{
    size_t started = 0, reported = 0, under_way = 0;
    while (reported < lint->n_jobs) {
        while (started < lint->n_jobs && under_way < lint->options.jobs) {
            if (!start_job(lint, &lint->jobs[started++], reterr))
                return false;
            under_way++;
        }
        wait_for_jobs(lint);
        under_way = 0;
        for (size_t i = 0; i < started; i++)
            under_way += !lint->jobs[i].done;
        while (reported < started && lint->jobs[reported].done)
            report_job(&lint->jobs[reported++], ret);
    }
    return true;
}

static bool prepare(struct lint_run *lint, char **paths, int n_paths, struct error *reterr)
{
    for (int i = 0; i < n_paths; i++) {
        char path[PATH_BYTES + 32];
        snprintf(path, sizeof path, "%s/exercise.yaml", paths[i]);
        if (!(access(path, F_OK) == 0 ? add_job(lint, paths[i], NULL, reterr)
                                      : add_folder(lint, paths[i], reterr)))
            return false;
    }
    if (!compiler_find(lint->options.compiler, &lint->compiler, reterr))
        return false;
    lint->layers = layers_available(NULL);
    return true;
}

/* Checks the lessons among the paths and takes them out; what is left are exercises. */
static bool lint_all_lessons(char **paths, int *n_paths, bool notes_edits, size_t *ret_n_faults,
                             struct error *reterr)
{
    size_t n_lessons = 0;
    int n_left = 0;
    for (int i = 0; i < *n_paths; i++)
        if (!lint_is_lessons(paths[i]))
            paths[n_left++] = paths[i];
        else if (!lint_lessons(paths[i], notes_edits, &n_lessons, ret_n_faults, reterr))
            return false;
    *n_paths = n_left;
    if (n_lessons > 0)
        printf("%zu %s: %zu %s\n", n_lessons, n_lessons == 1 ? "lesson" : "lessons", *ret_n_faults,
               *ret_n_faults == 1 ? "fault" : "faults");
    return true;
}

/* The table of edits, tried in these exercises too. */
static bool lint_table(const struct lint_run *lint, size_t *ret_n_faults, struct error *reterr)
{
    const char **folders = calloc(lint->n_jobs + 1, sizeof *folders);
    if (folders == NULL)
        return error_memory(reterr, "lint");
    for (size_t i = 0; i < lint->n_jobs; i++)
        folders[i] = lint->jobs[i].folder;
    bool ok = lint_edits(folders, lint->n_jobs, ret_n_faults, reterr);
    free(folders);
    return ok;
}

static bool lint_exercises(struct lint_run *lint, char **paths, int n_paths, size_t *ret_n_faults,
                           struct error *reterr)
{
    struct lint_counts total = {0};
    if (n_paths == 0)
        return true;
    if (!prepare(lint, paths, n_paths, reterr) || !lint_table(lint, ret_n_faults, reterr) ||
        !run_all(lint, &total, reterr))
        return false;
    printf("%zu %s, %zu misconceptions, %zu solutions: %zu %s\n", lint->n_jobs,
           lint->n_jobs == 1 ? "exercise" : "exercises", total.n_misconceptions, total.n_solutions,
           total.n_faults, total.n_faults == 1 ? "fault" : "faults");
    *ret_n_faults += total.n_faults;
    return true;
}

static int judge_answers(const char *path, const char *folder)
{
    struct error error;
    if (lint_answers(path, folder, &error))
        return finish_output(true) ? EXIT_OK : EXIT_FAILED;
    print_error(&error, "", 0, NULL, 0);
    return EXIT_UNGRADED;
}

static int lint_main(int argc, char **argv)
{
    struct lint_run lint = {0};
    struct error error;
    size_t n_lesson_faults = 0, n_faults = 0;
    int n_paths = read_options(argc, argv, &lint.options);
    if (lint.options.answers != NULL)
        return judge_answers(lint.options.answers, argv[1]);
    bool ok =
        lint_all_lessons(argv + 1, &n_paths, lint.options.notes_edits, &n_lesson_faults, &error) &&
        lint_exercises(&lint, argv + 1, n_paths, &n_faults, &error);
    if (!ok)
        print_error(&error, "", 0, NULL, 0);
    for (size_t i = 0; i < lint.n_jobs; i++)
        text_release(&lint.jobs[i].output);
    free(lint.jobs);
    if (!ok)
        return EXIT_UNGRADED;
    return finish_output(true) && n_lesson_faults + n_faults == 0 ? EXIT_OK : EXIT_FAILED;
}
