/* What the parts of Markdown's display share; for the files markdown*.c only. See markdown.h.
 *
 * md4c reads the text and tells markdown.c of blocks and spans. A block's words are gathered with
 * their styles (struct flow: markdown_flow.c, markdown_span.c, markdown_entity.c), and filled into
 * lines (markdown_line.c) when the block ends (markdown_block.c). What stands around the block,
 * quotes and items of lists, is a stack of containers: each puts its mark before a line
 * (markdown_container.c). Tables are gathered as a whole, since their columns depend on all cells
 * (markdown_table.c, markdown_columns.c).
 *
 * Failed allocations are kept in doc->failed, as a Doc does. */
#ifndef ATTN_SHOW_MARKDOWN_INTERNAL_H
#define ATTN_SHOW_MARKDOWN_INTERNAL_H

#include <md4c.h>

#include "show/markdown.h"

enum {
    MAX_DEPTH = 64,    /* containers within each other; what lies deeper is not moved right */
    MARK_BYTES = 16,   /* "999999999. " fits */
    CODE_COLS = 4,     /* how far code is moved right, and a tab in it */
    KEPT_BLANK = '\1', /* a blank that no line ends at; no text that is shown holds this byte */
};

#define RULE "\xE2\x94\x80" /* U+2500 */

/* Words, and where their styles change. */
struct style_run {
    size_t end; /* in bytes of the text; a run begins where the one before it ends */
    enum style style;
};

struct flow {
    struct text text;
    struct style_run *runs;
    size_t n_runs, runs_capacity;
};

struct container {
    char mark[MARK_BYTES];  /* before its first line */
    char after[MARK_BYTES]; /* before the others; as wide as the mark */
    bool begun;             /* its first line is written */
    bool is_tight;          /* an item of a list without empty lines */
};

struct list {
    bool is_tight, is_numbered;
    char delimiter;  /* behind numbers */
    unsigned number; /* the next item's */
    bool begun;      /* there is an item */
};

struct table_cell {
    size_t begin, end; /* bytes of the flow */
    MD_ALIGN align;
};

struct table {
    struct table_cell *cells; /* row after row, the first is the head */
    size_t n_cells, capacity;
    size_t n_cols;
    bool cut; /* there were more cells */
};

/* What a column of a table needs, and gets. */
struct column {
    size_t least_cols, all_cols; /* for its longest word, and for its longest cell */
    size_t cols;
};

struct shower {
    struct doc *doc;
    const struct show_options *options;
    size_t width_cols;
    struct container containers[MAX_DEPTH];
    size_t depth, too_deep; /* of these, and how many containers there are beyond */
    struct list lists[MAX_DEPTH];
    size_t n_lists;   /* may be more than there is room for */
    bool wrote;       /* a line is in doc */
    bool needs_gap;   /* an empty line belongs before the next block */
    bool gap;         /* it is due before the next line */
    size_t gap_depth; /* within so many containers */
    bool below_rule;  /* the last line is the rule of a heading, which takes a gap's place */

    /* The block that is being read. */
    struct flow flow;
    struct table table;
    bool in_title; /* a heading, or the head of a table */
    bool in_block_of_code, in_table;
    size_t code_cols;              /* the columns of its line so far */
    unsigned n_strong, n_code;     /* spans around the words being read */
    size_t code_begin, link_begin; /* of the span, in the flow */
};

/* ---- markdown_flow.c: words with styles ---- */

/* The style of the words being read. */
enum style flow_style(const struct shower *shower);
/* Gives the text behind the last run a style. */
void flow_close_run(struct shower *shower, enum style style);
/* Prose: blanks in a row are one, and left out at the start. */
void flow_add_words(struct shower *shower, const char *bytes, size_t size);
/* A piece of code in prose: every blank is kept. */
void flow_add_code_words(struct shower *shower, const char *bytes, size_t size);
/* A block of code as it stands; a tab goes to the next multiple of CODE_COLS. */
void flow_add_code(struct shower *shower, const char *bytes, size_t size);
void flow_clear(struct shower *shower);

/* ---- markdown_entity.c: characters that are written as names or numbers ---- */

/* A character by its number; U+FFFD for what is none. */
void entity_add_code_point(struct text *text, unsigned long code);
/* "&lt;", "&#955;" or "&#x3bb;" as the character; a name that is not known as it stands. */
void entity_add(struct text *text, const char *entity, size_t size);
/* An address or the like, with the entities in it. */
void entity_add_attribute(struct text *text, const MD_ATTRIBUTE *attribute);

/* ---- markdown_span.c: emphasis, code and links within words ---- */

void span_enter_emphasis(struct shower *shower);
void span_leave_emphasis(struct shower *shower);
void span_enter_code(struct shower *shower);
void span_leave_code(struct shower *shower);
void span_enter_link(struct shower *shower);
void span_leave_link(struct shower *shower, const MD_ATTRIBUTE *attribute); /* its address */

/* ---- markdown_line.c: words into lines ---- */

/* The size of bytes without blanks at the end. */
size_t line_trimmed(const char *bytes, size_t size);
/* Columns of words [begin, end), as doc will show them. */
size_t line_cols(const struct text *text, size_t begin, size_t end);
/* What is left for text within the containers. */
size_t line_cols_left(const struct shower *shower);
/* The end of the words from `begin` up to `end` that fill a line of cols columns; *ret_next is
 * where the next line begins. A word that is wider than the line is broken. */
size_t line_end(const struct text *text, size_t begin, size_t end, size_t cols, size_t *ret_next);
/* Begins a line with its marks, after the empty one that is due. */
void line_begin(struct shower *shower, bool empty_line);
/* Adds words [begin, end) to doc's open line. */
void line_put(struct shower *shower, size_t begin, size_t end);
/* Adds a rule of so many columns to doc's open line: "-" where it is ascii, else `sign`. */
void line_put_rule(struct shower *shower, const char *sign, char ascii, size_t cols);
/* The lines that words [begin, end) fill. Returns the columns of the widest. */
size_t line_show(struct shower *shower, size_t begin, size_t end);

/* ---- markdown_block.c: paragraphs, headings, code, rules, and the air between them ---- */

/* An empty line is due before the next line if there has to be one, in the outermost place where
 * two blocks meet. */
void block_ask_for_gap(struct shower *shower);
void block_begin(struct shower *shower);
/* The same for what is not to stand right below the rule of a heading. */
void block_begin_apart(struct shower *shower);
void block_end(struct shower *shower);
/* The words of an item without a paragraph of their own end where another block begins. */
void block_end_words(struct shower *shower);
void block_leave_paragraph(struct shower *shower);
void block_enter_heading(struct shower *shower, unsigned level);
void block_leave_heading(struct shower *shower, unsigned level);
void block_enter_code(struct shower *shower);
void block_leave_code(struct shower *shower, bool is_fenced);
void block_show_rule(struct shower *shower);

/* ---- markdown_container.c: what stands around blocks ---- */

/* Columns of all marks. */
size_t container_cols(const struct shower *shower);
/* What stands before a line within the first `depth` containers. */
void container_put_marks(struct shower *shower, size_t depth, bool empty_line);
/* Enters a container with these marks, which are left out where they would leave no room. */
void container_push(struct shower *shower, const char *mark, const char *after, bool is_tight);
void container_pop(struct shower *shower);
void container_enter_quote(struct shower *shower);
void container_leave_quote(struct shower *shower);
void container_enter_list(struct shower *shower, struct list list);
void container_leave_list(struct shower *shower);
void container_enter_item(struct shower *shower);
void container_leave_item(struct shower *shower);

/* ---- markdown_table.c, markdown_columns.c ---- */

void table_enter(struct shower *shower, size_t n_cols);
void table_enter_cell(struct shower *shower, MD_ALIGN align);
void table_leave_cell(struct shower *shower);
void table_leave(struct shower *shower);
size_t table_n_rows(const struct table *table);
size_t table_gaps_cols(size_t n_cols); /* what lies between the columns, taken together */

/* Cells of numbers stand to the right, where the text does not say how they stand. */
void columns_align(const struct text *text, struct table *table);
/* Gives columns[0..n_cols) of the table what they need to be at most width_cols wide together, the
 * widest ones less than they want. False where the words are too long for that. */
bool columns_fit(const struct text *text, const struct table *table, size_t width_cols,
                 struct column *columns);

#endif
