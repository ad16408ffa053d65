/* The table of tasks, and batches of them: see task.h. */
#include "task/task_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "base/suggestion.h"
#include "tensor/random.h"

/* What the recipes have in common. */
#define RECIPE(...)                                                     \
    {                                                                   \
        .positions = "learned", .init = "torch", .clip = 1, __VA_ARGS__ \
    }
#define ADAMW(decay)                                                    \
    {                                                                   \
        .beta1 = 0.9, .beta2 = 0.98, .eps = 1e-8, .weight_decay = decay \
    }
#define RATE(rate)                                             \
    {                                                          \
        .kind = SCHEDULE_CONSTANT, .lr = rate, .n_warm_up = 50 \
    }
#define SEEDS(n) "trained with these batches in PyTorch, " n " seeds"
#define LETTERS "a b c d e f g h i j k l m n o p"
#define CAPITALS "A B C D E F G H I J K L M N O P"

const struct task tasks[] = {
    {
        .name = "previous",
        .summary = "say the token before this one",
        .shows = "A stripe beside the diagonal: each token looks at the one before it.",
        .seconds = 1,
        .length = "tokens",
        .n_tokens = 32,
        .signs = LETTERS " " CAPITALS,
        .context = 16,
        .is_causal = true,
        .width_each = 1,
        .trained = {1, {16}},
        .untrained = {3, {4, 8, 12}},
        .shortest = 2,
        .longest = 16,
        .every = 1,
        .percent_held_out = 10,
        .recipe =
            RECIPE(.norm = "pre", .n_layers = 1, .n_heads = 1, .d_model = 32, .adamw = ADAMW(0.01),
                   .schedule = RATE(3e-3), .batch = 32, .n_steps = 150, .source = SEEDS("1 of 1")),
        .draw = previous_draw,
        .answer = previous_answer,
    },
    {
        .name = "reverse",
        .summary = "say the tokens before | from the last to the first",
        .shows =
            "A stripe that runs against the diagonal: the later the place, the earlier it looks.",
        .seconds = 1,
        .length = "tokens",
        .n_tokens = 17,
        .signs = LETTERS " |",
        .context = 16,
        .is_causal = true,
        .width_each = 2,
        .trained = {1, {8}},
        .untrained = {3, {5, 6, 7}},
        .shortest = 2,
        .longest = 8,
        .every = 1,
        .percent_held_out = 10,
        .recipe =
            RECIPE(.norm = "pre", .n_layers = 1, .n_heads = 1, .d_model = 32, .adamw = ADAMW(0.01),
                   .schedule = RATE(3e-3), .batch = 64, .n_steps = 150, .source = SEEDS("1 of 1")),
        .draw = reverse_draw,
        .answer = reverse_answer,
    },
    {
        .name = "maximum",
        .summary = "say the largest number before ?",
        .shows = "The last place finds the largest number, wherever it stands.",
        .seconds = 2,
        .length = "numbers",
        .n_tokens = 32,
        .n_numbers = 31,
        .signs = "?",
        .context = 9,
        .is_causal = true,
        .width_each = 1,
        .width_beside = 1,
        .trained = {1, {8}},
        .untrained = {3, {3, 5, 7}},
        .shortest = 2,
        .longest = 8,
        .every = 1,
        .percent_held_out = 10,
        .recipe =
            RECIPE(.norm = "pre", .n_layers = 1, .n_heads = 1, .d_model = 32, .adamw = ADAMW(0.01),
                   .schedule = RATE(3e-3), .batch = 64, .n_steps = 1000, .source = SEEDS("2 of 2")),
        .draw = maximum_draw,
        .answer = maximum_answer,
    },
    {
        .name = "sort",
        .summary = "say the numbers before | from the smallest to the largest",
        .shows = "After the sign, each place looks at the number that comes next in size.",
        .seconds = 6,
        .length = "numbers",
        .n_tokens = 17,
        .n_numbers = 16,
        .signs = "|",
        .context = 16,
        .is_causal = true,
        .width_each = 2,
        .trained = {1, {8}},
        .untrained = {3, {5, 6, 7}},
        .shortest = 2,
        .longest = 8,
        .every = 1,
        .percent_held_out = 10,
        .recipe =
            RECIPE(.norm = "pre", .n_layers = 1, .n_heads = 2, .d_model = 48, .adamw = ADAMW(0.01),
                   .schedule = RATE(3e-3), .batch = 64, .n_steps = 1500, .source = SEEDS("2 of 2")),
        .draw = sort_draw,
        .answer = sort_answer,
    },
    {
        .name = "recall",
        .summary = "say what followed the last letter before",
        .shows = "A letter finds the same letter further up, and what came after it.",
        .seconds = 3,
        .length = "pairs",
        .n_tokens = 32,
        .signs = LETTERS " 0 1 2 3 4 5 6 7 8 9 ! ? + - * =",
        .context = 13,
        .is_causal = true,
        .width_each = 2,
        .width_beside = 1,
        .trained = {1, {6}},
        .untrained = {3, {2, 4, 5}},
        .shortest = 1,
        .longest = 6,
        .every = 1,
        .percent_held_out = 10,
        .recipe =
            RECIPE(.norm = "pre", .n_layers = 2, .n_heads = 1, .d_model = 32, .adamw = ADAMW(0.01),
                   .schedule = RATE(3e-3), .batch = 64, .n_steps = 700, .source = SEEDS("3 of 3")),
        .draw = recall_draw,
        .answer = recall_answer,
    },
    {
        .name = "induction",
        .summary = "say what followed this token the last time; it comes back after 6 to 16 places",
        .shows =
            "Two layers, two heads that need each other: first the token before, then what "
            "followed it the last time. The loss falls in a step when they have found each other.",
        .seconds = 4,
        .length = "places",
        .n_tokens = 32,
        .signs = LETTERS " " CAPITALS,
        .context = 32,
        .is_causal = true,
        .width_beside = 32,
        .trained = {11, {6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
        .untrained = {6, {4, 5, 17, 18, 19, 20}},
        .shortest = 2,
        .longest = 31,
        .every = 1,
        .percent_held_out = 10,
        .recipe = RECIPE(.norm = "pre", .n_layers = 2, .n_heads = 2, .d_model = 32,
                         .adamw = ADAMW(0.01), .schedule = RATE(3e-3), .batch = 32, .n_steps = 400,
                         .source = "measured for attn, 10 of 10 seeds"),
        .draw = induction_draw,
        .answer = induction_answer,
    },
    {
        .name = "fixed",
        .summary =
            "say what followed this token the last time; it always comes back after 14 places",
        .shows = "One stripe at one distance: it looks like induction, and fails at other lengths.",
        .seconds = 3,
        .length = "places",
        .n_tokens = 32,
        .signs = LETTERS " " CAPITALS,
        .context = 32,
        .is_causal = true,
        .width_beside = 32,
        .trained = {1, {14}},
        .untrained = {5, {6, 8, 10, 12, 16}},
        .shortest = 2,
        .longest = 31,
        .every = 1,
        .percent_held_out = 10,
        .recipe =
            RECIPE(.norm = "pre", .n_layers = 2, .n_heads = 2, .d_model = 32, .adamw = ADAMW(0.01),
                   .schedule = RATE(3e-3), .batch = 32, .n_steps = 300, .source = SEEDS("3 of 3")),
        .draw = induction_draw,
        .answer = induction_answer,
    },
    {
        .name = "brackets",
        .summary = "say at ? whether the brackets are balanced",
        .shows = "How the last place gathers what all brackets before it say.",
        .seconds = 4,
        .length = "brackets",
        .n_tokens = 5,
        .signs = "( ) ? yes no",
        .context = 17,
        .width_each = 1,
        .width_beside = 1,
        /* The short ones are learnt first, and the long ones by them. */
        .trained = {4, {6, 8, 12, 16}},
        .untrained = {2, {10, 14}},
        .shortest = 6,
        .longest = 16,
        .every = 2,
        .percent_held_out = 20,
        .recipe = {.n_layers = 2,
                   .n_heads = 2,
                   .d_model = 32,
                   .d_mlp = 64,
                   .activation = "relu",
                   .norm = "pre",
                   .positions = "learned",
                   .init = "gpt2", /* large first vectors drown what counting needs */
                   .adamw = ADAMW(0.01),
                   .schedule = {.kind = SCHEDULE_COSINE,
                                .lr = 1e-3,
                                .least_lr = 1e-4,
                                .n_warm_up = 50,
                                .n_steps = 600},
                   .clip = 1,
                   .batch = 64,
                   .n_steps = 600,
                   .source = "measured for attn, 8 of 8 seeds"},
        .draw = brackets_draw,
        .answer = brackets_answer,
    },
    {
        .name = "modular",
        .summary = "add two numbers; from 113 on it begins again with 0",
        .shows = "It knows its examples by heart first, and finds the rule long after. The film "
                 "shows it.",
        .seconds = 0,
        .length = "sums",
        .n_tokens = 114,
        .n_numbers = 113,
        .signs = "=",
        .context = 3,
        .is_causal = true,
        .width_beside = 3,
        .trained = {1, {1}},
        .shortest = 1,
        .longest = 1,
        .every = 1,
        .percent_held_out = 70,
        .recipe =
            RECIPE(.n_layers = 1, .n_heads = 4, .d_model = 64, .d_mlp = 256, .activation = "relu",
                   .norm = "none", .adamw = ADAMW(1), .schedule = RATE(5e-3), .batch = 1024,
                   .n_steps = 7000,
                   .source =
                       "Nanda et al. 2023, half as wide and five times as fast, with 1,024 of "
                       "the 3,830 sums in a batch: measured for attn"),
        .draw = modular_draw,
        .answer = modular_answer,
    },
};
const size_t n_tasks = COUNT_OF(tasks);

static void no_task(const char *shown, struct error *reterr)
{
    char names[120] = "";
    for (size_t i = 0, at = 0; i < n_tasks && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s, ", tasks[i].name);
    error_set(reterr, ERR_NAME, "task: there is no '%s'; there are %sstories", shown, names);
}

const struct task *task_find(const char *name, struct error *reterr)
{
    struct suggestion suggestion;
    char shown[40];
    suggestion_init(&suggestion, name, strlen(name));
    for (size_t i = 0; i < n_tasks; i++) {
        if (strcmp(tasks[i].name, name) == 0)
            return &tasks[i];
        suggestion_try_part(&suggestion, tasks[i].name);
    }
    suggestion_try_part(&suggestion, "stories"); /* of a grammar, see train/source.h */
    error_quote(shown, sizeof shown, name, strlen(name));
    if (suggestion.best[0] != '\0')
        error_set(reterr, ERR_NAME, "task: there is no '%s'; did you mean %s?", shown,
                  suggestion.best);
    else
        no_task(shown, reterr);
    return NULL;
}

unsigned task_width(const struct task *task, unsigned length)
{
    return length * task->width_each + task->width_beside;
}

/* ---- which sequences are held out ---- */

/* FNV-1a (Fowler, Noll and Vo) over the tokens, and a last mixing, since only its rest counts. */
static uint64_t hash_of(const int32_t *inputs, size_t width)
{
    uint64_t hash = 0xCBF29CE484222325U;
    for (size_t i = 0; i < width; i++)
        hash = (hash ^ (uint64_t)(uint32_t)inputs[i]) * 0x100000001B3U;
    return (hash ^ (hash >> 32)) * 0x9E3779B97F4A7C15U >> 16;
}

bool task_holds_out(const struct task *task, const int32_t *inputs, size_t width)
{
    return hash_of(inputs, width) % 100 < task->percent_held_out;
}

/* ---- batches ---- */

static bool has_length(const struct task_lengths *lengths, unsigned length)
{
    for (unsigned i = 0; i < lengths->n; i++)
        if (lengths->items[i] == length)
            return true;
    return false;
}

static unsigned draw_length(struct random *random, const struct task_lengths *lengths)
{
    return lengths->items[random_below(random, lengths->n)];
}

/* A sequence of the split. ERR_RANGE where there seems to be none: few sequences are so short. */
static bool draw_row(struct random *random, const struct task *task, enum split split,
                     unsigned length, int32_t *inputs, struct error *reterr)
{
    enum { TRIES = 10000 };
    size_t width = task_width(task, length);
    for (unsigned i = 0; i < TRIES; i++) {
        task->draw(random, task, length, inputs);
        if (task_holds_out(task, inputs, width) == (split != SPLIT_TRAINING))
            return true;
    }
    return error_set(reterr, ERR_RANGE,
                     "task: none of the few sequences of %s with %u %s is %s; take a longer one",
                     task->name, length, task->length,
                     split == SPLIT_TRAINING ? "trained" : "held out");
}

/* lengths: each row draws one of them. */
static bool draw_rows(const struct task *task, enum split split, const struct task_lengths *lengths,
                      struct random *random, size_t n_rows, struct batch *ret, struct error *reterr)
{
    struct batch batch;
    size_t width = task_width(task, lengths->items[0]);
    if (!batch_make(n_rows, width, &batch, reterr))
        return false;
    for (size_t row = 0; row < n_rows; row++) {
        int32_t *inputs = batch.inputs + row * width;
        if (!draw_row(random, task, split, draw_length(random, lengths), inputs, reterr)) {
            batch_release(&batch);
            return false;
        }
        task->answer(task, inputs, width, batch.targets + row * width);
    }
    *ret = batch;
    return true;
}

bool task_batch(const struct task *task, enum split split, uint64_t seed, uint64_t number,
                size_t n_rows, struct batch *ret, struct error *reterr)
{
    struct random random;
    struct task_lengths lengths = split == SPLIT_UNTRAINED ? task->untrained : task->trained;
    if (lengths.n == 0)
        return error_set(reterr, ERR_RANGE, "task: %s has one length; no other can be held out",
                         task->name);
    batch_seed(&random, split, seed, number);
    if (task->width_each > 0)
        lengths = (struct task_lengths){1, {draw_length(&random, &lengths)}};
    return draw_rows(task, split, &lengths, &random, n_rows, ret, reterr);
}

bool task_batch_of_length(const struct task *task, enum split split, unsigned length, uint64_t seed,
                          uint64_t number, size_t n_rows, struct batch *ret, struct error *reterr)
{
    struct random random;
    const struct task_lengths lengths = {1, {length}};
    if (length < task->shortest || length > task->longest ||
        (length - task->shortest) % task->every != 0)
        return error_set(reterr, ERR_RANGE, "task: %s has %u to %u %s%s, not %u", task->name,
                         task->shortest, task->longest, task->length,
                         task->every == 2 ? ", an even number" : "", length);
    if (split == SPLIT_TRAINING && !has_length(&task->trained, length))
        return error_set(reterr, ERR_RANGE,
                         "task: %s is not trained with %u %s; draw them from the held-out ones",
                         task->name, length, task->length);
    batch_seed(&random, split, seed, number);
    return draw_rows(task, split, &lengths, &random, n_rows, ret, reterr);
}

bool task_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets,
                 struct error *reterr)
{
    if (width > task->context)
        return error_set(reterr, ERR_RANGE, "task: %s takes up to %u tokens, not %zu", task->name,
                         task->context, width);
    for (size_t i = 0; i < width; i++)
        if (inputs[i] < 0 || inputs[i] >= (int32_t)task->n_tokens)
            return error_set(reterr, ERR_RANGE, "task: %s has the tokens 0 to %u, not %d",
                             task->name, task->n_tokens - 1, (int)inputs[i]);
    for (size_t i = 0; i < width; i++)
        targets[i] = BATCH_IGNORED;
    task->answer(task, inputs, width, targets);
    return true;
}

/* ---- what is shown ---- */

/* Sign number `at` of "a b c". */
static size_t sign_of(const char *signs, unsigned at, const char **ret)
{
    for (; at > 0; at--)
        signs = strchr(signs, ' ') + 1;
    *ret = signs;
    return strcspn(signs, " ");
}

char *task_symbol(const struct task *task, int32_t token, char text[TASK_SYMBOL_BYTES])
{
    const char *sign = ".";
    size_t size = 1;
    if (token >= 0 && token < (int32_t)task->n_numbers) {
        snprintf(text, TASK_SYMBOL_BYTES, "%d", (int)token);
        return text;
    }
    if (token >= 0 && token < (int32_t)task->n_tokens)
        size = sign_of(task->signs, (unsigned)token - task->n_numbers, &sign);
    snprintf(text, TASK_SYMBOL_BYTES, "%.*s", (int)size, sign);
    return text;
}

static size_t widest_symbol(const struct task *task)
{
    char symbol[TASK_SYMBOL_BYTES];
    size_t widest = 1;
    for (int32_t token = 0; token < (int32_t)task->n_tokens; token++)
        widest = size_max(widest, strlen(task_symbol(task, token, symbol)));
    return widest;
}

void task_show(const struct task *task, const int32_t *tokens, size_t width, struct text *out)
{
    char symbol[TASK_SYMBOL_BYTES];
    size_t widest = widest_symbol(task);
    for (size_t i = 0; i < width; i++) {
        task_symbol(task, tokens[i], symbol);
        if (i + 1 < width)
            text_format(out, "%-*s ", (int)widest, symbol);
        else
            text_put(out, symbol);
    }
}
