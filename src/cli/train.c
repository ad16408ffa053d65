/* attn train: a small model learns; its progress as lines. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opening.h"
#include "cli/train_exam.h"
#include "cli/train_report.h"
#include "cli/train_screen.h"
#include "cli/train_strip.h"
#include "files/clock.h"
#include "files/folder.h"
#include "files/path.h"
#include "kernel/threads.h"
#include "task/task.h"
#include "train/film.h"
#include "ui/terminal/news.h"

const char train_help[] =
    "  TASK                 previous, reverse, maximum, sort, recall, induction, fixed, brackets,\n"
    "                       modular or stories; without it, they are listed\n"
    "  --text FILE          learns the next token of a text of your own\n"
    "  --vocab letters|N    of a text: its bytes, or they and N merges\n"
    "  --steps N --lr X --decay X --seed N --batch N --layers N --heads N --width N --no-mlp\n"
    "  --context N --dropout X\n"
    "                       in place of what the task's own recipe has\n"
    "  --every N            a line each N steps\n"
    "  --save-every N       saves each N steps, else each half minute: what a power cut leaves\n"
    "  --out FOLDER         where the model is saved; without it, in a new folder named after the\n"
    "                       task\n"
    "  --resume FOLDER      goes on with a training that was stopped, as if it had not been; with\n"
    "                       --steps N it goes on to step N\n"
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
    const char *setting;      /* the last one that is part of the plan, but --steps; or NULL */
    bool json, plain, asks_heads, strip, svg;
};

/* ---- options ---- */

static bool read_number(const char *value, double *ret)
{
    char *end;
    *ret = strtod(value, &end);
    return end != value && *end == '\0' && isfinite(*ret);
}

static double option_rate(const char *value)
{
    double rate;
    if (!read_number(value, &rate) || rate <= 0)
        usage_error("train: --lr %s: it must be a number above 0, such as 3e-3", value);
    return rate;
}

static void take_decay(const char *value, struct training_plan *plan)
{
    if (!read_number(value, &plan->decay) || plan->decay < 0)
        usage_error("train: --decay %s: it must be 0 or a number above it, such as 0.01", value);
    plan->no_decay = plan->decay == 0;
}

static double option_dropout(const char *value)
{
    double p;
    if (!read_number(value, &p) || p < 0 || p >= 1)
        usage_error("train: --dropout %s: it must be 0 or more and less than 1, such as 0.1",
                    value);
    return p;
}

/* How many merges, or none for letters. */
static uint64_t option_vocab(const char *value)
{
    double number;
    if (strcmp(value, "letters") == 0)
        return 0;
    if (!read_number(value, &number))
        usage_error("train: --vocab %s: it takes letters, or a number of merges, such as 512",
                    value);
    return option_number("train", "--vocab", value, 1, 1 << 20);
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
        if (numbers[i].to != &plan->n_steps)
            options->setting = numbers[i].name;
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

/* Options that say how to train, beside whole numbers. */
static bool take_setting(int argc, char **argv, int *at, struct train_options *options)
{
    const char *value = "", *name = argv[*at];
    struct training_plan *plan = &options->plan;
    if (strcmp(name, "--no-mlp") == 0)
        plan->no_mlp = true;
    else if ((value = option_value(argc, argv, at, name = "--vocab")) != NULL)
        plan->n_merges = option_vocab(value);
    else if ((value = option_value(argc, argv, at, name = "--lr")) != NULL)
        plan->lr = option_rate(value);
    else if ((value = option_value(argc, argv, at, name = "--decay")) != NULL)
        take_decay(value, plan);
    else if ((value = option_value(argc, argv, at, name = "--dropout")) != NULL)
        plan->dropout = option_dropout(value);
    if (value != NULL)
        options->setting = name;
    return value != NULL;
}

static bool take_text(int argc, char **argv, int *at, struct train_options *options)
{
    const char *value;
    if ((value = option_value(argc, argv, at, "--text")) != NULL)
        copy_text("--text", value, options->plan.text, sizeof options->plan.text);
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

static bool has_source(const struct train_options *options)
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
    if (options->resume != NULL && (setting != NULL || has_source(options)))
        usage_error("train: --resume goes on as the training was begun; only --steps may be said "
                    "anew");
    if (setting != NULL && !is_text &&
        (strcmp(setting, "--vocab") == 0 || strcmp(setting, "--context") == 0))
        usage_error("train: %s is for a text of your own, --text FILE", setting);
    if (!has_source(options) && !opens && options->film == NULL &&
        (setting != NULL || options->plan.n_steps > 0 || options->out != NULL || options->strip))
        usage_error("train: what is to be learnt? A task or --text FILE must be there, as attn "
                    "train induction; attn train lists the tasks");
    if (options->asks_heads && options->exam == NULL)
        usage_error("train: --by-head goes with --exam FOLDER");
    if (options->film != NULL && !plays_film(options) && path_is_file(options->film))
        usage_error("train: --film %s: is there already; attn train --film %s plays it",
                    options->film, options->film);
}

static struct train_options read_options(int argc, char **argv)
{
    struct train_options options = {.every = 0};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (common_option(argc, argv, &i, &options.common) ||
            take_number(argc, argv, &i, &options) || take_setting(argc, argv, &i, &options) ||
            take_text(argc, argv, &i, &options))
            continue;
        if (strcmp(arg, "--json") == 0)
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
    check_options(&options);
    return options;
}

/* ---- the tasks ---- */

static void list_task(const char *name, const char *summary, bool json)
{
    if (!json) {
        printf("%-12s %s\n", name, summary);
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
        printf("Train one: attn train %s\n", tasks[0].name);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- the run ---- */

/* Whether the folder, and the film, can be made: else that is found out when all is learnt. A model
 * that no training of attn's made is left alone. */
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
    if (options->film != NULL && (problem = folder_can_hold(options->film)) != 0)
        usage_error("train: --film %s: can't be saved: %s", options->film, strerror(problem));
}

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

static void say_saved(const struct lines_run *run)
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
    interrupt_catch();
    if (!run_lines(&run, &error)) {
        fflush(stdout);
        fprintf(stderr, "attn: train: %s\n", error.text);
        return EXIT_FAILED;
    }
    if (!options->json)
        say_saved(&run);
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

int train_main(int argc, char **argv)
{
    struct train_options options = read_options(argc, argv);
    char folder[4096];
    if (options.exam != NULL)
        return train_exam(options.exam, options.plan.seed, options.asks_heads);
    if (options.resume != NULL)
        read_plan(&options);
    if (!has_source(&options) && options.film == NULL)
        return list_tasks(options.json);
    struct film *film = open_film(&options);
    if (film == NULL)
        return EXIT_FAILED;
    int code = EXIT_FAILED;
    if (options.strip)
        code = train_strip(film, &options.common, options.svg);
    else if (choose_folder(&options, film->training->source, folder, sizeof folder)) {
        if (!plays_film(&options))
            check_folder(&options, folder);
        code = show(film, &options, folder);
    } else
        fprintf(stderr, "attn: train: the folder's name is too long\n");
    film_free(film);
    return code;
}
