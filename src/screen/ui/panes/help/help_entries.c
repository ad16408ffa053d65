/* See help.h: what can be found. */
#include "ui/panes/help/help_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "shell/shell_help.h"

static void add_keys(struct manual *manual, const struct pane_ops *pane)
{
    for (size_t i = 0; pane->bindings[i].key != KEYCODE_NONE; i++) {
        const struct binding *binding = &pane->bindings[i];
        struct text keys = {0};
        if (help_owner_of(pane->bindings, i) != i)
            continue;
        help_write_keys(pane->bindings, i, &keys);
        manual->failed = manual->failed || keys.failed;
        manual_add(manual,
                   &(struct manual_entry){.kind = MANUAL_KEY,
                                          .name = binding->label != NULL ? binding->label : "",
                                          .title = text_string(&keys),
                                          .text = help_text_of(binding),
                                          .where = pane->title});
        text_release(&keys);
    }
}

void help_init(struct help *help, const struct help_sources *sources)
{
    help->sources = *sources;
    help->pane = sources->n_panes;
}

bool help_read(struct help *help, struct error *reterr)
{
    struct manual fresh = {.n = 0};
    if (help->manual.n > 0)
        return true;
    shell_help_add_words(&fresh);
    for (size_t i = 0; i < help->sources.n_panes; i++)
        add_keys(&fresh, help->sources.panes[i]);
    manual_add_all(&fresh, help->sources.data_dir);
    if (!manual_index(&fresh, reterr)) {
        manual_release(&fresh);
        return false;
    }
    help->manual = fresh;
    return true;
}

/* What to ask about, while nothing is typed yet. */
static void list_topics(struct help *help)
{
    static const enum manual_kind kinds[] = {MANUAL_TOPIC, MANUAL_OPERATOR, MANUAL_WORD};
    for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
        for (size_t i = 0; i < help->manual.n && help->found.n < MANUAL_MAX_RESULTS; i++)
            if (help->manual.entries[i].kind == kinds[kind])
                help->found.items[help->found.n++] = (struct manual_result){.entry = i};
}

bool help_find(struct help *help)
{
    struct error error;
    bool ok = true;
    help->chosen = help->scroll = 0;
    help->found = (struct manual_results){.n = 0};
    if (text_is_blank(help->field.text, help->field.size))
        list_topics(help);
    else
        ok = manual_find(&help->manual, help->field.text, &help->found, &error);
    return ok;
}

void help_release(void *state)
{
    struct help *help = state;
    manual_release(&help->manual);
    doc_release(&help->page);
    pane_request_release(&help->request);
    *help = (struct help){0};
}
