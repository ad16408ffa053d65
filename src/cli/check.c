/* attn check [FILE|ID]: grades one file, for a person. */
#include <stdio.h>

#include "cli/practice.h"
#include "show/backend.h"
#include "show/doc.h"

/* A check under way. */
struct check {
    struct practice *practice;
    bool told; /* the verdict stands there already */
    enum verdict verdict;
    bool failed; /* standard output can't be written */
};

static bool print_spans(const struct doc *doc)
{
    struct text text = {0};
    doc_to_spans(doc, &text);
    bool ok = !text.failed && fwrite(text_string(&text), 1, text.size, stdout) == text.size &&
              fflush(stdout) == 0;
    text_release(&text);
    return ok;
}

static void print(struct check *check, const struct doc *doc)
{
    bool ok = !doc->failed && (check->practice->options.spans_cols > 0
                                   ? print_spans(doc)
                                   : print_doc(doc, &check->practice->settings));
    check->failed = check->failed || !ok;
}

static void print_verdict(struct check *check, const struct judgement *judgement)
{
    struct doc doc;
    doc_init(&doc);
    practice_headline(check->practice, judgement, &doc);
    print(check, &doc);
    doc_release(&doc);
    check->told = true;
    check->verdict = judgement->result.verdict;
}

/* The verdict comes first, while what explains it is still looked for. A pass needs no explanation:
 * the full screen gets it whole, when it is noted, so that who leaves at once leaves with it. */
static void tell(void *context, const struct judgement *judgement)
{
    struct check *check = context;
    bool for_screen = check->practice->options.spans_cols > 0;
    if (for_screen && judgement->result.verdict == VERDICT_PASS)
        return;
    print_verdict(check, judgement);
    if (for_screen)
        check->failed = check->failed || fputs(SPANS_MORE, stdout) == EOF || fflush(stdout) != 0;
}

static int show(struct check *check, struct judgement *judgement)
{
    struct practice *practice = check->practice;
    struct doc doc;
    char time[96];
    if (!check->told || check->verdict != judgement->result.verdict)
        print_verdict(check, judgement);
    doc_init(&doc);
    practice_explain(practice, judgement, &doc);
    if (practice->options.spans_cols == 0)
        practice_shown(practice, judgement, &doc);
    if (practice->options.spans_cols == 0)
        practice_next_steps(practice, judgement, &doc);
    else if (judgement->result.verdict != VERDICT_PASS) /* the full screen says itself what comes */
        practice_lesson(judgement, "lesson", &doc);
    doc_line(&doc, STYLE_QUIET, "  %s", practice_time(judgement, time, sizeof time));
    print(check, &doc);
    doc_clear(&doc);
    if (practice->options.spans_cols > 0)
        practice_shown(practice, judgement, &doc);
    if (doc.n_lines > 0) { /* a page of its own */
        check->failed = check->failed || fputs(SPANS_NEXT_PAGE, stdout) == EOF;
        print(check, &doc);
    }
    doc_release(&doc);
    return finish_output(!check->failed) ? practice_exit_code(judgement->result.verdict)
                                         : EXIT_UNGRADED;
}

/* Grades the file for an exercise, which it takes over. */
static int grade(struct practice *practice, struct exercise *exercise, const char *path,
                 const struct text *source)
{
    struct check check = {.practice = practice};
    const struct judge_listener listener = {.verdict = tell, .context = &check};
    struct judgement judgement;
    struct error error;
    practice->listener = &listener;
    practice_begin(practice, exercise, path, source);
    if (!practice_open_exercise(practice, exercise, &error))
        return practice_error(&error);
    if (practice->options.argument == NULL)
        printf("%s\n", path);
    practice_grade(practice, path, text_string(source), source->size, &judgement);
    int code = show(&check, &judgement);
    if (!practice->options.again)
        practice_note_attempt(practice, &judgement);
    judgement_release(&judgement);
    return code;
}

static int run(struct practice *practice)
{
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    struct text source = {0};
    struct error error;
    int code = EXIT_UNGRADED;
    if (!learner_find(&practice->catalogue, practice->progress, practice->options.argument,
                      &exercise, path, &error))
        return practice_error(&error);
    if (!practice_read(path, &source, &error) || !practice_prepare(practice, &error)) {
        exercise_free(exercise);
        code = practice_error(&error);
    } else {
        code = grade(practice, exercise, path, &source);
    }
    text_release(&source);
    return code;
}

enum { MAX_SPANS_COLS = 10000 };

/* The last two are for the full screen, which starts this command. */
static const struct option rows[] = {
    {OPTION_TABLE, .table = practice_grading_table},
    {OPTION_FLAG, "--again", NULL, NULL, OPTION_SETS(struct practice_options, again)},
    {OPTION_NUMBER, "--spans", "COLUMNS", NULL, OPTION_SETS(struct practice_options, spans_cols),
     .low = 1, .high = MAX_SPANS_COLS},
    {.kind = OPTION_END},
};

static int check_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&check_command, argc, argv);
    struct practice practice;
    struct error error;
    if (!practice_open(&options, &practice, &error))
        return practice_error(&error);
    int code = run(&practice);
    practice_close(&practice);
    return code;
}

const struct subcommand check_command = {
    "check",
    "[FILE|ID]",
    "grades one file",
    check_main,
    rows,
    .about = "FILE is a C file named after its exercise, ID an exercise's number or name. Without "
             "either, the file of the exercises' folder that was changed last is graded.",
    .notes = "exit code: 0 it passes, 1 it fails, 2 wrong usage, 3 grading was not possible",
};
