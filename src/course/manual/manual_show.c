/* See manual_show.h. */
#include "course/manual/manual_show.h"

#include <string.h>

#include "commands/command.h"
#include "lang/session/session.h"

enum { INDENT_COLS = 2 };

void manual_add_text(const struct manual_entry *entry, const struct manual_result *result,
                     struct text *out)
{
    if (entry->kind == MANUAL_PAGE)
        text_add(out, entry->text + result->begin, result->size);
    else
        text_put(out, entry->text);
}

bool manual_opens_lesson(const struct manual_entry *entry)
{
    static const char start[] = "lesson ";
    return entry->kind != MANUAL_WORD && strncmp(entry->gives, start, strlen(start)) == 0;
}

bool manual_show_example(const struct manual_entry *entry, const struct manual_setup *setup,
                         struct doc *out, struct error *reterr)
{
    struct session session;
    struct settings settings = *setup->settings;
    bool ok = true;
    settings.width_cols -= settings.width_cols > 24 ? INDENT_COLS : 0;
    settings.no_files = true;
    session_init(&session, command_find, &settings, setup->data_dir, setup->stop);
    for (const char *line = entry->example; ok && *line != '\0';) {
        struct doc shown;
        size_t size = strcspn(line, "\n");
        doc_line(out, STYLE_PLAIN, "%*sattn> %.*s", INDENT_COLS, "", (int)size, line);
        doc_init(&shown);
        ok = session_run(&session, line, size, &shown, reterr);
        if (ok)
            doc_append(out, &shown, INDENT_COLS);
        doc_release(&shown);
        line += size + (line[size] == '\n');
    }
    session_release(&session);
    return ok;
}
