/* attn hint [ID]: the next hint each time. */
#include <stdio.h>
#include <time.h>

#include "cli/practice.h"

/* After the last one, the last one again. */
static bool add_hint(struct practice *practice, const struct exercise *exercise, struct doc *doc,
                     struct error *reterr)
{
    struct exercise_progress done = {0};
    unsigned n = exercise->hints.n;
    if (!progress_exercise(practice->progress, exercise->id, &done, reterr))
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
    doc_wrap(doc, STYLE_PLAIN, exercise->hints.items[hint - 1], practice->settings.width_cols, 2);
    return progress_exercise_hint(practice->progress, exercise->id, hint, time(NULL), reterr);
}

int practice_hint(struct practice *practice, const struct exercise *exercise, struct doc *doc)
{
    struct error error;
    if (!add_hint(practice, exercise, doc, &error))
        fprintf(stderr, "attn: %s\n", error.text);
    return EXIT_OK;
}

int hint_main(int argc, char **argv)
{
    struct practice_options options = practice_options(argc, argv, 0);
    return practice_show(&options, practice_hint);
}
