/* What a session showed last as a picture: a heatmap, bars, a chart, the stages of a trace, or a
 * matrix. It is kept with its tensors, so that it can be drawn again for another width, and each of
 * its numbers can be found again, whatever became of the names. */
#ifndef ATTN_LANG_SESSION_DRAWING_H
#define ATTN_LANG_SESSION_DRAWING_H

#include "base/error.h"
#include "base/text.h"

struct expr;
struct node;
struct session;
struct statement;

enum { DRAWING_MAX_TENSORS = 8 };

struct last_drawing {
    struct text source; /* the statement: "heat scores, weights"; of a matrix its expression */
    struct node *nodes[DRAWING_MAX_TENSORS]; /* of its arguments, one share each */
    size_t n;
    bool is_matrix;  /* shown by its name alone, or by show: nodes[0] */
    bool is_partial; /* it has more tensors than are kept, and can't be drawn again */
};

void drawing_release(struct last_drawing *drawing);

/* ---- the line under way; it counts when the line has worked ---- */

/* A statement begins to draw: what its expressions give is kept from here on. */
void drawing_begin(struct session *session, const struct statement *statement, bool is_matrix);
/* The tensor of an expression, for the drawing: evaluated and kept, or, while a drawing is drawn
 * again, the one that was kept. The caller frees it. NULL on failure, as expr_eval_node(). */
struct node *drawing_eval(struct session *session, const struct expr *expr, struct error *reterr);
/* Keeps a tensor as drawing_eval() does. */
void drawing_keep(struct session *session, struct node *node);

#endif
