/* attn check [FILE|ID]: grades one file, for a person. */
#include <stdio.h>

#include "cli/practice.h"
#include "show/backend.h"
#include "show/doc.h"

/* What FILE|ID means, and the exit codes that scripts rely on. */
const char check_help[] =
    "FILE is a C file named after its exercise, ID an exercise's number or name. Without either\n"
    "it is the file of the exercises' folder that was changed last.\n\n"
    "  --compiler CC   the compiler, else $CC, cc, gcc, clang or tcc\n"
    "  --seed N        draws other cases\n\n"
    "exit code: 0 it passes, 1 it fails, 2 wrong usage, 3 it could not be graded\n";

static bool print_spans(const struct doc *doc)
{
    struct text text = {0};
    doc_to_spans(doc, &text);
    bool ok = !text.failed && fwrite(text_string(&text), 1, text.size, stdout) == text.size;
    text_release(&text);
    return ok;
}

static int show(struct practice *practice, struct judgement *judgement)
{
    struct doc doc;
    char time[96];
    doc_init(&doc);
    practice_explain(practice, judgement, &doc);
    if (practice->options.spans_cols == 0)
        practice_next_steps(practice, judgement, &doc);
    else if (judgement->result.verdict != VERDICT_PASS) /* the full screen says itself what comes */
        practice_lesson(judgement, "lesson", &doc);
    doc_line(&doc, STYLE_QUIET, "  %s", practice_time(judgement, time, sizeof time));
    bool ok =
        !doc.failed && (practice->options.spans_cols > 0 ? print_spans(&doc)
                                                         : print_doc(&doc, &practice->settings));
    doc_release(&doc);
    return finish_output(ok) ? practice_exit_code(judgement->result.verdict) : EXIT_UNGRADED;
}

static int check(struct practice *practice, const char *path, const struct text *source)
{
    struct judgement judgement;
    practice_grade(practice, path, text_string(source), source->size, &judgement);
    int code = show(practice, &judgement);
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
    } else if (!practice_open_exercise(practice, exercise, &error)) { /* which frees it */
        code = practice_error(&error);
    } else {
        if (practice->options.argument == NULL)
            printf("%s\n", path);
        code = check(practice, path, &source);
    }
    text_release(&source);
    return code;
}

int check_main(int argc, char **argv)
{
    struct practice_options options =
        practice_options(argc, argv, PRACTICE_COMPILER | PRACTICE_SEED | PRACTICE_SPANS);
    struct practice practice;
    struct error error;
    if (!practice_open(&options, &practice, &error))
        return practice_error(&error);
    int code = run(&practice);
    practice_close(&practice);
    return code;
}
