/* See findings.h. */
#include "cli/findings.h"

#include "cli/cli.h"

enum { NAME_COLS = 16, INDENT_COLS = 6 };

void findings_init(struct findings *findings, const struct settings *settings)
{
    *findings = (struct findings){.settings = *settings};
    doc_init(&findings->doc);
}

void findings_release(struct findings *findings)
{
    doc_release(&findings->doc);
}

void findings_tell(struct findings *findings, enum health health, const char *name,
                   const char *found, const char *advice)
{
    static const char *const words[] = {"ok", "lacks", "broken"};
    static const enum style styles[] = {STYLE_GOOD, STYLE_NOTE, STYLE_BAD};
    struct doc head, body;
    doc_init(&head);
    doc_init(&body);
    doc_add(&head, styles[health], "%-6s", words[health]);
    doc_add(&head, STYLE_TITLE, " %-*s ", NAME_COLS, name);
    size_t used = doc_line_width(&head, 0), width = findings->settings.width_cols;
    doc_wrap(&body, STYLE_PLAIN, found, width > used + 20 ? width - used : 20, 0);
    doc_end_line(&head);
    doc_append_beside(&findings->doc, &head, &body, 0);
    doc_release(&head);
    doc_release(&body);
    if (health != HEALTH_GOOD && advice != NULL)
        doc_wrap(&findings->doc, STYLE_QUIET, advice, width, INDENT_COLS + 1);
    findings->n_lacks += health == HEALTH_LACK;
    findings->n_broken += health == HEALTH_BROKEN;
}

bool findings_print(struct findings *findings)
{
    return finish_output(!findings->doc.failed && print_doc(&findings->doc, &findings->settings));
}
