/* See drawing_internal.h. */
#include "lang/session/drawing_internal.h"

#include <string.h>

#include "graph/node.h"
#include "lang/session/eval.h"
#include "lang/session/session.h"
#include "lang/syntax/ast.h"

void drawing_write_cell(const struct last_drawing *drawing, struct cell cell, struct text *text)
{
    size_t i = 0;
    while (i < drawing->n && (drawing->nodes[i] != cell.node || drawing->loops[i].end == 0))
        i++;
    if (i == drawing->n || cell.node->name != NULL) {
        cell_write(cell, text);
        return;
    }
    text_add(text, drawing->source.bytes + drawing->loops[i].begin,
             drawing->loops[i].end - drawing->loops[i].begin);
    cell_write_as(cell, "", text);
}

static bool same_numbers(const struct tensor *a, const struct tensor *b)
{
    if (!tensor_same_shape(a, b))
        return false;
    for (size_t i = 0, n = tensor_size(a); i < n; i++) {
        float x = tensor_at_position(a, i), y = tensor_at_position(b, i);
        if (memcmp(&x, &y, sizeof x) != 0)
            return false;
    }
    return true;
}

bool drawing_is_same(const struct last_drawing *a, const struct last_drawing *b)
{
    bool same =
        a->n == b->n && a->source.size == b->source.size &&
        (a->source.size == 0 || memcmp(a->source.bytes, b->source.bytes, a->source.size) == 0);
    for (size_t i = 0; same && i < a->n; i++)
        same = same_numbers(&a->nodes[i]->value, &b->nodes[i]->value);
    return same;
}

void drawing_begin(struct session *session, const struct statement *statement, bool is_matrix)
{
    bool failed = session->new_drawing.source.failed; /* of the line: it is told at its end */
    if (session->draws_again)
        return;
    drawing_release(&session->new_drawing);
    session->new_drawing.is_matrix = is_matrix;
    session->new_drawing.begin = statement->begin;
    session->new_drawing.source.failed = failed;
    text_add(&session->new_drawing.source, session->source + statement->begin,
             statement->end - statement->begin);
}

void drawing_keep(struct session *session, struct node *node)
{
    struct last_drawing *drawing = &session->new_drawing;
    if (session->draws_again)
        return;
    if (drawing->n < DRAWING_MAX_TENSORS)
        drawing->nodes[drawing->n++] = node_share(node);
    else
        drawing->is_partial = true;
}

struct node *drawing_eval(struct session *session, const struct expr *expr, struct error *reterr)
{
    if (session->draws_again && session->n_drawn < session->drawing.n)
        return node_share(session->drawing.nodes[session->n_drawn++]);
    struct node *node = expr_eval_node(session, expr, reterr);
    struct last_drawing *drawing = &session->new_drawing;
    size_t at = drawing->n;
    if (node != NULL)
        drawing_keep(session, node);
    if (drawing->n > at && expr->kind == EXPR_COMPREHENSION) {
        drawing->loops[at].begin = expr->begin - drawing->begin;
        drawing->loops[at].end = expr->end - drawing->begin;
    }
    return node;
}
