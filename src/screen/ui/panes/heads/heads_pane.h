/* The heads pane: all heads of a model on a text as thumbnails, or one of them in an explorer of
 * its own, and beside either the next word. Heads can be cut, and the text grows. */
#ifndef ATTN_UI_PANES_HEADS_HEADS_PANE_H
#define ATTN_UI_PANES_HEADS_HEADS_PANE_H

#include "model/intervene.h"
#include "model/detector.h"
#include "model/generate.h"
#include "model/show_model.h"
#include "show/doc.h"
#include "tensor/random.h"
#include "tensor/tensor.h"
#include "ui/panes/explorer/explorer.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

struct grammar;
struct model;
struct run;

enum { HEADS_MAX_CUTS = 64 };

/* A head that is cut; or one, or a place of the stream that goes into a layer, that is taken from
 * the first of two texts. */
struct heads_cut {
    size_t layer, head; /* head: or the position */
    bool is_position;
    enum cut_how how; /* CUT_FROZEN: from the other text */
};

enum {
    HEADS_BY_NOTHING,
    HEADS_BY_EFFECT = DETECTORS + 1, /* of cutting each; a detector and 1 lies between */
    HEADS_BY_CHANGE,                 /* between two texts */
    HEADS_BYS
};

/* What the heads are ranked by. */
struct heads_ranking {
    unsigned by;          /* HEADS_BY_NOTHING, a detector and 1, ... */
    bool is_sorted;       /* the heads stand in their order, else by layers */
    struct tensor scores; /* (n_layers, n_heads); no data: there are none; NaN: not known */
    struct effect effect; /* what is measured by cutting each head, and what it is without cuts */
    double uncut;
    struct tensor pattern; /* of a detector, while heads are left to be measured */
    size_t n_measured;     /* heads: cut from the last to the first, by a detector from the first */
    bool is_stopped, is_in_view;
    size_t *order,
        *places; /* the heads by their scores; the place of each in that order; or NULL */
};

/* What is typed into the field. */
enum heads_asks {
    HEADS_ASK_TEXT,   /* in place of the text */
    HEADS_ASK_TOKEN,  /* in place of one token */
    HEADS_ASK_SECOND, /* to be compared with the text */
};

/* What the keys , and . change. */
enum heads_dial { HEADS_TEMPERATURE, HEADS_TOP_K, HEADS_TOP_P, HEADS_SEED, HEADS_DIALS };

/* How the next word is drawn. */
struct heads_next {
    struct sampling how;
    enum heads_dial dial; /* the one that is changed */
    uint32_t seed;
    struct random random; /* begins anew with each text and with each change of the seed */
    size_t n_added;       /* words at the end of the text that were drawn */
};

/* The words that the model knows, by kind. */
struct heads_words {
    struct grammar *grammar; /* of their kinds; read when it is first needed, NULL before */
    bool is_shown;
    struct doc list; /* laid out for the pane's width while it is shown */
    size_t first;    /* the line at the top */
};

/* One head drawn small; or of two texts, their pairs of tokens. */
struct heads_map {
    bool is_open;
    size_t each;     /* a cell is the mean of so many queries and keys; 0: larger, with names */
    size_t row, col; /* the cursor: a query and a key, or pairs of them */
    struct tensor tables[3]; /* the head; or in A, in B, and B - A; dense squares */
    size_t n_tables;
};

struct heads_pane {
    struct settings settings;   /* how numbers and pictures are shown */
    const char *data_dir;       /* or NULL */
    struct graph graph;         /* of the model that the pane has opened */
    struct model *model;        /* that one; or NULL */
    struct run *base;           /* of the text as it was typed; NULL: no model is open */
    struct run *run;            /* the same with the cuts: what is shown */
    struct run *other;          /* of the first of two texts, this one is the second; or NULL */
    struct alignment alignment; /* of the tokens of both */
    struct run *before;         /* of the text before a token was changed; NULL: none was */
    struct heads_cut cuts[HEADS_MAX_CUTS];
    size_t n_cuts;

    struct heads_ranking ranking;

    struct head_look look;    /* the head under the cursor, and how one head is looked at */
    bool is_one;              /* one head is shown, in the explorer; else all */
    struct explorer explorer; /* on that head's node */
    struct heads_map map;     /* where it is open, it is shown in the place of the explorer */

    /* Laid out for a pane of this size. */
    int rows, cols;
    bool is_moved;              /* the cursor has, since then */
    bool is_changed;            /* so have the run, or the size */
    struct heads_layout layout; /* where they are sorted: first_layer counts rows of n_heads */
    struct doc grid, about, bars, chart;
    int bars_col; /* where the next word stands; cols: it has no room */

    int text_rows, texts_rows; /* that each of them may take; that they take together */
    struct text texts[2];      /* what is read, as it is shown; and the first of two texts */
    struct heads_next next;
    struct heads_words words;
    uint32_t n_stories; /* that were drawn */
    bool shows_chart;   /* the model's parts in the place of the next word; or below it where there
                         * is room for both */

    bool is_typing; /* keys go into the field */
    enum heads_asks asks;
    bool is_touched; /* the field is not as it was opened */
    size_t token;    /* the one that is edited */
    struct field field;
    char message[200]; /* the last error or remark, for the bottom line */
};

/* An empty pane. data_dir and stop as for explorer_init(). */
bool heads_pane_init(struct heads_pane *pane, const struct settings *settings, const char *data_dir,
                     const volatile sig_atomic_t *stop, struct error *reterr);
/* Shows the heads of a run of one text, which is shared, in place of the last one. On failure what
 * was shown stays. */
bool heads_pane_open(struct heads_pane *pane, struct run *run, struct error *reterr);

/* Shows the heads on a text of so many bytes, of the model that is open or else of the one that
 * comes with attn; 0 bytes: as they were left, or on an example. On failure what was shown stays.
 */
bool heads_pane_read(struct heads_pane *pane, const char *text, size_t size, struct error *reterr);

/* Shows the heads of the model in a folder, or with "" of the one that comes with attn, on an
 * example: a text, or, where the model does not know its words, its first tokens. On failure what
 * was shown stays. */
bool heads_pane_view(struct heads_pane *pane, const char *folder, struct error *reterr);

/* Compares what is shown with another run, a, of the same model, which is shared; NULL: with
 * nothing any more. On failure all stays. */
bool heads_pane_compare(struct heads_pane *pane, struct run *a, struct error *reterr);

/* The operations of a pane; state is a struct heads_pane. */
extern const struct pane_ops heads_pane_ops;

#endif
