/* Shared by the files that show Markdown: see markdown.h.
 *
 * markdown.c reads: md4c reports blocks and spans, and it gathers the words of a block with their
 * styles. markdown_blocks.c lays the block out in lines when it ends, within the quotes and the
 * items of lists around it. markdown_table.c lays out tables, each as a whole, since their columns
 * depend on all cells.
 *
 * Failed allocations are kept in doc->failed, as a Doc does. */
#ifndef ATTN_SHOW_MARKDOWN_INTERNAL_H
#define ATTN_SHOW_MARKDOWN_INTERNAL_H

#include <md4c.h>

#include "show/markdown.h"

enum {
    MAX_DEPTH = 64,    /* containers within each other; deeper ones are not moved right */
    MARK_BYTES = 16,   /* "999999999. " fits */
    CODE_COLS = 4,     /* how far code is moved right, and a tab in it */
    KEPT_BLANK = '\1', /* a blank at which no line ends; no shown text contains this byte */
};

#define RULE "\xE2\x94\x80" /* U+2500 */

/* Words, and where their styles change. */
struct markdown_words {
    struct text text;
    struct style_run {
        size_t end; /* in bytes of the text; a run begins where the one before it ends */
        enum style style;
    } * runs;
    size_t n_runs, runs_capacity;
};

/* A quote, or an item of a list: it puts a mark before each of its lines. */
struct markdown_container {
    char mark[MARK_BYTES];  /* before its first line */
    char after[MARK_BYTES]; /* before the others; as wide as the mark */
    bool begun;             /* its first line is written */
    bool is_tight;          /* an item of a list without empty lines */
};

struct markdown_list {
    bool is_tight, is_numbered;
    char delimiter;  /* after numbers */
    unsigned number; /* the next item's */
    bool begun;      /* it has an item */
};

struct markdown_table {
    struct markdown_cell {
        size_t begin, end; /* bytes of the words */
        MD_ALIGN align;
    } * cells; /* row after row, the first is the head */
    size_t n_cells, capacity;
    size_t n_cols;
    bool cut; /* there were more cells */
};

struct markdown_printer {
    struct doc *doc;
    const struct show_options *options;
    size_t width_cols;
    struct markdown_container containers[MAX_DEPTH];
    size_t depth, too_deep; /* of these, and the number of deeper containers */
    struct markdown_list lists[MAX_DEPTH];
    size_t n_lists;   /* may be more than lists has room for */
    bool wrote;       /* a line is in doc */
    bool needs_gap;   /* an empty line belongs before the next block */
    bool gap;         /* it is due before the next line */
    size_t gap_depth; /* number of containers around it */
    bool below_rule;  /* the last line is the rule of a heading, which replaces a gap */

    /* The block that is being read. */
    struct markdown_words words;
    struct markdown_table table;
    bool in_title; /* a heading, or the head of a table */
    bool in_block_of_code, in_table;
    size_t code_cols;              /* the columns of its line so far */
    unsigned n_strong, n_code;     /* spans around the words being read */
    size_t code_begin, link_begin; /* of the span, in the words */
};

/* ---- markdown_blocks.c: blocks ---- */

/* A block begins or ends, as md4c reports: any but a table and its parts. */
void block_enter(struct markdown_printer *printer, MD_BLOCKTYPE type, const void *detail);
void block_leave(struct markdown_printer *printer, MD_BLOCKTYPE type, const void *detail);

/* Ends the words of an item that has no paragraph of its own, and asks for an empty line. `apart`:
 * it must not be right below the rule of a heading. */
void block_begin(struct markdown_printer *printer, bool apart);
void block_end(struct markdown_printer *printer);
/* An empty line is due before the next line if one is needed, in the outermost place where two
 * blocks meet. */
void block_ask_for_gap(struct markdown_printer *printer);
/* Enters a container with these marks, which are left out if they would leave no room. */
void container_push(struct markdown_printer *printer, const char *mark, const char *after,
                    bool is_tight);
void container_pop(struct markdown_printer *printer);
void words_clear(struct markdown_printer *printer);

/* ---- markdown_blocks.c: lines ---- */

/* The size of bytes without blanks at the end. */
size_t line_trimmed(const char *bytes, size_t size);
/* Columns of words [begin, end), as doc will show them. */
size_t line_cols(const struct text *text, size_t begin, size_t end);
/* The columns that remain for text within the containers. */
size_t line_cols_left(const struct markdown_printer *printer);
/* The end of the words from `begin` up to `end` that fill a line of cols columns; *ret_next is the
 * beginning of the next line. A word that is wider than the line is broken. */
size_t line_end(const struct text *text, size_t begin, size_t end, size_t cols, size_t *ret_next);
/* Begins a line with its marks, after an empty line if one is due. */
void line_begin(struct markdown_printer *printer, bool empty_line);
/* Adds words [begin, end) to doc's open line. */
void line_put(struct markdown_printer *printer, size_t begin, size_t end);
/* Adds a rule of cols columns to doc's open line: `ascii` in ASCII, else `sign`. */
void line_put_rule(struct markdown_printer *printer, const char *sign, const char *ascii,
                   size_t cols);
/* The lines that words [begin, end) fill. Returns the columns of the widest. */
size_t line_show(struct markdown_printer *printer, size_t begin, size_t end);

/* ---- markdown_table.c ---- */

void table_enter(struct markdown_printer *printer, size_t n_cols);
void table_enter_cell(struct markdown_printer *printer, MD_ALIGN align);
void table_leave_cell(struct markdown_printer *printer);
void table_leave(struct markdown_printer *printer);

#endif
