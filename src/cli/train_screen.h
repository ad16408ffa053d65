/* attn train on the full screen, and films that are played. */
#ifndef ATTN_CLI_TRAIN_SCREEN_H
#define ATTN_CLI_TRAIN_SCREEN_H

#include "cli/cli.h"

struct film;

struct train_showing {
    struct common_options common;
    const char *folder; /* where the model is saved */
    const char *film;   /* the file that the film is written to, or comes from; or NULL */
    bool is_played;     /* it comes from there */
    size_t save_every;  /* steps; 0: as often as the pane does */
};

/* Shows the training of a film, and goes on with it; saves what was learnt, unless somebody leaves
 * without. Returns the exit code. */
int train_on_screen(struct film *film, const struct train_showing *showing);
/* The film as lines, one a snapshot. Returns the exit code. */
int train_print_film(const struct film *film, bool json);

#endif
