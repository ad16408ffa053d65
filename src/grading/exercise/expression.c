/* Running an author's lines in a session: see expression.h. */
#include "exercise/expression.h"

#include <string.h>

#include "graph/node.h"
#include "lang/session/session.h"
#include "lang/value/literal.h"
#include "show/doc.h"

/* A name that no author would choose. */
static const char value_name[] = "the_value_";

bool expression_run(struct session *session, const char *statement, struct error *reterr)
{
    struct doc shown;
    doc_init(&shown);
    bool ok = session_run(session, statement, strlen(statement), &shown, reterr);
    doc_release(&shown);
    text_clear(&session->script); /* nobody saves this session */
    return ok;
}

/* Takes the value of a name away from it; VALUE_ABSENT when it has no value. */
static struct value take(struct session *session, const char *name)
{
    struct value nothing = {.kind = VALUE_ABSENT}, value = nothing;
    if (names_get(&session->names, name, strlen(name)) != NULL &&
        names_set(&session->names, name, strlen(name), &nothing, &value, NULL))
        return value;
    return nothing;
}

struct node *expression_value(struct session *session, const char *expression, struct error *reterr)
{
    struct text line = {0};
    text_put(&line, value_name);
    text_put(&line, " = ");
    text_put(&line, expression);
    bool ok = line.failed ? error_memory(reterr, "an expression")
                          : expression_run(session, text_string(&line), reterr);
    text_release(&line);
    if (!ok)
        return NULL;
    struct value value = take(session, value_name);
    struct node *node = value_to_node(&session->graph, &value, expression, reterr);
    if (node != NULL && node->name != NULL && strcmp(node->name, value_name) == 0)
        node_set_name(node, NULL, 0, NULL);
    value_release(&value);
    return node;
}

bool expression_bind(struct session *session, const char *name, struct value *value,
                     struct error *reterr)
{
    struct value old;
    if (value->kind == VALUE_NODE && value->as.node->name == NULL &&
        !node_set_name(value->as.node, name, strlen(name), reterr))
        return false;
    if (!names_set(&session->names, name, strlen(name), value, &old, reterr))
        return false;
    value_release(&old);
    return true;
}
