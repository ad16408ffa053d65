/* See model.h. */
#include "model/model.h"

#include <stdlib.h>
#include <strings.h>
#include <errno.h>
#include <string.h>

#include "files/tokenizer.h"
#include "show/doc.h"
#include "task/grammar.h"
#include "base/array.h"
#include "base/text.h"
#include "files/file.h"
#include "files/weights.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "model/moments.h"

/* ---- known words ---- */

bool known_words_are_there(const struct model *model)
{
    return model->tokenizer != NULL && tokenizer_is_of_words(model->tokenizer);
}

/* ---- words that begin so ---- */

/* Word `id` of the model where it begins so; NULL where it does not. Tokens such as <start>, which
 * nobody means to type, are left out unless begin has their sign. */
static const char *word_beginning(const struct model *model, size_t id, const char *begin,
                                  size_t size, size_t *ret_size)
{
    const char *word = tokenizer_token(model->tokenizer, (uint32_t)id, ret_size);
    bool fits = word != NULL && *ret_size >= size && strncasecmp(word, begin, size) == 0;
    return fits && (word[0] != '<' || size > 0 || *ret_size == 1) ? word : NULL;
}

size_t known_words_complete(const struct model *model, const char *begin, size_t size,
                            struct text *rest)
{
    const char *first = NULL, *word;
    size_t n = 0, same = 0, word_size;
    for (size_t id = 0; known_words_are_there(model) && id < tokenizer_size(model->tokenizer);
         id++) {
        if ((word = word_beginning(model, id, begin, size, &word_size)) == NULL)
            continue;
        if (n++ == 0) {
            first = word;
            same = word_size;
        }
        size_t i = size;
        while (i < same && i < word_size && word[i] == first[i])
            i++;
        same = i;
    }
    if (n > 0)
        text_add(rest, first + size, same - size);
    return n;
}

void known_words_list(const struct model *model, const char *begin, size_t size, struct text *text)
{
    const char *word;
    size_t word_size, n = 0;
    for (size_t id = 0; known_words_are_there(model) && id < tokenizer_size(model->tokenizer); id++)
        if ((word = word_beginning(model, id, begin, size, &word_size)) != NULL) {
            text_put(text, n++ > 0 ? " " : "");
            text_add(text, word, word_size);
        }
}

/* ---- by kind ---- */

/* Marks the token as listed. False where the model does not know the word, or it is listed. */
static bool take(const struct model *model, const char *word, bool *listed)
{
    uint32_t id;
    if (!tokenizer_find(model->tokenizer, word, strlen(word), &id) || listed[id])
        return false;
    return listed[id] = true;
}

/* The words of a class in one of its forms, such as the sounds of animals. */
static void show_form(const struct model *model, const struct grammar *grammar,
                      const struct word_class *words, unsigned form, bool *listed,
                      size_t width_cols, struct doc *out)
{
    struct text text = {0};
    int column = words->column_of[form];
    for (unsigned row = 0; column >= 0 && row < words->n_rows; row++) {
        int32_t token = words->tokens[row * words->n_columns + (unsigned)column];
        if (token >= 0 && take(model, grammar->words[token], listed))
            text_format(&text, "%s%s", text.size > 0 ? " " : "", grammar->words[token]);
    }
    if (text.size > 0) {
        struct text line = {0};
        text_format(&line, form == 0 ? "%s: " : "%s, %s: ", words->name,
                    form == 0 ? "" : grammar->columns[form]);
        text_add(&line, text.bytes, text.size);
        doc_wrap(out, STYLE_PLAIN, text_string(&line), width_cols, 0);
        out->failed = out->failed || line.failed;
        text_release(&line);
    }
    out->failed = out->failed || text.failed;
    text_release(&text);
}

static void show_others(const struct model *model, const bool *listed, bool is_all,
                        size_t width_cols, struct doc *out)
{
    struct text text = {0};
    const char *word;
    size_t size;
    for (size_t id = 0; id < tokenizer_size(model->tokenizer); id++)
        if (!listed[id] && (word = word_beginning(model, id, "", 0, &size)) != NULL) {
            text_put(&text, text.size > 0 ? " " : is_all ? "" : "others: ");
            text_add(&text, word, size);
        }
    doc_wrap(out, STYLE_PLAIN, text_string(&text), width_cols, 0);
    out->failed = out->failed || text.failed;
    text_release(&text);
}

void known_words_show(const struct model *model, const struct grammar *grammar, size_t width_cols,
                      struct doc *out)
{
    bool *listed = calloc(tokenizer_size(model->tokenizer) + 1, sizeof *listed);
    size_t before = doc_count_lines(out);
    if (listed == NULL) {
        out->failed = true;
        return;
    }
    for (unsigned i = 0; grammar != NULL && i < grammar->n_classes; i++)
        for (unsigned form = 0; form < grammar->n_columns; form++)
            show_form(model, grammar, &grammar->classes[i], form, listed, width_cols, out);
    show_others(model, listed, doc_count_lines(out) == before, width_cols, out);
    free(listed);
}

/* ---- model ---- */

struct model *model_new(const struct model_config *config, const char *name, struct error *reterr)
{
    struct model *model = calloc(1, sizeof *model);
    size_t size = strlen(name) + 1;
    if (model == NULL) {
        error_memory(reterr, "a model");
        return NULL;
    }
    model->n_owners = 1;
    model->config = *config;
    model->parameters = calloc(parameter_count(config) + 1, sizeof(struct node *));
    model->name = malloc(size);
    if (model->parameters == NULL || model->name == NULL) {
        error_memory(reterr, "a model");
        model_free(model);
        return NULL;
    }
    memcpy(model->name, name, size);
    return model;
}

struct model *model_like(const struct model *model, struct error *reterr)
{
    struct model *made = model_new(&model->config, model->name, reterr);
    if (made != NULL && model->tokenizer != NULL)
        made->tokenizer = tokenizer_share(model->tokenizer);
    return made;
}

bool model_put_parameter(struct graph *graph, struct model *model, size_t at, struct tensor *value,
                         const char *from, struct error *reterr)
{
    char name[PARAM_NAME_BYTES];
    size_t layer;
    enum param which = parameter_which(&model->config, at, &layer);
    parameter_name(&model->config, which, layer, name);
    const char *shown = parameter_short_name(name);
    struct node *node = node_input(graph, value, from, strlen(from), reterr);
    if (node == NULL || !node_set_name(node, shown, strlen(shown), reterr)) {
        node_free(node);
        return false;
    }
    node_free(model->parameters[at]);
    model->parameters[at] = node;
    return true;
}

struct model *model_share(struct model *model)
{
    model->n_owners++;
    return model;
}

void model_free(struct model *model)
{
    if (model == NULL || --model->n_owners > 0)
        return;
    for (size_t i = 0; model->parameters != NULL && i < parameter_count(&model->config); i++)
        node_free(model->parameters[i]);
    free(model->parameters);
    weights_close(model->weights);
    tokenizer_close(model->tokenizer);
    moments_free(model->moments);
    free(model->name);
    free(model);
}

/* ---- a folder ---- */

/* The entry of a parameter: by its whole name, or without the first part of it, as published
 * checkpoints of a model without its head have it. */
static const struct safetensors_entry *find_entry(const struct weights *weights, const char *name)
{
    const struct safetensors_entry *entry = weights_find(weights, name);
    return entry != NULL ? entry : weights_find(weights, parameter_short_name(name));
}

static bool check_shape(const char *path, const struct safetensors_entry *entry, unsigned n_axes,
                        const size_t shape[2], struct error *reterr)
{
    struct tensor wanted = {.n_axes = n_axes}, found = {.n_axes = entry->n_axes};
    char texts[2][TENSOR_SHAPE_TEXT];
    memcpy(wanted.shape, shape, n_axes * sizeof *shape);
    if (entry->n_axes <= TENSOR_MAX_AXES)
        memcpy(found.shape, entry->shape, entry->n_axes * sizeof *shape);
    if (entry->n_axes <= TENSOR_MAX_AXES && tensor_same_shape(&wanted, &found))
        return true;
    return error_set(
        reterr, ERR_FILE, "%s: %s is %s, and by config.json it is %s; the two are not of one model",
        path, entry->name,
        entry->n_axes <= TENSOR_MAX_AXES ? tensor_shape_text(&found, texts[0]) : "of too many axes",
        tensor_shape_text(&wanted, texts[1]));
}

/* What older files hold beside the parameters, and nobody computes with. */
static bool is_ignored(const char *name)
{
    static const char *const endings[] = {".attn.bias", ".attn.masked_bias",
                                          ".rotary_emb.inv_freq"};
    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (text_ends_with(name, endings[i]))
            return true;
    return false;
}

/* Each parameter must be there, in its shape. found[0..*ret_n) are their entries. */
static bool find_parameters(const struct model *model, const char *path,
                            const struct safetensors_entry **found, size_t *ret_n,
                            struct error *reterr)
{
    const struct model_config *config = &model->config;
    for (size_t at = *ret_n = 0; at < parameter_count(config); at++) {
        char name[PARAM_NAME_BYTES];
        size_t layer, shape[2];
        unsigned n_axes;
        enum param which = parameter_which(config, at, &layer);
        if (!parameter_shape(config, which, &n_axes, shape))
            continue;
        parameter_name(config, which, layer, name);
        const struct safetensors_entry *entry = find_entry(model->weights, name);
        if (entry == NULL)
            return error_set(reterr, ERR_FILE,
                             "%s: there is no tensor %s, which a model of this config.json has",
                             path, name);
        if (!check_shape(path, entry, n_axes, shape, reterr))
            return false;
        found[(*ret_n)++] = entry;
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    return x < y ? -1 : x > y;
}

/* A tensor that nothing here uses would make the numbers wrong without a word. */
static bool check_nothing_else(const struct model *model, const char *path,
                               const struct safetensors_entry **found, size_t n,
                               struct error *reterr)
{
    qsort(found, n, sizeof(*found), by_address);
    for (size_t i = 0; i < weights_count(model->weights); i++) {
        const struct safetensors_entry *entry = weights_entry_at(model->weights, i);
        char shown[80];
        if (!is_ignored(entry->name) &&
            bsearch(&entry, found, n, sizeof(*found), by_address) == NULL)
            return error_set(reterr, ERR_FILE,
                             "%s: holds %s, which no model of this config.json has; attn can't "
                             "compute with it",
                             path,
                             error_quote(shown, sizeof shown, entry->name, strlen(entry->name)));
    }
    return true;
}

static bool check_parameters(const struct model *model, const char *path, struct error *reterr)
{
    size_t n;
    const struct safetensors_entry **found =
        calloc(parameter_count(&model->config) + 1, sizeof(*found));
    if (found == NULL)
        return error_memory(reterr, "a model");
    bool ok = find_parameters(model, path, found, &n, reterr) &&
              check_nothing_else(model, path, found, n, reterr);
    free(found);
    return ok;
}

static bool has_file(const char *folder, const char *name)
{
    char path[4096];
    return path_join(path, sizeof path, folder, name) && path_is_file(path);
}

static bool has_tokenizer(const char *path)
{
    return has_file(path, "tokenizer.json") || has_file(path, "vocab.json");
}

static bool has_weights(const char *path)
{
    return has_file(path, "model.safetensors") || has_file(path, "model.safetensors.index.json");
}

/* What people call it: the folder's own name. */
static const char *name_of(const char *path)
{
    const char *name = path_base_name(path);
    return *name != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? name : path;
}

/* A folder that holds no more than a vocabulary. */
static struct model *open_vocabulary(const char *path, struct error *reterr)
{
    struct model_config config = {.first_token = -1, .last_token = -1};
    struct model *model = model_new(&config, name_of(path), reterr);
    if (model != NULL && tokenizer_open(path, &model->tokenizer, reterr)) {
        model->config.vocab = tokenizer_size(model->tokenizer);
        return model;
    }
    model_free(model);
    return NULL;
}

/* Takes weights over. */
static struct model *with_weights(const char *path, struct model_config *config,
                                  struct weights *weights, struct error *reterr)
{
    /* A tied model's file may hold the matrix of the logits all the same: then that one counts. */
    if (weights_find(weights, "lm_head.weight") != NULL)
        config->is_tied = false;
    struct model *model = model_new(config, name_of(path), reterr);
    if (model == NULL) {
        weights_close(weights);
        return NULL;
    }
    model->weights = weights;
    if (check_parameters(model, path, reterr) &&
        (!has_tokenizer(path) || tokenizer_open(path, &model->tokenizer, reterr)))
        return model;
    model_free(model);
    return NULL;
}

static bool check_folder(const char *path, struct error *reterr)
{
    if (path_is_folder(path))
        return true;
    if (path_is_file(path))
        return error_set(reterr, ERR_FILE, "%s: is a file; give the folder that it lies in", path);
    return error_set(reterr, ERR_FILE,
                     "%s: there is no such folder; give one with config.json and model.safetensors",
                     *path != '\0' ? path : "\"\"");
}

struct model *model_open(const char *path, struct error *reterr)
{
    struct model_config config;
    struct weights *weights;
    if (!check_folder(path, reterr))
        return NULL;
    if (!has_weights(path) && has_tokenizer(path))
        return open_vocabulary(path, reterr);
    if (!config_read(path, &config, reterr) || !weights_open(path, &weights, reterr))
        return NULL;
    return with_weights(path, &config, weights, reterr);
}

/* ---- parameters ---- */

/* The numbers of a parameter: those of its leaf, else those of its folder. The caller releases
 * *ret. */
static bool find_numbers(const struct model *model, size_t at, const char *name, struct tensor *ret,
                         struct error *reterr)
{
    if (model->parameters[at] != NULL) {
        *ret = tensor_share(&model->parameters[at]->value);
        return true;
    }
    const struct safetensors_entry *entry =
        model->weights != NULL ? find_entry(model->weights, name) : NULL;
    return entry != NULL
               ? weights_tensor(model->weights, entry->name, ret, reterr)
               : error_set(reterr, ERR_NAME, "%s: %s has no numbers yet", model->name, name);
}

/* Makes a parameter a leaf. */
static bool read_parameter(struct builder *b, struct model *model, enum param which, size_t layer)
{
    char name[PARAM_NAME_BYTES];
    struct tensor value;
    size_t at = parameter_at(&model->config, which, layer);
    parameter_name(&model->config, which, layer, name);
    return find_numbers(model, at, name, &value, b->reterr) &&
           model_put_parameter(b->graph, model, at, &value, name, b->reterr);
}

struct node *model_parameter(struct builder *b, struct model *model, enum param which, size_t layer)
{
    size_t shape[2], at = parameter_at(&model->config, which, layer);
    unsigned n_axes;
    if (!parameter_shape(&model->config, which, &n_axes, shape))
        return NULL;
    if (model->parameters[at] == NULL && !read_parameter(b, model, which, layer))
        b->failed = true;
    return model->parameters[at];
}

/* ---- saving ---- */

/* All parameters as they are written. */
struct written {
    size_t n;
    struct safetensors_tensor *list;
    struct tensor *numbers;
    char (*names)[PARAM_NAME_BYTES];
};

static bool list_parameters(const struct model *model, struct written *written,
                            struct error *reterr)
{
    const struct model_config *config = &model->config;
    for (size_t at = 0; at < parameter_count(config); at++) {
        size_t layer, shape[2], i = written->n;
        unsigned n_axes;
        enum param which = parameter_which(config, at, &layer);
        if (!parameter_shape(config, which, &n_axes, shape))
            continue;
        parameter_name(config, which, layer, written->names[i]);
        if (!find_numbers(model, at, written->names[i], &written->numbers[i], reterr))
            return false;
        written->list[i] = (struct safetensors_tensor){written->names[i], &written->numbers[i]};
        written->n++;
    }
    return true;
}

static bool save_weights(const struct model *model, const char *path, struct error *reterr)
{
    static const struct safetensors_text format = {"format", "pt"};
    size_t most = parameter_count(&model->config) + 1;
    struct written all = {.list = calloc(most, sizeof *all.list),
                          .numbers = calloc(most, sizeof *all.numbers),
                          .names = calloc(most, sizeof *all.names)};
    bool ok = (all.list != NULL && all.numbers != NULL && all.names != NULL) ||
              error_memory(reterr, "a model");
    ok = ok && list_parameters(model, &all, reterr) &&
         safetensors_write(path, all.list, all.n, &format, 1, reterr);
    for (size_t i = 0; i < all.n; i++)
        tensor_release(&all.numbers[i]);
    free(all.list);
    free(all.numbers);
    free(all.names);
    return ok;
}

static bool save_config(const struct model *model, const char *path, struct error *reterr)
{
    struct text text = {0};
    bool ok = config_write(&model->config, &text, reterr);
    if (ok && !file_replace(path, text_string(&text), text.size, 0666))
        ok = error_set(reterr, ERR_FILE, "%s: %s", path, strerror(errno));
    text_release(&text);
    return ok;
}

bool model_save(const struct model *model, const char *path, struct error *reterr)
{
    char weights[4096], config[4096];
    if (!path_join(weights, sizeof weights, path, "model.safetensors") ||
        !path_join(config, sizeof config, path, "config.json"))
        return error_set(reterr, ERR_FILE, "%.80s...: the path is too long", path);
    int why = folder_make_parents(weights, false);
    if (why == ENOMEM)
        return error_memory(reterr, path);
    if (why != 0)
        return error_set(reterr, ERR_FILE, "%s: the folder can't be made: %s", path, strerror(why));
    return (model->tokenizer == NULL || tokenizer_save(model->tokenizer, path, reterr)) &&
           save_weights(model, weights, reterr) && save_config(model, config, reterr);
}
