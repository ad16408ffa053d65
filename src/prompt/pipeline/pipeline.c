/* How a session comes to hold the stages: from a sentence, by lines of the language; from a tensor
 * of another session, by copying what it was made from. */
#include "pipeline/pipeline_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/cost.h"
#include "graph/node_set.h"
#include "graph/ops.h"
#include "graph/stages.h"
#include "graph/trace.h"
#include "lang/builtins/embeddings.h"
#include "commands/command.h"
#include "show/doc.h"
#include "show/heat.h"
#include "show/number.h"

/* The most numbers of a stage of large attention that are computed to be looked at. */
enum { MOST_OPENED = 1 << 24 };

/* The stages of a sentence in their order, and how many lie before each on the way. */
static const struct {
    const char *name;
    unsigned level;
} sentence_stages[] = {
    {"E", 0},      {"X", 1},      {"Q", 2},       {"K", 2},       {"V", 2},     {"scores", 3},
    {"scaled", 4}, {"masked", 5}, {"weights", 6}, {"context", 7}, {"heads", 8}, {"output", 9},
};

struct node *pipeline_node(const struct pipeline *pipeline, const char *name)
{
    const struct value *value = names_get(&pipeline->session.names, name, strlen(name));
    return value != NULL && value->kind == VALUE_NODE ? value->as.node : NULL;
}

size_t pipeline_find_node(const struct pipeline *pipeline, const struct node *node)
{
    size_t i = 0;
    while (i < pipeline->n_stages && pipeline->stages[i].node != node)
        i++;
    return i;
}

size_t pipeline_find_name(const struct pipeline *pipeline, const char *name)
{
    size_t i = 0;
    while (i < pipeline->n_stages && strcmp(pipeline->stages[i].name, name) != 0)
        i++;
    return i;
}

static size_t count_words(const char *sentence)
{
    size_t n = 0, at = 0;
    const char *word;
    while (embeddings_next_word(sentence, strlen(sentence), &at, &word) > 0)
        n++;
    return n;
}

/* ---- stages ---- */

static void release_stages(struct pipeline_stage *stages, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        node_free(stages[i].node);
        tensor_release(&stages[i].before);
    }
}

/* True for a node whose rows could all be weights. */
static bool is_weights(const struct node *node)
{
    const struct tensor *x = &node->value;
    if (x->n_axes < 2 || tensor_size(x) == 0)
        return false;
    if (node->name != NULL && strcmp(node->name, "weights") == 0)
        return true; /* an edited row may add up to anything */
    size_t n_ones;   /* where all of it is hidden it has none */
    return heat_rows_are_weights(x, &n_ones);
}

/* 0 where there are too many steps to count. */
static double count_products(const struct node *node)
{
    struct cost cost;
    return stage_cost(node, &cost) ? cost.products : 0;
}

/* Takes the stages as the session's names have them now. keeps_before: an edit was made; what was
 * there before stays with each stage that changed. */
static void read_stages(struct pipeline *pipeline, bool keeps_before)
{
    struct pipeline_stage stages[PIPELINE_MAX_STAGES] = {{.node = NULL}};
    bool is_sentence = pipeline->sentence[0] != '\0';
    size_t n = 0, n_names = is_sentence ? COUNT_OF(sentence_stages) : pipeline->n_stages;
    for (size_t i = 0; i < n_names; i++) {
        const struct pipeline_stage *old = &pipeline->stages[i];
        const char *name = is_sentence ? sentence_stages[i].name : old->name;
        struct node *node = pipeline_node(pipeline, name);
        if (node == NULL && !is_sentence)
            node = old->node; /* a stage without a name stays */
        if (node == NULL)
            continue;
        struct pipeline_stage *stage = &stages[n++];
        stage->node = node_share(node);
        stage->is_weights = is_weights(node);
        stage->products = count_products(node);
        stage->level = is_sentence ? sentence_stages[i].level : old->level;
        snprintf(stage->name, sizeof stage->name, "%s", name);
        size_t at = pipeline_find_name(pipeline, name);
        if (!keeps_before || at == pipeline->n_stages)
            continue;
        const struct tensor *before = &pipeline->stages[at].node->value, *now = &node->value;
        size_t size = tensor_same_shape(before, now) ? tensor_size(now) : 0;
        for (size_t p = 0; p < size; p++)
            stage->n_changed +=
                number_differs(tensor_at_position(before, p), tensor_at_position(now, p));
        if (stage->n_changed > 0)
            stage->before = tensor_share(before);
    }
    release_stages(pipeline->stages, pipeline->n_stages);
    memcpy(pipeline->stages, stages, n * sizeof *stages);
    pipeline->n_stages = n;
}

/* ---- running lines ---- */

size_t pipeline_d_model(unsigned n_heads)
{
    size_t least = PIPELINE_WIDTH;
    return n_heads <= 1 ? EMBEDDING_DIM : (least + n_heads - 1) / n_heads * n_heads;
}

/* The embeddings of the sentence, from where nothing else is. */
static void write_embedding(const struct pipeline *pipeline, struct text *line)
{
    text_put(line, "reset; E = embed(\"");
    for (const char *c = pipeline->sentence; *c != '\0'; c++)
        text_char(line, *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? ' ' : *c);
    text_put(line, "\"); ");
}

/* What computes the stages from the embeddings: "NAME = FORMULA; " for each. */
static void write_formulas(const struct pipeline *pipeline, struct text *line)
{
    const struct pipeline_options *options = &pipeline->options;
    int n_heads = (int)options->n_heads, width = (int)pipeline_d_model(options->n_heads);
    int d_k = width / n_heads;
    size_t n_words = count_words(pipeline->sentence);

    if (n_heads == 1) {
        text_put(line, "Q = E[:]; K = E[:]; V = E[:]; scores = Q @ K.T; ");
    } else {
        text_format(line, "manual_seed(0); W_in = randn(%d, %d) / sqrt(%d); ", EMBEDDING_DIM, width,
                    EMBEDDING_DIM);
        for (const char *w = "qkvo"; *w != '\0'; w++)
            text_format(line, "W_%c = randn(%d, %d) / sqrt(%d); ", *w, width, width, width);
        text_put(line, "X = E @ W_in; ");
        for (const char *w = "qkv"; *w != '\0'; w++)
            text_format(line, "%c = split_heads(X @ W_%c, %d); ", *w - 'a' + 'A', *w, n_heads);
        text_put(line, "scores = Q @ K.transpose(-2, -1); ");
    }

    const char *last = "scaled"; /* the stage before */
    if (options->is_scaled && options->temperature != 1)
        text_format(line, "scaled = scores / (sqrt(%d) * %.6g); ", d_k, options->temperature);
    else if (options->is_scaled)
        text_format(line, "scaled = scores / sqrt(%d); ", d_k);
    else if (options->temperature != 1)
        text_format(line, "scaled = scores / %.6g; ", options->temperature);
    else
        last = "scores";

    if (options->mask == PIPELINE_CAUSAL)
        text_format(line, "masked = %s + causal_mask(%zu); ", last, n_words);
    else if (options->mask == PIPELINE_PADDING)
        text_format(line, "masked = masked_fill(%s, arange(%zu) == %zu, -inf); ", last, n_words,
                    n_words - 1);
    if (options->mask != PIPELINE_NO_MASK)
        last = "masked";

    text_format(line, "weights = softmax(%s, dim=-1); context = weights @ V; ", last);
    if (n_heads > 1)
        text_put(line, "heads = merge_heads(context); output = heads @ W_o; ");
}

/* How many bytes of the formulas that were run still hold: all up to the first one that is another
 * now. */
static size_t count_holding(const char *old, const char *now)
{
    size_t holding = 0;
    for (size_t i = 0; old[i] != '\0' && old[i] == now[i]; i++)
        if (old[i] == ' ' && i > 0 && old[i - 1] == ';')
            holding = i + 1;
    return holding;
}

/* Forgets the names that formulas gave. */
static void write_forgetting(const char *formulas, struct text *line)
{
    for (const char *at = formulas; *at != '\0'; at = strstr(at, "; ") + 2)
        text_format(line, "del %.*s; ", (int)strcspn(at, " "), at);
}

/* What computes the sentence anew: all of it; or, where only options changed, what they change.
 * Then the first n_edits edits, each a step for undo. */
static void write_lines(const struct pipeline *pipeline, const char *formulas, bool all,
                        size_t n_edits, struct text *line)
{
    const char *ran = text_string(&pipeline->formulas);
    size_t holding = all ? 0 : count_holding(ran, formulas);
    if (all)
        write_embedding(pipeline, line);
    else
        write_forgetting(ran + holding, line);
    text_put(line, formulas + holding);
    for (size_t i = 0; i < n_edits; i++)
        text_format(line, "whatif %s; keep; ", pipeline->edits[i]);
    if (!line->failed && line->size > 0)
        text_shrink(line, line->size - strlen("; "));
}

/* What the session said besides the result becomes the note, such as words without a vector. */
static void take_note(struct pipeline *pipeline, const struct doc *shown)
{
    static const char prefix[] = "note: ";
    char *note = pipeline->note;
    size_t size = 0, capacity = sizeof pipeline->note;
    note[0] = '\0';
    for (size_t line = 0; line < shown->n_lines; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(shown, line, &spans);
        for (size_t i = 0; i < n && size < capacity; i++)
            if (spans[i].style == STYLE_NOTE)
                size += (size_t)snprintf(
                    note + size, capacity - size, "%s%.*s", size > 0 && i == 0 ? " " : "",
                    (int)(spans[i].end - spans[i].begin), shown->text.bytes + spans[i].begin);
    }
    if (strncmp(note, prefix, sizeof prefix - 1) == 0)
        memmove(note, note + sizeof prefix - 1, strlen(note) - (sizeof prefix - 1) + 1);
}

/* How much of a sentence is computed, and whether to stay. */
enum run {
    RUN_ALL,
    RUN_CHANGED, /* the stages from the first one whose formula is another now */
    RUN_TRIAL,   /* all, to see whether it works; nothing changes */
};

/* Runs the lines of the sentence with the first n_edits edits. */
static bool run(struct pipeline *pipeline, size_t n_edits, enum run how, struct error *reterr)
{
    bool is_trial = how == RUN_TRIAL;
    struct text line = {0}, formulas = {0};
    struct doc shown;
    struct value value = {.kind = VALUE_ABSENT};
    bool ok;
    doc_init(&shown);
    write_formulas(pipeline, &formulas);
    write_lines(pipeline, text_string(&formulas), how != RUN_CHANGED, n_edits, &line);
    if (line.failed || formulas.failed)
        ok = error_memory(reterr, "explore");
    else if (is_trial)
        ok = session_peek(&pipeline->session, text_string(&line), "0", &value, reterr);
    else
        ok = session_run(&pipeline->session, text_string(&line), line.size, &shown, reterr);
    if (ok && !is_trial) {
        if (how == RUN_ALL) /* which says what the sentence has */
            take_note(pipeline, &shown);
        read_stages(pipeline, false);
        text_clear(&pipeline->session.script); /* nothing is saved from here */
        struct text old = pipeline->formulas;
        pipeline->formulas = formulas;
        formulas = old;
    }
    value_release(&value);
    doc_release(&shown);
    text_release(&line);
    text_release(&formulas);
    return ok;
}

/* ---- sentences and options ---- */

void pipeline_init(struct pipeline *pipeline, const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop)
{
    struct settings own = *settings;
    own.echo = false;
    own.no_files = true;
    *pipeline = (struct pipeline){.options = {.is_scaled = true, .temperature = 1, .n_heads = 1}};
    session_init(&pipeline->session, command_find, &own, data_dir, stop);
}

void pipeline_release(struct pipeline *pipeline)
{
    release_stages(pipeline->stages, pipeline->n_stages);
    text_release(&pipeline->formulas);
    pipeline->n_stages = 0;
    session_release(&pipeline->session);
}

bool pipeline_set_sentence(struct pipeline *pipeline, const char *sentence, struct error *reterr)
{
    size_t n = count_words(sentence), old_n_edits = pipeline->n_edits;
    enum pipeline_mask old_mask = pipeline->options.mask;
    char old[sizeof pipeline->sentence];
    if (n == 0)
        return error_set(reterr, ERR_NAME, "a sentence: there is no word in it; type some words");
    if (n > PIPELINE_MAX_WORDS)
        return error_set(reterr, ERR_LIMIT, "a sentence: it has %zu words; up to %d can be shown",
                         n, PIPELINE_MAX_WORDS);
    if (strlen(sentence) >= sizeof old)
        return error_set(reterr, ERR_LIMIT, "a sentence: it is over %zu letters; shorten it",
                         sizeof old - 1);
    memcpy(old, pipeline->sentence, sizeof old);
    snprintf(pipeline->sentence, sizeof pipeline->sentence, "%s", sentence);
    pipeline->n_edits = 0;
    if (n == 1 && old_mask == PIPELINE_PADDING)
        pipeline->options.mask = PIPELINE_NO_MASK;
    if (run(pipeline, 0, RUN_ALL, reterr))
        return true;
    memcpy(pipeline->sentence, old, sizeof old);
    pipeline->n_edits = old_n_edits;
    pipeline->options.mask = old_mask;
    return false;
}

/* Leaves out the edits that do not fit the pipeline: each is tried with those before it that do.
 * The caller puts them back where this, or what it does next, fails. */
static bool drop_unfit_edits(struct pipeline *pipeline, struct error *reterr)
{
    size_t n_fit = 0;
    for (size_t i = 0; i < pipeline->n_edits; i++) {
        memmove(pipeline->edits[n_fit], pipeline->edits[i], sizeof *pipeline->edits);
        if (run(pipeline, n_fit + 1, RUN_TRIAL, reterr))
            n_fit++;
        else if (error_is_stop(reterr))
            return false;
    }
    pipeline->n_edits = n_fit;
    return true;
}

bool pipeline_set_options(struct pipeline *pipeline, const struct pipeline_options *options,
                          size_t *ret_n_dropped, struct error *reterr)
{
    struct pipeline_options old = pipeline->options;
    char old_edits[PIPELINE_MAX_EDITS][sizeof *pipeline->edits];
    size_t old_n_edits = pipeline->n_edits;
    struct error error;
    double most = PIPELINE_MAX_TEMPERATURE;
    if (!(options->temperature >= 1 / most && options->temperature <= most))
        return error_set(reterr, ERR_LIMIT, "the temperature goes from 1/%d to %d",
                         PIPELINE_MAX_TEMPERATURE, PIPELINE_MAX_TEMPERATURE);
    if (options->n_heads == 0 || options->n_heads > PIPELINE_MAX_HEADS)
        return error_set(reterr, ERR_LIMIT, "%u heads: there can be 1 to %d", options->n_heads,
                         PIPELINE_MAX_HEADS);
    pipeline->options = *options;
    *ret_n_dropped = 0;
    if (pipeline->sentence[0] == '\0')
        return true;
    if (options->mask == PIPELINE_PADDING && count_words(pipeline->sentence) == 1)
        pipeline->options.mask = PIPELINE_NO_MASK;
    /* Edits change more than their own stage; another number of heads draws other projections. */
    bool all = old_n_edits > 0 || old.n_heads != options->n_heads;
    if (run(pipeline, old_n_edits, all ? RUN_ALL : RUN_CHANGED, &error))
        return true;
    memcpy(old_edits, pipeline->edits, sizeof old_edits);
    bool may_drop = !error_is_stop(&error) && old_n_edits > 0;
    if (may_drop && drop_unfit_edits(pipeline, &error) &&
        run(pipeline, pipeline->n_edits, RUN_ALL, &error)) {
        *ret_n_dropped = old_n_edits - pipeline->n_edits;
        return true;
    }
    pipeline->options = old;
    memcpy(pipeline->edits, old_edits, sizeof old_edits);
    pipeline->n_edits = old_n_edits;
    if (reterr != NULL)
        *reterr = error;
    return false;
}

/* ---- edits ---- */

/* Runs a line that makes an edit or takes one back, and reads the stages again. */
static bool run_edit(struct pipeline *pipeline, const char *line, bool keeps_before,
                     struct error *reterr)
{
    struct doc shown;
    doc_init(&shown);
    bool ok = session_run(&pipeline->session, line, strlen(line), &shown, reterr);
    doc_release(&shown);
    if (ok)
        read_stages(pipeline, keeps_before);
    return ok;
}

bool pipeline_can_edit(const struct pipeline *pipeline, const struct node *node,
                       struct error *reterr)
{
    if (node->name == NULL || pipeline_node(pipeline, node->name) != node)
        return error_set(reterr, ERR_NAME,
                         "it has no name, so it can't be edited; edit one of its inputs");
    return strlen(node->name) <= PIPELINE_MAX_NAME ||
           error_set(reterr, ERR_LIMIT, "its name is too long for an edit; edit one of its inputs");
}

bool pipeline_add_edit(struct pipeline *pipeline, struct cell cell, float number,
                       struct error *reterr)
{
    char *edit, line[sizeof *pipeline->edits + 16];
    if (!pipeline_can_edit(pipeline, cell.node, reterr))
        return false;
    if (pipeline->n_edits == PIPELINE_MAX_EDITS)
        return error_set(reterr, ERR_LIMIT, "edit: %d edits are remembered; undo one first: u",
                         PIPELINE_MAX_EDITS);
    edit = pipeline->edits[pipeline->n_edits];
    size_t index[TENSOR_MAX_AXES], n_axes = cell.node->value.n_axes;
    size_t size = sizeof *pipeline->edits;
    int at = snprintf(edit, size, "%s", cell.node->name);
    tensor_index_of(&cell.node->value, cell.position, index);
    for (size_t axis = 0; axis < n_axes; axis++)
        at += snprintf(edit + at, size - (size_t)at, "%s%zu%s", axis > 0 ? ", " : "[", index[axis],
                       axis + 1 == n_axes ? "]" : "");
    snprintf(edit + at, size - (size_t)at, " = %.9g", (double)number);

    snprintf(line, sizeof line, "whatif %s; keep", edit);
    bool ok = run_edit(pipeline, line, true, reterr);
    pipeline->n_edits += ok;
    return ok;
}

bool pipeline_drop_edit(struct pipeline *pipeline, struct error *reterr)
{
    if (pipeline->n_edits == 0)
        return error_set(reterr, ERR_NAME, "undo: nothing was edited yet; e edits a number");
    bool ok = run_edit(pipeline, "undo", false, reterr);
    pipeline->n_edits -= ok;
    return ok;
}

/* ---- a tensor of another session ---- */

/* True for large attention, which keeps no stages, where they can be computed to be looked at. */
static bool opens_up(const struct node *node)
{
    if (node->op->kind != OP_ATTENTION)
        return false;
    struct attention_parts parts = stages_parts(node, node->parents);
    struct tensor scores = {0};
    return stages_are_many(&parts, &scores) && tensor_size(&scores) <= MOST_OPENED;
}

/* The same with a node for each stage. */
static struct node *open_up(struct graph *graph, const struct node *node,
                            struct node *const *parents, struct error *reterr)
{
    struct attention_parts parts = stages_parts(node, parents);
    struct builder builder;
    builder_init(&builder, graph, reterr);
    struct node *made = builder_result(&builder, build_stages(&builder, &parts));
    builder_release(&builder);
    return made;
}

/* A node like that one, made from other parents. */
static struct node *copy_node(struct graph *graph, const struct node_set *set,
                              const struct node *node, struct error *reterr)
{
    if (node_is_constant(node))
        return node->value.is_bool ? node_constant_bool(graph, node->value.data[0] != 0, reterr)
                                   : node_constant(graph, node->value.data[0], reterr);
    if (node->n_parents == 0) {
        struct tensor value = tensor_share(&node->value);
        const char *text = node->args.text ? node->args.text : "";
        return node_input(graph, &value, text, strlen(text), reterr);
    }
    struct node **parents = malloc(node->n_parents * sizeof(struct node *));
    if (parents == NULL) {
        error_memory(reterr, "explore");
        return NULL;
    }
    for (unsigned p = 0; p < node->n_parents; p++)
        parents[p] = node_set_find(set, node->parents[p])->other;
    struct tensor value = tensor_share(&node->value); /* which is what it would give again */
    struct node *made;
    if (opens_up(node)) {
        tensor_release(&value);
        made = open_up(graph, node, parents, reterr);
    } else {
        made = node_given(graph, node->op, node->n_parents, parents, &node->args, &value, reterr);
    }
    free(parents);
    return made;
}

static bool is_identifier(const char *name)
{
    static const char letters[] = "0123456789"
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return name[0] != '\0' && !text_is_digit(name[0]) && name[strspn(name, letters)] == '\0';
}

/* Copies of all nodes of the set, as their `other`. */
static bool copy_nodes(struct graph *graph, struct node_set *set, struct error *reterr)
{
    for (size_t i = 0; i < set->n_entries; i++) {
        const struct node *node = set->entries[i].node;
        struct node *made = copy_node(graph, set, node, reterr);
        set->entries[i].other = made;
        if (made == NULL)
            return false;
        for (unsigned axis = 0; axis < node->value.n_axes; axis++)
            node_set_labels(made, axis, node->labels[axis]);
        if (node->name != NULL && !node_set_name(made, node->name, strlen(node->name), reterr))
            return false;
    }
    return true;
}

/* The session gets the names of all nodes that node was made from. */
static bool bind_names(struct session *session, struct node *node, struct error *reterr)
{
    struct node_set set;
    if (!node_set_init(&set, &node, 1, reterr))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < set.n_entries; i++) {
        struct node *named = set.entries[i].node;
        if (named->name == NULL || !is_identifier(named->name))
            continue;
        struct value value = value_node(node_share(named)), old;
        ok = names_set(&session->names, named->name, strlen(named->name), &value, &old, reterr);
        value_release(ok ? &old : &value);
    }
    node_set_release(&set);
    return ok;
}

/* A formula that is too long for a stage's name ends in dots. */
static void name_stage(const struct text *formula, struct pipeline_stage *stage)
{
    const char *name = text_string(formula);
    size_t room = sizeof stage->name - 1, cols = room - strlen("...");
    size_t fits = formula->size;
    if (fits > room)
        while ((fits = text_fit(name, formula->size, cols)) > room - strlen("..."))
            cols--; /* letters of several bytes */
    snprintf(stage->name, sizeof stage->name, "%.*s%s", (int)fits, name,
             fits < formula->size ? "..." : "");
}

/* The last stages on the way to node, at most PIPELINE_MAX_STAGES. */
static bool take_stages(struct node *node, struct pipeline_stage *ret, size_t *ret_n,
                        struct error *reterr)
{
    struct trace_stage *from;
    size_t n;
    if (!trace_stages(node, &from, &n, reterr))
        return false;
    size_t first = n > PIPELINE_MAX_STAGES ? n - PIPELINE_MAX_STAGES : 0;
    bool ok = n > 0 || error_set(reterr, ERR_SHAPE,
                                 "explore: it is made of typed numbers alone, there are no stages "
                                 "to show");
    for (*ret_n = 0; ok && first + *ret_n < n; ++*ret_n) {
        struct pipeline_stage *stage = &ret[*ret_n];
        struct node *own = from[first + *ret_n].node;
        struct text formula = {0};
        *stage = (struct pipeline_stage){.node = node_share(own),
                                         .level = (unsigned)from[first + *ret_n].level,
                                         .is_weights = is_weights(own),
                                         .products = count_products(own)};
        node_write(own, &formula);
        name_stage(&formula, stage);
        ok = !formula.failed || error_memory(reterr, "explore");
        text_release(&formula);
    }
    free(from);
    return ok;
}

/* Tells of large attention on the way to node that stays closed. */
static void note_closed(const struct node_set *set, struct pipeline *pipeline)
{
    pipeline->note[0] = '\0';
    for (size_t i = 0; i < set->n_entries; i++) {
        const struct node *node = set->entries[i].node;
        if (node->op->kind == OP_ATTENTION && !opens_up(node))
            snprintf(pipeline->note, sizeof pipeline->note,
                     "attention over %zu keys: its stages have too many numbers to be shown; the "
                     "arithmetic of a number of the context works out its row",
                     node->parents[1]->value.shape[node->parents[1]->value.n_axes - 2]);
    }
}

/* The copy of node, and of what it was made from, in a session. The caller frees it. */
static struct node *copy_all(struct session *session, struct node_set *set, struct error *reterr)
{
    if (!copy_nodes(&session->graph, set, reterr))
        return NULL;
    struct node *copy = set->entries[set->n_entries - 1].other;
    return bind_names(session, copy, reterr) ? node_share(copy) : NULL;
}

bool pipeline_set_node(struct pipeline *pipeline, struct node *node, struct error *reterr)
{
    struct node_set set;
    struct session session;
    struct pipeline_stage stages[PIPELINE_MAX_STAGES] = {{.node = NULL}};
    size_t n = 0;
    if (!node_set_init(&set, &node, 1, reterr))
        return false;
    session_init(&session, command_find, &pipeline->session.settings, pipeline->session.data_dir,
                 pipeline->session.graph.stop);
    struct node *copy = copy_all(&session, &set, reterr);
    bool ok = copy != NULL && take_stages(copy, stages, &n, reterr);
    node_free(copy);
    if (!ok) {
        release_stages(stages, n);
        session_release(&session);
        node_set_release(&set);
        return false;
    }
    release_stages(pipeline->stages, pipeline->n_stages);
    session_release(&pipeline->session);
    pipeline->session = session;
    memcpy(pipeline->stages, stages, n * sizeof *stages);
    pipeline->n_stages = n;
    pipeline->n_edits = 0;
    pipeline->sentence[0] = '\0';
    note_closed(&set, pipeline);
    node_set_release(&set);
    return true;
}
