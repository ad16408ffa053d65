/* attn exercises: the list, with what is solved. */
#include <stdio.h>
#include <string.h>

#include "cli/practice.h"

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

static bool add_exercise(struct practice *practice, const struct catalogue_entry *entry,
                         bool is_next, struct doc *doc, struct error *reterr)
{
    struct exercise *exercise;
    struct exercise_progress done;
    if (!progress_exercise(practice->progress, entry->id, &done, reterr) ||
        !catalogue_load(&practice->catalogue, entry, &exercise, reterr))
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

static bool add_all(struct practice *practice, struct doc *doc, struct error *reterr)
{
    const struct catalogue_entry *next = learner_next(&practice->catalogue, practice->progress, 0);
    doc_line(doc, STYLE_QUIET, "     %-18s  %-33s  %3s  %-6s  %s", "exercise", "", "min", "",
             "attempts");
    for (size_t i = 0; i < practice->catalogue.n; i++)
        if (!add_exercise(practice, &practice->catalogue.entries[i],
                          &practice->catalogue.entries[i] == next, doc, reterr))
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
    struct practice_options options = practice_options(argc, argv, 0);
    struct practice practice;
    struct doc doc;
    struct error error;
    if (options.argument != NULL)
        usage_error("exercises: %s: it takes no argument; attn task %s shows one", options.argument,
                    options.argument);
    if (!practice_open(&options, &practice, &error))
        return practice_error(&error);
    doc_init(&doc);
    bool ok = add_all(&practice, &doc, &error) && doc_check(&doc, &error);
    int code = ok ? EXIT_OK : practice_error(&error);
    if (ok && !finish_output(print_doc(&doc, &practice.settings)))
        code = EXIT_FAILED;
    doc_release(&doc);
    practice_close(&practice);
    return code;
}
