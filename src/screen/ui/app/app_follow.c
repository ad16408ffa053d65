/* See app_internal.h: the explorer shows the latest result, so that a formula of the lesson or of
 * the prompt can be opened number by number. */
#include "ui/app/app_internal.h"

#include <stdint.h>
#include <string.h>

#include "graph/node.h"

static bool is_matrix(const struct variable *variable)
{
    return variable->value.kind == VALUE_NODE && variable->value.as.node->value.n_axes >= 1 &&
           variable->value.as.node->value.n_axes <= 2;
}

/* The matrix in which a waiting question asks for a cell: the sources of its numbers would give the
 * answer away. NULL: no question asks for one. */
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

/* Shows a tensor in the explorer; one that can't be shown leaves the old one there. */
static void explore(struct app *app, struct node *node)
{
    struct error error;
    (void)explorer_show_node(&app->explorer, node, &error);
}

void app_follow(struct app *app)
{
    const struct session *session = tutor_session(&app->tutor);
    struct node *node = newest(session, secret(app));
    explorer_use_variables(&app->explorer, session);
    bool is_new = node != NULL && (session != app->followed || node->id > app->followed_id);
    app->followed = session;
    app->followed_id = node != NULL ? node->id : 0;
    if (is_new)
        explore(app, node);
}

static void show_picture(struct app *app, const struct last_drawing *drawing)
{
    struct error error;
    if (!picture_show(&app->picture, drawing, &error))
        app_say_error(app, &error);
}

/* Another page: its own picture, or that of its step, and else none; the explorer is closed. */
static void turn_picture(struct app *app, const struct player *player, bool is_same_lesson)
{
    const struct last_drawing *drawing = player->finished ? NULL : player_picture(player);
    unsigned n = player->reference.session.n_drawings;
    bool is_shown = is_same_lesson && !app->lesson.is_typed && n == app->n_page_drawings;
    if (drawing == NULL)
        picture_clear(&app->picture);
    else if (!is_shown || picture_is_empty(&app->picture))
        show_picture(app, drawing);
    app->n_page_drawings = n;
    app->lesson.is_typed = app->keeps_explorer = false;
    set_side(app, PANE_PICTURE);
}

/* The lesson's own session is at the page: what it drew is known. */
static bool page_has_run(const struct player *player)
{
    return player->reference.reached == player->page + 1;
}

void app_follow_drawings(struct app *app)
{
    const struct player *player = app->tutor.player;
    if (player == NULL)
        return;
    const struct session *page = &player->reference.session, *typed = &player->learner.session;
    bool is_same_lesson = app->drawn_lesson == app->tutor.n_opened;
    size_t at = player->finished ? player->lesson->n_pages : player->page;
    bool has_run = player->finished || page_has_run(player);
    if (is_same_lesson && app->drawn_page != at && !has_run)
        return; /* the picture before stays until it is known whether the page keeps it */
    if (!is_same_lesson || app->drawn_page != at) {
        turn_picture(app, player, is_same_lesson);
        if (page->matrix.n > 0)
            explore(app, page->matrix.nodes[0]);
    } else {
        if (typed->n_drawings != app->n_typed_drawings && typed->drawing.n > 0) {
            show_picture(app, &typed->drawing);
            app->lesson.is_typed = true;
            set_side(app, PANE_PICTURE);
        }
        if (typed->n_matrices != app->n_typed_matrices && typed->matrix.n > 0)
            explore(app, typed->matrix.nodes[0]);
    }
    app->drawn_lesson = app->tutor.n_opened;
    app->drawn_page = has_run ? at : SIZE_MAX;
    app->n_typed_drawings = typed->n_drawings;
    app->n_typed_matrices = typed->n_matrices;
}

enum pane_id app_side(const struct app *app)
{
    return picture_is_empty(&app->picture) ? PANE_EXPLORER : app->side;
}

void app_open_number(struct app *app)
{
    struct error error;
    struct cell cell = picture_cell(&app->picture);
    if (cell.node == NULL)
        return;
    if (explorer_open_number(&app->explorer, cell, &error)) {
        set_side(app, PANE_EXPLORER);
        app->keeps_explorer = true;
    } else {
        app_say_error(app, &error);
    }
    node_free(cell.node);
}
