/* What the files of home share. */
#ifndef ATTN_UI_PANES_HOME_HOME_INTERNAL_H
#define ATTN_UI_PANES_HOME_HOME_INTERNAL_H

#include "ui/panes/home/home.h"

/* ---- home_list.c: what is listed ---- */

/* Lists the items that are unfolded, or while the filter has words the lessons and exercises that
 * they fit; keeps the choice where it is still listed, else takes the nearest. */
void home_list(struct home *home);
/* The place of an item among those listed; n_seen: it is not listed. */
size_t home_place(const struct home *home, size_t item);
/* The path of a text file, or words. */
bool home_own_text_is_file(const struct home *home);

/* Rows above the list. */
int home_head_rows(const struct home *home, int rows);
/* The first of the listed items that is seen: such that what is chosen is. */
size_t home_first_seen(const struct home *home, int rows);

#endif
