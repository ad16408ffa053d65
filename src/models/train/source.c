/* See source.h. */
#include "train/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/file.h"
#include "files/tokenizer.h"
#include "task/story.h"
#include "task/task.h"
#include "task/windows.h"

void source_free(struct source *source)
{
    if (source == NULL)
        return;
    tokenizer_close(source->tokenizer);
    source->class->free(source);
}

/* Memory for a source of a kind, which its class frees. */
static void *new_source(size_t size, const struct source_class *class, const char *name,
                        struct error *reterr)
{
    struct source *source = calloc(1, size);
    if (source == NULL) {
        error_memory(reterr, "a training");
        return NULL;
    }
    source->class = class;
    source->first_token = source->last_token = -1;
    snprintf(source->name, sizeof source->name, "%s", name);
    return source;
}

/* ---- tasks ---- */

struct task_source {
    struct source source;
    const struct task *task;
};

static bool batch_of_task(struct source *source, enum split split, uint64_t seed, uint64_t number,
                          size_t n_rows, struct batch *ret, struct error *reterr)
{
    return task_batch(((struct task_source *)source)->task, split, seed, number, n_rows, ret,
                      reterr);
}

static void free_task(struct source *source)
{
    free(source);
}

static const struct source_class task_class = {batch_of_task, free_task};

/* A tokenizer of the symbols of a task. */
static bool symbols_of(const struct task *task, struct tokenizer **ret, struct error *reterr)
{
    char(*symbols)[TASK_SYMBOL_BYTES] = calloc(task->n_tokens, sizeof *symbols);
    const char **words = calloc(task->n_tokens, sizeof(*words));
    bool ok = (symbols != NULL && words != NULL) || error_memory(reterr, "a training");
    for (unsigned i = 0; ok && i < task->n_tokens; i++)
        words[i] = task_symbol(task, (int32_t)i, symbols[i]);
    ok = ok && tokenizer_of_words(words, task->n_tokens, ret, reterr);
    free(symbols);
    free(words);
    return ok;
}

bool source_task(const char *name, struct source **ret, struct error *reterr)
{
    const struct task *task = task_find(name, reterr);
    struct task_source *own =
        task != NULL ? new_source(sizeof *own, &task_class, name, reterr) : NULL;
    if (own == NULL)
        return false;
    own->task = task;
    own->source.vocab = task->n_tokens;
    own->source.context = task->context;
    own->source.is_causal = task->is_causal;
    own->source.has_untrained = task->untrained.n > 0;
    own->source.recipe = task->recipe;
    if (symbols_of(task, &own->source.tokenizer, reterr)) {
        *ret = &own->source;
        return true;
    }
    source_free(&own->source);
    return false;
}

/* ---- stories ---- */

struct story_source {
    struct source source;
    struct grammar grammar;
    struct story_set sets[2]; /* trained, held out */
    /* The order of the pass that batches of each came from last: to draw one takes as long as some
     * steps. */
    struct story_pass {
        struct story_order order;
        bool is_drawn;
        uint64_t seed, number;
        size_t n_rows;
    } passes[2];
};

/* The order of a pass over set number `at`; NULL on failure. */
static const struct story_order *order_stories(struct story_source *own, size_t at, uint64_t seed,
                                               uint64_t number, size_t n_rows, struct error *reterr)
{
    struct story_pass *pass = &own->passes[at];
    if (pass->is_drawn && pass->seed == seed && pass->number == number && pass->n_rows == n_rows)
        return &pass->order;
    story_order_release(&pass->order);
    *pass = (struct story_pass){.seed = seed, .number = number, .n_rows = n_rows};
    pass->is_drawn = story_order_draw(&own->sets[at], n_rows, seed, number, &pass->order, reterr);
    return pass->is_drawn ? &pass->order : NULL;
}

static bool batch_of_stories(struct source *source, enum split split, uint64_t seed,
                             uint64_t number, size_t n_rows, struct batch *ret,
                             struct error *reterr)
{
    struct story_source *own = (struct story_source *)source;
    size_t at = split != SPLIT_TRAINING;
    const struct story_set *set = &own->sets[at];
    uint64_t each = set->n / n_rows;
    if (each == 0)
        return error_set(reterr, ERR_RANGE, "stories: a batch of %zu is more than all %zu stories",
                         n_rows, set->n);
    const struct story_order *order = order_stories(own, at, seed, number / each, n_rows, reterr);
    return order != NULL && story_order_batch(set, order, (size_t)(number % each), ret, reterr);
}

static void free_stories(struct source *source)
{
    struct story_source *own = (struct story_source *)source;
    for (size_t i = 0; i < 2; i++) {
        story_order_release(&own->passes[i].order);
        story_set_release(&own->sets[i]);
    }
    grammar_release(&own->grammar);
    free(own);
}

static const struct source_class story_class = {batch_of_stories, free_stories};

/* An attention-only model of 3 layers that learns who "it" is. */
static const struct recipe story_recipe = {
    .n_layers = 3,
    .n_heads = 4,
    .d_model = 64,
    .norm = "pre",
    .positions = "learned",
    .init = "stories",
    .is_tied = true,
    .adamw = {.beta1 = 0.9, .beta2 = 0.98, .eps = 1e-8, .weight_decay = 0.03},
    .schedule = {.kind = SCHEDULE_COSINE,
                 .lr = 3e-3,
                 .least_lr = 1.5e-4,
                 .n_warm_up = 200,
                 .n_steps = 16000},
    .clip = 1,
    .batch = 32,
    .n_steps = 16000,
    .source = "tried in PyTorch, 3 seeds"};

bool source_stories(const char *data_dir, uint64_t seed, size_t n, struct source **ret,
                    struct error *reterr)
{
    enum { HELD_OUT = 4096 };
    struct story_source *own = new_source(sizeof *own, &story_class, "stories", reterr);
    if (own == NULL)
        return false;
    own->source.is_causal = own->source.tells_next = true;
    own->source.recipe = story_recipe;
    own->source.first_token = TOKEN_START;
    own->source.last_token = TOKEN_END;
    if (grammar_open(data_dir, "stories", &own->grammar, reterr) &&
        story_set_draw(&own->grammar, SPLIT_TRAINING, seed, n, &own->sets[0], reterr) &&
        story_set_draw(&own->grammar, SPLIT_HELD_OUT, seed, HELD_OUT, &own->sets[1], reterr) &&
        tokenizer_of_words((const char *const *)own->grammar.words, own->grammar.n_tokens,
                           &own->source.tokenizer, reterr)) {
        own->source.vocab = own->grammar.n_tokens;
        own->source.context = own->grammar.longest;
        tokenizer_set_first(own->source.tokenizer, TOKEN_START);
        *ret = &own->source;
        return true;
    }
    source_free(&own->source);
    return false;
}

/* ---- a text of one's own ---- */

struct text_source {
    struct source source;
    int32_t *tokens;
    struct windows windows;
};

static bool batch_of_text(struct source *source, enum split split, uint64_t seed, uint64_t number,
                          size_t n_rows, struct batch *ret, struct error *reterr)
{
    const struct text_source *own = (struct text_source *)source;
    return windows_batch(&own->windows, split, source->context, seed, number, n_rows, ret, reterr);
}

static void free_text(struct source *source)
{
    free(((struct text_source *)source)->tokens);
    free(source);
}

static const struct source_class text_class = {batch_of_text, free_text};

/* nanoGPT's small model for a processor: 4 layers of 128. */
static const struct recipe text_recipe = {
    .n_layers = 4,
    .n_heads = 4,
    .d_model = 128,
    .d_mlp = 512,
    .activation = "gelu",
    .norm = "pre",
    .positions = "learned",
    .init = "gpt2",
    .is_tied = true,
    .adamw = {.beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .weight_decay = 0.1},
    .schedule =
        {.kind = SCHEDULE_COSINE, .lr = 1e-3, .least_lr = 1e-4, .n_warm_up = 100, .n_steps = 2000},
    .clip = 1,
    .batch = 12,
    .n_steps = 2000,
    .source = "nanoGPT, config/train_shakespeare_char.py, its sizes for a processor"};

static bool read_tokens(struct text_source *own, const char *path, size_t n_merges,
                        struct error *reterr)
{
    enum { TEXT_MAX_BYTES = 256 << 20 };
    struct text text = {0};
    struct tokens tokens = {0};
    const struct tokenizer_plan plan = {.n_merges = n_merges, .only_used_bytes = true};
    bool ok =
        file_read_text(path, TEXT_MAX_BYTES, &text, reterr) &&
        tokenizer_train(&plan, text_string(&text), text.size, &own->source.tokenizer, reterr) &&
        tokenizer_encode(own->source.tokenizer, text_string(&text), text.size, &tokens, reterr);
    own->tokens = ok ? calloc(tokens.n + 1, sizeof *own->tokens) : NULL;
    ok = ok && (own->tokens != NULL || error_memory(reterr, "a text"));
    for (size_t i = 0; ok && i < tokens.n; i++)
        own->tokens[i] = (int32_t)tokens.items[i].id;
    own->windows = (struct windows){.tokens = own->tokens, .n = tokens.n};
    own->source.digest = text_hash(text_string(&text), text.size);
    tokens_release(&tokens);
    text_release(&text);
    return ok;
}

bool source_text(const char *path, size_t n_merges, size_t context, struct source **ret,
                 struct error *reterr)
{
    struct text_source *own = new_source(sizeof *own, &text_class, path, reterr);
    if (own == NULL)
        return false;
    own->source.is_causal = own->source.tells_next = true;
    own->source.context = context;
    own->source.recipe = text_recipe;
    if (!read_tokens(own, path, n_merges, reterr) ||
        !windows_check(&own->windows, context, reterr)) {
        source_free(&own->source);
        return false;
    }
    own->source.vocab = tokenizer_size(own->source.tokenizer);
    *ret = &own->source;
    return true;
}
