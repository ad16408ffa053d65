/* attn explore: the explorer at a sentence; in a pipe, its stages as lines. */
#include <stdio.h>
#include <string.h>

#include "cli/opening.h"
#include "graph/hidden.h"
#include "graph/node.h"
#include "pipeline/exploration.h"
#include "show/matrix.h"

struct explore_options {
    struct common_options common;
    struct exploration exploration;
    bool plain, is_said; /* a sentence or an option of the exploration was said */
};

/* The exploration knows its options by the same names. */
static void take_option(const char *command, const struct option *option, const char *value,
                        void *field)
{
    struct error error;
    if (!exploration_set(field, option->name + strlen("--"), value, &error))
        usage_error("%s: %s", command, error.text);
}

#define SETS(field) OPTION_SETS(struct explore_options, field)
#define SETS_EXPLORATION \
    SETS(exploration), OPTION_GIVEN(struct explore_options, is_said), .take = take_option

static const struct option rows[] = {
    OPTIONS_COMMON(struct explore_options),
    {.kind = OPTION_WORD,
     .name = "SENTENCE",
     .value = NULL,
     .help = "in one pair of quotes; without it, the last one"},
    {OPTION_OWN, "--heads", "N", "1 to 16; several heads have made-up projections, of seed 0",
     SETS_EXPLORATION},
    {OPTION_OWN, "--mask", "none|causal|padding",
     "causal hides the words after each, padding the last word", SETS_EXPLORATION},
    {OPTION_OWN, "--scale", "on|off", "whether the scores are divided by sqrt(d_k)",
     SETS_EXPLORATION},
    {OPTION_OWN, "--temperature", "T", "divides the scores too: 1/64 to 64", SETS_EXPLORATION},
    {OPTION_OWN, "--at", "STAGE", "E, Q, K, V, scores, scaled, masked, weights, context, ...",
     SETS_EXPLORATION},
    {OPTION_FLAG, "--plain", NULL,
     "the stages as lines, also at a terminal; with --at that stage alone", SETS(plain)},
    {.kind = OPTION_END},
};

static int explore_main(int argc, char **argv);

const struct subcommand explore_command = {
    "explore",
    "['SENTENCE']",
    "the attention of a sentence, every number of it; in a pipe as lines",
    explore_main,
    rows,
    .notes = "If standard output is no terminal, the stages are printed as lines.\n"
             "  attn explore 'my cat saw your dog' --heads 4 --mask causal --at weights",
};

static struct explore_options read_options(int argc, char **argv)
{
    struct explore_options options = {.plain = false};
    struct exploration *exploration = &options.exploration;
    exploration_init(exploration);
    if (options_read(&explore_command, argc, argv, 1, &options) > 0) {
        if (strlen(argv[1]) >= sizeof exploration->what)
            usage_error("explore: the sentence is over %zu letters; shorten it",
                        sizeof exploration->what - 1);
        snprintf(exploration->what, sizeof exploration->what, "%s", argv[1]);
        exploration->is_sentence = argv[1][0] != '\0';
        options.is_said = true;
    }
    /* The same command shows the same: what is not said is as at first. */
    exploration->has_options = exploration->has_options || options.is_said;
    return options;
}

static bool show_stage(const struct pipeline_stage *stage, const struct settings *settings,
                       struct doc *doc, struct error *reterr)
{
    const struct show_options how = settings_show_options(settings);
    struct text formula = {0};
    char shape[TENSOR_SHAPE_TEXT];
    node_write_operation(stage->node, &formula);
    doc_add(doc, STYLE_NAME, "%s", stage->name);
    doc_add(doc, STYLE_PLAIN, "%s%s", stage->node->n_parents == 0 ? " from " : " = ",
            text_string(&formula));
    doc_add(doc, STYLE_QUIET, "   %s", tensor_shape_text(&stage->node->value, shape));
    if (stage->products > 0)
        doc_add(doc, STYLE_QUIET, "   %.15g multiplications", stage->products);
    doc_end_line(doc);
    doc->failed = doc->failed || formula.failed;
    text_release(&formula);
    return node_show(stage->node, true, &how, doc, reterr);
}

/* Every stage, or the one that was said; with a remark about the words. */
static bool print_stages(const struct pipeline *pipeline, size_t only,
                         const struct settings *settings)
{
    struct doc doc;
    struct error error;
    bool ok = true;
    doc_init(&doc);
    if (pipeline->note[0] != '\0')
        doc_wrap(&doc, STYLE_NOTE, pipeline->note, settings->width_cols, 0);
    for (size_t i = 0; ok && i < pipeline->n_stages; i++) {
        if (only < pipeline->n_stages && i != only)
            continue;
        ok = show_stage(&pipeline->stages[i], settings, &doc, &error);
        if (only == pipeline->n_stages && i + 1 < pipeline->n_stages)
            doc_end_line(&doc);
    }
    ok = ok && doc_check(&doc, &error);
    if (ok)
        ok = finish_output(print_doc(&doc, settings));
    else
        fprintf(stderr, "attn: %s\n", error.text);
    doc_release(&doc);
    return ok;
}

/* Computes what was asked for, which tells whether it can be. Where it is not to be shown on the
 * screen it is printed. */
static bool compute(const struct explore_options *options, bool prints)
{
    const struct exploration *exploration = &options->exploration;
    struct settings settings = terminal_settings(&options->common, 1);
    struct pipeline pipeline;
    struct error error;
    size_t n_dropped;
    bool has_at = exploration->at[0] != '\0', ok;
    const char *what = exploration->is_sentence ? exploration->what : exploration_example;
    pipeline_init(&pipeline, &settings, data_dir(), NULL);
    ok = pipeline_set_options(&pipeline, &exploration->options, &n_dropped, &error) &&
         pipeline_set_sentence(&pipeline, what, &error);
    size_t only = pipeline.n_stages;
    if (ok && has_at)
        only = exploration_stage(&pipeline, exploration->at, &error);
    ok = ok && (!has_at || only < pipeline.n_stages);
    bool printed = !ok || !prints || print_stages(&pipeline, only, &settings);
    pipeline_release(&pipeline);
    if (!ok)
        usage_error("explore: %s", error.text);
    return printed;
}

static int explore_main(int argc, char **argv)
{
    struct explore_options options = read_options(argc, argv);
    struct opening opening = {.common = options.common, .exploration = &options.exploration};
    struct error error;
    bool on_screen = !options.plain && opening_has_screen();
    if (!compute(&options, !on_screen))
        return EXIT_FAILED;
    if (!on_screen || opening_show_screen(&opening, &error))
        return EXIT_OK;
    fprintf(stderr, "attn: %s\n", error.text);
    return EXIT_FAILED;
}
