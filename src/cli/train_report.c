/* See train_report.h. */
#include "cli/train_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/clock.h"
#include "graph/graph.h"
#include "model/detector.h"
#include "model/model.h"
#include "model/run.h"
#include "show/doc.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

static double seconds_of(const struct train_report *report)
{
    return 1e-9 * (double)(clock_ns() - report->start_ns);
}

/* ---- the beginning ---- */

static void print_beginning(const struct training *training)
{
    const struct recipe *recipe = &training->recipe;
    char total[NUMBER_TEXT];
    printf("%s: %u %s x %u %s, %u wide, %s, %s numbers\n"
           "%u steps of %u sequences, seed %llu; held out: never drawn in training\n",
           training->source->name, recipe->n_layers, recipe->n_layers == 1 ? "layer" : "layers",
           recipe->n_heads, recipe->n_heads == 1 ? "head" : "heads", recipe->d_model,
           recipe->d_mlp > 0 ? "with MLPs" : "attention only",
           number_grouped(trainer_total(training->trainer), total), recipe->n_steps, recipe->batch,
           (unsigned long long)training->seed);
    printf("  step          loss held out   right%s previous induction     time\n",
           training->source->has_untrained ? " other lengths" : "");
}

bool train_report_begin(const struct training *training, const struct common_options *common,
                        bool json, struct train_report *ret, struct error *reterr)
{
    const char *term = getenv("TERM");
    *ret = (struct train_report){.training = training,
                                 .settings = terminal_settings(common, STDOUT_FILENO),
                                 .json = json,
                                 .start_ns = clock_ns(),
                                 .n_before = training_count(training)};
    ret->has_bar = !json && isatty(STDOUT_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
    if (!probe_draw(training->source, &ret->probe, reterr))
        return false;
    if (!json && ret->n_before < training->recipe.n_steps)
        print_beginning(training);
    return true;
}

/* ---- how far it is ---- */

enum { BAR_COLS = 40, BAR_LINE_COLS = 79, BAR_NS = 100000000 };

static void clear_bar(struct train_report *report)
{
    if (report->bar_ns == 0)
        return;
    printf("\r%*s\r", BAR_LINE_COLS, "");
    report->bar_ns = 0;
}

void train_report_bar(struct train_report *report)
{
    size_t count = training_count(report->training), end = report->training->recipe.n_steps;
    size_t taken = count - report->n_before, full = end > 0 ? BAR_COLS * count / end : 0;
    char bar[BAR_COLS + 1];
    if (!report->has_bar || taken == 0 || count >= end || clock_ns() - report->bar_ns < BAR_NS)
        return;
    for (size_t i = 0; i < BAR_COLS; i++)
        bar[i] = i < full ? '#' : '-';
    bar[BAR_COLS] = '\0';
    printf("\r%s %zu/%zu, %.0f s left   ", bar, count, end,
           seconds_of(report) * (double)(end - count) / (double)taken);
    (void)fflush(stdout);
    report->bar_ns = clock_ns();
}

/* ---- heads ---- */

/* The scores of all heads on the probe. */
static bool look(const struct train_report *report, struct tensor *ret, struct labels **ret_heads,
                 struct error *reterr)
{
    struct graph graph = {.last_id = 0};
    struct model *model = training_model(report->training, &graph, reterr);
    struct run *run = model != NULL ? probe_run(&report->probe, &graph, model, reterr) : NULL;
    bool ok =
        run != NULL && detector_table(run, MEASURE_STRIPE, 0, DETECTORS, ret, ret_heads, reterr);
    run_free(run);
    model_free(model);
    return ok;
}

/* The highest score of any head; NaN where the probe has no place in the pattern. */
static double highest(const struct tensor *table, enum detector detector)
{
    double best = (double)NAN;
    for (size_t head = 0; head < table->shape[0]; head++) {
        double score = (double)table->data[head * DETECTORS + detector];
        if (!(best >= score) && !isnan(score))
            best = score;
    }
    return best;
}

/* ---- a line ---- */

static bool find_scores(struct train_report *report, struct error *reterr)
{
    enum { BATCHES = 4 };
    const struct training *training = report->training;
    return training_score(training, SPLIT_HELD_OUT, BATCHES, &report->held_out, reterr) &&
           (!training->source->has_untrained ||
            training_score(training, SPLIT_UNTRAINED, BATCHES, &report->untrained, reterr));
}

/* "L1H0": {"previous": 0.1234, ...}; without those that have no place in the probe. */
static void print_head_json(const float *scores, const char *name)
{
    const char *before = "";
    printf("\"%s\": {", name);
    for (enum detector d = 0; d < DETECTORS; d++) {
        if (isnan(scores[d]))
            continue;
        printf("%s\"%s\": %.4f", before, detector_name(d), (double)scores[d]);
        before = ", ";
    }
    putchar('}');
}

void train_print_number(double number, int digits)
{
    if (isfinite(number))
        printf("%.*g", digits, number);
    else
        printf("null");
}

static void print_json(const struct train_report *report, const struct tensor *table,
                       const struct labels *heads)
{
    const struct training *training = report->training;
    printf("{\"step\": %zu, \"loss\": ", training_count(training));
    train_print_number(training->loss, 6);
    printf(", \"held_out_loss\": ");
    train_print_number(report->held_out.loss, 6);
    printf(", \"held_out_right\": %.4f", report->held_out.right);
    if (training->source->has_untrained)
        printf(", \"untrained_right\": %.4f", report->untrained.right);
    printf(", \"seconds\": %.2f, \"heads\": {", seconds_of(report));
    for (size_t i = 0; i < table->shape[0]; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_head_json(table->data + i * DETECTORS, labels_name(heads, i));
    }
    puts("}}");
}

static void print_score(int width, double score)
{
    if (isnan(score))
        printf("%*s", width, "-");
    else
        printf("%*.2f", width, score);
}

static void print_plain(struct train_report *report, const struct tensor *table)
{
    const struct training *training = report->training;
    clear_bar(report);
    /* fabs: NaN has no sign that means anything, and losses have none */
    printf("%5zu/%-5u%8.4f%9.4f%6.1f %%", training_count(training), training->recipe.n_steps,
           fabs(training->loss), fabs(report->held_out.loss), 100 * report->held_out.right);
    if (training->source->has_untrained)
        printf("%12.1f %%", 100 * report->untrained.right);
    print_score(9, highest(table, DETECT_PREVIOUS));
    print_score(10, highest(table, DETECT_INDUCTION));
    printf("%7.1f s\n", seconds_of(report));
}

bool train_report_line(struct train_report *report, struct error *reterr)
{
    struct tensor table;
    struct labels *heads;
    if (!find_scores(report, reterr) || !look(report, &table, &heads, reterr))
        return false;
    if (report->json)
        print_json(report, &table, heads);
    else
        print_plain(report, &table);
    (void)fflush(stdout);
    labels_free(heads);
    tensor_release(&table);
    return true;
}

/* ---- the end ---- */

static void print_learnt(const struct train_report *report)
{
    const struct training *training = report->training;
    printf("%zu steps in %.1f s: held out %.1f %% right",
           training_count(training) - report->n_before, seconds_of(report),
           100 * report->held_out.right);
    if (training->source->has_untrained)
        printf(", %.1f %% at other lengths", 100 * report->untrained.right);
    if (!isfinite(training->loss))
        printf("\nIt diverged: the loss is not a number any more. A smaller --lr may help.");
    printf("\nits heads on a held-out sequence; a pattern does not prove the skill:\n");
}

static bool print_out(const struct train_report *report, const struct doc *out,
                      struct error *reterr)
{
    return doc_check(out, reterr) &&
           (print_doc(out, &report->settings) ||
            error_set(reterr, ERR_FILE, "standard output can't be written"));
}

static bool print_table(const struct train_report *report, struct error *reterr)
{
    enum { ROWS = 6 };
    struct tensor table;
    struct labels *heads;
    struct doc out;
    if (!look(report, &table, &heads, reterr))
        return false;
    doc_init(&out);
    bool ok =
        show_detector_table(&table, heads, ROWS, &out, reterr) && print_out(report, &out, reterr);
    doc_release(&out);
    labels_free(heads);
    tensor_release(&table);
    return ok;
}

/* Adds how the model goes on with the first words of the probe. */
static bool tell(const struct train_report *report, struct text *ret, struct error *reterr)
{
    struct graph graph = {.last_id = 0};
    struct text told = {0};
    struct model *model = training_model(report->training, &graph, reterr);
    bool ok = model != NULL && probe_tell(&report->probe, model, NULL, &told, reterr);
    if (ok)
        text_format(ret, "It tells: %s", text_string(&told));
    text_release(&told);
    model_free(model);
    return ok;
}

static bool print_told(const struct train_report *report, struct error *reterr)
{
    struct text line = {0};
    struct doc out;
    doc_init(&out);
    bool ok = tell(report, &line, reterr);
    if (ok)
        doc_wrap(&out, STYLE_PLAIN, text_string(&line), report->settings.width_cols, 0);
    ok = ok && print_out(report, &out, reterr);
    doc_release(&out);
    text_release(&line);
    return ok;
}

bool train_report_end(struct train_report *report, struct error *reterr)
{
    clear_bar(report);
    if (report->json || training_count(report->training) == report->n_before)
        return true;
    if (!find_scores(report, reterr))
        return false;
    print_learnt(report);
    return print_table(report, reterr) &&
           (!report->training->source->tells_next || print_told(report, reterr));
}
