/* A model's weights: see weights.h. */
#include "files/weights.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/json.h"
#include "files/file.h"

#define SINGLE_NAME "model.safetensors"
#define INDEX_NAME "model.safetensors.index.json"

enum {
    PATH_BYTES = 4096,
    INDEX_MAX_BYTES = 64 << 20,
    MAX_SHARDS = 1024,
    MOST_NAMED = 3, /* missing shards in a message */
};

struct shard {
    char *name; /* as the index has it */
    struct safetensors *file;
};

struct weights {
    char folder[JSON_NAME_SHOWN]; /* for messages */
    struct shard *shards;
    size_t n_shards, capacity;
};

/* ---- shards ---- */

/* Notes a shard of this name, which is not open yet. */
static bool add_shard(struct weights *weights, const char *name, struct error *reterr)
{
    struct shard *shards =
        array_grow(weights->shards, weights->n_shards, &weights->capacity, sizeof *shards);
    if (shards == NULL)
        return error_memory(reterr, weights->folder);
    weights->shards = shards;
    shards[weights->n_shards] = (struct shard){.name = strdup(name)};
    if (shards[weights->n_shards].name == NULL)
        return error_memory(reterr, weights->folder);
    weights->n_shards++;
    return true;
}

/* The only file of a model. */
static bool open_single(struct weights *weights, const char *path, struct error *reterr)
{
    return add_shard(weights, path_base_name(path), reterr) &&
           safetensors_open(path, &weights->shards[0].file, reterr);
}

static const struct shard *shard_called(const struct weights *weights, const char *name)
{
    for (size_t i = 0; i < weights->n_shards; i++)
        if (strcmp(weights->shards[i].name, name) == 0)
            return &weights->shards[i];
    return NULL;
}

static bool path_is_too_long(const struct weights *weights, struct error *reterr)
{
    return error_set(reterr, ERR_LIMIT, "%s: the path is too long", weights->folder);
}

/* Whether a path stays below the folder, judged by its text; the targets of symbolic links are the
 * owner's choice (the cache of the hub is made of them). */
static bool stays_in_folder(const char *name)
{
    if (name[0] == '\0' || name[0] == '/')
        return false;
    for (const char *part = name; *part != '\0'; part += strspn(part, "/")) {
        size_t size = strcspn(part, "/");
        if (text_equals(part, size, ".."))
            return false;
        part += size;
    }
    return true;
}

static bool add_listed_shard(struct weights *weights, const char *name, struct error *reterr)
{
    char shown[80];
    if (!stays_in_folder(name))
        return error_set(reterr, ERR_FILE,
                         "%s/" INDEX_NAME ": the shard '%s' is not a file of this folder; name one",
                         weights->folder, error_quote(shown, sizeof shown, name, strlen(name)));
    if (weights->n_shards == MAX_SHARDS)
        return error_set(reterr, ERR_LIMIT, "%s/" INDEX_NAME ": it has more than %d shards",
                         weights->folder, MAX_SHARDS);
    return add_shard(weights, name, reterr);
}

/* All shards are there; else the first ones that are missing are named. */
static bool check_present(const struct weights *weights, const char *folder, struct error *reterr)
{
    struct text missing = {0};
    char path[PATH_BYTES], shown[80];
    size_t n_missing = 0;
    for (size_t i = 0; i < weights->n_shards; i++) {
        const char *name = weights->shards[i].name;
        if (path_join(path, sizeof path, folder, name) && path_is_file(path))
            continue;
        if (n_missing++ < MOST_NAMED)
            text_format(&missing, "%s%s", n_missing > 1 ? ", " : "",
                        error_quote(shown, sizeof shown, name, strlen(name)));
    }
    if (n_missing > 0)
        error_set(reterr, ERR_FILE, "%s: %zu of its %zu shards %s missing: %s%s; download %s too",
                  weights->folder, n_missing, weights->n_shards, n_missing == 1 ? "is" : "are",
                  text_string(&missing), n_missing > MOST_NAMED ? ", ..." : "",
                  n_missing == 1 ? "it" : "them");
    text_release(&missing);
    return n_missing == 0;
}

static bool open_shards(struct weights *weights, const char *folder, struct error *reterr)
{
    char path[PATH_BYTES];
    for (size_t i = 0; i < weights->n_shards; i++) {
        struct shard *shard = &weights->shards[i];
        if (!path_join(path, sizeof path, folder, shard->name))
            return path_is_too_long(weights, reterr);
        if (!safetensors_open(path, &shard->file, reterr))
            return false;
    }
    return true;
}

/* ---- the index ---- */

/* A tensor lies in the shard that the index says. */
static bool check_listed(const struct weights *weights, const char *name, const char *shard_name,
                         struct error *reterr)
{
    char shown[80];
    if (safetensors_find(shard_called(weights, shard_name)->file, name) != NULL)
        return true;
    const struct safetensors_entry *elsewhere = weights_find(weights, name);
    return error_set(reterr, ERR_FILE,
                     "%s: the tensor '%s' is not in %s, where the index says it is, %s; copy or "
                     "download the folder again",
                     weights->folder, error_quote(shown, sizeof shown, name, strlen(name)),
                     shard_name, elsewhere != NULL ? "but in another shard" : "and in no shard");
}

/* No tensor lies in two shards. */
static bool check_once(const struct weights *weights, struct error *reterr)
{
    for (size_t i = 1; i < weights->n_shards; i++) {
        const struct safetensors *file = weights->shards[i].file;
        for (size_t at = 0; at < safetensors_count(file); at++) {
            const char *name = safetensors_entry_at(file, at)->name;
            for (size_t j = 0; j < i; j++) {
                char shown[80];
                if (safetensors_find(weights->shards[j].file, name) != NULL)
                    return error_set(reterr, ERR_FILE,
                                     "%s: the tensor '%s' is in two shards, %s and %s; copy or "
                                     "download the folder again",
                                     weights->folder,
                                     error_quote(shown, sizeof shown, name, strlen(name)),
                                     weights->shards[j].name, weights->shards[i].name);
            }
        }
    }
    return true;
}

static bool open_listed(struct weights *weights, const char *folder, json_t *map,
                        struct error *reterr)
{
    const char *name;
    json_t *value;
    json_object_foreach (map, name, value) {
        const char *shard = json_string_value(value);
        if (shard == NULL)
            return error_set(reterr, ERR_FILE,
                             "%s/" INDEX_NAME ": its weight_map must name a file for each tensor",
                             weights->folder);
        if (shard_called(weights, shard) == NULL && !add_listed_shard(weights, shard, reterr))
            return false;
    }
    if (!check_present(weights, folder, reterr) || !open_shards(weights, folder, reterr))
        return false;
    json_object_foreach (map, name, value)
        if (!check_listed(weights, name, json_string_value(value), reterr))
            return false;
    return check_once(weights, reterr);
}

static bool open_index(struct weights *weights, const char *folder, const char *path,
                       struct error *reterr)
{
    json_t *root;
    if (!json_read_file(path, INDEX_MAX_BYTES, &root, reterr))
        return false;
    json_t *map = json_object_get(root, "weight_map");
    bool ok = json_object_size(map) > 0
                  ? open_listed(weights, folder, map, reterr)
                  : error_set(reterr, ERR_FILE, "%s/" INDEX_NAME ": it has no weight_map",
                              weights->folder);
    json_decref(root);
    return ok;
}

/* ---- a folder without either ---- */

/* Weights in other forms, by the ends of their files' names, with advice for each. */
static const struct {
    const char *ending, *what;
} other_forms[] = {
    {".safetensors", "is not called model.safetensors; rename it"},
    {".bin", "is PyTorch's own form; save it with save_pretrained(..., safe_serialization=True)"},
    {".pt", "is PyTorch's own form; save it with save_pretrained(..., safe_serialization=True)"},
    {".pth", "is PyTorch's own form; save it with save_pretrained(..., safe_serialization=True)"},
    {".gguf", "is GGUF, which attn does not read; take the folder it was made of"},
    {".onnx", "is ONNX, which attn does not read; take the folder it was made of"},
    {".h5", "is TensorFlow's form; save it with save_pretrained(..., safe_serialization=True)"},
    {".msgpack", "is Flax's form; save it with save_pretrained(..., safe_serialization=True)"},
};

/* The advice for a file that ends like other_forms[form]. */
static const char *what_is_with(const char *name, size_t form)
{
    bool is_safetensors = form == 0;
    if (is_safetensors && strcmp(name, SINGLE_NAME) == 0)
        return "is not a file; download it again";
    if (is_safetensors && strstr(name, "-of-") != NULL)
        return "is a shard, whose " INDEX_NAME " is missing; download that too";
    return other_forms[form].what;
}

/* Adds the advice for the first file in another form. */
static void tell_other_form(const char *path, struct text *text)
{
    DIR *folder = opendir(path);
    size_t begin = text->size;
    if (folder == NULL)
        return;
    for (struct dirent *entry; text->size == begin && (entry = readdir(folder)) != NULL;)
        for (size_t i = 0; text->size == begin && i < COUNT_OF(other_forms); i++) {
            char shown[80];
            if (text_ends_with(entry->d_name, other_forms[i].ending))
                text_format(text, "; %s %s",
                            error_quote(shown, sizeof shown, entry->d_name, strlen(entry->d_name)),
                            what_is_with(entry->d_name, i));
        }
    closedir(folder);
}

static bool has_no_weights(const struct weights *weights, const char *folder, struct error *reterr)
{
    struct text other = {0};
    tell_other_form(folder, &other);
    error_set(reterr, ERR_FILE, "%s: there is no " SINGLE_NAME " in it%s", weights->folder,
              other.size > 0 ? text_string(&other)
                             : ", and no " INDEX_NAME "; download the model's folder whole");
    text_release(&other);
    return false;
}

/* ---- the whole ---- */

static bool open_folder(struct weights *weights, const char *folder, struct error *reterr)
{
    char path[PATH_BYTES];
    if (!path_join(path, sizeof path, folder, SINGLE_NAME))
        return path_is_too_long(weights, reterr);
    if (path_is_file(path))
        return open_single(weights, path, reterr);
    if (!path_join(path, sizeof path, folder, INDEX_NAME))
        return path_is_too_long(weights, reterr);
    if (path_is_file(path))
        return open_index(weights, folder, path, reterr);
    return has_no_weights(weights, folder, reterr);
}

bool weights_open(const char *path, struct weights **ret, struct error *reterr)
{
    struct weights *weights = calloc(1, sizeof *weights);
    if (weights == NULL)
        return error_memory(reterr, "a model's weights");
    error_quote(weights->folder, sizeof weights->folder, path, strlen(path));
    if (path_is_folder(path) ? !open_folder(weights, path, reterr)
                             : !open_single(weights, path, reterr)) {
        weights_close(weights);
        return false;
    }
    *ret = weights;
    return true;
}

void weights_close(struct weights *weights)
{
    if (weights == NULL)
        return;
    for (size_t i = 0; i < weights->n_shards; i++) {
        safetensors_close(weights->shards[i].file);
        free(weights->shards[i].name);
    }
    free(weights->shards);
    free(weights);
}

size_t weights_count(const struct weights *weights)
{
    size_t n = 0;
    for (size_t i = 0; i < weights->n_shards; i++)
        n += safetensors_count(weights->shards[i].file);
    return n;
}

const struct safetensors_entry *weights_entry_at(const struct weights *weights, size_t at)
{
    size_t shard = 0;
    while (at >= safetensors_count(weights->shards[shard].file))
        at -= safetensors_count(weights->shards[shard++].file);
    return safetensors_entry_at(weights->shards[shard].file, at);
}

/* The entry of this name and its file; NULL if no file has it. */
static const struct safetensors_entry *find(const struct weights *weights, const char *name,
                                            const struct safetensors **ret_file)
{
    const struct safetensors_entry *entry = NULL;
    for (size_t i = 0; entry == NULL && i < weights->n_shards; i++) {
        *ret_file = weights->shards[i].file;
        entry = safetensors_find(*ret_file, name);
    }
    return entry;
}

const struct safetensors_entry *weights_find(const struct weights *weights, const char *name)
{
    const struct safetensors *file;
    return find(weights, name, &file);
}

bool weights_tensor(const struct weights *weights, const char *name, struct tensor *ret,
                    struct error *reterr)
{
    char shown[80];
    const struct safetensors *file;
    const struct safetensors_entry *entry = find(weights, name, &file);
    if (entry == NULL)
        return error_set(reterr, ERR_NAME, "%s: there is no tensor '%s' in it", weights->folder,
                         error_quote(shown, sizeof shown, name, strlen(name)));
    return safetensors_tensor(file, entry, ret, reterr);
}

bool weights_are_whole(const struct weights *weights, struct error *reterr)
{
    bool whole = true;
    for (size_t i = 0; whole && i < weights->n_shards; i++)
        whole = safetensors_is_whole(weights->shards[i].file, reterr);
    return whole;
}
