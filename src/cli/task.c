/* attn task [ID]: what an exercise asks for. */
#include "exercise/task.h"
#include "cli/practice.h"
#include "show/markdown.h"

static bool show(struct practice *practice, const struct exercise *exercise, struct doc *doc,
                 struct error *reterr)
{
    struct text markdown = {0};
    struct show_options options = settings_show_options(&practice->settings);
    bool ok = task_write(exercise, data_dir(), &markdown, reterr);
    if (ok) {
        markdown_show(doc, text_string(&markdown), markdown.size, &options);
        doc_end_line(doc);
        const struct catalogue_entry *entry = catalogue_entry(&practice->catalogue, exercise->id);
        if (entry != NULL)
            doc_line(doc, STYLE_QUIET, "About %u minutes, in %s.", exercise->minutes,
                     entry->file_name);
    }
    text_release(&markdown);
    return ok && doc_check(doc, reterr);
}

int task_main(int argc, char **argv)
{
    struct practice_options options = practice_options(argc, argv, 0);
    struct practice practice;
    struct doc doc;
    struct error error;
    struct exercise *exercise;
    int code = EXIT_OK;
    if (!practice_open(&options, &practice, &error))
        return practice_error(&error);
    doc_init(&doc);
    if (!(options.argument != NULL
              ? exercises_find_one(&practice.catalogue, options.argument, &exercise, &error)
              : learner_exercise(&practice.catalogue, practice.progress, &exercise, &error))) {
        code = practice_error(&error);
    } else {
        if (!show(&practice, exercise, &doc, &error))
            code = practice_error(&error);
        else if (!finish_output(print_doc(&doc, &practice.settings)))
            code = EXIT_FAILED;
        exercise_free(exercise);
    }
    doc_release(&doc);
    practice_close(&practice);
    return code;
}
