/* See checkpoint.h. */
#include "train/checkpoint.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/file.h"
#include "files/safetensors.h"

enum { PATH_BYTES = 4096 };

/* ---- plans ---- */

/* The source's recipe, changed as the plan says. */
static struct recipe recipe_of(const struct training_plan *plan, const struct source *source)
{
    struct recipe recipe = source->recipe;
    recipe.n_layers = plan->n_layers > 0 ? (unsigned)plan->n_layers : recipe.n_layers;
    recipe.n_heads = plan->n_heads > 0 ? (unsigned)plan->n_heads : recipe.n_heads;
    recipe.batch = plan->batch > 0 ? (unsigned)plan->batch : recipe.batch;
    if (plan->d_model > 0) {
        recipe.d_mlp = recipe.d_mlp / recipe.d_model * (unsigned)plan->d_model;
        recipe.d_model = (unsigned)plan->d_model;
    }
    if (plan->no_mlp)
        recipe.d_mlp = 0;
    if (plan->lr > 0) {
        recipe.schedule.least_lr *= plan->lr / recipe.schedule.lr;
        recipe.schedule.lr = plan->lr;
    }
    if (plan->decay > 0 || plan->no_decay)
        recipe.adamw.weight_decay = plan->decay;
    if (plan->dropout > 0)
        recipe.dropout = plan->dropout;
    if (plan->n_steps > 0)
        recipe.schedule.n_steps = recipe.n_steps = (unsigned)plan->n_steps;
    return recipe;
}

bool plan_source(const struct training_plan *plan, const char *data_dir, struct source **ret,
                 struct error *reterr)
{
    enum { CONTEXT = 64 };
    if (plan->text[0] != '\0')
        return source_text(plan->text, plan->n_merges, plan->context > 0 ? plan->context : CONTEXT,
                           ret, reterr);
    if (strcmp(plan->task, "stories") == 0)
        return source_stories(data_dir, plan->seed, SOURCE_STORIES, ret, reterr);
    return source_task(plan->task, ret, reterr);
}

bool plan_open(const struct training_plan *plan, const char *data_dir,
               const volatile sig_atomic_t *stop, struct source **ret_source,
               struct training **ret_training, struct error *reterr)
{
    if (!plan_source(plan, data_dir, ret_source, reterr))
        return false;
    if (plan->digest != 0 && plan->digest != (*ret_source)->digest) {
        source_free(*ret_source);
        return error_set(reterr, ERR_FILE,
                         "%s: it is not the text that the training was begun with; put that back, "
                         "or begin again",
                         plan->text);
    }
    struct recipe recipe = recipe_of(plan, *ret_source);
    if (training_new(*ret_source, &recipe, plan->seed, stop, ret_training, reterr))
        return true;
    source_free(*ret_source);
    return false;
}

/* ---- plans as text ---- */

char *plan_to_text(const struct training_plan *plan)
{
    char digest[20];
    snprintf(digest, sizeof digest, "%016" PRIx64, plan->digest);
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:b, s:b}",
        "digest", digest, "task", plan->task, "text", plan->text, "n_merges",
        (json_int_t)plan->n_merges, "seed", (json_int_t)plan->seed, "n_steps",
        (json_int_t)plan->n_steps, "n_layers", (json_int_t)plan->n_layers, "n_heads",
        (json_int_t)plan->n_heads, "d_model", (json_int_t)plan->d_model, "batch",
        (json_int_t)plan->batch, "context", (json_int_t)plan->context, "lr", plan->lr, "decay",
        plan->decay, "dropout", plan->dropout, "no_mlp", plan->no_mlp, "no_decay", plan->no_decay);
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

static void read_text(const json_t *json, const char *key, char *ret, size_t capacity)
{
    const char *text = json_string_value(json_object_get(json, key));
    snprintf(ret, capacity, "%s", text != NULL ? text : "");
}

static uint64_t read_count(const json_t *json, const char *key)
{
    json_int_t count = json_integer_value(json_object_get(json, key));
    return count > 0 ? (uint64_t)count : 0;
}

static void plan_read(const json_t *json, struct training_plan *ret)
{
    *ret = (struct training_plan){.n_merges = read_count(json, "n_merges"),
                                  .seed = read_count(json, "seed"),
                                  .n_steps = read_count(json, "n_steps"),
                                  .n_layers = read_count(json, "n_layers"),
                                  .n_heads = read_count(json, "n_heads"),
                                  .d_model = read_count(json, "d_model"),
                                  .batch = read_count(json, "batch"),
                                  .context = read_count(json, "context"),
                                  .lr = json_number_value(json_object_get(json, "lr")),
                                  .decay = json_number_value(json_object_get(json, "decay")),
                                  .dropout = json_number_value(json_object_get(json, "dropout")),
                                  .no_mlp = json_is_true(json_object_get(json, "no_mlp")),
                                  .no_decay = json_is_true(json_object_get(json, "no_decay"))};
    read_text(json, "task", ret->task, sizeof ret->task);
    read_text(json, "text", ret->text, sizeof ret->text);
    char digest[20];
    read_text(json, "digest", digest, sizeof digest);
    ret->digest = strtoull(digest, NULL, 16);
}

bool plan_of_text(const char *text, struct training_plan *ret)
{
    json_t *json = text != NULL ? json_loads(text, 0, NULL) : NULL;
    if (json != NULL)
        plan_read(json, ret);
    json_decref(json);
    return json != NULL;
}

/* ---- checkpoints ---- */

static bool path_of(const char *folder, char path[PATH_BYTES], struct error *reterr)
{
    return path_join(path, PATH_BYTES, folder, "training.safetensors") ||
           error_set(reterr, ERR_FILE, "%.80s...: the path is too long", folder);
}

bool checkpoint_save(const struct training *training, const struct training_plan *plan,
                     const char *folder, struct error *reterr)
{
    char path[PATH_BYTES], *text;
    if (!path_of(folder, path, reterr))
        return false;
    int why = folder_make_parents(path, false);
    if (why != 0)
        return error_set(reterr, ERR_FILE, "%s: the folder can't be made: %s", folder,
                         strerror(why));
    folder_clear_leftovers(folder);
    struct training_plan begun = *plan;
    begun.digest = training->source->digest;
    text = plan_to_text(&begun);
    bool ok = text != NULL ? trainer_save(training->trainer, path, text, reterr)
                           : error_memory(reterr, "a checkpoint");
    free(text);
    return ok;
}

bool checkpoint_plan(const char *folder, struct training_plan *ret, struct error *reterr)
{
    char path[PATH_BYTES];
    struct safetensors *file;
    if (!path_of(folder, path, reterr) || !safetensors_open(path, &file, reterr))
        return false;
    bool ok = plan_of_text(safetensors_metadata(file, "about"), ret) ||
              error_set(reterr, ERR_FILE, "%s: is not a checkpoint of a training", path);
    safetensors_close(file);
    return ok;
}

bool checkpoint_load(struct training *training, const char *folder, struct error *reterr)
{
    char path[PATH_BYTES];
    return path_of(folder, path, reterr) && trainer_load(training->trainer, path, reterr);
}
