/* A page of a lesson before a learner: prose with its numbers, code with what it gives. */
#ifndef ATTN_COURSE_LESSON_PAGE_H
#define ATTN_COURSE_LESSON_PAGE_H

#include "course/lesson/lesson.h"
#include "lang/session/session.h"
#include "show/doc.h"

/* Adds a line of words, broken when it is too wide. */
void words_show(struct doc *out, enum style style, size_t width_cols, const char *format, ...)
    ERROR_FORMAT(4, 5);

/* Where a Doc ended before something was added to it, to take that back when it fails. */
struct doc_end {
    size_t n_lines, n_spans, size;
    bool failed;
};
struct doc_end doc_end_of(const struct doc *doc);
void doc_take_back(struct doc *doc, const struct doc_end *end);
/* Takes it back unless ok is set and the Doc is complete (else ERR_MEMORY). Returns whether it
 * stays. */
bool doc_keep(struct doc *doc, const struct doc_end *end, bool ok, struct error *reterr);

/* The statement lines of code, one after the other. */
struct code_lines {
    const char *text;
    size_t size, at; /* the next line begins at this byte */
};
struct code_lines code_lines_of(const struct lesson_text *code); /* code may be NULL: no lines */
/* The next line; false after the last. */
bool code_lines_next(struct code_lines *lines, const char **ret_line, size_t *ret_size);

/* True for nothing but blanks, or a comment. */
bool code_line_is_blank(const char *line, size_t size);
/* The line of the file that `at`, a place in the code, lies in. */
unsigned code_line_number(const struct lesson_text *code, const char *at);

/* Runs code in the session, and adds each line with what it gives to out, unless that is NULL.
 * *ret_line is the failing line of the file. */
bool code_run(struct session *session, const struct lesson_text *code, struct doc *out,
              unsigned *ret_line, struct error *reterr);
/* Adds code as one would type it: each line after a prompt, broken at blanks when it is too wide.
 */
void code_show(const char *code, size_t size, size_t width_cols, struct doc *out);
/* One row of it, after any prompt; an empty row has no prompt. */
void code_show_row(const char *prompt, const char *row, size_t size, size_t width_cols,
                   struct doc *out);

/* Adds Markdown of the lesson, its numbers computed in the session. */
bool prose_show(struct session *session, const char *markdown, struct doc *out, unsigned *ret_line,
                struct error *reterr);

/* Adds one option of a question as its list shows it, without its number; width_cols is at least
 * 20. */
bool option_show(struct session *session, const char *option, size_t width_cols, struct doc *out,
                 unsigned *ret_line, struct error *reterr);

/* Puts a question mark in place of what the question hides, where it stands alone in *shown. */
bool page_hide(const struct question *question, struct session *session, struct doc *shown,
               struct error *reterr);

/* What of a page's question is not shown. */
enum page_look {
    PAGE_WITHOUT_OPTIONS = 1, /* the list of its options */
    PAGE_HIDES = 2,           /* what it hides in the output of its code */
};

/* Lines [first, end) of a Doc; equal: there are no such lines. */
struct page_lines {
    size_t first, end;
};

/* Runs the page's code in the session and adds all of its parts to out, less what look (of enum
 * page_look) leaves out; where out is NULL it only runs the code. What the page offers to type and
 * its question's answer are not parts. *ret_picture: the lines of the picture that the page drew
 * last, where its line of code does nothing else; ret_picture may be NULL. */
bool page_run(struct session *session, const struct page *page, unsigned look, struct doc *out,
              struct page_lines *ret_picture, unsigned *ret_line, struct error *reterr);

#endif
