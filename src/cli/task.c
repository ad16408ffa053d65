/* attn task [ID]: what an exercise asks for. */
#include "exercise/task.h"
#include "cli/desk.h"
#include "show/markdown.h"

static bool show(struct desk *desk, const struct exercise *exercise, struct doc *doc,
                 struct error *reterr)
{
    struct text markdown = {0};
    struct show_options options = settings_show_options(&desk->settings);
    bool ok = task_write(exercise, data_dir(), &markdown, reterr);
    if (ok) {
        markdown_show(doc, text_string(&markdown), markdown.size, &options);
        doc_end_line(doc);
        const struct catalogue_entry *entry = catalogue_entry(&desk->catalogue, exercise->id);
        if (entry != NULL)
            doc_line(doc, STYLE_QUIET, "About %u minutes, in %s.", exercise->minutes,
                     entry->file_name);
    }
    text_release(&markdown);
    return ok && doc_check(doc, reterr);
}

int task_main(int argc, char **argv)
{
    struct desk_options options = desk_options(argc, argv, 0);
    struct desk desk;
    struct doc doc;
    struct error error;
    struct exercise *exercise;
    int code = EXIT_OK;
    if (!desk_open(&options, &desk, &error))
        return desk_error(&error);
    doc_init(&doc);
    if (!(options.argument != NULL
              ? exercises_find_one(&desk.catalogue, options.argument, &exercise, &error)
              : learner_exercise(&desk.catalogue, desk.progress, &exercise, &error))) {
        code = desk_error(&error);
    } else {
        if (!show(&desk, exercise, &doc, &error))
            code = desk_error(&error);
        else if (!finish_output(print_doc(&doc, &desk.settings)))
            code = EXIT_FAILED;
        exercise_free(exercise);
    }
    doc_release(&doc);
    desk_close(&desk);
    return code;
}
