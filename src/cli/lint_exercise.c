/* Does one exercise prove itself? See lint_exercise.h. */
#include "cli/lint_exercise.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "course/lesson/course.h"
#include "exercise/task.h"

enum {
    PATH_BYTES = 4096,
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

void lint_exercise(const struct lint_plan *plan, const char *folder, struct prove_report *report)
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
    if (!plan->solutions_only)
        lint_fixtures(plan, exercise, report);
    if (!edits_open(data_dir(), &edits, &error))
        add_fault(report, error.text);
    if (!plan->solutions_only && report->n_faults == 0)
        lint_mutations(plan, exercise, &edits, report);
    lint_solutions(plan, exercise, &edits, report);
    edits_release(&edits);
    report->n_misconceptions = exercise->n_misconceptions;
    exercise_free(exercise);
}
