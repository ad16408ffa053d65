/* What attn view is asked for. */
#ifndef ATTN_CLI_VIEW_OPTIONS_H
#define ATTN_CLI_VIEW_OPTIONS_H

#include "cli/cli.h"

struct view_options {
    struct common_options common;
    const char *folder, *text, *ids, *svg, *png, *cases; /* or NULL */
    const char *compare;                                 /* a second text; or NULL */
    size_t layer, head, width_cols;
    bool has_layer, has_head, by_length, hides_sink, plain, json, words;
};

/* Reads the arguments; ends the program with what is wrong with them. The texts are argv's. */
struct view_options view_options_read(int argc, char **argv);

#endif
