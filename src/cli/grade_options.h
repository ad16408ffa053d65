/* What `attn grade` is told on its command line. */
#ifndef ATTN_CLI_GRADE_OPTIONS_H
#define ATTN_CLI_GRADE_OPTIONS_H

#include "cli/class_rules.h"
#include "cli/cli.h"
#include "cli/outputs.h"

struct grade_options {
    struct common_options common;
    struct outputs outputs;
    struct class_rules rules;
    char **paths; /* argv's, moved to its front */
    size_t n_paths;
    const char *exercise, *student, *compiler; /* or NULL */
    unsigned jobs;
    unsigned part, n_parts; /* which of the class, from 1; n_parts 0: all of it */
    bool has_seed;
    uint64_t seed;
    bool resume, accepts_weak, only_limits, shows_inputs, tells_times;
    unsigned without; /* of enum layer */
};

/* Wrong usage ends the program. */
struct grade_options grade_options(int argc, char **argv);

#endif
