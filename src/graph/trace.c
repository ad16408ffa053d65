/* See trace.h. */
#include "graph/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "graph/hidden.h"
#include "graph/node.h"
#include "graph/node_set.h"
#include "graph/ops.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

enum { MAX_STAGES = 24 };

static bool is_stage(const struct node *node)
{
    if (node->name != NULL)
        return node->value.n_axes > 0 || !node_is_constant(node);
    return !node->op->is_move && !node_is_constant(node) && node->value.n_axes > 0;
}

/* The last of the stages that a node does not keep; NULL if the node has none, or without
 * memory. */
static struct node *stage_before(const struct node *node)
{
    return node->op->stages != NULL ? node->op->stages(node) : NULL;
}

/* What node was made from, with the stages that large attention works out when asked: those are the
 * entries of *ret that *ret_kept has not. */
static bool find_all(struct node *node, struct node_set *ret, struct node_set *ret_kept,
                     struct error *reterr)
{
    if (!node_set_init(ret_kept, &node, 1, reterr))
        return false;
    size_t n_roots = 1;
    struct node **roots = malloc((ret_kept->n_entries + 1) * sizeof(*roots));
    bool ok = roots != NULL || error_memory(reterr, "trace");
    if (ok)
        roots[0] = node;
    for (size_t i = 0; ok && i < ret_kept->n_entries; i++) {
        const struct node *entry = ret_kept->entries[i].node;
        struct node *before = stage_before(entry);
        if (before != NULL)
            roots[n_roots++] = before;
        else
            ok = entry->op->stages == NULL || error_memory(reterr, "trace");
    }
    ok = ok && node_set_init(ret, roots, n_roots, reterr);
    free(roots);
    if (!ok)
        node_set_release(ret_kept);
    return ok;
}

/* Raises the level of entry i to that of something it was made from. */
static void lie_behind(const struct node_set *set, size_t *levels, size_t i,
                       const struct node *parent)
{
    const struct node_entry *entry = node_set_find(set, parent);
    if (entry != NULL)
        levels[i] = size_max(levels[i], levels[entry - set->entries] + is_stage(parent));
}

/* For each entry of the set, how many stages lie on the longest way from an input: stages of equal
 * level stand side by side. The caller frees the levels. */
static size_t *levels_of(const struct node_set *set, struct error *reterr)
{
    size_t *levels = calloc(set->n_entries, sizeof *levels);
    if (levels == NULL)
        error_memory(reterr, "trace");
    for (size_t i = 0; levels != NULL && i < set->n_entries; i++) {
        const struct node *node = set->entries[i].node;
        for (unsigned p = 0; p < node->n_parents; p++)
            lie_behind(set, levels, i, node->parents[p]);
        const struct node *before = stage_before(node);
        if (before != NULL)
            lie_behind(set, levels, i, before);
    }
    return levels;
}

/* Adds one name of the flow, beside (",") or after ("->") the one before; on a line of its own
 * where it does not fit. */
static void add_to_flow(const struct text *name, bool beside, size_t width_cols, struct doc *doc)
{
    size_t used = doc_line_width(doc, doc->n_lines);
    size_t cols = text_width(text_string(name), name->size);
    if (used > 0 && beside)
        doc_put(doc, STYLE_QUIET, ",", 1);
    if (used + strlen(" -> ") + cols + strlen(",") > width_cols && used > 0) {
        doc_end_line(doc);
        doc_put(doc, STYLE_QUIET, beside ? "    " : " ", beside ? 4 : 1);
    }
    if (used > 0 && !beside)
        doc_put(doc, STYLE_QUIET, " ->", 3);
    if (used > 0)
        doc_put(doc, STYLE_QUIET, " ", 1);
    doc_put(doc, STYLE_NAME, text_string(name), name->size);
}

static void add_flow(const struct node_set *set, const size_t *levels, size_t width_cols,
                     struct doc *doc)
{
    size_t highest = levels[set->n_entries - 1];
    struct text name = {0};
    for (size_t level = 0; level <= highest; level++) {
        bool first = true;
        for (size_t i = 0; i < set->n_entries; i++) {
            if (levels[i] != level || !is_stage(set->entries[i].node))
                continue;
            text_clear(&name);
            node_write(set->entries[i].node, &name);
            add_to_flow(&name, !first, width_cols, doc);
            doc->failed = doc->failed || name.failed;
            first = false;
        }
    }
    doc_end_line(doc);
    text_release(&name);
}

/* "scores = Q @ K.T   3x3", or "X   from embed(...)   3x3" */
static void add_heading(const struct node *node, struct doc *doc)
{
    struct text formula = {0};
    char shape[TENSOR_SHAPE_TEXT];
    node_write_operation(node, &formula);
    if (node->name != NULL)
        doc_add(doc, STYLE_TITLE, "%s", node->name);
    if (node->n_parents == 0)
        doc_add(doc, STYLE_PLAIN, "%s%s", node->name ? "   from " : "", text_string(&formula));
    else
        doc_add(doc, STYLE_PLAIN, "%s%s", node->name ? " = " : "", text_string(&formula));
    doc_add(doc, STYLE_QUIET, "   %s", tensor_shape_text(&node->value, shape));
    doc_end_line(doc);
    doc->failed = doc->failed || formula.failed;
    text_release(&formula);
}

/* is_kept: all its numbers are there. */
static bool add_stage(struct node *node, bool is_kept, const struct show_options *options,
                      struct doc *doc, struct error *reterr)
{
    if (!is_kept) {
        add_heading(node, doc);
        doc_line(doc, STYLE_QUIET, "  not kept: why works out the row that it needs");
        return true;
    }
    struct doc matrix;
    struct show_options inner = *options;
    inner.width_cols -= inner.width_cols > 24 ? 2 : 0;
    doc_init(&matrix);
    add_heading(node, doc);
    bool ok = node_show(node, true, &inner, &matrix, reterr);
    doc_append(doc, &matrix, 2);
    doc->failed = doc->failed || matrix.failed;
    doc_release(&matrix);
    return ok;
}

static bool add_stages(const struct node_set *set, const struct node_set *kept,
                       const struct show_options *options, struct doc *doc, struct error *reterr)
{
    size_t n_stages = 0, shown = 0;
    for (size_t i = 0; i < set->n_entries; i++)
        n_stages += is_stage(set->entries[i].node);
    for (size_t i = 0; i < set->n_entries; i++) {
        if (!is_stage(set->entries[i].node))
            continue;
        bool left_out =
            n_stages > MAX_STAGES && shown >= MAX_STAGES / 2 && shown + MAX_STAGES / 2 < n_stages;
        if (left_out && shown == MAX_STAGES / 2)
            doc_line(doc, STYLE_QUIET, "  ... %zu more stages ...", n_stages - MAX_STAGES);
        if (!left_out &&
            !add_stage(set->entries[i].node, node_set_find(kept, set->entries[i].node) != NULL,
                       options, doc, reterr))
            return false;
        shown++;
    }
    return doc_check(doc, reterr);
}

/* By level, then in the order in which they were made. */
static int compare_stages(const void *a, const void *b)
{
    const struct trace_stage *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->node->id > y->node->id) - (x->node->id < y->node->id);
}

bool trace_stages(struct node *node, struct trace_stage **ret, size_t *ret_n, struct error *reterr)
{
    struct node_set set;
    if (!node_set_init(&set, &node, 1, reterr))
        return false;
    size_t n = 0, *levels = levels_of(&set, reterr);
    struct trace_stage *stages = levels ? calloc(set.n_entries, sizeof *stages) : NULL;
    bool ok = stages != NULL || error_memory(reterr, "trace");
    for (size_t i = 0; ok && i < set.n_entries; i++)
        if (is_stage(set.entries[i].node))
            stages[n++] = (struct trace_stage){set.entries[i].node, levels[i]};
    if (ok) {
        qsort(stages, n, sizeof *stages, compare_stages);
        *ret = stages;
        *ret_n = n;
    }
    free(levels);
    node_set_release(&set);
    return ok;
}

/* The stage that a part of one, such as weights[0], was cut out of; else node itself. */
static struct node *whole_stage(struct node *node)
{
    struct node *whole = node;
    while (!is_stage(whole) && whole->op->is_move && whole->n_parents == 1)
        whole = whole->parents[0];
    return is_stage(whole) ? whole : node;
}

bool trace_show(struct node *node, const struct show_options *options, struct doc *doc,
                struct error *reterr)
{
    struct node_set set, kept;
    node = whole_stage(node);
    if (!find_all(node, &set, &kept, reterr))
        return false;
    size_t *levels = levels_of(&set, reterr);
    bool ok = levels != NULL;
    if (ok && !is_stage(node)) {
        doc_line(doc, STYLE_NOTE, "made of typed numbers alone: there are no stages to show");
    } else if (ok) {
        if (set.n_entries <= 200)
            add_flow(&set, levels, options->width_cols, doc);
        ok = add_stages(&set, &kept, options, doc, reterr);
    }
    free(levels);
    node_set_release(&set);
    node_set_release(&kept);
    return ok;
}
