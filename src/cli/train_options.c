/* See train_options.h. */
#include "cli/train_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/path.h"

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
    "                       task, plays it again and trains nothing; --film modular is one that\n"
    "                       ships with attn: learnt by heart first, understood much later\n"
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

bool train_plays_film(const struct train_options *options)
{
    return options->film != NULL && options->plan.task[0] == '\0' &&
           options->plan.text[0] == '\0' && options->resume == NULL;
}

bool train_has_source(const struct train_options *options)
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
        usage_error("train: --resume goes on as the training was begun; only --steps may be said "
                    "anew");
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

struct train_options train_read_options(int argc, char **argv)
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
            unknown_option("train", train_help, arg);
        else if (options.plan.task[0] != '\0')
            usage_error("train: %s: one task may stand here", arg);
        else
            copy_text("the task", arg, options.plan.task, sizeof options.plan.task);
    }
    check_options(&options);
    return options;
}
