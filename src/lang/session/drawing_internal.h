/* What a session showed last as a picture: a heatmap, bars, a chart, the stages of a trace, or a
 * matrix. It is kept with its tensors, so that it can be drawn again for another width, and each of
 * its numbers can be found again, whatever became of the names. */
#ifndef ATTN_LANG_SESSION_DRAWING_INTERNAL_H
#define ATTN_LANG_SESSION_DRAWING_INTERNAL_H

#include "base/error.h"
#include "base/text.h"
#include "graph/graph.h"

struct expr;
struct node;
struct session;
struct statement;

enum { DRAWING_MAX_TENSORS = 8 };

struct last_drawing {
    struct text source; /* the statement: "heat scores, weights"; of a matrix its expression */
    struct node *nodes[DRAWING_MAX_TENSORS]; /* of its arguments, one share each */
    struct {
        size_t begin, end;
    } loops[DRAWING_MAX_TENSORS]; /* the bytes of source with the [f(i) for i in ...] that an
                                   * argument is; both 0: it is none */
    size_t n;
    size_t begin;    /* where the statement begins in its line */
    bool is_matrix;  /* shown by its name alone, or by show: nodes[0] */
    bool is_partial; /* it has more tensors than are kept, and can't be drawn again */
};

void drawing_release(struct last_drawing *drawing);
/* Whether both are the same statement about tensors of the same shapes and numbers: then they look
 * the same. */
bool drawing_is_same(const struct last_drawing *a, const struct last_drawing *b);
/* Writes a cell as cell_write() does, but one of an argument [f(i) for i in ...] as it was typed,
 * with its index: the formulas of its items would be long. */
void drawing_write_cell(const struct last_drawing *drawing, struct cell cell, struct text *text);

/* ---- the line under way; it counts when the line has worked ---- */

/* A statement begins to draw: what its expressions give is kept from here on. */
void drawing_begin(struct session *session, const struct statement *statement, bool is_matrix);
/* The tensor of an expression, for the drawing: evaluated and kept, or, while a drawing is drawn
 * again, the one that was kept. The caller frees it. NULL on failure, as expr_eval_node(). */
struct node *drawing_eval(struct session *session, const struct expr *expr, struct error *reterr);
/* Keeps a tensor as drawing_eval() does. */
void drawing_keep(struct session *session, struct node *node);

#endif
