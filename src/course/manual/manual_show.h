/* Entries of the manual, as they are shown. */
#ifndef ATTN_MANUAL_MANUAL_SHOW_H
#define ATTN_MANUAL_MANUAL_SHOW_H

#include <signal.h>

#include "lang/builtins/settings.h"
#include "course/manual/manual.h"
#include "show/doc.h"

/* Adds a result's explanation: the entry's text, or of a page the sentence that was found. */
void manual_add_text(const struct manual_entry *entry, const struct manual_result *result,
                     struct text *out);
/* Whether it stands for a line that opens a lesson. */
bool manual_opens_lesson(const struct manual_entry *entry);

/* The session in which an example runs. All is borrowed. */
struct manual_setup {
    const struct settings *settings; /* of its session; the width counts */
    const char *data_dir;            /* the folder that holds assets/, or NULL */
    const volatile sig_atomic_t *stop;
};

/* Adds the lines of an entry's example after prompts, each with its output in a session of its own.
 * Adds nothing for an entry without an example. Returns errors of the example, for which the reader
 * is not to blame. */
bool manual_show_example(const struct manual_entry *entry, const struct manual_setup *setup,
                         struct doc *out, struct error *reterr);

#endif
