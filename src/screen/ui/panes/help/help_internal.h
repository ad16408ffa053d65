/* What the files of the help share: see help.h. */
#ifndef ATTN_UI_PANES_HELP_HELP_INTERNAL_H
#define ATTN_UI_PANES_HELP_HELP_INTERNAL_H

#include "ui/panes/help/help.h"

enum {
    HELP_FRAME_COLS = 4, /* the frame, and a blank inside of it, at both sides */
    HELP_MIN_COLS = 24,  /* narrower panes are laid out for this width, and cut */
};

/* ---- help_page.c ---- */

/* The binding whose help a binding shares: itself, an earlier one with the same request, or the
 * nearest earlier one that has a help. */
size_t help_owner_of(const struct binding *bindings, size_t i);
/* Writes the keys that share binding i's help: "Up k", "1-9". */
void help_write_keys(const struct binding *bindings, size_t i, struct text *text);
const char *help_text_of(const struct binding *binding);

/* Lay out the page, which is empty. */
void help_compose_keys(struct help *help);
void help_compose_results(struct help *help);
void help_compose_entry(struct help *help);

/* ---- help_entries.c ---- */

/* Reads the manual, once. ERR_MEMORY */
bool help_read(struct help *help, struct error *reterr);
/* Asks it what stands in the field: the best first. False without memory, and then nothing is
 * found. */
bool help_find(struct help *help);

#endif
