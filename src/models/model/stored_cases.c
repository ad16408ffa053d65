/* See stored_cases.h. */
#include "model/stored_cases.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/npy.h"
#include "files/file.h"
#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "show/doc.h"
#include "tensor/tensor.h"

static const double TOLERANCE = 1e-5;

enum { PATH_BYTES = 4096 };

/* What stands in a case, and how attn computes it. */
enum stored_kind { OF_LAYER, OF_FIRST_LAYER, LAST_NORMED, LOGITS };
static const struct stored_file {
    const char *name; /* before the number of the layer */
    const char *after;
    enum stored_kind kind;
    enum stage stage;
} files[] = {
    {"embed", "", OF_FIRST_LAYER, STAGE_RESID},
    {"q_rotated_layer", "", OF_LAYER, STAGE_Q},
    {"attn_probs_layer", "", OF_LAYER, STAGE_WEIGHTS},
    {"block", "_out", OF_LAYER, STAGE_OUT},
    {"ln_f_out", "", LAST_NORMED, STAGE_COUNT},
    {"norm_out", "", LAST_NORMED, STAGE_COUNT},
    {"logits", "", LOGITS, STAGE_COUNT},
};
enum { N_FILES = sizeof files / sizeof *files };

/* One case under way. */
struct stored_case {
    const char *folder;
    struct run *run;
    struct stored_errors *errors;
    size_t n_compared;
    struct error *reterr;
};

/* ---- comparing ---- */

/* The largest difference by the largest stored number; NaN where one alone is not a number. Equal
 * numbers, infinite ones too, differ by 0. */
static double largest_error(const struct tensor *got, const struct tensor *want)
{
    double difference = 0, largest = 0;
    size_t n = tensor_size(want);
    for (size_t i = 0; i < n; i++) {
        double a = (double)tensor_at_position(got, i), b = (double)tensor_at_position(want, i);
        if (isnan(a) && isnan(b))
            continue;
        if (a != b && !(fabs(a - b) <= difference))
            difference = fabs(a - b);
        if (isnan(difference))
            return difference;
        largest = fmax(largest, fabs(b));
    }
    return difference == 0 ? 0 : difference / largest;
}

/* The stage of that name; a new one at `at` if the name is new. */
static struct stored_stage *find_stage(struct stored_errors *errors, const char *name,
                                       struct error *reterr)
{
    for (size_t i = 0; i < errors->n_stages; i++)
        if (strcmp(errors->stages[i].name, name) == 0)
            return &errors->stages[i];
    size_t size = (errors->n_stages + 1) * sizeof *errors->stages;
    struct stored_stage *stages = realloc(errors->stages, size);
    if (stages == NULL) {
        error_memory(reterr, "the stages of a model");
        return NULL;
    }
    errors->stages = stages;
    struct stored_stage *stage = &stages[errors->n_stages++];
    *stage = (struct stored_stage){.error = 0};
    snprintf(stage->name, sizeof stage->name, "%s", name);
    return stage;
}

/* The stored tensor without the axes of 1 in front that the other one lacks, or has besides. */
static bool same_axes(const struct tensor *want, const struct tensor *got, struct tensor *ret,
                      struct error *reterr)
{
    char stored[TENSOR_SHAPE_TEXT], own[TENSOR_SHAPE_TEXT];
    if (tensor_size(want) == tensor_size(got) &&
        tensor_reshape(want, got->n_axes, got->shape, ret, reterr)) {
        size_t more = want->n_axes > got->n_axes ? want->n_axes - got->n_axes : 0;
        size_t less = got->n_axes > want->n_axes ? got->n_axes - want->n_axes : 0;
        size_t n = got->n_axes - less;
        if (memcmp(want->shape + more, got->shape + less, n * sizeof *got->shape) == 0)
            return true;
        tensor_release(ret);
    }
    return error_set(reterr, ERR_SHAPE, "it is %s, and the model's is %s",
                     tensor_shape_text(want, stored), tensor_shape_text(got, own));
}

/* Compares a node of the run with the file of that name, which is there. */
static bool compare(struct stored_case *one, const char *path, const char *name,
                    const struct node *node)
{
    struct tensor stored, want;
    struct stored_stage *stage = find_stage(one->errors, name, one->reterr);
    if (node == NULL || stage == NULL || !npy_load(path, &stored, one->reterr))
        return false;
    bool ok = same_axes(&stored, &node->value, &want, one->reterr);
    if (ok) {
        double error = largest_error(&node->value, &want);
        if (!(error <= stage->error)) /* NaN too */
            stage->error = isnan(stage->error) ? stage->error : error;
        stage->n_cases++;
        one->n_compared++;
        tensor_release(&want);
    } else {
        error_prefix(one->reterr, "%s: ", path);
    }
    tensor_release(&stored);
    return ok;
}

/* ---- the stages of one case ---- */

static struct node *compute(struct run *run, const struct stored_file *file, size_t layer,
                            struct error *reterr)
{
    if (file->kind == LOGITS)
        return run_logits(run, reterr);
    if (file->kind == LAST_NORMED)
        return run_last_normed(run, reterr);
    return run_stage(run, file->stage, layer, reterr);
}

/* Compares a stage where its file is there. */
static bool try_file(struct stored_case *one, const struct stored_file *file, size_t layer)
{
    char path[PATH_BYTES], name[40], file_name[48];
    if (file->kind == OF_LAYER)
        snprintf(name, sizeof name, "%s%zu%s", file->name, layer, file->after);
    else
        snprintf(name, sizeof name, "%s", file->name);
    snprintf(file_name, sizeof file_name, "%s.npy", name);
    if (!path_join(path, sizeof path, one->folder, file_name) || !path_is_file(path))
        return true;
    return compare(one, path, name, compute(one->run, file, layer, one->reterr));
}

static bool compare_layer(struct stored_case *one, size_t layer)
{
    bool ok = true;
    for (size_t i = 0; ok && i < N_FILES; i++)
        if (files[i].kind == OF_LAYER || (files[i].kind == OF_FIRST_LAYER && layer == 0))
            ok = try_file(one, &files[i], layer);
    return ok;
}

static bool compare_case(struct stored_case *one)
{
    bool ok = true;
    for (size_t layer = 0; ok && layer < one->run->model->config.n_layers; layer++)
        ok = compare_layer(one, layer);
    for (size_t i = 0; ok && i < N_FILES; i++)
        if (files[i].kind == LAST_NORMED || files[i].kind == LOGITS)
            ok = try_file(one, &files[i], 0);
    return ok &&
           (one->n_compared > 0 ||
            error_set(one->reterr, ERR_FILE,
                      "%s: it holds no stage to compare with, such as logits.npy", one->folder));
}

static struct run *run_case(struct graph *graph, struct model *model, const char *path,
                            struct error *reterr)
{
    struct tensor ids;
    static const char name[] = "ids";
    if (!npy_load(path, &ids, reterr))
        return NULL;
    struct node *node = node_input(graph, &ids, name, sizeof name - 1, reterr);
    struct run *run = node != NULL ? run_ids(graph, model, node, reterr) : NULL;
    if (run == NULL)
        error_prefix(reterr, "%s: ", path);
    node_free(node);
    return run;
}

/* Runs the case in a folder; a folder that holds no case is skipped. */
static bool try_case(struct model *model, const char *folder, const volatile sig_atomic_t *stop,
                     struct stored_errors *errors, struct error *reterr)
{
    struct graph graph = {.stop = stop};
    char path[PATH_BYTES];
    if (!path_join(path, sizeof path, folder, "input_ids.npy") || !path_is_file(path))
        return true;
    struct stored_case one = {.folder = folder, .errors = errors, .reterr = reterr};
    one.run = run_case(&graph, model, path, reterr);
    bool ok = one.run != NULL && compare_case(&one);
    run_free(one.run);
    errors->n_cases += ok ? 1 : 0;
    return ok;
}

/* ---- all cases ---- */

/* The folders in a folder that are cases, in the order of their names. */
static bool try_cases_in(struct model *model, const char *folder, const volatile sig_atomic_t *stop,
                         struct stored_errors *errors, struct error *reterr)
{
    struct dirent **names = NULL;
    int n = scandir(folder, &names, NULL, alphasort);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        char path[PATH_BYTES];
        if (ok && names[i]->d_name[0] != '.' &&
            path_join(path, sizeof path, folder, names[i]->d_name))
            ok = try_case(model, path, stop, errors, reterr);
        free(names[i]);
    }
    free(names);
    return ok;
}

bool stored_cases_run(struct model *model, const char *folder, const volatile sig_atomic_t *stop,
                      struct stored_errors *ret, struct error *reterr)
{
    struct stored_errors errors = {.stages = NULL};
    bool ok = try_case(model, folder, stop, &errors, reterr);
    if (ok && errors.n_cases == 0)
        ok = try_cases_in(model, folder, stop, &errors, reterr);
    if (ok && errors.n_cases == 0)
        ok = error_set(reterr, ERR_FILE,
                       "%s: there is no case in it: a case is a folder with input_ids.npy, "
                       "logits.npy and the like",
                       folder);
    if (ok)
        *ret = errors;
    else
        stored_errors_release(&errors);
    return ok;
}

void stored_errors_release(struct stored_errors *errors)
{
    free(errors->stages);
    *errors = (struct stored_errors){.stages = NULL};
}

/* ---- telling ---- */

/* The stage that is furthest off. */
static const struct stored_stage *worst(const struct stored_errors *errors)
{
    const struct stored_stage *stage = &errors->stages[0];
    for (size_t i = 1; i < errors->n_stages && !isnan(stage->error); i++)
        if (!(errors->stages[i].error <= stage->error))
            stage = &errors->stages[i];
    return stage;
}

bool stored_errors_are_small(const struct stored_errors *errors)
{
    return worst(errors)->error <= TOLERANCE;
}

void stored_errors_show(const struct stored_errors *errors, struct doc *out)
{
    const struct stored_stage *most = worst(errors);
    bool small = stored_errors_are_small(errors);
    doc_line(out, STYLE_QUIET, "%-22s %5s   largest error / largest stored number", "stage",
             "cases");
    for (size_t i = 0; i < errors->n_stages; i++) {
        const struct stored_stage *stage = &errors->stages[i];
        bool fits = stage->error <= TOLERANCE;
        doc_add(out, STYLE_NAME, "%-22s ", stage->name);
        doc_add(out, STYLE_PLAIN, "%5zu   ", stage->n_cases);
        doc_add(out, fits ? STYLE_NUMBER : STYLE_BAD, "%.2g", stage->error);
        if (!fits)
            doc_add(out, STYLE_BAD, "   over %g", TOLERANCE);
        doc_end_line(out);
    }
    doc_line(out, small ? STYLE_GOOD : STYLE_BAD,
             "%zu %s: attn is off by at most %.2g of the largest number of a stage (%s): %s %g.",
             errors->n_cases, errors->n_cases == 1 ? "case" : "cases", most->error, most->name,
             small ? "within" : "over", TOLERANCE);
}
