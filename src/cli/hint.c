/* attn hint [ID]: the next hint each time. */
#include <stdio.h>
#include <time.h>

#include "cli/desk.h"

/* After the last one, the last one again. */
static bool show(struct desk *desk, const struct exercise *exercise, struct doc *doc,
                 struct error *reterr)
{
    struct exercise_progress done = {0};
    unsigned n = exercise->hints.n;
    if (!progress_exercise(desk->progress, exercise->id, &done, reterr))
        return false;
    if (n == 0) {
        doc_line(doc, STYLE_PLAIN, "%s has no hints; attn task %u tells what it is about",
                 exercise->id, exercise->number);
        return true;
    }
    unsigned hint = done.n_hints < n ? done.n_hints + 1 : n;
    doc_add(doc, STYLE_TITLE, "%s", exercise->id);
    doc_add(doc, STYLE_QUIET, "  hint %u of %u%s", hint, n, hint == n ? ", the last one" : "");
    doc_end_line(doc);
    doc_wrap(doc, STYLE_PLAIN, exercise->hints.items[hint - 1], desk->settings.width_cols, 2);
    return progress_exercise_hint(desk->progress, exercise->id, hint, time(NULL), reterr);
}

bool desk_hint(struct desk *desk, const struct exercise *exercise, struct doc *doc)
{
    struct error error;
    if (!show(desk, exercise, doc, &error))
        fprintf(stderr, "attn: %s\n", error.text);
    return !doc->failed;
}

int hint_main(int argc, char **argv)
{
    struct desk_options options = desk_options(argc, argv, 0);
    struct desk desk;
    struct doc doc;
    struct error error;
    struct exercise *exercise;
    int code;
    if (!desk_open(&options, &desk, &error))
        return desk_error(&error);
    doc_init(&doc);
    if (!(options.argument != NULL
              ? exercises_find_one(&desk.catalogue, options.argument, &exercise, &error)
              : learner_exercise(&desk.catalogue, desk.progress, &exercise, &error))) {
        code = desk_error(&error);
    } else {
        bool ok = desk_hint(&desk, exercise, &doc) && print_doc(&doc, &desk.settings);
        code = finish_output(ok) ? EXIT_OK : EXIT_FAILED;
        exercise_free(exercise);
    }
    doc_release(&doc);
    desk_close(&desk);
    return code;
}
