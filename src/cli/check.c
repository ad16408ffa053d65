/* attn check [FILE|ID]: grades one file, for a person. */
#include <stdio.h>

#include "cli/desk.h"

/* What FILE|ID means, and the exit codes that scripts rely on. */
const char check_help[] =
    "FILE is a C file named after its exercise, ID an exercise's number or name. Without either\n"
    "it is the file of the exercises' folder that was changed last.\n\n"
    "  --compiler CC   the compiler, else $CC, cc, gcc, clang or tcc\n"
    "  --seed N        draws other cases\n\n"
    "exit code: 0 it passes, 1 it fails, 2 wrong usage, 3 it could not be graded\n";

/* The full screen says itself what comes next. */
static void add_way_on(struct desk *desk, const struct judgement *judgement, struct doc *doc)
{
    if (desk->options.spans_cols == 0)
        desk_way_on(desk, judgement, doc);
    else if (judgement->result.verdict != VERDICT_PASS)
        desk_lesson(judgement, "lesson", doc);
}

static bool print_spans(const struct doc *doc)
{
    struct text text = {0};
    doc_to_spans(doc, &text);
    bool ok = !text.failed && fwrite(text_string(&text), 1, text.size, stdout) == text.size;
    text_release(&text);
    return ok;
}

static int show(struct desk *desk, struct judgement *judgement)
{
    struct doc doc;
    char time[96];
    doc_init(&doc);
    desk_explain(desk, judgement, &doc);
    add_way_on(desk, judgement, &doc);
    doc_line(&doc, STYLE_QUIET, "  %s", desk_time(judgement, time, sizeof time));
    bool ok = !doc.failed &&
              (desk->options.spans_cols > 0 ? print_spans(&doc) : print_doc(&doc, &desk->settings));
    doc_release(&doc);
    return finish_output(ok) ? desk_exit_code(judgement->result.verdict) : EXIT_UNGRADED;
}

static int check(struct desk *desk, const char *path, const struct text *source)
{
    struct judgement judgement;
    desk_grade(desk, path, text_string(source), source->size, &judgement);
    int code = show(desk, &judgement);
    if (!desk->options.again)
        desk_note(desk, &judgement);
    judgement_release(&judgement);
    return code;
}

/* Takes the exercise over. */
static bool prepare(struct desk *desk, struct exercise *exercise, struct error *reterr)
{
    if (!desk_prepare(desk, reterr)) {
        exercise_free(exercise);
        return false;
    }
    return desk_take(desk, exercise, reterr);
}

static int run(struct desk *desk)
{
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    struct text source = {0};
    struct error error;
    int code = EXIT_UNGRADED;
    if (!learner_find(&desk->catalogue, desk->progress, desk->options.argument, &exercise, path,
                      &error))
        return desk_error(&error);
    if (!desk_read(path, &source, &error)) {
        exercise_free(exercise);
        code = desk_error(&error);
    } else if (!prepare(desk, exercise, &error)) {
        code = desk_error(&error);
    } else {
        if (desk->options.argument == NULL)
            printf("%s\n", path);
        code = check(desk, path, &source);
    }
    text_release(&source);
    return code;
}

int check_main(int argc, char **argv)
{
    struct desk_options options = desk_options(argc, argv, DESK_COMPILER | DESK_SEED | DESK_SPANS);
    struct desk desk;
    struct error error;
    if (!desk_open(&options, &desk, &error))
        return desk_error(&error);
    int code = run(&desk);
    desk_close(&desk);
    return code;
}
