/* attn view: the heads of a real model on a text; its numbers against stored ones. */
#include <string.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "files/file.h"
#include "cli/cli.h"
#include "cli/map_guard.h"
#include "cli/opening.h"
#include "files/npy.h"
#include "files/png.h"
#include "graph/node.h"
#include "model/intervene.h"
#include "model/head_ranking.h"
#include "model/heads_json.h"
#include "model/run.h"
#include "model/model.h"
#include "model/shipped.h"
#include "model/show_model.h"
#include "model/stored_cases.h"
#include "show/backend.h"
#include "show/matrix.h"
#include "task/grammar.h"
#include "tensor/tensor.h"
#include "ui/app/app.h"
#include "ui/terminal/terminal.h"

/* ---- view options ---- */

/* What attn view is asked for. */

struct view_options {
    struct common_options common;
    const char *folder, *text, *ids, *svg, *png, *cases; /* or NULL */
    const char *compare;                                 /* a second text; or NULL */
    size_t layer, head, width_cols;
    bool has_layer, has_head, by_length, hides_sink, plain, json, words;
};

enum { MAX_NUMBER = 100000 };

#define SETS(field) OPTION_SETS(struct view_options, field)

static const struct option rows[] = {
    OPTIONS_COMMON(struct view_options),
    {.kind = OPTION_WORD,
     .name = "FOLDER",
     .value = NULL,
     .help = "a model as Hugging Face writes it: config.json, model.safetensors, vocab.json and "
             "merges.txt or "
             "tokenizer.json; without it, the model that comes with attn"},
    {.kind = OPTION_WORD,
     .name = "TEXT",
     .value = NULL,
     .help = "in one pair of quotes, with a blank in it if no FOLDER stands before it; or "
             "FILE.npy, the ids of "
             "its tokens"},
    {OPTION_TEXT, "--ids", "'ID ID ...'",
     "the tokens by their ids, for a folder without a vocabulary", SETS(ids)},
    {OPTION_NUMBER, "--layer", "L", "all heads of a layer, counted from 0", SETS(layer),
     .high = MAX_NUMBER, OPTION_GIVEN(struct view_options, has_layer)},
    {OPTION_NUMBER, "--head", "H", "with --layer: one head, its sink and the next word", SETS(head),
     .high = MAX_NUMBER, OPTION_GIVEN(struct view_options, has_head)},
    {OPTION_FLAG, "--by-length", NULL,
     "of one head: each weight times the length of its key's value", SETS(by_length)},
    {OPTION_FLAG, "--without-sink", NULL,
     "of one head: the key that gets most is hidden, the rest rescaled", SETS(hides_sink)},
    {OPTION_TEXT, "--compare", "TEXT",
     "a second text, or its ids: what each head does differently in it, and the next word; with "
     "--layer and --head that head in both, and the difference",
     SETS(compare)},
    {OPTION_FLAG, "--plain", NULL, "as lines, also at a terminal", SETS(plain)},
    {OPTION_TEXT, "--svg", "FILE", "as a picture", SETS(svg)},
    {OPTION_TEXT, "--png", "FILE", "the same as PNG, by rsvg-convert", SETS(png)},
    {OPTION_FLAG, "--json", NULL, "tokens, weights and the next word as numbers", SETS(json)},
    {OPTION_FLAG, "--words", NULL,
     "the words that the model knows, by kind, if its tokens are words", SETS(words)},
    {OPTION_NUMBER, "--width", "COLUMNS", "how wide lines may get, else as wide as the terminal",
     SETS(width_cols), .high = MAX_NUMBER},
    {OPTION_TEXT, "--verify", "CASES",
     "how far attn is from stages that another program stored, by layer: a folder of cases with "
     "input_ids.npy, attn_probs_layer0.npy, ..., logits.npy; exit code 0 within 1e-5 of the "
     "largest "
     "number, else 1",
     SETS(cases)},
    {.kind = OPTION_END},
};

static int view_main(int argc, char **argv);

const struct subcommand view_command = {
    "view",
    "[FOLDER] ['TEXT']",
    "the heads of a real model on a text, and its next word",
    view_main,
    rows,
    .notes =
        "At a terminal the heads are on the screen: Enter opens one, t types another text, n draws "
        "the next word, 0 and m cut a head, b ranks them, c compares with a second text; ? lists "
        "all keys.\n"
        "  attn view gpt2 'The cat sat because it was tired' --layer 5 --head 1",
};

/* The first of two words is a folder; one alone is one where there is such a folder, or where it
 * is no text: a path, or a model to verify. */
static void sort_words(char *const *words, size_t n, struct view_options *options)
{
    bool is_word = n == 1 && words[0][0] != '\0' && strchr(words[0], ' ') == NULL;
    bool is_folder = n == 2 || options->cases != NULL || options->ids != NULL || is_word ||
                     (n == 1 && path_is_folder(words[0]));
    if (n > 0 && is_folder)
        options->folder = words[0];
    if (n > 0 && (n == 2 || !is_folder))
        options->text = words[n - 1];
}

/* Reads the arguments; ends the program with what is wrong with them. The texts are argv's. */
static struct view_options view_options_read(int argc, char **argv)
{
    struct view_options options = {.plain = false};
    size_t n = options_read(&view_command, argc, argv, 2, &options);
    sort_words(argv + 1, n, &options);
    if (options.has_head && !options.has_layer)
        usage_error("view: --head %zu: of which layer? add --layer L", options.head);
    if ((options.by_length || options.hides_sink) && !options.has_head)
        usage_error("view: --by-length and --without-sink show one head: add --layer L --head H");
    if ((options.json ? 1 : 0) + (options.svg != NULL) + (options.png != NULL) > 1)
        usage_error("view: --json, --svg and --png: one of them");
    if (options.compare != NULL && options.cases != NULL)
        usage_error("view: --compare and --verify: one of both");
    if (options.compare != NULL && options.json && (options.by_length || options.hides_sink))
        usage_error("view: --compare with --json compares the weights as they are, without "
                    "--by-length and --without-sink");
    if (options.text != NULL && options.ids != NULL)
        usage_error("view: a text and --ids: one of both");
    return options;
}

/* ---- view ---- */

enum {
    SVG_COLS = 160,
    SCREEN_LINES = 45,   /* that a grid of heads may take where it is no screen */
    LINES_OF_LAYER = 13, /* of the heads of one layer, which stand in several rows */
    BARS_COLS = 36,      /* of the next word beside a head */
    BARS_GAP = 3,
    NEXT_TOKENS = 10,
};

/* ---- the model and its run ---- */

static struct model *open_model(const struct view_options *options, struct error *reterr)
{
    if (options->folder == NULL)
        return shipped_open(data_dir(), reterr);
    if (path_is_folder(options->folder) || strchr(options->folder, '/') != NULL ||
        options->text != NULL || options->ids != NULL || options->cases != NULL)
        return model_open(options->folder, reterr);
    error_set(reterr, ERR_FILE,
              "%s: there is no such folder; a text of one word needs a blank, as in view '%s '",
              options->folder, options->folder);
    return NULL;
}

/* The ids in a file, (n,) or (1, n). */
static bool load_ids(const char *path, struct tensor *ret, struct error *reterr)
{
    struct tensor ids;
    char shape[TENSOR_SHAPE_TEXT];
    if (!npy_load(path, &ids, reterr))
        return false;
    size_t n = tensor_size(&ids);
    bool is_text = n > 0 && ids.n_axes > 0 && ids.shape[ids.n_axes - 1] == n;
    bool ok = is_text ? tensor_reshape(&ids, 1, &n, ret, reterr)
                      : error_set(reterr, ERR_SHAPE,
                                  "%s: the ids of one text are needed, (n,), and this is %s", path,
                                  tensor_shape_text(&ids, shape));
    tensor_release(&ids);
    return ok;
}

static struct run *run_of_ids(struct graph *graph, struct model *model, const char *ids,
                              struct error *reterr)
{
    struct tensor value;
    static const char name[] = "ids";
    bool is_file = text_ends_with(ids, ".npy");
    if (!(is_file ? load_ids(ids, &value, reterr) : ids_parse(ids, &value, reterr)))
        return NULL;
    struct node *node = node_input(graph, &value, name, sizeof name - 1, reterr);
    struct run *run = node != NULL ? run_ids(graph, model, node, reterr) : NULL;
    node_free(node);
    return run;
}

/* Of a text, or of the ids in a file. */
static struct run *run_of_words(struct graph *graph, struct model *model, const char *text,
                                struct error *reterr)
{
    if (text_ends_with(text, ".npy") && path_is_file(text))
        return run_of_ids(graph, model, text, reterr);
    struct run *run = run_text(graph, model, text, strlen(text), reterr);
    if (run == NULL && model->tokenizer == NULL)
        error_set(reterr, ERR_NAME,
                  "%s has no vocabulary, so it takes ids and no text: view FOLDER --ids '1 2 3', "
                  "or view FOLDER FILE.npy",
                  model->name);
    return run;
}

static struct run *open_run(const struct view_options *options, struct graph *graph,
                            struct model *model, struct error *reterr)
{
    if (options->ids != NULL)
        return run_of_ids(graph, model, options->ids, reterr);
    return run_of_words(graph, model, options->text != NULL ? options->text : shipped_example,
                        reterr);
}

/* What is compared with: ids where the first are ids, or nothing else can be read. */
static struct run *open_second(const struct view_options *options, struct graph *graph,
                               struct model *model, struct error *reterr)
{
    return options->ids != NULL || model->tokenizer == NULL
               ? run_of_ids(graph, model, options->compare, reterr)
               : run_of_words(graph, model, options->compare, reterr);
}

/* ---- as lines ---- */

static bool add_bars(struct run *run, const struct show_options *options, struct doc *out,
                     struct error *reterr)
{
    doc_line(out, STYLE_TITLE, "the next token");
    return show_prediction(run, -1, NEXT_TOKENS, 1, options, out, reterr);
}

/* The head, and the next word beside it where both have room. */
static bool add_head(struct run *run, const struct view_options *options,
                     const struct show_options *how, struct doc *out, struct error *reterr)
{
    struct head_look look = {.layer = options->layer,
                             .head = options->head,
                             .by_length = options->by_length,
                             .hides_sink = options->hides_sink};
    struct show_options left = *how, right = *how;
    struct doc head, bars;
    bool beside = how->width_cols >= 3 * (size_t)BARS_COLS;
    if (beside) {
        right.width_cols = BARS_COLS;
        left.width_cols -= BARS_COLS + BARS_GAP;
    }
    doc_init(&head);
    doc_init(&bars);
    bool ok = show_head(run, &look, &left, &head, reterr) && add_bars(run, &right, &bars, reterr);
    if (ok && beside) {
        doc_append_beside(out, &head, &bars, BARS_GAP);
    } else if (ok) {
        doc_append(out, &head, 0);
        doc_end_line(out);
        doc_append(out, &bars, 0);
    }
    doc_release(&head);
    doc_release(&bars);
    return ok;
}

/* Says how the heads that found no room are seen. */
static void add_rest(const struct run *run, size_t shown, struct doc *out)
{
    size_t n_heads = run->model->config.n_heads;
    if (shown == n_heads)
        return;
    doc_line(out, STYLE_NOTE,
             "Heads %zu to %zu found no room: --layer L shows all heads of a layer, --width %zu "
             "all at once.",
             shown, n_heads - 1, heads_width(n_heads));
}

/* All heads of the model, or those of one layer in as many rows as they take. */
static bool add_heads(struct run *run, const struct view_options *options,
                      const struct show_options *how, struct doc *out, struct error *reterr)
{
    const struct model_config *config = &run->model->config;
    bool one_layer = options->has_layer, ok = true;
    const struct heads_of of = {.run = run};
    struct heads_layout layout =
        heads_layout_of(&of, one_layer ? 1 : config->n_layers, how->width_cols,
                        one_layer ? LINES_OF_LAYER : SCREEN_LINES, how);
    size_t each = layout.n_heads;
    layout.first_layer = one_layer ? options->layer : 0;
    do {
        ok = show_heads(&of, &layout, how, out, reterr);
        layout.first_head += each;
        layout.n_heads = layout.first_head + each <= config->n_heads
                             ? each
                             : config->n_heads - layout.first_head;
    } while (ok && one_layer && layout.first_head < config->n_heads);
    if (!ok)
        return false;
    show_heads_legend(&layout, how, out);
    if (!one_layer)
        add_rest(run, each, out);
    doc_line(out, STYLE_QUIET, "One head with its numbers: --layer L --head H");
    doc_end_line(out);
    return add_bars(run, how, out, reterr);
}

/* The second text beside the first: the heads' thumbnails of what changes, and both next words. */
static bool add_comparison(struct run *a, struct run *b, const struct show_options *how,
                           struct doc *out, struct error *reterr)
{
    struct alignment alignment;
    struct tensor changes;
    if (!alignment_of(a, b, &alignment, reterr))
        return false;
    const struct heads_of of = {.run = b, .other = a, .alignment = &alignment};
    struct heads_layout layout =
        heads_layout_of(&of, b->model->config.n_layers, how->width_cols, SCREEN_LINES, how);
    bool ok = show_heads(&of, &layout, how, out, reterr) &&
              heads_change(a, b, &alignment, &changes, reterr);
    alignment_release(&alignment);
    if (!ok)
        return false;
    add_rest(b, layout.n_heads, out);
    doc_line(out, STYLE_QUIET,
             how->colour ? "blue: less attention in the second text, orange: more"
                         : "= and -: less attention in the second text, + and #: more");
    doc_end_line(out);
    doc_line(out, STYLE_TITLE, "the heads that change most");
    ok = show_head_ranking(&changes, NEXT_TOKENS, how, out, reterr);
    tensor_release(&changes);
    doc_end_line(out);
    return ok && show_prediction_change(a, b, how->digits, out, reterr);
}

/* One head in both texts, and the difference, beside each other where they have room. */
static bool add_head_tables(struct run *const runs[2], const struct alignment *alignment,
                            const struct view_options *options, const struct show_options *how,
                            struct doc *out, struct error *reterr)
{
    const size_t head[2] = {options->layer, options->head};
    const struct head_look look = {.layer = options->layer,
                                   .head = options->head,
                                   .by_length = options->by_length,
                                   .hides_sink = options->hides_sink};
    struct doc parts[3];
    size_t cols = 2 * BARS_GAP;
    bool ok = true;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        doc_init(&parts[i]);
        if (ok && i < 2)
            doc_line(&parts[i], STYLE_TITLE, i == 0 ? "the first text" : "the second text");
        if (ok)
            ok = i < 2 ? show_head(runs[i], &look, how, &parts[i], reterr)
                       : show_head_difference(runs, alignment, head, how, &parts[i], reterr);
        cols += doc_width(&parts[i]);
    }
    if (ok && cols <= how->width_cols) {
        struct doc both;
        doc_init(&both);
        doc_append_beside(&both, &parts[0], &parts[1], BARS_GAP);
        doc_append_beside(out, &both, &parts[2], BARS_GAP);
        doc_release(&both);
    }
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (ok && cols > how->width_cols) {
            doc_append(out, &parts[i], 0);
            doc_end_line(out);
        }
        doc_release(&parts[i]);
    }
    return ok && doc_check(out, reterr);
}

static bool add_head_comparison(struct run *a, struct run *b, const struct view_options *options,
                                const struct show_options *how, struct doc *out,
                                struct error *reterr)
{
    struct run *const runs[2] = {a, b};
    struct alignment alignment;
    if (!alignment_of(a, b, &alignment, reterr))
        return false;
    bool ok = add_head_tables(runs, &alignment, options, how, out, reterr);
    alignment_release(&alignment);
    doc_end_line(out);
    return ok && show_prediction_change(a, b, how->digits, out, reterr);
}

static bool add_view(struct run *run, struct run *second, const struct view_options *options,
                     const struct show_options *how, struct doc *out, struct error *reterr)
{
    doc_add(out, STYLE_NAME, "%s", run->model->name);
    doc_add(out, STYLE_QUIET, "   layers: %zu, heads of each: %zu, tokens: %zu",
            run->model->config.n_layers, run->model->config.n_heads, run_length(run));
    doc_end_line(out);
    bool ok = second != NULL && options->has_head
                  ? add_head_comparison(run, second, options, how, out, reterr)
              : second != NULL    ? add_comparison(run, second, how, out, reterr)
              : options->has_head ? add_head(run, options, how, out, reterr)
                                  : add_heads(run, options, how, out, reterr);
    return ok && doc_check(out, reterr);
}

/* The picture's file: SVG, or PNG made of it. */
static bool write_picture(const struct view_options *options, const struct doc *doc,
                          struct error *reterr)
{
    struct text svg = {0}, png = {0};
    const char *path = options->svg != NULL ? options->svg : options->png;
    doc_to_svg(doc, NULL, &svg);
    bool ok = svg.failed ? error_memory(reterr, "SVG") : file_may_be_replaced(path, path, reterr);
    if (ok && options->png != NULL)
        ok = png_of_svg(svg.bytes, svg.size, &png, reterr);
    const struct text *picture = options->png != NULL ? &png : &svg;
    if (ok && !file_replace(path, picture->bytes, picture->size, 0666))
        ok = error_set(reterr, ERR_FILE, "%s: can't be written: %s", path, strerror(errno));
    text_release(&svg);
    text_release(&png);
    return ok;
}

static bool show_lines(struct run *run, struct run *second, const struct view_options *options,
                       struct error *reterr)
{
    struct settings settings = terminal_settings(&options->common, 1);
    bool is_picture = options->svg != NULL || options->png != NULL;
    if (is_picture) {
        settings.colours = COLOURS_TRUE;
        settings.ascii = options->common.ascii;
        settings.width_cols = SVG_COLS;
    }
    if (options->width_cols > 0)
        settings.width_cols = options->width_cols;
    struct show_options how = settings_show_options(&settings);
    struct doc doc;
    doc_init(&doc);
    bool ok = add_view(run, second, options, &how, &doc, reterr);
    if (ok && is_picture)
        ok = write_picture(options, &doc, reterr);
    else if (ok && !finish_output(print_doc(&doc, &settings)))
        exit(EXIT_FAILED);
    doc_release(&doc);
    return ok;
}

/* ---- as numbers ---- */

/* Checks the layer and the head, and counts those that are asked for. */
static bool find_range(const struct run *run, const struct view_options *options,
                       struct heads_range *ret, struct error *reterr)
{
    const struct model_config *config = &run->model->config;
    *ret = (struct heads_range){.end_layer = config->n_layers,
                                .end_head = config->n_heads,
                                .by_length = options->by_length,
                                .hides_sink = options->hides_sink};
    if (options->has_layer)
        ret->end_layer = (ret->first_layer = options->layer) + 1;
    if (options->has_head)
        ret->end_head = (ret->first_head = options->head) + 1;
    return (ret->end_layer <= config->n_layers ||
            error_set(reterr, ERR_RANGE, "layer %zu: %s has %zu, 0 to %zu", options->layer,
                      run->model->name, config->n_layers, config->n_layers - 1)) &&
           (ret->end_head <= config->n_heads ||
            error_set(reterr, ERR_RANGE, "head %zu: %s has %zu, 0 to %zu", options->head,
                      run->model->name, config->n_heads, config->n_heads - 1));
}

static bool show_json(struct run *run, struct run *second, const struct heads_range *range,
                      struct error *reterr)
{
    struct text json = {0};
    bool ok = second != NULL ? heads_comparison_to_json(run, second, range, &json, reterr)
                             : heads_to_json(run, range, &json, reterr);
    if (ok && !finish_output(fwrite(json.bytes, 1, json.size, stdout) == json.size))
        exit(EXIT_FAILED);
    text_release(&json);
    return ok;
}

/* ---- verify ---- */

/* Returns the exit code. */
static int verify(const struct view_options *options, struct model *model, struct error *reterr)
{
    struct settings settings = terminal_settings(&options->common, 1);
    struct stored_errors errors;
    struct doc doc;
    if (!stored_cases_run(model, options->cases, &interrupt_flag, &errors, reterr))
        return EXIT_FAILED;
    doc_init(&doc);
    stored_errors_show(&errors, &doc);
    int code = stored_errors_are_small(&errors) ? EXIT_OK : EXIT_FAILED;
    reterr->kind = ERR_NONE;
    if (!doc_check(&doc, reterr) || !finish_output(print_doc(&doc, &settings)))
        code = EXIT_FAILED;
    doc_release(&doc);
    stored_errors_release(&errors);
    return code;
}

/* ---- its words ---- */

static bool show_words(const struct view_options *options, const struct model *model,
                       struct error *reterr)
{
    struct settings settings = terminal_settings(&options->common, 1);
    struct grammar grammar = {.n_tokens = 0};
    struct error unread;
    struct doc doc;
    if (!known_words_are_there(model))
        return error_set(reterr, ERR_NAME,
                         "%s: its tokens are not words, so there is no list of them%s", model->name,
                         model->tokenizer != NULL ? ": it reads every text" : "");
    bool has_kinds = grammar_open(data_dir(), "stories", &grammar, &unread);
    doc_init(&doc);
    known_words_show(model, has_kinds ? &grammar : NULL,
                     options->width_cols > 0 ? options->width_cols : settings.width_cols, &doc);
    bool ok = doc_check(&doc, reterr);
    if (ok && !finish_output(print_doc(&doc, &settings)))
        exit(EXIT_FAILED);
    doc_release(&doc);
    if (has_kinds)
        grammar_release(&grammar);
    return ok;
}

/* ---- on the screen ---- */

static bool wants_screen(const struct view_options *options)
{
    return !options->plain && !options->json && options->svg == NULL && options->png == NULL &&
           opening_has_screen();
}

static bool show_screen(struct run *run, struct run *second, const struct view_options *options,
                        struct error *reterr)
{
    const struct heads_start start = {.run = second != NULL ? second : run,
                                      .compared = second != NULL ? run : NULL,
                                      .layer = options->layer,
                                      .head = options->head,
                                      .is_one = options->has_head,
                                      .folder = options->folder};
    const struct opening opening = {.common = options->common, .heads = &start};
    run->graph->stop = &terminal_interrupted;
    return opening_show_screen(&opening, reterr);
}

static bool show(const struct view_options *options, struct model *model, struct error *reterr)
{
    struct graph graph = {.stop = &interrupt_flag};
    struct heads_range range;
    struct run *run = open_run(options, &graph, model, reterr);
    struct run *second = NULL;
    bool ok = run != NULL && find_range(run, options, &range, reterr);
    if (ok && options->compare != NULL)
        ok = (second = open_second(options, &graph, model, reterr)) != NULL;
    if (ok)
        ok = options->json           ? show_json(run, second, &range, reterr)
             : wants_screen(options) ? show_screen(run, second, options, reterr)
                                     : show_lines(run, second, options, reterr);
    run_free(second);
    run_free(run);
    return ok;
}

static int view_main(int argc, char **argv)
{
    struct view_options options = view_options_read(argc, argv);
    struct error error = {.kind = ERR_NONE};
    interrupt_catch();
    struct model *model = open_model(&options, &error);
    int code = EXIT_FAILED;
    if (model != NULL && options.cases != NULL)
        code = verify(&options, model, &error);
    else if (model != NULL && options.words)
        code = show_words(&options, model, &error) ? EXIT_OK : EXIT_FAILED;
    else if (model != NULL && show(&options, model, &error))
        code = EXIT_OK;
    model_free(model);
    if (!map_guard_check(&error))
        code = EXIT_FAILED;
    if (error.kind != ERR_NONE && code != EXIT_OK)
        print_error(&error, "", 0, NULL, 0);
    return code;
}
