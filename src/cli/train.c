/* attn train: a small model learns; its progress as lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "files/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "model/model.h"
#include "task/grammar.h"
#include "tensor/tensor.h"
#include "train/exam.h"
#include "show/backend.h"
#include "show/matrix.h"
#include "train/film_strip.h"
#include "cli/opening.h"
#include "cli/train_report.h"
#include "train/film.h"
#include "ui/panes/training/training_pane.h"
#include "files/clock.h"
#include "kernel/threads.h"
#include "task/task.h"
#include "ui/terminal/news.h"
#include "train/checkpoint.h"

/* ---- train options ---- */

/* The options of attn train. */

struct train_options {
    struct common_options common;
    struct training_plan plan;
    const char *out, *resume, *exam, *film;
    size_t every, save_every; /* steps; 0: not said */
    const char *setting;      /* the last one that is part of the plan, but --steps; or NULL */
    bool json, plain, asks_heads, strip, svg;
};

/* The value of an option: a finite number from low, or above it, and below end; else the program
 * ends with this rule. */
static double take_real(const struct option *option, const char *value, double low, bool with_low,
                        double end, const char *rule)
{
    double number;
    if (!text_decimal(value, &number) || number < low || (number == low && !with_low) ||
        number >= end)
        usage_error("train: %s %s: it must be %s", option->name, value, rule);
    return number;
}

static void take_rate(const char *command, const struct option *option, const char *value,
                      void *field)
{
    (void)command;
    *(double *)field =
        take_real(option, value, 0, false, INFINITY, "a number above 0, such as 3e-3");
}

static void take_decay(const char *command, const struct option *option, const char *value,
                       void *field)
{
    struct training_plan *plan = field;
    (void)command;
    plan->decay =
        take_real(option, value, 0, true, INFINITY, "0 or a number above it, such as 0.01");
    plan->no_decay = plan->decay == 0;
}

static void take_dropout(const char *command, const struct option *option, const char *value,
                         void *field)
{
    (void)command;
    *(double *)field =
        take_real(option, value, 0, true, 1, "0 or more and less than 1, such as 0.1");
}

/* How many merges, or none for letters. */
static void take_vocab(const char *command, const struct option *option, const char *value,
                       void *field)
{
    uint64_t *n_merges = field;
    double number;
    bool letters = strcmp(value, "letters") == 0;
    if (!letters && !text_decimal(value, &number))
        usage_error("train: --vocab %s: it takes letters, or a number of merges, such as 512",
                    value);
    *n_merges = letters ? 0 : option_number(command, option->name, value, 1, 1 << 20);
}

static void copy_text(const char *what, const char *from, char *to, size_t capacity)
{
    if (strlen(from) >= capacity)
        usage_error("train: %s: %.40s... is too long", what, from);
    snprintf(to, capacity, "%s", from);
}

static void take_text(const char *command, const struct option *option, const char *value,
                      void *field)
{
    struct training_plan *plan = field;
    (void)command;
    copy_text(option->name, value, plan->text, sizeof plan->text);
}

static void take_svg(const char *command, const struct option *option, const char *value,
                     void *field)
{
    struct train_options *options = field;
    (void)command;
    (void)option;
    (void)value;
    options->strip = options->svg = true;
}

#define SETS(field) OPTION_SETS(struct train_options, field)
/* A setting of the plan, which a task's recipe has too. */
#define SETS_PLAN(field) SETS(plan.field), OPTION_GIVEN(struct train_options, setting)

enum { MOST_STEPS = 100000000, MOST_WIDTH = 1 << 16 };

static const struct option rows[] = {
    OPTIONS_COMMON(struct train_options),
    {.kind = OPTION_WORD,
     .name = "TASK",
     .value = NULL,
     .help = "previous, reverse, maximum, sort, recall, induction, fixed, brackets, modular or "
             "stories; "
             "without it, they are listed"},
    {OPTION_OWN, "--text", "FILE", "learns the next token of a text of your own", SETS(plan),
     .take = take_text},
    {OPTION_OWN, "--vocab", "letters|N", "of a text: its bytes, or its bytes and N merges",
     SETS_PLAN(n_merges), .take = take_vocab},
    {OPTION_NUMBER, "--context", "N", "of a text: how many tokens the model sees",
     SETS_PLAN(context), .low = 1, .high = MOST_WIDTH},
    {OPTION_NUMBER, "--steps", "N",
     "each of the following replaces what the recipe of the task says", SETS(plan.n_steps),
     .low = 1, .high = MOST_STEPS},
    {OPTION_OWN, "--lr", "X", "the learning rate", SETS_PLAN(lr), .take = take_rate},
    {OPTION_OWN, "--decay", "X", "the weight decay", SETS(plan),
     OPTION_GIVEN(struct train_options, setting), .take = take_decay},
    {OPTION_OWN, "--dropout", "X", "the probability of dropout", SETS_PLAN(dropout),
     .take = take_dropout},
    {OPTION_NUMBER, "--seed", "N", "of the first weights and of the batches", SETS_PLAN(seed),
     .high = UINT32_MAX},
    {OPTION_NUMBER, "--batch", "N", "sequences in a batch", SETS_PLAN(batch), .low = 1,
     .high = 1 << 20},
    {OPTION_NUMBER, "--layers", "N", "the number of layers", SETS_PLAN(n_layers), .low = 1,
     .high = 1000},
    {OPTION_NUMBER, "--heads", "N", "the heads of each layer", SETS_PLAN(n_heads), .low = 1,
     .high = 1000},
    {OPTION_NUMBER, "--width", "N", "d_model, a multiple of the heads", SETS_PLAN(d_model),
     .low = 1, .high = MOST_WIDTH},
    {OPTION_FLAG, "--no-mlp", NULL, "layers of attention alone", SETS_PLAN(no_mlp)},
    {OPTION_NUMBER, "--every", "N", "prints a line every N steps", SETS(every), .low = 1,
     .high = MOST_STEPS},
    {OPTION_NUMBER, "--save-every", "N",
     "saves every N steps, else every half minute, for the case of a power cut", SETS(save_every),
     .low = 1, .high = MOST_STEPS},
    {OPTION_TEXT, "--out", "FOLDER",
     "where the model is saved; without it, in a new folder named after the task", SETS(out)},
    {OPTION_TEXT, "--resume", "FOLDER",
     "goes on with a training that was stopped, exactly as if it had not been; with --steps N, up "
     "to "
     "step N",
     SETS(resume)},
    {OPTION_TEXT, "--film", "FILE",
     "writes the film of the training, its curves and snapshots; without a task, plays it again "
     "and "
     "trains nothing. --film modular is one that comes with attn: learnt by heart first, "
     "understood "
     "much later",
     SETS(film)},
    {OPTION_TEXT, "--exam", "FOLDER", "trains nothing: asks a model of stories what it knows",
     SETS(exam)},
    {OPTION_FLAG, "--by-head", NULL,
     "with --exam: where each head looks, and what is lost without it", SETS(asks_heads)},
    {OPTION_FLAG, "--strip", NULL,
     "prints six moments of the training with all heads, and its losses; saves nothing",
     SETS(strip)},
    {OPTION_OWN, "--svg", NULL, "the same as an SVG file", .take = take_svg},
    {OPTION_FLAG, "--json", NULL, "one JSON object a line, for scripts", SETS(json)},
    {OPTION_FLAG, "--plain", NULL, "lines, also at a terminal", SETS(plain)},
    {.kind = OPTION_END},
};

static int train_main(int argc, char **argv);

const struct subcommand train_command = {
    "train",
    "[TASK|--text FILE]",
    "a small model learns while you watch; saved as a GPT-2 folder",
    train_main,
    rows,
    .notes = "At a terminal the training is on the screen: Space pauses, Left looks back, b "
             "branches from "
             "there, v opens the model. Ctrl-C saves, and says how to go on.\n"
             "  attn train induction --seed 1",
};

/* A film without anything to be trained. */
static bool train_plays_film(const struct train_options *options)
{
    return options->film != NULL && options->plan.task[0] == '\0' &&
           options->plan.text[0] == '\0' && options->resume == NULL;
}

/* A task or a text is named. */
static bool train_has_source(const struct train_options *options)
{
    return options->plan.task[0] != '\0' || options->plan.text[0] != '\0';
}

/* What contradicts itself, or would be passed over in silence. */
static void check_options(const struct train_options *options)
{
    const char *setting = options->setting;
    bool is_text = options->plan.text[0] != '\0', opens = options->resume || options->exam;
    if (options->plan.task[0] != '\0' && is_text)
        usage_error("train: a task or --text, not both");
    if (options->resume != NULL && (setting != NULL || train_has_source(options)))
        usage_error("train: --resume goes on as the training was begun; only --steps may change");
    if (setting != NULL && !is_text &&
        (strcmp(setting, "--vocab") == 0 || strcmp(setting, "--context") == 0))
        usage_error("train: %s is for a text of your own, --text FILE", setting);
    if (!train_has_source(options) && !opens && options->film == NULL &&
        (setting != NULL || options->plan.n_steps > 0 || options->out != NULL || options->strip))
        usage_error("train: what is to be learnt? A task or --text FILE must be there, as attn "
                    "train induction; attn train lists the tasks");
    if (options->exam != NULL && options->json)
        usage_error("train: --exam prints lines; there is no --json of it");
    if (options->asks_heads && options->exam == NULL)
        usage_error("train: --by-head goes with --exam FOLDER");
    if (options->film != NULL && !train_plays_film(options) && path_is_file(options->film))
        usage_error("train: --film %s: is there already; attn train --film %s plays it",
                    options->film, options->film);
}

/* What was typed; what contradicts itself, or would be passed over in silence, ends the program. */
static struct train_options train_read_options(int argc, char **argv)
{
    struct train_options options = {.every = 0};
    if (options_read(&train_command, argc, argv, 1, &options) > 0)
        copy_text("the task", argv[1], options.plan.task, sizeof options.plan.task);
    check_options(&options);
    return options;
}

/* ---- train exam ---- */

/* attn train --exam FOLDER: what a model of stories knows, and what its heads do for it. */

enum { QUESTIONS = 1000, TWINS = 500, HEAD_QUESTIONS = 200 };

struct examined {
    struct grammar grammar;
    struct model *model;
    uint64_t seed;
};

/* ---- what it knows ---- */

static void print_result(const char *kind, const struct exam_result *result)
{
    double n = (double)(result->n > 0 ? result->n : 1);
    printf("%-16s %5zu asked   %5.1f %% right   %5.1f %% above the wrong one of two\n", kind,
           result->n, 100 * (double)result->right / n, 100 * (double)result->beats_rival / n);
}

static bool ask_all(const struct examined *examined, struct error *reterr)
{
    const struct grammar *grammar = &examined->grammar;
    struct exam_result result;
    for (unsigned i = 0; i < grammar->n_kinds; i++) {
        if (!exam_run(grammar, examined->model, grammar->kinds[i], examined->seed, QUESTIONS,
                      &result, reterr))
            return false;
        print_result(grammar->kinds[i], &result);
    }
    if (!exam_run_twins(grammar, examined->model, examined->seed, TWINS, &result, reterr))
        return false;
    print_result("minimal pairs", &result);
    return true;
}

/* ---- what its heads do ---- */

/* Points that are lost (100: all answers), and weights, from which something is said of a head. */
static const double matters = 20, hardly = 3, alone = 10, together = 50;

static const double looks_much = 0.5, looks = 0.4, looks_a_little = 0.1;

/* The heads of a model, by number: layer, then head. */
struct heads {
    size_t per_layer, n;
    const float *looks, *losses;
};

static struct cut cut_of(const struct heads *heads, size_t at)
{
    return (struct cut){CUT_HEAD, at / heads->per_layer, at % heads->per_layer};
}

static const char *remark(double weight, double lost)
{
    return weight > looks_much && lost > matters ? "looks, and matters"
           : weight > looks && lost < hardly     ? "looks, and does not matter"
           : lost > matters                      ? "matters, and looks elsewhere"
                                                 : "";
}

/* Heads that neither look nor matter are left out. */
static void print_heads(const struct heads *heads)
{
    size_t n_left_out = 0;
    for (size_t at = 0; at < heads->n; at++) {
        double weight = (double)heads->looks[at], lost = (double)heads->losses[at];
        const char *said = remark(weight, lost);
        struct cut cut = cut_of(heads, at);
        if (weight < looks_a_little && lost < hardly)
            n_left_out++;
        else
            printf("  L%zuH%zu  looks %.2f  lost %5.1f%s%s\n", cut.layer, cut.head, weight, lost,
                   said[0] != '\0' ? "   " : "", said);
    }
    printf("  %zu others  look < %.2f  lost < %.1f\n", n_left_out, looks_a_little, hardly);
}

static bool may_be_backed_up(const struct heads *heads, size_t at)
{
    return (double)heads->looks[at] >= looks_a_little && (double)heads->losses[at] < alone;
}

static bool print_pair(struct head_exam *exam, const struct heads *heads, size_t one, size_t other,
                       struct error *reterr)
{
    const struct cut cuts[2] = {cut_of(heads, one), cut_of(heads, other)};
    size_t right;
    if (!head_exam_right_without(exam, cuts, 2, &right, reterr))
        return false;
    double lost = 100 * ((double)exam->n_right - (double)right) / (double)exam->n;
    if (lost > together)
        printf("  L%zuH%zu and L%zuH%zu back each other up: both cut, lost %.1f\n", cuts[0].layer,
               cuts[0].head, cuts[1].layer, cuts[1].head, lost);
    return true;
}

static bool print_pairs(struct head_exam *exam, const struct heads *heads, struct error *reterr)
{
    for (size_t one = 0; one < heads->n; one++)
        for (size_t other = one + 1; other < heads->n; other++)
            if (may_be_backed_up(heads, one) && may_be_backed_up(heads, other) &&
                !print_pair(exam, heads, one, other, reterr))
                return false;
    return true;
}

static bool print_group(const struct examined *examined, const struct head_group *group,
                        struct head_exam *exam, struct error *reterr)
{
    struct tensor weights, losses;
    if (!head_exam_looks(exam, &weights, reterr))
        return false;
    bool ok = head_exam_losses(exam, &losses, reterr);
    if (ok) {
        const struct heads heads = {weights.shape[1], tensor_size(&weights), weights.data,
                                    losses.data};
        printf("%s: the %s that is meant, asked %s: %zu questions, %.1f %% right\n", group->kind,
               examined->grammar.classes[group->class].name,
               group->at_pronoun ? "at the pronoun" : "later", exam->n,
               100 * (double)exam->n_right / (double)exam->n);
        print_heads(&heads);
        ok = print_pairs(exam, &heads, reterr);
        (void)fflush(stdout);
        tensor_release(&losses);
    }
    tensor_release(&weights);
    return ok;
}

static bool ask_group(const struct examined *examined, const struct head_group *group,
                      struct error *reterr)
{
    struct head_exam exam;
    if (!head_exam_open(&examined->grammar, examined->model, group, examined->seed, HEAD_QUESTIONS,
                        &exam, reterr))
        return false;
    bool ok = exam.n == 0 || print_group(examined, group, &exam, reterr);
    head_exam_close(&exam);
    return ok;
}

static bool ask_heads(const struct examined *examined, struct error *reterr)
{
    const struct grammar *grammar = &examined->grammar;
    printf("looks: mean weight on the word that is meant, from the token that answers\n"
           "lost: right answers less in 100 when the head is cut (zeros in its place)\n");
    for (unsigned kind = 0; kind < grammar->n_kinds; kind++)
        for (unsigned class = 0; class < grammar->n_classes; class ++)
            for (int later = 0; later < 2; later++) {
                const struct head_group group = {grammar->kinds[kind], class, !later};
                if (!ask_group(examined, &group, reterr))
                    return false;
            }
    return true;
}

/* Prints what the model of a folder knows, or, asks_heads, what its heads look at and are needed
 * for. The exit code; a folder that is no model ends the program. */
static int train_exam(const char *folder, uint64_t seed, bool asks_heads)
{
    struct error error;
    struct examined examined = {.model = model_open(folder, &error), .seed = seed};
    if (examined.model == NULL)
        usage_error("train: %s", error.text);
    bool ok = grammar_open(data_dir(), "stories", &examined.grammar, &error);
    if (ok) {
        ok = asks_heads ? ask_heads(&examined, &error) : ask_all(&examined, &error);
        grammar_release(&examined.grammar);
    }
    if (!ok)
        fprintf(stderr, "attn: train: %s\n", error.text);
    model_free(examined.model);
    return ok && finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- train strip ---- */

/* attn train --strip: six moments of a training in one picture. */

/* Six moments of two heads side by side, each wide enough to see a stripe. */
enum { SVG_COLS = 184 };

static bool print_svg(const struct doc *doc)
{
    struct text svg = {0};
    doc_to_svg(doc, NULL, &svg);
    bool ok = !svg.failed && fwrite(text_string(&svg), 1, svg.size, stdout) == svg.size;
    text_release(&svg);
    return ok;
}

static bool print_strip(const struct doc *doc, const struct settings *settings, bool as_svg)
{
    return as_svg ? print_svg(doc) : print_doc(doc, settings);
}

/* All steps; Ctrl-C ends it with an error, for half a strip would say little. */
static bool show_film(struct film *film, const struct settings *settings, bool as_svg,
                      struct error *reterr)
{
    struct show_options options = settings_show_options(settings);
    struct doc out;
    if (as_svg)
        options = (struct show_options){.width_cols = SVG_COLS, .digits = 4, .colour = true};
    while (!film_is_done(film))
        if (!film_advance(film, reterr))
            return false;
    doc_init(&out);
    bool ok = film_strip_show(film, &options, &out, reterr) &&
              (print_strip(&out, settings, as_svg) ||
               error_set(reterr, ERR_FILE, "standard output can't be written"));
    doc_release(&out);
    return ok;
}

/* Takes the steps that are left and prints the strip (train/film_strip.h), as lines or as an SVG
 * file; nothing is saved. Returns the exit code. */
static int train_strip(struct film *film, const struct common_options *common, bool as_svg)
{
    struct settings settings = terminal_settings(common, STDOUT_FILENO);
    struct error error;
    interrupt_catch();
    if (show_film(film, &settings, as_svg, &error))
        return finish_output(true) ? EXIT_OK : EXIT_FAILED;
    fprintf(stderr, "attn: train: %s\n", error.text);
    return EXIT_FAILED;
}

/* ---- train screen ---- */

/* attn train on the full screen, and films that are played. */

struct train_showing {
    struct common_options common;
    const char *folder; /* where the model is saved */
    const char *film;   /* the file that the film is written to, or comes from; or NULL */
    bool is_played;     /* it comes from there */
    size_t save_every;  /* steps; 0: as often as the pane does */
};

/* ---- on the screen ---- */

/* Whether there is something that no file has yet. */
static bool is_new(const struct film *film, size_t n_before)
{
    return film->n_branches > 1 || film_count(film_newest(film)) > n_before;
}

static bool save(const struct film *film, const struct train_showing *showing, struct error *reterr)
{
    return film_keep(film, NULL, showing->folder, reterr) &&
           (showing->film == NULL || showing->is_played || film_save(film, showing->film, reterr));
}

static void say_saved(const struct film *film, const struct train_showing *showing)
{
    const char *folder = showing->folder;
    if (film_is_done(film))
        printf("saved in %s; look at it with attn view %s\n", folder, folder);
    else
        printf("stopped after %zu steps, and saved; attn train --resume %s goes on\n",
               film_count(film_newest(film)), folder);
    if (showing->film != NULL && !showing->is_played)
        printf("attn train --film %s plays it again\n", showing->film);
}

static void say_left(const struct film *film, const struct train_showing *showing, bool saved)
{
    size_t n = film_count(film_newest(film));
    if (saved)
        printf("left after %zu steps; what w saved is kept, and nothing else\n", n);
    else if (path_is_folder(showing->folder))
        printf("left after %zu steps; the last save is in %s\n", n, showing->folder);
    else
        printf("left after %zu steps; nothing was saved\n", n);
}

/* Shows the training of a film, and goes on with it; saves what was learnt, unless somebody leaves
 * without. Returns the exit code. */
static int train_on_screen(struct film *film, const struct train_showing *showing)
{
    struct error error;
    bool left = false, saved = false;
    size_t n_before = film_count(film_newest(film));
    const struct training_start start = {.film = film,
                                         .folder = showing->folder,
                                         .is_played = showing->is_played,
                                         .save_every = showing->save_every,
                                         .ret_left = &left,
                                         .ret_saved = &saved};
    const struct opening opening = {.common = showing->common, .training = &start};
    bool ok = opening_show_screen(&opening, &error);
    if (ok && left)
        say_left(film, showing, saved);
    else if (ok && is_new(film, n_before)) {
        ok = save(film, showing, &error);
        if (ok)
            say_saved(film, showing);
    }
    if (!ok)
        fprintf(stderr, "attn: train: %s\n", error.text);
    return ok && finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- as lines ---- */

static void print_frame(const struct film *film, const struct film_frame *frame)
{
    char loss[32] = "-"; /* no loss is known before the first step */
    if (frame->step > film->branches[0].begin)
        snprintf(loss, sizeof loss, "%.4f", film_loss(film, 0, frame->step));
    printf("%6zu/%-6u %8s %10.4f %7.1f %%", frame->step, film->branches[0].recipe.n_steps, loss,
           frame->held_out.loss, 100 * frame->held_out.right);
    if (frame->untrained.n > 0)
        printf(" %13.1f %%", 100 * frame->untrained.right);
    printf("\n");
}

static void print_frame_json(const struct film *film, const struct film_frame *frame)
{
    printf("{\"step\": %zu, ", frame->step);
    if (frame->step > film->branches[0].begin) {
        printf("\"loss\": ");
        train_print_number(film_loss(film, 0, frame->step), 6);
        printf(", ");
    }
    printf("\"held_out_loss\": ");
    train_print_number(frame->held_out.loss, 6);
    printf(", \"held_out_right\": %.4f", frame->held_out.right);
    if (frame->untrained.n > 0)
        printf(", \"untrained_right\": %.4f", frame->untrained.right);
    printf("}\n");
}

/* The film as lines, one a snapshot. Returns the exit code. */
static int train_print_film(const struct film *film, bool json)
{
    const struct film_branch *branch = &film->branches[0];
    if (!json)
        printf("%s, seed %llu: a film; nothing is trained\n"
               "   step           loss   held out     right%s\n",
               branch->source->name, (unsigned long long)branch->seed,
               branch->source->has_untrained ? "  other lengths" : "");
    for (size_t i = 0; i < branch->n_frames; i++)
        (json ? print_frame_json : print_frame)(film, &branch->frames[i]);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- train ---- */

/* ---- the tasks ---- */

/* On a terminal, a summary that is too long goes on below itself. */
static void print_task(const char *name, const char *summary)
{
    enum { SUMMARY_COLUMN = 13, MIN_WIDTH = 40 };
    size_t width = terminal_width(1);
    struct text line = {0};
    struct doc doc;
    doc_init(&doc);
    options_help_row(&doc, name, summary, SUMMARY_COLUMN, width >= MIN_WIDTH ? width : SIZE_MAX);
    doc_to_plain(&doc, &line);
    fputs(text_string(&line), stdout);
    text_release(&line);
    doc_release(&doc);
}

static void list_task(const char *name, const char *summary, bool json)
{
    if (!json) {
        print_task(name, summary);
        return;
    }
    json_t *line = json_pack("{s:s, s:s}", "task", name, "summary", summary);
    char *text = line != NULL ? json_dumps(line, 0) : NULL;
    if (text != NULL)
        puts(text);
    free(text);
    json_decref(line);
}

static int list_tasks(bool json)
{
    for (size_t i = 0; i < n_tasks; i++)
        list_task(tasks[i].name, tasks[i].summary, json);
    list_task("stories", "tell stories, and know who \"it\" and \"she\" are", json);
    if (!json)
        printf("Train one: attn train %s\n"
               "Play one that was filmed: attn train --film modular\n",
               tasks[0].name);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- the run ---- */

/* Is there no training in the folder, or one of the same plan, which comes to the same? */
static bool may_replace(const char *folder, const struct training_plan *plan)
{
    struct training_plan old;
    struct error error;
    if (!checkpoint_plan(folder, &old, &error))
        return true;
    old.digest = plan->digest;
    char *one = plan_to_text(&old), *other = plan_to_text(plan);
    bool same = one != NULL && other != NULL && strcmp(one, other) == 0;
    free(one);
    free(other);
    return same;
}

/* Whether the folder, and the film, can be made: else that is found out when all is learnt. A model
 * that no training of attn's made is left alone, and so is another training. */
static void check_folder(const struct train_options *options, const char *folder)
{
    char model[4096], training[4096];
    int problem = folder_can_be_filled(folder);
    if (problem != 0)
        usage_error("train: %s: nothing can be saved there: %s; --out FOLDER says where else",
                    folder, strerror(problem));
    if (options->out != NULL && path_join(model, sizeof model, folder, "config.json") &&
        path_join(training, sizeof training, folder, "training.safetensors") &&
        path_is_file(model) && !path_is_file(training))
        usage_error("train: %s: there is a model already that was not trained here; --out FOLDER "
                    "says where else",
                    folder);
    if (options->out != NULL && !may_replace(folder, &options->plan))
        usage_error(
            "train: %s: another training is saved there; --resume %s goes on with it, --out "
            "FOLDER says where else",
            folder, folder);
    if (options->film != NULL && (problem = folder_can_hold(options->film)) != 0)
        usage_error("train: --film %s: can't be saved: %s", options->film, strerror(problem));
}

/* Where the model goes: what was said, or a folder that is not there yet. */
static bool choose_folder(const struct train_options *options, const struct film *film, char *path,
                          size_t capacity)
{
    const char *said = options->out != NULL ? options->out : options->resume;
    if (said == NULL)
        return film_folder(film, path, capacity);
    return snprintf(path, capacity, "%s", said) < (int)capacity;
}

#define SAVE_NS UINT64_C(30000000000) /* between two savings, unless --save-every says */

struct lines_run {
    struct film *film;
    const struct train_options *options;
    const char *folder;
    struct train_report report;
    uint64_t saved_ns;
    bool is_stopped; /* Ctrl-C came; what was learnt counts */
};

/* Saves now and then. What can't be saved now may be later, and ends no training. */
static void save_now_and_then(struct lines_run *run)
{
    const struct train_options *options = run->options;
    struct training *training = run->film->training;
    struct error error;
    bool is_due = options->save_every > 0 ? training_count(training) % options->save_every == 0
                                          : clock_ns() - run->saved_ns > SAVE_NS;
    if (!is_due)
        return;
    if (!checkpoint_save(training, &options->plan, run->folder, &error))
        fprintf(stderr, "attn: train: %s; it goes on, and will be tried again\n", error.text);
    run->saved_ns = clock_ns();
}

static bool take_one(struct lines_run *run, struct error *reterr)
{
    struct film *film = run->film;
    return run->options->film != NULL ? film_advance(film, reterr)
                                      : training_step(film->training, reterr);
}

/* All steps that are left. */
static bool take_steps(struct lines_run *run, struct error *reterr)
{
    struct training *training = run->film->training;
    size_t n = training->recipe.n_steps, before = training_count(training);
    size_t every = run->options->every > 0 ? run->options->every : n / 20 + (n < 20);
    while (run->options->film != NULL ? !film_is_done(run->film) : training_count(training) < n) {
        if (!take_one(run, reterr)) {
            run->is_stopped = interrupt_flag != 0;
            return run->is_stopped;
        }
        size_t count = training_count(training);
        if (count == before)
            continue;
        before = count;
        if ((count % every == 0 || count == n) && !train_report_line(&run->report, reterr)) {
            run->is_stopped = interrupt_flag != 0;
            return run->is_stopped;
        }
        train_report_bar(&run->report);
        save_now_and_then(run);
    }
    return true;
}

static void say_model_saved(const struct lines_run *run)
{
    const struct training *training = run->film->training;
    if (run->is_stopped)
        printf("stopped after %zu steps, and saved; attn train --resume %s goes on\n",
               training_count(training), run->folder);
    else if (training_count(training) == run->report.n_before)
        printf("all %zu steps are taken; attn train --resume %s --steps %zu takes as many more\n",
               training_count(training), run->folder, 2 * training_count(training));
    else
        printf("saved in %s; look at it with attn view %s\n", run->folder, run->folder);
}

static bool save_all(const struct lines_run *run, struct error *reterr)
{
    const char *film = run->options->film;
    return film_keep(run->film, NULL, run->folder, reterr) &&
           (film == NULL || film_save(run->film, film, reterr));
}

/* What was learnt is told also where it can't be saved. */
static bool run_lines(struct lines_run *run, struct error *reterr)
{
    const struct train_options *options = run->options;
    struct error error;
    if (!train_report_begin(run->film->training, &options->common, options->json, &run->report,
                            reterr) ||
        !take_steps(run, reterr))
        return false;
    bool is_saved = save_all(run, reterr);
    if (run->is_stopped || train_report_end(&run->report, is_saved ? reterr : &error))
        return is_saved;
    return false;
}

static int run(struct film *film, const struct train_options *options, const char *folder)
{
    struct lines_run run = {
        .film = film, .options = options, .folder = folder, .saved_ns = clock_ns()};
    struct error error;
    interrupt_catch_all();
    if (!run_lines(&run, &error)) {
        (void)fflush(stdout);
        fprintf(stderr, "attn: train: %s\n", error.text);
        return EXIT_FAILED;
    }
    if (!options->json)
        say_model_saved(&run);
    int code = finish_output(true) ? EXIT_OK : EXIT_FAILED;
    end_by_signal(interrupt_flag != SIGINT ? interrupt_flag : 0);
    return code;
}

/* ---- what there is to do ---- */

static bool wants_screen(const struct train_options *options)
{
    return !options->plain && !options->json && opening_has_screen();
}

/* The film that is played, or a new one of the plan, with what was learnt before. */
static struct film *open_film(const struct train_options *options)
{
    char path[4096];
    const volatile sig_atomic_t *stop = wants_screen(options) ? &news_came : &interrupt_flag;
    struct source *source = NULL;
    struct training *training = NULL;
    struct film *film = NULL;
    struct error error;
    bool ok = train_plays_film(options)
                  ? film_open(film_path(options->film, data_dir(), path, sizeof path), data_dir(),
                              stop, &film, &error)
                  : plan_open(&options->plan, data_dir(), stop, &source, &training, &error);
    if (!ok)
        usage_error("train: %s", error.text);
    if (train_plays_film(options))
        return film;
    ok = options->resume == NULL || checkpoint_load(training, options->resume, &error);
    if (!ok) {
        training_free(training);
        source_free(source);
    }
    ok = ok && film_new(&options->plan, source, training, data_dir(), &film, &error);
    if (!ok)
        fprintf(stderr, "attn: train: %s\n", error.text);
    return ok ? film : NULL;
}

static int show(struct film *film, const struct train_options *options, const char *folder)
{
    const struct train_showing showing = {.common = options->common,
                                          .folder = folder,
                                          .film = options->film,
                                          .is_played = train_plays_film(options),
                                          .save_every = options->save_every};
    if (wants_screen(options))
        return train_on_screen(film, &showing);
    return train_plays_film(options) ? train_print_film(film, options->json)
                                     : run(film, options, folder);
}

/* The plan of the training that goes on; --steps may be said anew. */
static void read_plan(struct train_options *options)
{
    struct error error;
    uint64_t n_steps = options->plan.n_steps;
    if (!checkpoint_plan(options->resume, &options->plan, &error))
        usage_error("train: %s", error.text);
    if (n_steps > 0)
        options->plan.n_steps = n_steps;
}

static int train_main(int argc, char **argv)
{
    struct train_options options = train_read_options(argc, argv);
    char folder[4096];
    if (options.exam != NULL)
        return train_exam(options.exam, options.plan.seed, options.asks_heads);
    if (options.resume != NULL)
        read_plan(&options);
    if (!train_has_source(&options) && options.film == NULL)
        return list_tasks(options.json);
    struct film *film = open_film(&options);
    if (film == NULL)
        return EXIT_FAILED;
    int code = EXIT_FAILED;
    if (options.strip)
        code = train_strip(film, &options.common, options.svg);
    else if (choose_folder(&options, film, folder, sizeof folder)) {
        if (!train_plays_film(&options))
            check_folder(&options, folder);
        code = show(film, &options, folder);
    } else
        fprintf(stderr, "attn: train: the folder's name is too long\n");
    film_free(film);
    return code;
}
