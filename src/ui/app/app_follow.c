/* See app_internal.h: the explorer shows what was computed last, so that a formula of the lesson or
 * of the prompt can be opened number by number. */
#include "ui/app/app_internal.h"

#include "graph/node.h"

static bool is_matrix(const struct variable *variable)
{
    return variable->value.kind == VALUE_NODE && variable->value.as.node->value.n_axes >= 1 &&
           variable->value.as.node->value.n_axes <= 2;
}

/* The newest vector or matrix that has a name; NULL: there is no such. */
static struct node *newest(const struct session *session)
{
    struct node *best = NULL;
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *variable = &session->names.variables[i];
        if (is_matrix(variable) && (best == NULL || variable->value.as.node->id > best->id))
            best = variable->value.as.node;
    }
    return best;
}

void app_stop_following(struct app *app)
{
    explorer_use_variables(&app->explorer, NULL);
}

void app_follow(struct app *app)
{
    struct error error;
    const struct session *session = tutor_session(&app->tutor);
    struct node *node = newest(session);
    explorer_use_variables(&app->explorer, session);
    bool is_new = node != NULL && (session != app->followed || node->id > app->followed_id);
    app->followed = session;
    app->followed_id = node != NULL ? node->id : 0;
    if (is_new) /* one that can't be shown leaves what is */
        (void)explorer_show_node(&app->explorer, node, &error);
}
