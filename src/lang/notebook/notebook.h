/* A notebook: runs cells and files of Python, as they stand in courses.
 *
 * docs/language-design.md says how. Names live from cell to cell. Nothing here prints or reads a
 * file: what a cell prints is handed to the caller. */
#ifndef ATTN_LANG_NOTEBOOK_NOTEBOOK_H
#define ATTN_LANG_NOTEBOOK_NOTEBOOK_H

#include <signal.h>

#include "base/error.h"
#include "base/text.h"

struct node;
struct notebook;
struct string;
struct value;

/* The session that a notebook belongs to, at a prompt. Its values are tensors (nodes), texts, lists
 * and None; what a cell makes besides is a VALUE_THING there, or a number.
 *
 * Tensors of such a notebook keep what they were computed from, and functions of cells give their
 * variables' names to them, so that `why` can tell it. */
struct notebook_host {
    struct graph *graph; /* tensors are nodes of it */
    /* A share of the value that a name has in the session; VALUE_ABSENT: none. */
    struct value (*find)(void *context, const char *name, size_t size);
    bool (*has_function)(void *context, const char *name, size_t size);
    /* Calls attn's function of that name. The last n_keywords of args are given by name. */
    bool (*call)(void *context, const struct string *name, const struct value *args, size_t n,
                 const struct string *const *keywords, size_t n_keywords, struct value *ret,
                 struct error *reterr);
};

struct notebook_options {
    /* Gets what print() prints, as it comes. */
    void (*print)(void *context, const char *bytes, size_t size);
    /* Gets what the cell writes to sys.stderr; NULL drops it. */
    void (*print_error)(void *context, const char *bytes, size_t size);
    /* Gets what is to be said beside it, once each: a line without its end; or NULL. */
    void (*note)(void *context, const char *text);
    /* Reads a file beside the cell, for open(): name has no ".." and does not begin with a slash.
     * False, with the reason in *reterr, if there is no such file. NULL: a cell opens nothing. */
    bool (*read)(void *context, const char *name, struct text *ret, struct error *reterr);
    void *context;
    const struct notebook_host *host;  /* NULL: it belongs to no session */
    const volatile sig_atomic_t *stop; /* set to stop a cell; or NULL */
    size_t most_bytes;                 /* of memory that a cell may add; 0: 2 GB */
    bool shows_value; /* print the value of a cell's last expression, as Jupyter shows it */
};

/* NULL without memory. */
struct notebook *notebook_new(const struct notebook_options *options);
void notebook_free(struct notebook *notebook);

/* How a cell ended. */
enum notebook_end {
    NOTEBOOK_DONE,
    NOTEBOOK_LACKED, /* statements were passed over that use what attn does not have */
    NOTEBOOK_FAILED, /* an error that nobody caught */
    NOTEBOOK_EXIT,   /* sys.exit() */
};

/* Runs a cell, statement by statement; name is that of the file, for messages. One that uses what
 * attn does not have is passed over, and so are those that need the names it would have made: the
 * line "12 of 14 lines ran; line 9: ..." is added to trace. An error that nobody catches ends the
 * cell, and its traceback is added to trace. *ret_code: of an exit. */
enum notebook_end notebook_run(struct notebook *notebook, const char *name, const char *source,
                               size_t size, struct text *trace, int *ret_code);

/* After a cell that failed: adds lines that explain an error by shapes, where attn finds the axis
 * that does not fit. The cells run again for that, silently, for some seconds at most. */
void notebook_explain(const struct notebook *notebook, struct text *out);

/* ---- the notebook of a session: host.c ---- */

/* Whether a text is a cell of Python, of which each statement can be read. is_first: and one of
 * them is meant as Python: it imports or defines something, or has a block of rows. Without memory
 * *reterr says so; it is left alone if the text is another one. */
bool notebook_can_read(const char *source, size_t size, bool is_first, struct error *reterr);
/* Runs a line typed at a prompt, or a statement of several. *ret is the value of the last one if it
 * is an expression (a share; see notebook_value()), else VALUE_ABSENT. On failure *reterr says what
 * Python's last line says, with the place of the statement that failed in source, and the calls
 * that led there are added to trace. */
bool notebook_run_line(struct notebook *notebook, const char *source, size_t size,
                       struct value *ret, struct text *trace, struct error *reterr);
/* What a statement of the learner's gave while a line ran. The texts are the caller's to read, not
 * to keep. */
struct notebook_row {
    unsigned depth;      /* of calls; 1: the line itself */
    size_t line;         /* from 1; 0: that of the row before, or the head of a call */
    struct text code;    /* the statement; of a head: CLASS.forward */
    struct text name;    /* that got the tensor */
    struct text shape;   /* "(2, 10, 32)"; "" of a head */
    struct text axes;    /* "batch, seq, 32"; "": no axis has a name */
    struct text problem; /* what a comment says otherwise, or "" */
    struct node *node;   /* the tensor, borrowed; NULL of a head */
};
/* As notebook_run_line(), and calls take with what each statement gave, the calls inside too, once
 * the line has run or failed; up to 2000 of them. */
bool notebook_observe_line(struct notebook *notebook, const char *source, size_t size,
                           bool (*take)(void *context, const struct notebook_row *row),
                           void *context, struct text *trace, struct error *reterr);
/* Whether the last line failed because it uses what attn does not have, or a name that such a line
 * would have made: other lines may still run. */
bool notebook_lacked(const struct notebook *notebook);
/* The end of a session's line, of which notebook_run_line() ran statements. Where the line did not
 * work, all that lists, objects, tensors, ... held before it is given back, and the streams of
 * random numbers too. */
void notebook_end_line(struct notebook *notebook, bool works);
/* The session's names have changed since: a global whose name has another value there takes it.
 * Called before a line. */
void notebook_follow(struct notebook *notebook);
/* Calls take with each name that cells have given a value, and a share of its value for the
 * session, which is a node where it is a tensor. Called after a line; ends when take fails. */
bool notebook_each_name(struct notebook *notebook,
                        bool (*take)(void *context, const char *name, size_t size,
                                     struct value *value, struct error *reterr),
                        void *context, struct error *reterr);
bool notebook_is_tensor(const struct value *value);
/* Whether Python has a function of that name. */
bool notebook_is_python(const struct notebook *notebook, const char *name, size_t size);
/* Whether this value of a name in the session is a cell's. */
bool notebook_owns(const struct notebook *notebook, const char *name, size_t size,
                   const struct value *value);
/* The value as a formula takes it: tensors, arrays and numbers are nodes, and a list of such values
 * is a list. *value, which is released, may also be a thing that formulas have no word for: it is
 * handed back as it is. */
bool notebook_value(struct notebook *notebook, struct value *value, struct value *ret,
                    struct error *reterr);
/* Adds repr(value). */
bool notebook_write(struct notebook *notebook, const struct value *value, struct text *out,
                    struct error *reterr);

#endif
