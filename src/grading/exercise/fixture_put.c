/* The result of statements in the place of stages: see fixture_answer_put() in fixture.h. Stages
 * that read nothing changed keep their values. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/exercise_internal.h"
#include "exercise/fixture_internal.h"
#include "exercise/kept_lines_internal.h"
#include "graph/node.h"

struct putting {
    struct fixture *fixture;
    const struct kept_names *kept; /* with the values of the right stages */
    bool *differs;                 /* [stages->n] the stage's value differs from the right one */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word, size_t size)
{
    for (const char *at = text; (at = memchr(at, word[0], strlen(at))) != NULL; at++)
        if (strncmp(at, word, size) == 0 && !is_word(at[size]) && (at == text || !is_word(at[-1])))
            return true;
    return false;
}

/* Which of the stages before it a stage reads. */
static void find_reads(const struct strings *stages, unsigned stage, bool *reads)
{
    for (unsigned i = 0; i < stage; i++) {
        const char *name;
        size_t size = statement_target(stages->items[i], &name);
        reads[i] = has_word(strchr(stages->items[stage], '='), name, size);
    }
}

/* Works out fixture->reads and fixture->places. */
static bool read_stages(struct fixture *fixture, struct error *reterr)
{
    const struct strings *stages = &fixture->exercise->stages;
    size_t n = stages->n;
    fixture->reads = calloc(n * n + 1, sizeof *fixture->reads);
    fixture->places = calloc(n + 1, sizeof *fixture->places);
    if (fixture->reads == NULL || fixture->places == NULL)
        return error_memory(reterr, "the stages");
    for (unsigned i = 0; i < n; i++) {
        const char *name;
        size_t size = statement_target(stages->items[i], &name);
        fixture->places[i] = names_place(&fixture->session->names, name, size);
        find_reads(stages, i, fixture->reads + i * n);
    }
    return true;
}

/* Does the stage read an earlier stage's value that differs? */
static bool reads_other(const struct putting *putting, unsigned stage)
{
    const bool *reads = putting->fixture->reads + stage * putting->fixture->exercise->stages.n;
    for (unsigned i = 0; i < stage; i++)
        if (reads[i] && putting->differs[i])
            return true;
    return false;
}

static bool same_numbers(const struct value *a, const struct value *b)
{
    if (a->kind != VALUE_NODE || b->kind != VALUE_NODE)
        return false;
    const struct tensor *x = &a->as.node->value, *y = &b->as.node->value;
    return tensor_same_shape(x, y) && x->is_bool == y->is_bool && tensor_is_dense(x) &&
           tensor_is_dense(y) && memcmp(x->data, y->data, tensor_size(x) * sizeof *x->data) == 0;
}

static bool run_line(struct fixture *fixture, const char *line, size_t size,
                     const struct statement *read, struct error *reterr)
{
    return kept_lines_run(fixture->kept, fixture->session, line, size, read, reterr);
}

/* Runs the functions, a line each, and the statement. */
static bool run_put(struct fixture *fixture, const struct stage_put *put, struct error *reterr)
{
    bool ok = true;
    for (const char *at = put->functions; ok && *at != '\0';) {
        size_t size = strcspn(at, "\n");
        ok = run_line(fixture, at, size, NULL, reterr);
        at += size + (at[size] == '\n');
    }
    return ok && run_line(fixture, put->statement, strlen(put->statement), put->read, reterr);
}

static const struct stage_put *put_at(const struct stage_put *puts, size_t n, unsigned stage)
{
    for (size_t i = 0; i < n; i++)
        if (puts[i].stage == stage)
            return &puts[i];
    return NULL;
}

static bool any_differs(const struct putting *putting, unsigned n)
{
    return memchr(putting->differs, true, n * sizeof *putting->differs) != NULL;
}

static void take(struct names *names, size_t at, const struct value *value)
{
    value_release(&names->variables[at].value);
    names->variables[at].value = value_share(value);
}

/* Runs the statement put in the place of a stage; only once if all values before it are right. */
static bool run_in_place(struct putting *putting, const struct stage_put *put, size_t at,
                         struct error *reterr)
{
    struct fixture *fixture = putting->fixture;
    struct names *names = &fixture->session->names;
    size_t size = strlen(put->statement);
    bool is_first = !any_differs(putting, put->stage);
    const struct value *known =
        is_first ? kept_lines_result(fixture->kept, put->statement, size) : NULL;
    if (known != NULL) {
        take(names, at, known);
        return true;
    }
    if (!run_put(fixture, put, reterr)) {
        if (is_first && reterr != NULL)
            kept_lines_keep_failure(fixture->kept, put->statement, size, reterr);
        return false;
    }
    if (is_first)
        kept_lines_keep_result(fixture->kept, put->statement, size, &names->variables[at].value);
    return true;
}

/* Runs a stage, or the statement in its place, or takes its right value. */
static bool run_stage(struct putting *putting, unsigned stage, const struct stage_put *put,
                      struct error *reterr)
{
    struct fixture *fixture = putting->fixture;
    const char *statement = fixture->exercise->stages.items[stage];
    struct names *names = &fixture->session->names;
    size_t at = fixture->places[stage];
    if (put == NULL && !reads_other(putting, stage)) {
        take(names, at, &putting->kept->values[at]);
        return true;
    }
    if (!(put != NULL ? run_in_place(putting, put, at, reterr)
                      : run_line(fixture, statement, strlen(statement), NULL, reterr)))
        return false;
    putting->differs[stage] =
        !same_numbers(&names->variables[at].value, &putting->kept->values[at]);
    return true;
}

static bool read_answer(struct putting *putting, struct answer *ret, struct error *reterr)
{
    const struct exercise *exercise = putting->fixture->exercise;
    for (unsigned i = 0; i < exercise->stages.n; i++)
        if (putting->differs[i])
            return fixture_read_answer(putting->fixture, ret, reterr);
    return fixture_right_answer(putting->fixture, ret, reterr);
}

/* The most numbers that anything on the way to a statement's value may have. One that makes a
 * square of a long row would take the time of hundreds of others. */
static size_t find_most_numbers(const struct fixture *fixture)
{
    enum { MOST_TIMES = 8, LEAST_NUMBERS = 1 << 14 };
    const struct names *names = &fixture->session->names;
    size_t largest = LEAST_NUMBERS / MOST_TIMES;
    for (size_t i = 0; i < names->n_variables; i++) {
        const struct value *value = &names->variables[i].value;
        size_t size = value->kind == VALUE_NODE ? tensor_size(&value->as.node->value) : 0;
        largest = size > largest ? size : largest;
    }
    return largest * MOST_TIMES;
}

/* The values that all statements put in place share, computed once. */
static bool prepare(struct fixture *fixture, struct error *reterr)
{
    if (fixture->kept != NULL)
        return true;
    free(fixture->reads);
    free(fixture->places);
    if (!read_stages(fixture, reterr))
        return false;
    fixture->most_numbers = find_most_numbers(fixture);
    fixture->kept = kept_lines_new();
    return fixture->kept != NULL || error_memory(reterr, "the stages");
}

bool fixture_answer_put(struct fixture *fixture, const struct stage_put *puts, size_t n,
                        struct answer *ret, struct error *reterr)
{
    unsigned n_stages = fixture->exercise->stages.n;
    struct kept_names kept;
    if (!prepare(fixture, reterr) ||
        (n > 0 &&
         kept_lines_failed(fixture->kept, puts[0].statement, strlen(puts[0].statement), reterr)))
        return false;
    struct putting putting = {.fixture = fixture,
                              .kept = &kept,
                              .differs = calloc(n_stages + 1, sizeof *putting.differs)};
    if (putting.differs == NULL)
        return error_memory(reterr, "the stages");
    bool ok = fixture_keep_names(fixture, &kept, reterr);
    if (ok) {
        fixture->session->graph.most_numbers = fixture->most_numbers;
        for (unsigned i = 0; ok && i < n_stages; i++)
            ok = run_stage(&putting, i, put_at(puts, n, i), reterr);
        ok = ok && read_answer(&putting, ret, reterr);
        fixture->session->graph.most_numbers = 0;
        fixture_give_back_names(fixture, &kept);
    }
    free(putting.differs);
    return ok;
}
