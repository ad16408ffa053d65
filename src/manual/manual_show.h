/* Entries of the manual, as they are shown. */
#ifndef ATTN_MANUAL_MANUAL_SHOW_H
#define ATTN_MANUAL_MANUAL_SHOW_H

#include <signal.h>

#include "lang/builtins/settings.h"
#include "manual/manual.h"
#include "show/doc.h"

/* What is said of a result: the entry's text, or of a page the sentence that was found. */
void manual_add_text(const struct manual_entry *entry, const struct manual_result *result,
                     struct text *out);
/* Whether it stands for a line that opens a lesson. */
bool manual_opens_lesson(const struct manual_entry *entry);

/* Where an example runs. All is borrowed. */
struct manual_setup {
    const struct settings *settings; /* of its session; the width counts */
    const char *data_dir;            /* the folder that holds assets/, or NULL */
    const volatile sig_atomic_t *stop;
};

/* Adds the lines of an entry's example after prompts, each with what it gives in a session of its
 * own. Nothing for an entry without. Errors of the example, which are no fault of who reads it. */
bool manual_show_example(const struct manual_entry *entry, const struct manual_setup *setup,
                         struct doc *out, struct error *reterr);

#endif
