/* What comes out when statements stand in the place of stages: see fixture_answer_put() in
 * fixture.h. Stages that read nothing of what they change keep their values. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/fixture_internal.h"
#include "exercise/kept_lines.h"
#include "graph/node.h"

struct putting {
    struct fixture *fixture;
    const struct kept_names *kept; /* with the values of the right stages */
    bool *differs;                 /* [stages->n] what the stage leaves is another than the right */
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

/* Does an expression read what a stage before number n left, and left different? */
static bool reads_other(const struct putting *putting, const char *expression, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const char *name;
        if (!putting->differs[i])
            continue;
        size_t size = statement_target(putting->fixture->exercise->stages.items[i], &name);
        if (has_word(expression, name, size))
            return true;
    }
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

static bool run_line(struct fixture *fixture, const char *line, size_t size, struct error *reterr)
{
    return kept_lines_run(fixture->kept, fixture->session, line, size, reterr);
}

/* Runs the functions, a line each, and the statement. */
static bool run_put(struct fixture *fixture, const struct stage_put *put, struct error *reterr)
{
    bool ok = true;
    for (const char *at = put->functions; ok && *at != '\0';) {
        size_t size = strcspn(at, "\n");
        ok = run_line(fixture, at, size, reterr);
        at += size + (at[size] == '\n');
    }
    return ok && run_line(fixture, put->statement, strlen(put->statement), reterr);
}

static const struct stage_put *put_at(const struct stage_put *puts, size_t n, unsigned stage)
{
    for (size_t i = 0; i < n; i++)
        if (puts[i].stage == stage)
            return &puts[i];
    return NULL;
}

/* Runs a stage, or what stands in its place, or takes its right value. */
static bool run_stage(struct putting *putting, unsigned stage, const struct stage_put *put,
                      struct error *reterr)
{
    struct fixture *fixture = putting->fixture;
    const char *statement = fixture->exercise->stages.items[stage];
    struct names *names = &fixture->session->names;
    const char *name;
    size_t size = statement_target(statement, &name);
    size_t at = names_place(names, name, size);
    if (put == NULL && !reads_other(putting, strchr(statement, '='), stage)) {
        value_release(&names->variables[at].value);
        names->variables[at].value = value_share(&putting->kept->values[at]);
        return true;
    }
    if (!(put != NULL ? run_put(fixture, put, reterr)
                      : run_line(fixture, statement, strlen(statement), reterr)))
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

bool fixture_answer_put(struct fixture *fixture, const struct stage_put *puts, size_t n,
                        struct answer *ret, struct error *reterr)
{
    unsigned n_stages = fixture->exercise->stages.n;
    struct kept_names kept;
    struct putting putting = {.fixture = fixture,
                              .kept = &kept,
                              .differs = calloc(n_stages + 1, sizeof *putting.differs)};
    if (fixture->kept == NULL)
        fixture->kept = kept_lines_new();
    if (putting.differs == NULL || fixture->kept == NULL) {
        free(putting.differs);
        return error_memory(reterr, "the stages");
    }
    if (!fixture_keep_names(fixture, &kept, reterr)) {
        free(putting.differs);
        return false;
    }
    bool ok = true;
    for (unsigned i = 0; ok && i < n_stages; i++)
        ok = run_stage(&putting, i, put_at(puts, n, i), reterr);
    ok = ok && read_answer(&putting, ret, reterr);
    fixture_give_back_names(fixture, &kept);
    free(putting.differs);
    return ok;
}
