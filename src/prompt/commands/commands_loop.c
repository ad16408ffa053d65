/* for NAME in EXPRESSION: STATEMENTS */
#include "base/array.h"
#include "commands/command_internal.h"
#include "lang/session/eval.h"
#include "lang/session/statement.h"
#include "show/doc.h"

/* The loop's name gets item i, and the body runs. */
static bool run_turn(struct session *session, const struct statement *loop,
                     const struct value *through, size_t i, struct doc *out, struct error *reterr)
{
    struct value item = {.kind = VALUE_ABSENT};
    bool ok = loop_turn(session, reterr) && loop_item(session, through, i, &item, reterr) &&
              statement_assign(session, loop->targets[0], &item, reterr);
    value_release(&item);
    if (!ok)
        return false;
    for (const struct statement *s = loop->body; s != NULL; s = s->next) {
        if (!statement_run(session, s, out, reterr))
            return false;
        if (out->n_lines <= LOOP_MAX_SHOWN)
            continue;
        error_set(reterr, ERR_LIMIT,
                  "a loop shows at most 20,000 lines; show something after the loop, on a line of "
                  "its own");
        return error_place(reterr, s->begin, s->end);
    }
    return true;
}

static bool run_turns(struct session *session, const struct statement *loop,
                      const struct value *through, struct doc *out, struct error *reterr)
{
    size_t n, i = 0;
    if (!loop_count(through, &n, reterr))
        return expr_place_error(loop->value, reterr);
    while (i < n && run_turn(session, loop, through, i, out, reterr))
        i++;
    if (i == n || reterr == NULL)
        return i == n;
    /* Where the first turn works, the number of a later one that fails helps to see why. */
    bool helps = i > 0 && !error_is_stop(reterr) && reterr->kind != ERR_LIMIT;
    if (helps && !session->error_names_turn) {
        error_prefix(reterr, "in turn %zu of %zu: ", i + 1, n);
        session->error_names_turn = true;
    }
    return false;
}

/* Names that were assigned in loops, each once and not too many. */
struct echoes {
    const struct expr *names[16];
    size_t n;
};

static void gather_echoes(const struct statement *loop, struct echoes *echoes)
{
    for (const struct statement *s = loop->body; s != NULL; s = s->next) {
        if (s->body != NULL)
            gather_echoes(s, echoes);
        for (size_t i = 0; s->kind == STATEMENT_ASSIGN && i < s->n_targets; i++) {
            const struct expr *target = s->targets[i];
            const struct expr *name = target->kind == EXPR_INDEX ? target->object : target;
            bool known = echoes->n == COUNT_OF(echoes->names);
            for (size_t j = 0; j < echoes->n && !known; j++)
                known = expr_same_word(echoes->names[j], name);
            if (!known)
                echoes->names[echoes->n++] = name;
        }
    }
}

COMMAND(command_for)
{
    struct value through = {.kind = VALUE_ABSENT};
    if (!expr_eval(session, statement->value, &through, reterr))
        return false;
    if (session->n_loops++ == 0)
        session->error_names_turn = false;
    bool ok = run_turns(session, statement, &through, out, reterr);
    session->n_loops--;
    value_release(&through);
    /* The values after the last turn; a line for each turn would be too many. */
    struct echoes echoes = {.n = 0};
    if (ok && session->n_loops == 0 && session->settings.echo)
        gather_echoes(statement, &echoes);
    for (size_t i = 0; i < echoes.n; i++)
        statement_echo(session, echoes.names[i], out);
    return ok && doc_check(out, reterr);
}
