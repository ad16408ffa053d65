/* A page of a lesson as a learner sees it: prose with its numbers, code with its output. */
#ifndef ATTN_COURSE_LESSON_PAGE_H
#define ATTN_COURSE_LESSON_PAGE_H

#include "course/lesson/lesson.h"
#include "lang/session/session.h"
#include "show/doc.h"

/* Adds a line of words, broken if it is too wide. */
void words_show(struct doc *out, enum style style, size_t width_cols, const char *format, ...)
    ERROR_FORMAT(4, 5);

/* The end of a Doc before an addition, so that a failed addition can be removed. */
struct doc_end {
    size_t n_lines, n_spans, size;
    bool failed;
};
struct doc_end doc_end_of(const struct doc *doc);
void doc_take_back(struct doc *doc, const struct doc_end *end);
/* Removes the addition unless ok is set and the Doc is complete (else ERR_MEMORY). Returns whether
 * it stays. */
bool doc_keep(struct doc *doc, const struct doc_end *end, bool ok, struct error *reterr);

/* The statement lines of code, one after the other. */
struct code_lines {
    const char *text;
    size_t size, at; /* the next line begins at this byte */
};
struct code_lines code_lines_of(const struct lesson_text *code); /* code may be NULL: no lines */
/* The next line; false after the last. */
bool code_lines_next(struct code_lines *lines, const char **ret_line, size_t *ret_size);

/* True if there are only blanks, or a comment. */
bool code_line_is_blank(const char *line, size_t size);
/* The line of the file that contains `at`, a place in the code. */
unsigned code_line_number(const struct lesson_text *code, const char *at);

/* Runs code in the session, and adds each line that worked, with its output, to out, unless out is
 * NULL. *ret_line is the failing line of the file. */
bool code_run(struct session *session, const struct lesson_text *code, struct doc *out,
              unsigned *ret_line, struct error *reterr);
/* Adds code as one would type it: each line after a prompt, broken at blanks if it is too wide. */
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

/* Adds the page as it can be shown before anything of it has run: its prose with "..." for each
 * number, its code without output. */
bool page_preview(const struct page *page, const struct settings *settings, struct doc *out,
                  struct error *reterr);

/* Replaces each value that the question hides by a question mark, if the value stands alone in
 * *shown. */
bool page_hide(const struct question *question, struct session *session, struct doc *shown,
               struct error *reterr);

/* The parts of a page's question that are not shown. */
enum page_look {
    PAGE_WITHOUT_OPTIONS = 1, /* the list of its options */
    PAGE_HIDES = 2,           /* the values that it hides in the output of its code */
};

/* Lines [first, end) of a Doc; equal: there are no such lines. */
struct page_lines {
    size_t first, end;
};

/* Lines of code that ran, each with its output. Zero bytes hold no lines. */
struct code_record {
    struct line_record {
        const char *line; /* borrowed: of the lesson */
        size_t size;
        struct doc shown;
        bool draws;       /* it drew a picture */
        bool draws_alone; /* and does nothing else */
    } * lines;
    size_t n, capacity;
};
void code_record_release(struct code_record *record);
/* Runs a line and adds it. On failure *record has no more lines than before. */
bool code_record_run(struct session *session, const char *line, size_t size,
                     struct code_record *record, struct error *reterr);
/* Adds each line after a prompt, with its output. *ret_picture becomes the lines of the picture
 * that was drawn last, or no lines if its line of code also does something else; it stays unchanged
 * if nothing was drawn, and may be NULL. */
void code_record_show(const struct code_record *record, size_t width_cols, struct doc *out,
                      struct page_lines *ret_picture);
/* The lines of the picture that a line of code drew; its output is out from line `first` on. No
 * lines if the code also does something else. */
struct page_lines code_picture_lines(const struct session *session, const char *line, size_t size,
                                     size_t first, const struct doc *out);
/* Whether lines that ran for from_cols columns would show the same in to_cols columns. They do if
 * they take less than half of either: then nothing was broken, left out or stretched to fit. */
bool code_record_fits(const struct code_record *record, size_t from_cols, size_t to_cols);

/* The results of running a page, so that it can be laid out without running again. Zero bytes hold
 * no page. */
struct page_record {
    struct part_record {
        struct text prose;    /* Markdown with its numbers filled in */
        struct text unlisted; /* the same without the question's options, if has_unlisted */
        bool has_unlisted;
        struct text
            hidden; /* the values that the question hides in the output, each with a NUL after it */
        struct code_record code;
    } * parts;
    size_t n_parts;
    size_t output_cols; /* the columns for which its code ran */
    unsigned look;      /* of enum page_look: the parts that can be left out */
};
void page_record_release(struct page_record *record);
/* Runs the page's code in the session, and records all of its parts. The code that the page offers
 * to type and its question's answer are not parts. On failure *ret is as before, and *ret_line is
 * the line of the file that failed. */
bool page_take(struct session *session, const struct page *page, unsigned look,
               struct page_record *ret, unsigned *ret_line, struct error *reterr);
/* Whether it can be laid out with this look and these settings, and then looks as if it had run
 * with them; prose is wrapped for any width. */
bool page_record_fits(const struct page_record *record, unsigned look,
                      const struct settings *settings);
/* Adds the page without the parts that look leaves out. *ret_picture: the lines of the picture that
 * the page drew last, if its line of code does nothing else; ret_picture may be NULL. */
bool page_lay_out(const struct page_record *record, unsigned look, const struct settings *settings,
                  struct doc *out, struct page_lines *ret_picture, struct error *reterr);

#endif
