/* attn task [ID]: what an exercise asks for. */
#include "exercise/task.h"
#include "cli/practice.h"
#include "show/markdown.h"

static int show(struct practice *practice, const struct exercise *exercise, struct doc *doc)
{
    struct text markdown = {0};
    struct show_options options = settings_show_options(&practice->settings);
    struct error error;
    bool ok = task_write(exercise, data_dir(), &markdown, &error);
    if (ok) {
        markdown_show(doc, text_string(&markdown), markdown.size, &options);
        doc_end_line(doc);
        const struct catalogue_entry *entry = catalogue_entry(&practice->catalogue, exercise->id);
        if (entry != NULL)
            doc_line(doc, STYLE_QUIET, "About %u minutes, in %s.", exercise->minutes,
                     entry->file_name);
    }
    text_release(&markdown);
    return ok && doc_check(doc, &error) ? EXIT_OK : practice_error(&error);
}

int task_main(int argc, char **argv)
{
    struct practice_options options = practice_options(argc, argv, 0);
    return practice_show(&options, show);
}
