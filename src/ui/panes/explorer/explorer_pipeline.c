/* How the explorer's session comes to hold a pipeline: from a sentence, by lines of the language;
 * from a tensor of another session, by copying what it was made from. */
#include "ui/panes/explorer/explorer_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/node_set.h"
#include "graph/trace.h"
#include "lang/builtins/embeddings.h"
#include "show/number.h"

enum { MAX_WORDS = 64, EXPLAIN_COLS = 80 };

/* The stages of a sentence in their order, and how many lie before each on the way. */
static const struct {
    const char *name;
    unsigned level;
} sentence_stages[] = {
    {"E", 0},      {"X", 1},      {"Q", 2},       {"K", 2},       {"V", 2},     {"scores", 3},
    {"scaled", 4}, {"masked", 5}, {"weights", 6}, {"context", 7}, {"heads", 8}, {"output", 9},
};
enum { N_SENTENCE_STAGES = COUNT_OF(sentence_stages) };

static struct node *named_node(const struct session *session, const char *name)
{
    const struct value *value = names_get(&session->names, name, strlen(name));
    return value != NULL && value->kind == VALUE_NODE ? value->as.node : NULL;
}

bool explorer_is_named(const struct explorer *explorer, const struct node *node)
{
    return node->name != NULL && named_node(&explorer->session, node->name) == node;
}

static size_t count_words(const char *sentence)
{
    size_t n = 0, at = 0;
    const char *word;
    while (next_word(sentence, strlen(sentence), &at, &word) > 0)
        n++;
    return n;
}

/* The stages. */

static void release_stage(struct explorer_stage *stage)
{
    node_free(stage->node);
    tensor_release(&stage->before);
    *stage = (struct explorer_stage){.node = NULL};
}

static void release_stages(struct explorer_stage *stages, size_t n)
{
    for (size_t i = 0; i < n; i++)
        release_stage(&stages[i]);
}

static size_t find_stage(const struct explorer_stage *stages, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(stages[i].name, name) == 0)
            return i;
    return n;
}

/* The stages as the session's names have them now: those of a sentence, or the ones shown. */
static size_t read_stages(const struct explorer *explorer, struct explorer_stage *ret)
{
    size_t n = 0;
    bool is_sentence = explorer->sentence[0] != '\0';
    size_t n_names = is_sentence ? (size_t)N_SENTENCE_STAGES : explorer->n_stages;
    for (size_t i = 0; i < n_names; i++) {
        const struct explorer_stage *old = &explorer->stages[i];
        const char *name = is_sentence ? sentence_stages[i].name : old->name;
        struct node *node = named_node(&explorer->session, name);
        if (node == NULL && !is_sentence)
            node = old->node; /* a stage without a name stays */
        if (node == NULL)
            continue;
        ret[n] = (struct explorer_stage){.node = node_share(node)};
        ret[n].has_words = explorer_has_words(node);
        ret[n].level = is_sentence ? sentence_stages[i].level : old->level;
        snprintf(ret[n++].name, sizeof ret->name, "%s", name);
    }
    return n;
}

static size_t count_changed(const struct tensor *before, const struct tensor *now)
{
    size_t n = tensor_size(now), changed = 0;
    for (size_t at = 0; at < n; at++)
        changed += number_differs(tensor_at_position(before, at), tensor_at_position(now, at));
    return changed;
}

/* What was there before an edit stays with each stage that it changed, to be compared with. */
static void keep_before(const struct explorer *explorer, struct explorer_stage *stages, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = find_stage(explorer->stages, explorer->n_stages, stages[i].name);
        if (at == explorer->n_stages)
            continue;
        const struct tensor *old = &explorer->stages[at].node->value;
        if (tensor_same_shape(old, &stages[i].node->value))
            stages[i].n_changed = count_changed(old, &stages[i].node->value);
        if (stages[i].n_changed > 0)
            stages[i].before = tensor_share(old);
    }
}

/* The names of the tensors whose cells are open: new ones will bear them. */
struct path_names {
    char names[EXPLORER_MAX_DEPTH][64];
};

static void read_path(const struct explorer *explorer, struct path_names *ret)
{
    *ret = (struct path_names){.names = {""}};
    for (size_t i = 0; i < explorer->depth; i++) {
        const struct node *node = explorer->path[i].cell.node;
        bool named = explorer_is_named(explorer, node) && strlen(node->name) < sizeof ret->names[i];
        snprintf(ret->names[i], sizeof ret->names[i], "%s", named ? node->name : "");
    }
}

/* The cell that a cell on the way, which is open now, was made from: the one that was chosen. False
 * where there is none. */
static bool chosen_cell(const struct explorer *explorer, struct cell *ret)
{
    struct explorer_why why;
    if (explorer->depth == 0 || !explorer_explain(explorer, EXPLAIN_COLS, &why, NULL))
        return false;
    bool any = why.n_cells > 0;
    if (any)
        *ret = why.cells[explorer_choice(explorer, &why)];
    explorer_why_release(&why);
    return any;
}

/* The cell of the new tensors that stands for one that is open: by its name or, where it has none,
 * as what the cell before it was made from. */
static bool renewed_cell(const struct explorer *explorer, const char *name, struct cell old,
                         struct cell *ret)
{
    *ret = (struct cell){named_node(&explorer->session, name), old.position};
    if (name[0] == '\0' && !chosen_cell(explorer, ret))
        return false;
    return ret->node != NULL && tensor_same_shape(&ret->node->value, &old.node->value);
}

/* The cells that are open are those of the new tensors, as far down as there are such. */
static void renew_path(struct explorer *explorer, const struct path_names *names)
{
    size_t n = explorer->depth, i;
    for (i = 0; i < n; i++) {
        struct cell *cell = &explorer->path[i].cell, now;
        explorer->depth = i; /* the ones before it are new already */
        if (!renewed_cell(explorer, names->names[i], *cell, &now))
            break;
        node_share(now.node);
        node_free(cell->node);
        *cell = now;
    }
    explorer->depth = n;
    explorer_close_path(explorer, i);
}

/* The stage with this name or, when it is gone, the one that was before it. */
static size_t stay_at(const struct explorer_stage *stages, size_t n, const char *name, size_t was)
{
    size_t at = find_stage(stages, n, name);
    if (at < n)
        return at;
    return was > 0 && was <= n ? was - 1 : 0;
}

/* Shows what the session holds now. Cannot fail. */
static void refresh(struct explorer *explorer, const struct path_names *names, bool marks)
{
    struct explorer_stage stages[EXPLORER_MAX_STAGES] = {{.node = NULL}};
    char shown[sizeof stages->name] = "";
    if (explorer->stage < explorer->n_stages)
        memcpy(shown, explorer->stages[explorer->stage].name, sizeof shown);
    size_t n = read_stages(explorer, stages);
    if (marks)
        keep_before(explorer, stages, n);
    explorer->stage = stay_at(stages, n, shown, explorer->stage);
    release_stages(explorer->stages, explorer->n_stages);
    memcpy(explorer->stages, stages, n * sizeof *stages);
    explorer->n_stages = n;
    renew_path(explorer, names);
    if (explorer->depth > 0)
        explorer_go_to(explorer, explorer->path[explorer->depth - 1].cell);
    explorer_settle(explorer);
}

/* Running lines. */

/* What the session told beside the result becomes the message, such as words without a vector. */
static void take_notes(struct explorer *explorer, const struct doc *shown)
{
    char notes[400] = "";
    const char *prefix = "note: ";
    size_t size = 0;
    for (size_t line = 0; line < shown->n_lines; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(shown, line, &spans);
        for (size_t i = 0; i < n && size < sizeof notes; i++)
            if (spans[i].style == STYLE_NOTE)
                size += (size_t)snprintf(
                    notes + size, sizeof notes - size, "%s%.*s", size > 0 && i == 0 ? " " : "",
                    (int)(spans[i].end - spans[i].begin), shown->text.bytes + spans[i].begin);
    }
    if (size > 0)
        explorer_say(explorer, "%s",
                     notes + (strncmp(notes, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0));
}

static bool run(struct explorer *explorer, const char *source, size_t size, bool notes,
                struct error *reterr)
{
    struct doc shown;
    doc_init(&shown);
    bool ok = session_run(&explorer->session, source, size, &shown, reterr);
    if (ok && notes)
        take_notes(explorer, &shown);
    doc_release(&shown);
    return ok;
}

/* A sentence, inside quotes. */
static void put_sentence(struct text *line, const char *sentence)
{
    for (const char *c = sentence; *c != '\0'; c++)
        text_char(line, *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? ' ' : *c);
}

static void put_inputs(const struct explorer *explorer, struct text *line)
{
    int d = EXPLORER_WIDTH;
    text_put(line, "reset; E = embed(\"");
    put_sentence(line, explorer->sentence);
    text_put(line, "\"); ");
    if (explorer->n_heads == 1) {
        text_put(line, "Q = E[:]; K = E[:]; V = E[:]; scores = Q @ K.T; ");
        return;
    }
    text_format(line, "manual_seed(0); W_in = randn(%d, %d) / sqrt(%d); ", EMBEDDING_DIM, d,
                EMBEDDING_DIM);
    for (const char *w = "qkvo"; *w != '\0'; w++)
        text_format(line, "W_%c = randn(%d, %d) / sqrt(%d); ", *w, d, d, d);
    text_put(line, "X = E @ W_in; ");
    for (const char *w = "qkv"; *w != '\0'; w++)
        text_format(line, "%c = split_heads(X @ W_%c, %u); ", *w - 'a' + 'A', *w,
                    explorer->n_heads);
    text_put(line, "scores = Q @ K.transpose(-2, -1); ");
}

/* Returns the name of the stage before softmax. */
static const char *put_scaled(const struct explorer *explorer, struct text *line)
{
    unsigned d_k = explorer->n_heads == 1 ? (unsigned)EMBEDDING_DIM
                                          : (unsigned)EXPLORER_WIDTH / explorer->n_heads;
    bool is_warm = explorer->temperature != 1;
    if (explorer->scale && is_warm)
        text_format(line, "scaled = scores / (sqrt(%u) * %.6g); ", d_k, explorer->temperature);
    else if (explorer->scale)
        text_format(line, "scaled = scores / sqrt(%u); ", d_k);
    else if (is_warm)
        text_format(line, "scaled = scores / %.6g; ", explorer->temperature);
    return explorer->scale || is_warm ? "scaled" : "scores";
}

static const char *put_masked(const struct explorer *explorer, const char *stage, struct text *line)
{
    size_t n = count_words(explorer->sentence);
    if (explorer->mask == EXPLORE_NO_MASK)
        return stage;
    if (explorer->mask == EXPLORE_CAUSAL)
        text_format(line, "masked = %s + causal_mask(%zu); ", stage, n);
    else
        text_format(line, "masked = masked_fill(%s, arange(%zu) == %zu, -inf); ", stage, n, n - 1);
    return "masked";
}

static void put_pipeline(const struct explorer *explorer, struct text *line)
{
    put_inputs(explorer, line);
    const char *stage = put_masked(explorer, put_scaled(explorer, line), line);
    text_format(line, "weights = softmax(%s, dim=-1); context = weights @ V", stage);
    if (explorer->n_heads > 1)
        text_put(line, "; heads = merge_heads(context); output = heads @ W_o");
}

/* The first n edits, each a step for undo. */
static void put_edits(const struct explorer *explorer, size_t n, struct text *line)
{
    for (size_t i = 0; i < n; i++)
        text_format(line, "; %s; keep", explorer->edit_lines[i]);
}

static bool rebuild(struct explorer *explorer, bool notes, struct error *reterr)
{
    struct path_names names;
    struct text line = {0};
    read_path(explorer, &names);
    put_pipeline(explorer, &line);
    put_edits(explorer, explorer->n_edits, &line);
    bool ok = line.failed ? error_memory(reterr, "explore")
                          : run(explorer, text_string(&line), line.size, notes, reterr);
    text_release(&line);
    if (ok)
        refresh(explorer, &names, false);
    return ok;
}

bool explorer_rebuild(struct explorer *explorer, struct error *reterr)
{
    return rebuild(explorer, false, reterr);
}

bool explorer_add_edit(struct explorer *explorer, const char *line, struct error *reterr)
{
    struct path_names names;
    char both[sizeof explorer->edit_lines[0] + 8];
    read_path(explorer, &names);
    if (explorer->n_edits == EXPLORER_MAX_EDITS)
        return error_set(reterr, ERR_LIMIT, "edit: %d edits are remembered; undo one first: u",
                         EXPLORER_MAX_EDITS);
    snprintf(both, sizeof both, "%s; keep", line);
    if (!run(explorer, both, strlen(both), false, reterr))
        return false;
    snprintf(explorer->edit_lines[explorer->n_edits++], sizeof explorer->edit_lines[0], "%s", line);
    refresh(explorer, &names, true);
    return true;
}

bool explorer_drop_edit(struct explorer *explorer, struct error *reterr)
{
    struct path_names names;
    read_path(explorer, &names);
    if (explorer->n_edits == 0)
        return error_set(reterr, ERR_NAME, "undo: nothing was edited yet; e edits a number");
    if (!run(explorer, "undo", 4, false, reterr))
        return false;
    explorer->n_edits--;
    refresh(explorer, &names, false);
    return true;
}

bool explorer_set_sentence(struct explorer *explorer, const char *sentence, struct error *reterr)
{
    size_t n = count_words(sentence), old_n_edits = explorer->n_edits;
    char old[sizeof explorer->sentence];
    enum explorer_mask mask = explorer->mask;
    if (n == 0)
        return error_set(reterr, ERR_NAME, "a sentence: there is no word in it; type some words");
    if (n > MAX_WORDS)
        return error_set(reterr, ERR_LIMIT, "a sentence: it has %zu words; up to %d can be shown",
                         n, MAX_WORDS);
    if (strlen(sentence) >= sizeof old)
        return error_set(reterr, ERR_LIMIT, "a sentence: it is over %zu letters; shorten it",
                         sizeof old - 1);
    memcpy(old, explorer->sentence, sizeof old);
    snprintf(explorer->sentence, sizeof explorer->sentence, "%s", sentence);
    explorer->n_edits = 0;
    if (n == 1 && mask == EXPLORE_PADDING)
        explorer->mask = EXPLORE_NO_MASK;
    explorer->message[0] = '\0';
    if (!rebuild(explorer, true, reterr)) {
        memcpy(explorer->sentence, old, sizeof old);
        explorer->n_edits = old_n_edits;
        explorer->mask = mask;
        return false;
    }
    explorer_close_path(explorer, 0);
    explorer->variable[0] = '\0';
    explorer->edits = false;
    explorer_settle(explorer);
    return true;
}

/* A tensor of another session. */

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
    struct node *made = node_rebuild(graph, node, parents, reterr);
    free(parents);
    return made;
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

static bool is_identifier(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "0123456789";
    size_t size = strspn(name, letters);
    if (size == 0)
        return false;
    while (name[size] != '\0' && (strchr(letters, name[size]) || strchr(others, name[size])))
        size++;
    return name[size] == '\0';
}

static bool bind_names(struct session *session, const struct node_set *set, struct error *reterr)
{
    for (size_t i = 0; i < set->n_entries; i++) {
        struct node *node = set->entries[i].other;
        if (node->name == NULL || !is_identifier(node->name))
            continue;
        struct value value = value_node(node_share(node)), old;
        bool ok = names_set(&session->names, node->name, strlen(node->name), &value, &old, reterr);
        value_release(ok ? &old : &value);
        if (!ok)
            return false;
    }
    return true;
}

static bool name_stage(struct explorer_stage *stage, struct error *reterr)
{
    struct text formula = {0};
    node_write(stage->node, &formula);
    const char *name = text_string(&formula);
    size_t fits = text_fit(name, formula.size, sizeof stage->name - 1);
    while (fits >= sizeof stage->name) /* letters of several bytes */
        fits = text_fit(name, fits - 1, sizeof stage->name - 1);
    snprintf(stage->name, sizeof stage->name, "%.*s", (int)fits, name);
    bool failed = formula.failed;
    text_release(&formula);
    return !failed || error_memory(reterr, "explore");
}

/* The last of the stages, as copies. */
static bool copy_stages(const struct trace_stage *from, size_t n, const struct node_set *set,
                        struct explorer_stage *ret, size_t *ret_n, struct error *reterr)
{
    size_t first = n > EXPLORER_MAX_STAGES ? n - EXPLORER_MAX_STAGES : 0;
    for (size_t i = first; i < n; i++) {
        struct explorer_stage *stage = &ret[i - first];
        struct node *copy = node_set_find(set, from[i].node)->other;
        *stage = (struct explorer_stage){.node = node_share(copy)};
        stage->level = (unsigned)from[i].level;
        stage->has_words = explorer_has_words(copy);
        if (!name_stage(stage, reterr)) {
            release_stages(ret, i - first + 1);
            return false;
        }
    }
    *ret_n = n - first;
    return true;
}

/* Puts a session with its stages in the place of what there was. */
static void take_over(struct explorer *explorer, const struct session *session,
                      const struct explorer_stage *stages, size_t n, const struct node *source)
{
    explorer_close_path(explorer, 0);
    release_stages(explorer->stages, explorer->n_stages);
    session_release(&explorer->session);
    explorer->session = *session;
    memcpy(explorer->stages, stages, n * sizeof *stages);
    explorer->n_stages = n;
    explorer->stage = n - 1;
    explorer->row = explorer->col = explorer->first_row = explorer->first_col = 0;
    explorer->head = 0;
    explorer->n_edits = 0;
    explorer->sentence[0] = explorer->variable[0] = '\0';
    if (source->name != NULL && strlen(source->name) < sizeof explorer->variable)
        memcpy(explorer->variable, source->name, strlen(source->name) + 1);
    explorer->source_id = source->id;
    explorer->edits = false;
    explorer->message[0] = '\0';
    explorer_settle(explorer);
}

bool explorer_show_node(struct explorer *explorer, struct node *node, struct error *reterr)
{
    struct node_set set;
    struct session session;
    struct trace_stage *from = NULL;
    struct explorer_stage stages[EXPLORER_MAX_STAGES] = {{.node = NULL}};
    size_t n = 0, n_stages = 0;
    if (!trace_stages(node, &from, &n, reterr))
        return false;
    if (n == 0) {
        free(from);
        return error_set(reterr, ERR_SHAPE,
                         "explore: it is made of typed numbers alone, there are no stages to show");
    }
    session_init(&session, &explorer->session.settings, explorer->session.data_dir,
                 explorer->session.graph.stop);
    bool ok = node_set_init(&set, &node, 1, reterr);
    if (ok) {
        ok = copy_nodes(&session.graph, &set, reterr) && bind_names(&session, &set, reterr) &&
             copy_stages(from, n, &set, stages, &n_stages, reterr);
        if (ok)
            take_over(explorer, &session, stages, n_stages, node);
        node_set_release(&set);
    }
    if (!ok)
        session_release(&session);
    free(from);
    return ok;
}
