/* attn exercises: the list, with what is solved. */
#include <stdio.h>
#include <string.h>

#include "cli/desk.h"

/* "solved", "tried", "new", and how it is shown. */
struct status {
    const char *word;
    enum style style;
};

static struct status status_of(const struct exercise_progress *done)
{
    if (done->passed)
        return (struct status){"solved", STYLE_GOOD};
    if (done->n_attempts > 0)
        return (struct status){"tried", STYLE_NOTE};
    return (struct status){"new", STYLE_QUIET};
}

static bool add_exercise(struct desk *desk, const struct catalogue_entry *entry, bool is_next,
                         struct doc *doc, struct error *reterr)
{
    struct exercise *exercise;
    struct exercise_progress done;
    if (!progress_exercise(desk->progress, entry->id, &done, reterr) ||
        !catalogue_load(&desk->catalogue, entry, &exercise, reterr))
        return false;
    struct status status = status_of(&done);
    doc_add(doc, is_next ? STYLE_TITLE : STYLE_PLAIN, "%s%2u  %-18s", is_next ? ">" : " ",
            entry->number, entry->id);
    doc_add(doc, STYLE_PLAIN, "  %-33s", exercise->title);
    doc_add(doc, STYLE_QUIET, "  %3u  ", exercise->minutes);
    doc_add(doc, status.style, "%s", status.word);
    if (done.n_attempts > 0)
        doc_add(doc, STYLE_QUIET, "%*u", 14 - (int)strlen(status.word), done.n_attempts);
    doc_end_line(doc);
    exercise_free(exercise);
    return true;
}

static bool add_all(struct desk *desk, struct doc *doc, struct error *reterr)
{
    const struct catalogue_entry *next = learner_next(&desk->catalogue, desk->progress, 0);
    doc_line(doc, STYLE_QUIET, "     %-18s  %-33s  %3s  %-6s  %s", "exercise", "", "min", "",
             "attempts");
    for (size_t i = 0; i < desk->catalogue.n; i++)
        if (!add_exercise(desk, &desk->catalogue.entries[i], &desk->catalogue.entries[i] == next,
                          doc, reterr))
            return false;
    doc_end_line(doc);
    if (next != NULL)
        doc_line(doc, STYLE_PLAIN, "Next: %s. What it asks for: attn task %u", next->file_name,
                 next->number);
    else
        doc_line(doc, STYLE_GOOD, "All are solved.");
    return true;
}

int exercises_main(int argc, char **argv)
{
    struct desk_options options = desk_options(argc, argv, 0);
    struct desk desk;
    struct doc doc;
    struct error error;
    if (options.argument != NULL)
        usage_error("exercises: %s: it takes no argument; attn task %s shows one", options.argument,
                    options.argument);
    if (!desk_open(&options, &desk, &error))
        return desk_error(&error);
    doc_init(&doc);
    bool ok = add_all(&desk, &doc, &error) && doc_check(&doc, &error);
    int code = ok ? EXIT_OK : desk_error(&error);
    if (ok && !finish_output(print_doc(&doc, &desk.settings)))
        code = EXIT_FAILED;
    doc_release(&doc);
    desk_close(&desk);
    return code;
}
