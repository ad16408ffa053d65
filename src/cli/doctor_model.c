/* See doctor_model.h. Each reader is asked by itself, so that what one of them refuses does not
 * hide what the others find; the model as a whole has the last word. */
#include "cli/doctor_model.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/findings.h"
#include "files/file.h"
#include "files/tokenizer.h"
#include "files/weights.h"
#include "model/model.h"

enum { MOST_NAMED = 5 }; /* tensors of one kind of fault */

struct examination {
    struct findings *findings;
    const char *folder;
    struct model_config config;
    bool has_config;
    struct weights *weights;     /* NULL: they can't be opened */
    struct tokenizer *tokenizer; /* NULL: there is none, or it can't be read */
};

static bool has_file(const struct examination *examination, const char *name)
{
    char path[4096];
    return path_join(path, sizeof path, examination->folder, name) && path_is_file(path);
}

/* ---- config.json ---- */

static void tell_config(struct examination *examination)
{
    const struct model_config *config = &examination->config;
    struct text found = {0};
    text_format(&found, "%s family, %zu layers of %zu heads",
                config->family == FAMILY_GPT2 ? "GPT-2's" : "Llama's", config->n_layers,
                config->n_heads);
    if (config->n_kv_heads != config->n_heads)
        text_format(&found, " on %zu keys", config->n_kv_heads);
    text_format(&found, ", width %zu, %zu tokens, texts of up to %zu; %zu numbers", config->d_model,
                config->vocab, config->n_positions, parameter_total(config));
    findings_tell(examination->findings, HEALTH_GOOD, "config", text_string(&found), NULL);
    text_release(&found);
}

static void look_at_config(struct examination *examination)
{
    struct error error;
    examination->has_config = config_read(examination->folder, &examination->config, &error);
    if (examination->has_config)
        tell_config(examination);
    else
        findings_tell(examination->findings, HEALTH_BROKEN, "config", error.text,
                      "Without config.json nobody knows how the weights belong together. Download "
                      "it with the model; if it asks for something that attn can't compute, no "
                      "download helps.");
}

/* ---- weights ---- */

/* How many tensors there are of which dtype: "148 F32, 12 U8". */
static void add_dtypes(const struct weights *weights, struct text *text)
{
    size_t n = weights_count(weights);
    for (size_t i = 0; i < n; i++) {
        const char *dtype = weights_entry_at(weights, i)->dtype;
        size_t same = 0, before = 0;
        for (size_t j = 0; j < n; j++) {
            bool is_same = strcmp(weights_entry_at(weights, j)->dtype, dtype) == 0;
            same += is_same;
            before += is_same && j < i;
        }
        if (before == 0)
            text_format(text, "%s%zu %s", i > 0 ? ", " : "", same, dtype);
    }
}

static void look_at_weights(struct examination *examination)
{
    struct error error;
    struct text found = {0};
    if (!weights_open(examination->folder, &examination->weights, &error)) {
        findings_tell(examination->findings, HEALTH_BROKEN, "weights", error.text,
                      "A file that is cut short or changed is best downloaded again; its size and "
                      "SHA-256 stand on the page it came from.");
        return;
    }
    text_format(&found, "%zu tensors: ", weights_count(examination->weights));
    if (weights_count(examination->weights) <= 4096)
        add_dtypes(examination->weights, &found);
    findings_tell(examination->findings, HEALTH_GOOD, "weights", text_string(&found), NULL);
    text_release(&found);
}

/* ---- the weights against config.json ---- */

/* One kind of fault of tensors: how many have it, and the first of them. */
struct fault {
    size_t n;
    struct text named;
};

static void note_fault(struct fault *fault, const char *name, const char *more)
{
    char shown[80];
    if (fault->n++ >= MOST_NAMED)
        return;
    text_format(&fault->named, "%s%s%s", fault->n > 1 ? "; " : "",
                error_quote(shown, sizeof shown, name, strlen(name)), more);
}

static void tell_fault(struct examination *examination, struct fault *fault, const char *name,
                       const char *what, const char *advice)
{
    struct text found = {0};
    text_format(&found, "%zu %s: %s%s", fault->n, what, text_string(&fault->named),
                fault->n > MOST_NAMED ? "; ..." : "");
    if (fault->n > 0)
        findings_tell(examination->findings, HEALTH_BROKEN, name, text_string(&found), advice);
    text_release(&found);
    text_release(&fault->named);
}

/* GPT-2's published file has its names without what stands in front. */
static const struct safetensors_entry *find_tensor(const struct weights *weights, const char *name)
{
    const struct safetensors_entry *entry = weights_find(weights, name);
    return entry != NULL ? entry : weights_find(weights, parameter_short_name(name));
}

static void add_shape(const size_t *shape, unsigned n_axes, struct text *text)
{
    for (unsigned axis = 0; axis < n_axes; axis++)
        text_format(text, axis > 0 ? "x%zu" : "%zu", shape[axis]);
}

static bool is_float(const char *dtype)
{
    return strcmp(dtype, "F32") == 0 || strcmp(dtype, "F16") == 0 || strcmp(dtype, "BF16") == 0 ||
           strcmp(dtype, "F64") == 0;
}

struct faults {
    struct fault missing, shapes, dtypes;
};

static void check_parameter(struct examination *examination, size_t at, struct faults *faults)
{
    char name[PARAM_NAME_BYTES];
    size_t layer, shape[2];
    unsigned n_axes;
    enum param which = parameter_which(&examination->config, at, &layer);
    if (!parameter_shape(&examination->config, which, &n_axes, shape))
        return;
    parameter_name(&examination->config, which, layer, name);
    const struct safetensors_entry *entry = find_tensor(examination->weights, name);
    struct text more = {0};
    if (entry == NULL) {
        note_fault(&faults->missing, name, "");
    } else if (!is_float(entry->dtype)) {
        text_format(&more, " is %s", entry->dtype);
        note_fault(&faults->dtypes, name, text_string(&more));
    } else if (entry->n_axes != n_axes ||
               memcmp(entry->shape, shape, n_axes * sizeof *shape) != 0) {
        text_put(&more, " is ");
        add_shape(entry->shape, entry->n_axes, &more);
        text_put(&more, " and not ");
        add_shape(shape, n_axes, &more);
        note_fault(&faults->shapes, name, text_string(&more));
    }
    text_release(&more);
}

static void look_at_parameters(struct examination *examination)
{
    struct faults faults = {0};
    if (!examination->has_config || examination->weights == NULL)
        return;
    if (weights_find(examination->weights, "lm_head.weight") != NULL)
        examination->config.is_tied = false;
    for (size_t at = 0; at < parameter_count(&examination->config); at++)
        check_parameter(examination, at, &faults);
    tell_fault(
        examination, &faults.missing, "tensors", "missing",
        "A model of this config.json has them. Is every shard there, and is config.json this "
        "model's own?");
    tell_fault(examination, &faults.shapes, "shapes", "of another shape than config.json says",
               "Take config.json and the weights from the same model.");
    tell_fault(examination, &faults.dtypes, "dtypes", "of no floats that attn reads",
               "The weights are quantised, it seems. Take the model before that was done, as F32, "
               "F16 or BF16.");
}

/* ---- tokens ---- */

static void tell_tokenizer(struct examination *examination)
{
    struct text found = {0};
    size_t n = tokenizer_size(examination->tokenizer), vocab = examination->config.vocab;
    text_format(&found, "%zu tokens, from %s", n,
                has_file(examination, "tokenizer.json") ? "tokenizer.json"
                                                        : "vocab.json and merges.txt");
    bool fits = !examination->has_config || n <= vocab;
    if (!fits)
        text_format(&found, "; config.json says %zu", vocab);
    findings_tell(
        examination->findings, fits ? HEALTH_GOOD : HEALTH_LACK, "tokenizer", text_string(&found),
        "A text with one of the last tokens can't be run. Take the tokenizer from the same "
        "model.");
    text_release(&found);
}

static void look_at_tokenizer(struct examination *examination)
{
    struct error error;
    bool is_there = has_file(examination, "tokenizer.json") ||
                    has_file(examination, "vocab.json") || has_file(examination, "merges.txt");
    if (tokenizer_open(examination->folder, &examination->tokenizer, &error))
        tell_tokenizer(examination);
    else
        findings_tell(
            examination->findings, is_there ? HEALTH_BROKEN : HEALTH_LACK, "tokenizer", error.text,
            is_there ? "Without its tokenizer.json, vocab.json and merges.txt the folder can "
                       "still be run on token ids."
                     : "The model runs on token ids alone, and not on text.");
}

/* ---- the whole ---- */

/* What the parts did not find. */
static void look_at_whole(struct examination *examination)
{
    struct error error;
    if (examination->findings->n_broken > 0)
        return;
    struct model *model = model_open(examination->folder, &error);
    if (model == NULL)
        findings_tell(examination->findings, HEALTH_BROKEN, "model", error.text, NULL);
    model_free(model);
}

static void sum_up(struct findings *findings)
{
    doc_end_line(&findings->doc);
    if (findings->n_broken > 0)
        doc_line(&findings->doc, STYLE_BAD, "This model can't be used: fix what is broken.");
    else if (findings->n_lacks > 0)
        doc_line(&findings->doc, STYLE_NOTE, "This model can be used; %zu %s lacking.",
                 findings->n_lacks, findings->n_lacks == 1 ? "thing is" : "things are");
    else
        doc_line(&findings->doc, STYLE_GOOD, "Nothing is lacking.");
}

void doctor_look_at_model(struct findings *findings, const char *folder)
{
    struct examination examination = {.findings = findings, .folder = folder};
    if (!path_is_folder(folder)) {
        char found[200], shown[120];
        snprintf(found, sizeof found, "%s: %s",
                 error_quote(shown, sizeof shown, folder, strlen(folder)),
                 path_is_file(folder) ? "is a file, and no folder" : "there is no such folder");
        findings_tell(findings, HEALTH_BROKEN, "folder", found,
                      "Name the folder that holds the model's config.json.");
    } else {
        look_at_config(&examination);
        look_at_weights(&examination);
        look_at_parameters(&examination);
        look_at_tokenizer(&examination);
        look_at_whole(&examination);
    }
    sum_up(findings);
    weights_close(examination.weights);
    tokenizer_close(examination.tokenizer);
}
