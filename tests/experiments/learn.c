/* usage: experiment_learn TASK [KEY=NUMBER...]
 *
 * Trains the model of a task's recipe with attn's own trainer, and prints a line of JSON every few
 * steps, with what its heads do in the last: what claims.py looks at. Keys: seed, steps, every,
 * layers, heads, d_model, lr, batch, init (0: as the recipe has it, 1: as GPT-2). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/kept_memory.h"
#include "graph/node.h"
#include "model/intervene.h"
#include "model/model.h"
#include "model/generate.h"
#include "model/run.h"
#include "model/train.h"
#include "task/task.h"
#include "tensor/tensor.h"
#include "train/training.h"

enum { ROWS_JUDGED = 100, PERIOD = 14, MOST_CUT = 8 };

struct setting {
    const char *key;
    double number;
};

enum { SEED, STEPS, EVERY, LAYERS, HEADS, D_MODEL, LR, BATCH, INIT, N_SETTINGS };

static void stop_with(const char *text)
{
    fprintf(stderr, "experiment_learn: %s\n", text);
    exit(2);
}

static void must(bool ok, const struct error *error)
{
    if (!ok)
        stop_with(error->text);
}

static void read_setting(struct setting settings[N_SETTINGS], const char *argument)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        size_t size = strlen(settings[i].key);
        char *end;
        if (strncmp(argument, settings[i].key, size) != 0 || argument[size] != '=')
            continue;
        settings[i].number = strtod(argument + size + 1, &end);
        if (*end == '\0' && settings[i].number >= 0)
            return;
    }
    stop_with("KEY=NUMBER is expected; the keys are in learn.c");
}

/* ---- what it can do ---- */

static struct run *run_of(struct graph *graph, struct model *model, const struct batch *batch)
{
    struct error error = {0};
    struct tensor ids;
    must(batch_tensor(batch, batch->inputs, &ids, &error), &error);
    struct node *node = node_input(graph, &ids, "ids", 3, &error);
    must(node != NULL, &error);
    struct run *run = run_new(graph, model, node, NULL, &error);
    must(run != NULL, &error);
    node_free(node);
    return run;
}

/* The share of right tokens, among the targets that count. */
static double share_right(const struct tensor *logits, const struct batch *batch)
{
    size_t n = 0, n_right = 0;
    for (size_t i = 0; i < batch->n_rows * batch->width; i++) {
        if (batch->targets[i] == BATCH_IGNORED)
            continue;
        n++;
        n_right += prediction_likeliest(logits, i) == (size_t)batch->targets[i];
    }
    return (double)n_right / (double)n;
}

static double share_right_in_run(struct run *run, const struct batch *batch)
{
    struct error error;
    struct node *logits = run_logits(run, &error);
    must(logits != NULL, &error);
    return share_right(&logits->value, batch);
}

static double share_right_of_length(const struct training *training, const struct task *task,
                                    unsigned length)
{
    struct batch batch;
    struct error error;
    struct tensor ids, logits;
    must(task_batch_of_length(task, SPLIT_HELD_OUT, length, training->seed, 1, ROWS_JUDGED, &batch,
                              &error),
         &error);
    must(batch_tensor(&batch, batch.inputs, &ids, &error), &error);
    must(trainer_logits(training->trainer, &ids, &logits, &error), &error);
    double share = share_right(&logits, &batch);
    tensor_release(&logits);
    tensor_release(&ids);
    batch_release(&batch);
    return share;
}

static void print_lengths(const char *name, const struct training *training,
                          const struct task *task, const struct task_lengths *lengths)
{
    printf(", \"%s\": {", name);
    for (unsigned i = 0; i < lengths->n; i++)
        printf("%s\"%u\": %.4f", i > 0 ? ", " : "", lengths->items[i],
               share_right_of_length(training, task, lengths->items[i]));
    putchar('}');
}

/* The mean weight that row i gives to row i - back, for rows from `first` up to `end`. */
static double mean_weight(const struct tensor *weights, size_t head, size_t back, size_t first,
                          size_t end)
{
    double sum = 0;
    size_t n = 0;
    for (size_t row = 0; row < weights->shape[0]; row++)
        for (size_t i = first; i < end; i++, n++)
            sum += (double)tensor_at(weights, (size_t[]){row, head, i, i - back});
    return sum / (double)n;
}

/* What is right without n heads of a layer, from `first` on. */
static double share_without(struct run *run, const struct batch *batch, size_t layer, size_t first,
                            size_t n)
{
    struct cut cuts[MOST_CUT];
    struct error error;
    for (size_t i = 0; i < n; i++)
        cuts[i] = (struct cut){.part = CUT_HEAD, .layer = layer, .head = first + i};
    struct run *cut = run_cut(run, cuts, n, CUT_ZERO, NULL, &error);
    must(cut != NULL, &error);
    double share = share_right_in_run(cut, batch);
    run_free(cut);
    return share;
}

static void print_head(struct run *run, const struct batch *batch, size_t layer, size_t head)
{
    struct error error;
    struct node *node = run_stage(run, STAGE_WEIGHTS, layer, &error);
    must(node != NULL, &error);
    const struct tensor *weights = &node->value;
    const size_t n = weights->shape[2];
    printf("%s\"L%zuH%zu\": {\"previous\": %.4f", layer + head > 0 ? ", " : "", layer, head,
           mean_weight(weights, head, 1, 1, n));
    if (n > PERIOD)
        printf(", \"previous before\": %.4f, \"previous after\": %.4f, \"induction\": %.4f",
               mean_weight(weights, head, 1, 1, PERIOD), mean_weight(weights, head, 1, PERIOD, n),
               mean_weight(weights, head, PERIOD - 1, PERIOD, n));
    printf(", \"without\": %.4f}", share_without(run, batch, layer, head, 1));
}

/* For each head: how much a token looks at the one before it, in all places, before and after the
 * text begins again, and at the one that followed the same token a period before; and what is right
 * without it. Then what is right without all heads of each layer. */
static void print_heads(struct model *model, const struct task *task, uint64_t seed)
{
    struct graph graph = {0};
    struct batch batch;
    struct error error;
    const size_t n_layers = model->config.n_layers, n_heads = model->config.n_heads;
    const unsigned length = strcmp(task->length, "places") == 0 ? PERIOD : task->trained.items[0];
    must(task_batch_of_length(task, SPLIT_HELD_OUT, length, seed, 2, ROWS_JUDGED, &batch, &error),
         &error);
    struct run *run = run_of(&graph, model, &batch);
    printf(", \"heads\": {");
    for (size_t layer = 0; layer < n_layers; layer++)
        for (size_t head = 0; head < n_heads; head++)
            print_head(run, &batch, layer, head);
    printf("}, \"without layer\": [");
    for (size_t layer = 0; layer < n_layers; layer++)
        printf("%s%.4f", layer > 0 ? ", " : "",
               share_without(run, &batch, layer, 0, n_heads < MOST_CUT ? n_heads : MOST_CUT));
    putchar(']');
    run_free(run);
    batch_release(&batch);
}

/* Heads take most of the time, and are printed at the end alone. */
static void print_state(const struct training *training, const struct task *task, double seconds,
                        bool with_heads)
{
    printf("{\"step\": %zu, \"loss\": %.6f, \"seconds\": %.3f", training_count(training),
           training->loss, seconds);
    print_lengths("trained", training, task, &task->trained);
    print_lengths("untrained", training, task, &task->untrained);
    if (with_heads) {
        struct error error;
        struct graph graph = {.last_id = 0};
        struct model *model = training_model(training, &graph, &error);
        must(model != NULL, &error);
        print_heads(model, task, training->seed);
        model_free(model);
    }
    puts("}");
    fflush(stdout);
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void learn(const struct task *task, const struct setting *settings)
{
    struct source *source;
    struct training *training;
    struct error error;
    struct recipe recipe = task->recipe;
    size_t n_steps = (size_t)settings[STEPS].number, every = (size_t)settings[EVERY].number;
    bool has_heads = strcmp(task->length, "places") == 0 || strcmp(task->name, "previous") == 0;
    double seconds = 0; /* of the steps alone */
    recipe.n_layers = (unsigned)settings[LAYERS].number;
    recipe.n_heads = (unsigned)settings[HEADS].number;
    recipe.d_model = (unsigned)settings[D_MODEL].number;
    recipe.schedule.lr = settings[LR].number;
    recipe.batch = (unsigned)settings[BATCH].number;
    if (settings[INIT].number > 0)
        recipe.init = "gpt2";
    must(source_task(task->name, &source, &error), &error);
    must(training_new(source, &recipe, (uint64_t)settings[SEED].number, NULL, &training, &error),
         &error);
    for (size_t step = 1; step <= n_steps; step++) {
        double begin = processor_seconds();
        must(training_step(training, &error), &error);
        seconds += processor_seconds() - begin;
        if (step % every == 0 || step == n_steps)
            print_state(training, task, seconds, has_heads && step == n_steps);
    }
    training_free(training);
    source_free(source);
}

int main(int n_arguments, char **arguments)
{
    struct error error;
    keep_freed_memory();
    if (n_arguments < 2)
        stop_with("the name of a task is expected");
    const struct task *task = task_find(arguments[1], &error);
    must(task != NULL, &error);
    const struct recipe *recipe = &task->recipe;
    struct setting settings[N_SETTINGS] = {
        [SEED] = {"seed", 1},
        [STEPS] = {"steps", recipe->n_steps},
        [EVERY] = {"every", 100},
        [LAYERS] = {"layers", recipe->n_layers},
        [HEADS] = {"heads", recipe->n_heads},
        [D_MODEL] = {"d_model", recipe->d_model},
        [LR] = {"lr", recipe->schedule.lr},
        [BATCH] = {"batch", recipe->batch},
        [INIT] = {"init", 0},
    };
    for (int i = 2; i < n_arguments; i++)
        read_setting(settings, arguments[i]);
    if (settings[EVERY].number < 1 || settings[HEADS].number < 1 || settings[BATCH].number < 1)
        stop_with("every, heads and batch are 1 or more");
    learn(task, settings);
    return 0;
}
