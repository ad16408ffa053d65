/* The command line of `attn grade`. */
#ifndef ATTN_CLI_GRADE_OPTIONS_H
#define ATTN_CLI_GRADE_OPTIONS_H

#include "cli/class_rules.h"
#include "cli/cli.h"
#include "cli/outputs.h"

/* Part k of n of the class, from 1; n is 0 for the whole class. */
struct grade_part {
    unsigned k, n;
};

struct grade_options {
    struct common_options common;
    struct outputs outputs;
    struct class_rules rules;
    char **paths; /* argv's, moved to its front */
    size_t n_paths;
    const char *exercise, *student, *compiler, *compare_path; /* or NULL */
    unsigned jobs;
    struct grade_part part;
    bool has_seed;
    uint64_t seed;
    bool resume, accepts_weak, only_limits, shows_inputs, tells_times;
    unsigned without; /* of enum layer */
};

/* The rows of the options. */
extern const struct option grade_table[];
/* Wrong usage ends the program. */
struct grade_options grade_options(int argc, char **argv);

#endif
