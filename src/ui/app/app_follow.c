/* See app_internal.h: the explorer shows what was computed last, so that a formula of the lesson or
 * of the prompt can be opened number by number. */
#include "ui/app/app_internal.h"

#include <string.h>

#include "graph/node.h"

static bool is_matrix(const struct variable *variable)
{
    return variable->value.kind == VALUE_NODE && variable->value.as.node->value.n_axes >= 1 &&
           variable->value.as.node->value.n_axes <= 2;
}

/* The matrix in which a waiting question asks for a cell: where its numbers come from would tell
 * which one. NULL: there is none. */
static const char *secret(const struct app *app)
{
    const struct player *player = app->tutor.player;
    if (player == NULL || !player_is_asking(player))
        return NULL;
    const struct question *question = player_page(player)->question;
    return question->kind == QUESTION_CELL ? question->matrix.text : NULL;
}

/* The newest vector or matrix that has a name, another than `but`, which may be NULL; NULL: there
 * is no such. */
static struct node *newest(const struct session *session, const char *but)
{
    struct node *best = NULL;
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *variable = &session->names.variables[i];
        bool is_other = but == NULL || strcmp(variable->name, but) != 0;
        if (is_other && is_matrix(variable) &&
            (best == NULL || variable->value.as.node->id > best->id))
            best = variable->value.as.node;
    }
    return best;
}

void app_stop_following(struct app *app)
{
    explorer_use_variables(&app->explorer, NULL);
}

/* Whoever looks at the one looks at the other then. */
static void set_side(struct app *app, enum pane_id side)
{
    if (app->view == VIEW_LESSON && app->focus == app->side)
        app->focus = side;
    app->side = side;
}

void app_follow(struct app *app)
{
    struct error error;
    const struct session *session = tutor_session(&app->tutor);
    struct node *node = newest(session, secret(app));
    explorer_use_variables(&app->explorer, session);
    bool is_new = node != NULL && (session != app->followed || node->id > app->followed_id);
    app->followed = session;
    app->followed_id = node != NULL ? node->id : 0;
    if (!is_new || !explorer_show_node(&app->explorer, node, &error))
        return; /* one that can't be shown leaves what is */
    if (app->drawn_lesson != app->tutor.n_opened || picture_is_empty(&app->picture))
        set_side(app, PANE_EXPLORER);
}

static void take_drawing(struct app *app, const struct last_drawing *drawing)
{
    struct error error;
    bool is_matrix = drawing->is_matrix || drawing->is_partial;
    bool ok = is_matrix ? explorer_show_node(&app->explorer, drawing->nodes[0], &error)
                        : picture_show(&app->picture, drawing, &error);
    if (!ok)
        app_say_error(app, &error);
    else
        set_side(app, is_matrix ? PANE_EXPLORER : PANE_PICTURE);
}

void app_follow_drawings(struct app *app)
{
    const struct player *player = app->tutor.player;
    if (player == NULL)
        return;
    const struct session *page = &player->reference.session, *typed = &player->learner.session;
    if (app->drawn_lesson != app->tutor.n_opened) {
        picture_clear(&app->picture);
        if (newest(typed, secret(app)) == NULL)
            set_side(app, PANE_PICTURE);
        app->n_page_drawings = 0;
        app->n_typed_drawings = typed->n_drawings; /* those of the last time are not new */
        app->drawn_lesson = app->tutor.n_opened;
    }
    bool is_page_new = page->n_drawings != app->n_page_drawings && page->drawing.n > 0;
    bool is_typed_new = typed->n_drawings != app->n_typed_drawings && typed->drawing.n > 0;
    app->n_page_drawings = page->n_drawings;
    app->n_typed_drawings = typed->n_drawings;
    if (is_page_new)
        take_drawing(app, &page->drawing);
    else if (is_typed_new)
        take_drawing(app, &typed->drawing);
}

void app_open_number(struct app *app)
{
    struct error error;
    struct cell cell = picture_cell(&app->picture);
    if (cell.node == NULL)
        return;
    if (explorer_open_number(&app->explorer, cell, &error))
        set_side(app, PANE_EXPLORER);
    else
        app_say_error(app, &error);
    node_free(cell.node);
}
