/* A session: names, the graph of their values, and settings. The REPL, `attn eval`, lessons and
 * tests run lines in.
 *
 * A line either works whole or changes nothing: on an error every name, the names of tensors, what
 * whatif and undo remember, the random stream and the settings are as they were before it. */
#ifndef ATTN_LANG_SESSION_SESSION_H
#define ATTN_LANG_SESSION_SESSION_H

#include "base/arena.h"
#include "base/text.h"
#include "graph/graph.h"
#include "lang/builtins/settings.h"
#include "lang/session/steps.h"
#include "lang/session/drawing_internal.h"
#include "lang/session/transaction.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/command.h"
#include "lang/value/names.h"

enum {
    SESSION_MAX_CALLS = 100, /* functions calling functions */
    SESSION_FIRST_SEED = 0,  /* the random stream of a new session */
    SESSION_LOOP_MIB = 1024, /* memory that the loops of a line may add */
    SESSION_KNOWN = 64,      /* functions that are found again at once */
};

struct builtin;
struct python;
struct doc;
struct embeddings;

struct session {
    command_lookup *find_command;
    struct graph graph;
    struct names names;
    struct settings settings;
    struct random random;
    const char *data_dir; /* borrowed; NULL: no assets */
    bool wants_quit;      /* the line said quit */
    size_t loop_mib;      /* SESSION_LOOP_MIB, but in tests */

    struct python *python; /* the notebook that lines of Python run in; NULL until the first of
                            * them: see python_internal.h */
    bool lacked;           /* the last line failed because attn does not have what it uses */
    bool is_author;        /* lines come from attn's own pages, where all are formulas */

    struct embeddings *embeddings;              /* read at first use */
    const struct builtin *known[SESSION_KNOWN]; /* functions that were called, by their names */
    struct whatif_state whatif;                 /* use session_whatif() to change it */
    struct text script;                         /* the lines that changed something, for `save` */
    struct last_drawing drawing; /* the last picture: a heatmap, bars, a chart, a trace */
    struct last_drawing matrix;  /* the last matrix that was shown by its numbers, or a picture of
                                  * too many tensors */
    unsigned n_drawings, n_matrices; /* of either kind so far, to see that there is another one */
    struct text notes;               /* of the line under way: see notes.h */
    struct text beside;              /* what the last call has to show beside its value */

    struct steps steps; /* of the last `step` */

    struct past past; /* see session_keep_past() */

    /* The line under way. */
    struct transaction transaction;
    struct arena arena;
    struct last_drawing new_drawing; /* what it draws */
    bool draws_again;                /* session->drawing, of which n_drawn tensors are drawn */
    size_t n_drawn;
    const char *source;
    size_t n_calls;        /* functions and files under way */
    size_t n_loops;        /* loops under way */
    size_t n_turns;        /* that loops took so far */
    bool error_names_turn; /* its error says in which turn of a loop it came up */
    size_t first_peak;     /* bytes of memory the program had used at most before them */
    size_t depth;          /* expressions under way */
};

/* find_command looks words up in the table of commands (command_find() in lang/commands); NULL: the
 * session has no commands. data_dir is the folder that holds assets/, or NULL; stop, set by a
 * signal handler, ends a computation, or NULL. Both are borrowed. */
void session_init(struct session *session, command_lookup *find_command,
                  const struct settings *settings, const char *data_dir,
                  const volatile sig_atomic_t *stop);
void session_release(struct session *session);

/* Runs the statements of one line (as lexer_line() cuts them) and adds what they show to out. On
 * failure out is as before and *reterr has its place in source. */
bool session_run(struct session *session, const char *source, size_t size, struct doc *out,
                 struct error *reterr);

/* A line that is read once, to be run many times: in the arena, pointing into the source. */
struct session_line {
    const char *source;
    size_t size;
    const struct statement *first; /* NULL: it is empty */
    bool is_cell;                  /* it is Python, and no formula */
};

/* What session_run() does, in two steps. Source and arena outlive *ret. */
bool session_read_line(struct session *session, struct arena *arena, const char *source,
                       size_t size, struct session_line *ret, struct error *reterr);
bool session_run_line(struct session *session, const struct session_line *line, struct doc *out,
                      struct error *reterr);

/* A script, and how far it has run. */
struct script {
    const char *source;
    size_t size;
    /* Called after each line that worked, with what it showed, which is then cleared; or NULL: what
     * all lines show stays in out. */
    void (*after_line)(void *context, struct doc *out);
    void *context;
    /* Answers a line that asks for help, with a NUL after it; or NULL. *ret_answered is false for
     * other lines, which run. */
    bool (*answer)(const struct session *session, const char *line, struct doc *out,
                   bool *ret_answered, struct error *reterr);
    /* Of the line under way; after a failure, of the line that failed. */
    size_t row;   /* its first row's number, from 1 */
    size_t start; /* where it starts in source */
};

/* Runs a whole script, line by line, until the first error or the line that quits. */
bool session_run_script(struct session *session, struct script *script, struct doc *out,
                        struct error *reterr);

/* The value of an expression after `lines` (or NULL), which then are undone: names, random stream
 * and settings are as before. The caller releases *ret. On failure *reterr has its place in
 * expression, or no place when one of the lines failed. */
bool session_peek(struct session *session, const char *lines, const char *expression,
                  struct value *ret, struct error *reterr);

/* Adds session->drawing to out, for lines of width_cols columns; pictures grow by up to extra_lines
 * lines beyond their usual ones. Nothing of the session changes. On failure (ERR_NAME where there
 * is nothing to draw, ERR_MEMORY) out is as before. */
bool session_draw_again(struct session *session, size_t width_cols, size_t extra_lines,
                        struct doc *out, struct error *reterr);

/* Runs the lines of a file as part of the line under way: all of them work, or nothing changes.
 * name stands for the file in messages. ERR_LIMIT when files load each other too deep. */
bool session_run_inside(struct session *session, const char *name, const char *source, size_t size,
                        struct doc *out, struct error *reterr);

#endif
