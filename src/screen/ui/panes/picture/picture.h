/* The picture pane: what a lesson's page, or a line of the prompt, drew last, large, for the room
 * there is. A cursor goes from number to number of it, and Enter asks for the one under it. */
#ifndef ATTN_UI_PANES_PICTURE_PICTURE_H
#define ATTN_UI_PANES_PICTURE_PICTURE_H

#include "graph/graph.h"
#include "lang/session/session.h"
#include "ui/terminal/pane.h"

struct picture_pane {
    struct session session; /* that draws; its drawing is a copy of the one shown */
    struct doc doc;         /* laid out for doc_rows and doc_cols */
    int rows, cols;         /* of the pane */
    int doc_rows, doc_cols; /* of the pane when it was laid out; doc_cols 0: it is to be */
    size_t n_usual;         /* lines that it takes before it grows into the pane */
    size_t scroll;          /* lines above the first that is seen */
    struct cell_ref at;     /* the number under the cursor; tensor 0: the picture has none */
    size_t line, col;       /* where it stands in doc */
    struct pane_request request;
};

/* settings and stop as for session_init(); stop is borrowed. */
void picture_init(struct picture_pane *pane, const struct settings *settings,
                  const volatile sig_atomic_t *stop);
/* Shows a drawing, which is copied, from its start. ERR_MEMORY leaves what was shown. */
bool picture_show(struct picture_pane *pane, const struct last_drawing *drawing,
                  struct error *reterr);
/* Shows none. */
void picture_clear(struct picture_pane *pane);
bool picture_is_empty(const struct picture_pane *pane);
/* The number under the cursor: a share of its tensor, which the caller frees, and the position in
 * it; the node is NULL where there is none. */
struct cell picture_cell(const struct picture_pane *pane);

/* The operations of a pane; state is a struct picture_pane. */
extern const struct pane_ops picture_ops;

#endif
