/* Grading one file for a learner, and saying what comes next: see practice.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/practice.h"
#include "files/file.h"
#include "judge/explain.h"
#include "judge/run/sandbox_selftest.h"

/* A control group is for many processes: the learner's own code is held by the other layers. */
enum {
    USUAL_LAYERS = LAYERS_ALL & ~LAYER_CGROUP,
    LEARNERS_OPTIONS = JUDGE_SHRINK | JUDGE_EXPLAIN_CRASH | JUDGE_SHOW,
};

/* One line, for one's own code: it goes on. */
static void warn_of_missing_layers(unsigned layers)
{
    if (layers_isolation(layers) == ISOLATION_FULL)
        return;
    fputs("attn: this machine lacks", stderr);
    const char *joint = " ";
    for (unsigned bit = 1; bit <= LAYERS_ALL; bit <<= 1)
        if (USUAL_LAYERS & bit & ~layers) {
            fprintf(stderr, "%s%s", joint, layer_name((enum layer)bit));
            joint = ", ";
        }
    fputs(": your code runs inside fewer layers; attn doctor tells more\n", stderr);
}

bool practice_prepare(struct practice *practice, struct error *reterr)
{
    if (practice->prepared)
        return true;
    if (!compiler_find_again(practice->options.compiler, &practice->compiler, reterr))
        return false;
    practice->layers = USUAL_LAYERS;
    practice->prepared = true;
    return true;
}

/* After a failure of attn's own: does this machine lack layers of the sandbox that were taken for
 * granted? They are only looked for then, since that takes as long as the judging. */
static bool has_fewer_layers(struct practice *practice)
{
    unsigned layers =
        practice->layers_tried ? practice->layers : layers_available(NULL) & USUAL_LAYERS;
    bool fewer = layers != practice->layers;
    practice->layers_tried = true;
    practice->layers = layers;
    if (fewer)
        warn_of_missing_layers(layers);
    return fewer;
}

static bool open_setup(struct practice *practice, const struct exercise *exercise,
                       struct error *reterr)
{
    const struct judge_plan plan = {.exercise = exercise,
                                    .compiler = &practice->compiler,
                                    .limits = &limits_default,
                                    .data_dir = data_dir(),
                                    .layers = practice->layers,
                                    .seed = practice->options.seed,
                                    .use_cache = true,
                                    .ahead = &practice->ahead,
                                    .listener = practice->listener};
    return judge_setup_open(&plan, &practice->setup, reterr);
}

void practice_begin(struct practice *practice, const struct exercise *exercise, const char *path,
                    const struct text *source)
{
    const struct compile_request request = {.compiler = &practice->compiler,
                                            .exercise = exercise,
                                            .limits = &limits_default,
                                            .layers = practice->layers,
                                            .use_cache = true};
    if (!learner_source_is_starter(exercise, text_string(source), source->size))
        build_begin(&request, path_base_name(path), text_string(source), source->size,
                    &practice->ahead);
}

bool practice_open_exercise(struct practice *practice, struct exercise *exercise,
                            struct error *reterr)
{
    if (practice->exercise != NULL) {
        judge_setup_close(&practice->setup);
        exercise_free(practice->exercise);
        practice->exercise = NULL;
    }
    if (!open_setup(practice, exercise, reterr) &&
        !(has_fewer_layers(practice) && open_setup(practice, exercise, reterr))) {
        exercise_free(exercise);
        return false;
    }
    practice->exercise = exercise;
    return true;
}

/* Only what the learner tried is noted as an attempt. */
static bool is_attempt(enum verdict verdict)
{
    return verdict != VERDICT_INTERNAL_ERROR && verdict != VERDICT_NOT_IMPLEMENTED;
}

void practice_grade(struct practice *practice, const char *path, const char *source, size_t size,
                    struct judgement *ret)
{
    struct exercise_progress before = {0};
    (void)progress_exercise(practice->progress, practice->exercise->id, &before, NULL);
    judge_submission(&practice->setup, path_base_name(path), source, size, LEARNERS_OPTIONS, ret);
    if (ret->result.verdict == VERDICT_INTERNAL_ERROR && has_fewer_layers(practice)) {
        judgement_release(ret);
        practice->setup.plan.layers = practice->layers;
        judge_submission(&practice->setup, path_base_name(path), source, size, LEARNERS_OPTIONS,
                         ret);
    }
    practice->n_attempts = before.passed ? 0 : before.n_attempts + 1;
}

void practice_note_attempt(struct practice *practice, const struct judgement *judgement)
{
    struct error error;
    const struct diagnosis *diagnosis = &judgement->diagnosis;
    const char *verdict = verdict_name(judgement->result.verdict);
    const char *idea = diagnosis->n_ideas > 0 ? diagnosis->ideas[0]->id : "";
    if (is_attempt(judgement->result.verdict) &&
        !progress_exercise_attempt(practice->progress, practice->exercise->id, verdict, idea,
                                   time(NULL), &error))
        fprintf(stderr, "attn: %s\n", error.text);
}

/* ---- what comes next ---- */

static void show_next(struct practice *practice, struct doc *doc)
{
    const struct exercise *exercise = practice->exercise;
    const struct catalogue_entry *next =
        learner_next(&practice->catalogue, practice->progress, exercise->number);
    doc_add(doc, STYLE_GOOD, "  Solved");
    if (practice->n_attempts > 1)
        doc_add(doc, STYLE_PLAIN, " in %u attempts", practice->n_attempts);
    doc_add(doc, STYLE_PLAIN, ". Other ways to write it: attn solutions %u", exercise->number);
    doc_end_line(doc);
    if (next == NULL || next->number == exercise->number)
        doc_line(doc, STYLE_GOOD, "  All %zu exercises are solved.", practice->catalogue.n);
    else
        doc_line(doc, STYLE_PLAIN, "  Next: %s, in %s. What it asks for: attn task %u", next->id,
                 next->file_name, next->number);
}

/* Only a lesson that is there to be read. */
void practice_lesson(const struct judgement *judgement, const char *command, struct doc *doc)
{
    const struct diagnosis *diagnosis = &judgement->diagnosis;
    const char *lesson = diagnosis->n_ideas > 0 ? diagnosis->ideas[0]->lesson : NULL;
    struct text path = {0};
    if (lesson == NULL || data_dir() == NULL)
        return;
    text_format(&path, "%s/lessons/%.*s.md", data_dir(), (int)strcspn(lesson, "#"), lesson);
    if (!path.failed && access(text_string(&path), R_OK) == 0)
        doc_line(doc, STYLE_QUIET, "  %s %s treats it", command, lesson);
    text_release(&path);
}

static void show_help(struct practice *practice, const struct judgement *judgement, struct doc *doc)
{
    const struct exercise *exercise = practice->exercise;
    struct exercise_progress done = {0};
    struct text line = {0};
    practice_lesson(judgement, "attn lesson", doc);
    (void)progress_exercise(practice->progress, exercise->id, &done, NULL);
    text_format(&line, "attn task %u: what it should do", exercise->number);
    if (done.n_hints < exercise->hints.n)
        text_format(&line, "; attn hint: %u of %u hints left", exercise->hints.n - done.n_hints,
                    exercise->hints.n);
    doc_wrap(doc, STYLE_QUIET, text_string(&line), practice->settings.width_cols, 2);
    text_release(&line);
}

void practice_headline(const struct practice *practice, const struct judgement *judgement,
                       struct doc *doc)
{
    struct show_options options = settings_show_options(&practice->settings);
    explain_headline(practice->exercise, judgement, &options, doc);
}

void practice_explain(const struct practice *practice, struct judgement *judgement, struct doc *doc)
{
    struct show_options options = settings_show_options(&practice->settings);
    explain_rest(practice->exercise, judgement, &options, doc);
}

void practice_shown(const struct practice *practice, struct judgement *judgement, struct doc *doc)
{
    struct show_options options = settings_show_options(&practice->settings);
    explain_shown(judgement, &options, doc);
}

void practice_next_steps(struct practice *practice, const struct judgement *judgement,
                         struct doc *doc)
{
    if (judgement->result.verdict == VERDICT_PASS)
        show_next(practice, doc);
    else
        show_help(practice, judgement, doc);
}

char *practice_time(const struct judgement *judgement, char *text, size_t capacity)
{
    const struct build *build = &judgement->build;
    int size = snprintf(text, capacity, "%.0f ms", judgement->result.time_ms);
    double build_ms = (double)(build->compile_us + build->link_us) / 1e3;
    /* What ran side by side, or was built for an earlier verdict, adds up to more than the whole.
     */
    bool are_parts = build_ms > 0 && build_ms <= judgement->result.time_ms;
    if (are_parts && size > 0 && (size_t)size < capacity)
        snprintf(text + size, capacity - (size_t)size, " (%.0f compiling, %.0f linking)",
                 (double)build->compile_us / 1e3, (double)build->link_us / 1e3);
    return text;
}

int practice_exit_code(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
        return EXIT_OK;
    case VERDICT_BAD_FILE:
    case VERDICT_INTERNAL_ERROR:
        return EXIT_UNGRADED;
    default:
        return EXIT_FAILED;
    }
}
