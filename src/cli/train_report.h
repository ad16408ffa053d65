/* What attn train prints of a training: a line every few steps, and at the end what came of it. */
#ifndef ATTN_CLI_TRAIN_REPORT_H
#define ATTN_CLI_TRAIN_REPORT_H

#include "cli/cli.h"
#include "train/exam.h"
#include "train/training.h"

struct train_report {
    const struct training *training;
    struct settings settings; /* of standard output */
    bool json;                /* one object a line */
    bool has_bar;             /* how far it is stands on the terminal's last line */
    struct probe probe;       /* what the heads are looked at on */
    uint64_t start_ns, bar_ns;
    size_t n_before; /* steps that were taken before */
    struct score held_out, untrained;
};

/* Looks for what a report needs, and prints its head. ERR_RANGE: there is nothing to hold out. */
bool train_report_begin(const struct training *training, const struct common_options *common,
                        bool json, struct train_report *ret, struct error *reterr);
/* The loss of the last step, what is right in sequences that were not trained, and how far the
 * heads show the two patterns that belong to a skill: the highest score of any head. */
bool train_report_line(struct train_report *report, struct error *reterr);
/* Shows how far it is, where a person looks on. */
void train_report_bar(struct train_report *report);
/* What was learnt, all scores of the heads, and how the model goes on with a text; nothing in JSON,
 * or where no step was taken. */
bool train_report_end(struct train_report *report, struct error *reterr);
/* A number in a line of JSON, so many digits of it: JSON has no NaN, and null stands for it. */
void train_print_number(double number, int digits);

#endif
