/* attn train: a small model learns; its progress as lines. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opening.h"
#include "cli/train_exam.h"
#include "cli/train_screen.h"
#include "cli/train_strip.h"
#include "files/clock.h"
#include "files/path.h"
#include "kernel/threads.h"
#include "show/number.h"
#include "task/task.h"
#include "train/film.h"
#include "ui/terminal/news.h"

const char train_help[] =
    "  TASK                 previous, reverse, maximum, sort, recall, induction, fixed, brackets,\n"
    "                       modular or stories; without it, they are listed\n"
    "  --text FILE          learns the next token of a text of your own\n"
    "  --vocab letters|N    of a text: its bytes, or they and N merges\n"
    "  --steps N --lr X --decay X --seed N --batch N --layers N --heads N --width N --no-mlp\n"
    "  --context N\n"
    "                       in place of what the task's own recipe has\n"
    "  --every N            a line each N steps\n"
    "  --save-every N       saves each N steps, else each half minute: what a power cut leaves\n"
    "  --out FOLDER         where the model is saved; without it, in a new folder named after the\n"
    "                       task\n"
    "  --resume FOLDER      goes on with a training that was stopped, as if it had not been\n"
    "  --film FILE          writes the film of the training: its curves and snapshots; without a\n"
    "                       task, plays it again and trains nothing: for what takes hours, as\n"
    "                       modular does\n"
    "  --exam FOLDER        trains nothing: asks a model of stories what it knows\n"
    "  --by-head            with --exam: where each head looks, and what is lost without it\n"
    "  --strip              prints six moments of the training with all heads, and its losses;\n"
    "                       saves nothing\n"
    "  --svg                the same as an SVG file\n"
    "  --json               one JSON object a line, for scripts\n"
    "  --plain              lines, also at a terminal\n"
    "At a terminal the training is on the screen: Space pauses, Left looks back, b branches from\n"
    "there, v opens the model. Ctrl-C saves, and says how to go on.\n"
    "  attn train induction --seed 1\n";

struct train_options {
    struct common_options common;
    struct training_plan plan;
    const char *out, *resume, *exam, *film;
    size_t every, save_every; /* steps; 0: not said */
    bool json, plain, asks_heads, strip, svg;
};

/* ---- options ---- */

static double option_rate(const char *name, const char *value)
{
    char *end;
    double rate = strtod(value, &end);
    if (end == value || *end != '\0' || !(rate > 0 && isfinite(rate)))
        usage_error("train: %s %s: it must be a number above 0, such as 3e-3", name, value);
    return rate;
}

/* Options that are whole numbers, and where each goes. */
static bool take_number(int argc, char **argv, int *at, struct train_options *options)
{
    struct training_plan *plan = &options->plan;
    const struct {
        const char *name;
        uint64_t *to;
        uint64_t low, high;
    } numbers[] = {
        {"--steps", &plan->n_steps, 1, 100000000}, {"--seed", &plan->seed, 0, UINT32_MAX},
        {"--batch", &plan->batch, 1, 1 << 20},     {"--layers", &plan->n_layers, 1, 1000},
        {"--heads", &plan->n_heads, 1, 1000},      {"--width", &plan->d_model, 1, 1 << 16},
        {"--context", &plan->context, 1, 1 << 16},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *value = option_value(argc, argv, at, numbers[i].name);
        if (value == NULL)
            continue;
        *numbers[i].to =
            option_number("train", numbers[i].name, value, numbers[i].low, numbers[i].high);
        return true;
    }
    return false;
}

static void copy_text(const char *what, const char *from, char *to, size_t capacity)
{
    if (strlen(from) >= capacity)
        usage_error("train: %s: %.40s... is too long", what, from);
    snprintf(to, capacity, "%s", from);
}

static bool take_text(int argc, char **argv, int *at, struct train_options *options)
{
    const char *value;
    if ((value = option_value(argc, argv, at, "--text")) != NULL)
        copy_text("--text", value, options->plan.text, sizeof options->plan.text);
    else if ((value = option_value(argc, argv, at, "--vocab")) != NULL)
        options->plan.n_merges = strcmp(value, "letters") == 0
                                     ? 0
                                     : option_number("train", "--vocab", value, 1, 1 << 20);
    else if ((value = option_value(argc, argv, at, "--lr")) != NULL)
        options->plan.lr = option_rate("--lr", value);
    else if ((value = option_value(argc, argv, at, "--decay")) != NULL)
        options->plan.decay = option_rate("--decay", value);
    else if ((value = option_value(argc, argv, at, "--every")) != NULL)
        options->every = option_number("train", "--every", value, 1, 100000000);
    else if ((value = option_value(argc, argv, at, "--save-every")) != NULL)
        options->save_every = option_number("train", "--save-every", value, 1, 100000000);
    else if ((value = option_value(argc, argv, at, "--out")) != NULL)
        options->out = value;
    else if ((value = option_value(argc, argv, at, "--resume")) != NULL)
        options->resume = value;
    else if ((value = option_value(argc, argv, at, "--film")) != NULL)
        options->film = value;
    else if ((value = option_value(argc, argv, at, "--exam")) != NULL)
        options->exam = value;
    return value != NULL;
}

/* A film without anything to be trained. */
static bool plays_film(const struct train_options *options)
{
    return options->film != NULL && options->plan.task[0] == '\0' &&
           options->plan.text[0] == '\0' && options->resume == NULL;
}

static struct train_options read_options(int argc, char **argv)
{
    struct train_options options = {.every = 0};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (common_option(argc, argv, &i, &options.common) ||
            take_number(argc, argv, &i, &options) || take_text(argc, argv, &i, &options))
            continue;
        if (strcmp(arg, "--no-mlp") == 0)
            options.plan.no_mlp = true;
        else if (strcmp(arg, "--json") == 0)
            options.json = true;
        else if (strcmp(arg, "--by-head") == 0)
            options.asks_heads = true;
        else if (strcmp(arg, "--plain") == 0)
            options.plain = true;
        else if (strcmp(arg, "--strip") == 0)
            options.strip = true;
        else if (strcmp(arg, "--svg") == 0)
            options.strip = options.svg = true;
        else if (arg[0] == '-')
            usage_error("train: %s: no such option; attn train --help lists them", arg);
        else if (options.plan.task[0] != '\0')
            usage_error("train: %s: one task may stand here", arg);
        else
            copy_text("the task", arg, options.plan.task, sizeof options.plan.task);
    }
    if (options.plan.task[0] != '\0' && options.plan.text[0] != '\0')
        usage_error("train: a task or --text, not both");
    if (options.film != NULL && !plays_film(&options) && path_is_file(options.film))
        usage_error("train: --film %s: is there already; attn train --film %s plays it",
                    options.film, options.film);
    return options;
}

/* ---- what is printed ---- */

static int list_tasks(void)
{
    for (size_t i = 0; i < n_tasks; i++)
        printf("%-12s %s\n", tasks[i].name, tasks[i].summary);
    printf("%-12s %s\n", "stories", "tell stories, and know who \"it\" and \"she\" are");
    printf("Train one: attn train %s\n", tasks[0].name);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

static void print_beginning(const struct training *training, const struct train_options *options)
{
    const struct recipe *recipe = &training->recipe;
    char total[NUMBER_TEXT];
    if (options->json)
        return;
    printf("%s: %u %s x %u %s, %u wide, %s, %s numbers\n"
           "%u steps of %u sequences, seed %llu; held out: never drawn in training\n",
           training->source->name, recipe->n_layers, recipe->n_layers == 1 ? "layer" : "layers",
           recipe->n_heads, recipe->n_heads == 1 ? "head" : "heads", recipe->d_model,
           recipe->d_mlp > 0 ? "with MLPs" : "attention only",
           number_grouped(trainer_total(training->trainer), total), recipe->n_steps, recipe->batch,
           (unsigned long long)training->seed);
    printf("   step           loss   held out     right%s        time\n",
           training->source->has_untrained ? "  other lengths" : "");
}

struct progress_line {
    struct score held_out, untrained;
    double seconds;
};

static void print_json(const struct training *training, const struct progress_line *line)
{
    printf("{\"step\": %zu, \"loss\": %.6g, \"held_out_loss\": %.6g, \"held_out_right\": %.4f",
           training_count(training), training->loss, line->held_out.loss, line->held_out.right);
    if (training->source->has_untrained)
        printf(", \"untrained_right\": %.4f", line->untrained.right);
    printf(", \"seconds\": %.2f}\n", line->seconds);
}

static void print_plain(const struct training *training, const struct progress_line *line)
{
    printf("%6zu/%-6u %8.4f %10.4f %7.1f %%", training_count(training), training->recipe.n_steps,
           training->loss, line->held_out.loss, 100 * line->held_out.right);
    if (training->source->has_untrained)
        printf(" %13.1f %%", 100 * line->untrained.right);
    printf(" %9.1f s\n", line->seconds);
}

/* One line: the loss of the last step, and what is right in sequences that were not trained. */
static bool print_progress(const struct training *training, const struct train_options *options,
                           uint64_t start_ns, struct error *reterr)
{
    enum { BATCHES = 4 };
    struct progress_line line = {.seconds = 1e-9 * (double)(clock_ns() - start_ns)};
    if (!training_score(training, SPLIT_HELD_OUT, BATCHES, &line.held_out, reterr) ||
        (training->source->has_untrained &&
         !training_score(training, SPLIT_UNTRAINED, BATCHES, &line.untrained, reterr)))
        return false;
    if (options->json)
        print_json(training, &line);
    else
        print_plain(training, &line);
    fflush(stdout);
    return true;
}

/* ---- the run ---- */

/* Where the model goes: what was said, or a folder that is not there yet. */
static bool choose_folder(const struct train_options *options, const struct source *source,
                          char *path, size_t capacity)
{
    const char *name = path_base_name(source->name);
    if (options->out != NULL || options->resume != NULL)
        return snprintf(path, capacity, "%s", options->out ? options->out : options->resume) <
               (int)capacity;
    for (unsigned i = 1; i < 10000; i++) {
        snprintf(path, capacity, i == 1 ? "%.60s-model" : "%.60s-model-%u", name, i);
        if (!path_is_folder(path) && !path_is_file(path))
            return true;
    }
    return false;
}

#define SAVE_NS UINT64_C(30000000000) /* between two savings, unless --save-every says */

/* All steps that are left. *ret_stopped: Ctrl-C came; what was learnt counts. */
static bool take_steps(struct film *film, const struct train_options *options, const char *folder,
                       bool *ret_stopped, struct error *reterr)
{
    uint64_t start = clock_ns(), saved = start;
    struct training *training = film->training;
    size_t n = training->recipe.n_steps, before = training_count(training);
    size_t every = options->every > 0 ? options->every : n / 20 + (n < 20);
    while (options->film != NULL ? !film_is_done(film) : training_count(training) < n) {
        bool ok =
            options->film != NULL ? film_advance(film, reterr) : training_step(training, reterr);
        if (!ok) {
            *ret_stopped = interrupt_flag != 0;
            return *ret_stopped;
        }
        size_t count = training_count(training);
        bool prints = count > before && (count % every == 0 || count == n);
        before = count;
        if (prints && !print_progress(training, options, start, reterr))
            return false;
        if (options->save_every > 0 ? count % options->save_every == 0
                                    : clock_ns() - saved > SAVE_NS) {
            if (!checkpoint_save(training, &options->plan, folder, reterr))
                return false;
            saved = clock_ns();
        }
    }
    return true;
}

static int run(struct film *film, const struct train_options *options, const char *folder)
{
    struct training *training = film->training;
    struct error error;
    bool stopped = false;
    interrupt_catch();
    print_beginning(training, options);
    bool ok = take_steps(film, options, folder, &stopped, &error) &&
              film_keep(film, NULL, folder, &error) &&
              (options->film == NULL || film_save(film, options->film, &error));
    if (!ok) {
        fprintf(stderr, "attn: train: %s\n", error.text);
        return EXIT_FAILED;
    }
    if (!options->json && stopped)
        printf("stopped after %zu steps, and saved; attn train --resume %s goes on\n",
               training_count(training), folder);
    else if (!options->json)
        printf("saved in %s; look at it with attn view %s\n", folder, folder);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- what there is to do ---- */

static bool wants_screen(const struct train_options *options)
{
    return !options->plain && !options->json && opening_has_screen();
}

/* The film that is played, or a new one of the plan, with what was learnt before. */
static struct film *open_film(const struct train_options *options)
{
    const volatile sig_atomic_t *stop = wants_screen(options) ? &news_came : &interrupt_flag;
    struct source *source;
    struct training *training;
    struct film *film;
    struct error error;
    bool ok = plays_film(options)
                  ? film_open(options->film, data_dir(), stop, &film, &error)
                  : plan_open(&options->plan, data_dir(), stop, &source, &training, &error);
    if (!ok)
        usage_error("train: %s", error.text);
    if (plays_film(options))
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
                                          .is_played = plays_film(options)};
    if (wants_screen(options))
        return train_on_screen(film, &showing);
    return plays_film(options) ? train_print_film(film, options->json) : run(film, options, folder);
}

int train_main(int argc, char **argv)
{
    struct train_options options = read_options(argc, argv);
    struct error error;
    char folder[4096];
    if (options.exam != NULL)
        return train_exam(options.exam, options.plan.seed, options.asks_heads);
    if (options.resume != NULL && !checkpoint_plan(options.resume, &options.plan, &error))
        usage_error("train: %s", error.text);
    if (options.plan.task[0] == '\0' && options.plan.text[0] == '\0' && options.film == NULL)
        return list_tasks();
    struct film *film = open_film(&options);
    if (film == NULL)
        return EXIT_FAILED;
    int code = EXIT_FAILED;
    if (options.strip)
        code = train_strip(film, &options.common, options.svg);
    else if (choose_folder(&options, film->training->source, folder, sizeof folder))
        code = show(film, &options, folder);
    else
        fprintf(stderr, "attn: train: the folder's name is too long\n");
    film_free(film);
    return code;
}
