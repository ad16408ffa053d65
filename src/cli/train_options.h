/* The options of attn train. */
#ifndef ATTN_CLI_TRAIN_OPTIONS_H
#define ATTN_CLI_TRAIN_OPTIONS_H

#include "cli/cli.h"
#include "train/checkpoint.h"

struct train_options {
    struct common_options common;
    struct training_plan plan;
    const char *out, *resume, *exam, *film;
    size_t every, save_every; /* steps; 0: not said */
    const char *setting;      /* the last one that is part of the plan, but --steps; or NULL */
    bool json, plain, asks_heads, strip, svg;
};

/* What was typed; what contradicts itself, or would be passed over in silence, ends the program. */
struct train_options train_read_options(int argc, char **argv);
/* A task or a text is named. */
bool train_has_source(const struct train_options *options);
/* A film without anything to be trained. */
bool train_plays_film(const struct train_options *options);

#endif
