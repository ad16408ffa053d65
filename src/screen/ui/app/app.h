/* The full-screen tutor: one loop over keys, the mouse, signals and children; a view of one or two
 * panes over a prompt. What it shows is computed elsewhere. */
#ifndef ATTN_UI_APP_APP_H
#define ATTN_UI_APP_APP_H

#include <stdbool.h>

#include "lang/session/session.h"
#include "pipeline/exploration.h"

struct run;
struct training_start;

/* The heads of a model, to show at once. */
struct heads_start {
    struct run *run;      /* of one text; borrowed, with its graph, until app_run() returns */
    struct run *compared; /* a first text, if run is the second; or NULL. Of the same model */
    size_t layer, head;
    bool is_one;        /* that head alone, else all */
    const char *folder; /* of the model, which home offers from then on; NULL: attn's own */
};

struct app_options {
    struct settings settings;              /* of the sessions; without colours, so is the screen */
    bool is_utf8;                          /* the terminal can show letters outside ASCII */
    const char *data_dir;                  /* or NULL */
    const char *line;                      /* to run at once, as if it were typed; or NULL */
    const struct exploration *exploration; /* to show at once; or NULL */
    const struct heads_start *heads;       /* to show at once; or NULL */
    const struct training_start *training; /* to show at once; or NULL */
    const char *program; /* the path of this attn, which is started for grading; or NULL */
};

/* Runs the tutor until it is left. Returns false with *reterr if the terminal can't show it. */
bool app_run(const struct app_options *options, struct error *reterr);

#endif
