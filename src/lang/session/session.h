/* A session: names, the graph behind them, and settings. What the REPL, `attn eval`, lessons and
 * tests run lines in.
 *
 * A line either works whole or changes nothing: on an error every name, the names of tensors, what
 * whatif and undo remember, the random stream and the settings are as they were before it. */
#ifndef ATTN_LANG_SESSION_SESSION_H
#define ATTN_LANG_SESSION_SESSION_H

#include "base/arena.h"
#include "lang/value/names.h"
#include "show/backend.h"
#include "show/doc.h"
#include "show/matrix.h"
#include "tensor/random.h"

enum {
    SESSION_MAX_CALLS = 100, /* functions calling functions */
    SESSION_UNDO_STEPS = 64, /* kept changes that can be taken back */
    SESSION_FIRST_SEED = 0,  /* the random stream of a new session */
    SESSION_LOOP_MIB = 1024, /* memory that the loops of a line may add */
};

struct settings {
    int digits;           /* decimals shown, 1 to 9 */
    size_t width_cols;    /* of the lines shown */
    bool ascii;           /* nothing but ASCII is shown */
    enum colours colours; /* what the back end will paint */
    bool echo;            /* an assignment shows the name's new shape */
    bool no_files;        /* save and load are refused, as commands and as functions */
    bool no_saves;        /* save does nothing: lines that ran before run again */
};

/* Some names and the values they had or would get. */
struct change {
    struct named_value {
        char *name;
        struct value value;
    } * items;
    size_t n, capacity;
};

/* What whatif, keep and undo work on. */
struct whatif_state {
    struct change pending;                  /* what the last `whatif` would give its names */
    struct change undo[SESSION_UNDO_STEPS]; /* what names had before each `keep` */
    size_t n_undo;
};

struct embeddings; /* embeddings.h */

struct session {
    struct graph graph;
    struct names names;
    struct settings settings;
    struct random random; /* use session_random() */
    const char *data_dir; /* borrowed; NULL: no assets */
    bool wants_quit;      /* the line said quit */
    size_t loop_mib;      /* SESSION_LOOP_MIB, but in tests */

    struct embeddings *embeddings; /* read at first use */
    struct whatif_state whatif;    /* use session_whatif() to change it */
    struct text script;            /* the lines that changed something, for `save` */
    struct text notes;             /* things to tell beside the line's result, a line each */

    /* The line under way. */
    struct arena arena;
    const char *source;
    struct change journal; /* old values, in the order of the changes */
    struct renamed {
        struct node *node;
        char *name;
    } * renamed; /* tensors and the names they had, in the order of the changes */
    size_t n_renamed, renamed_capacity;
    size_t old_n_names, old_script_size;
    struct settings old_settings;
    bool old_wants_quit;
    struct random old_random;
    bool random_used;
    struct whatif_state old_whatif;
    bool whatif_used;
    bool forgets_script;  /* it said reset */
    bool changed;         /* it did something worth saving */
    size_t n_calls;       /* functions and files under way */
    size_t n_loops;       /* loops under way */
    size_t n_turns;       /* that loops took so far */
    size_t first_peak;    /* bytes of memory the program had used at most before them */
    size_t depth;         /* expressions under way */
    uint64_t old_last_id; /* of the graph: nodes with a higher one are new */
};

void session_init(struct session *session, const struct settings *settings, const char *data_dir,
                  const volatile sig_atomic_t *stop);
void session_release(struct session *session);

/* Runs the statements of one line (as lexer_line() cuts them) and adds what they show to out. On
 * failure out is as before and *reterr has its place in source. */
bool session_run(struct session *session, const char *source, size_t size, struct doc *out,
                 struct error *reterr);

/* Runs a whole script, line by line, until the first error. after_line (or NULL) is called behind
 * each line that worked, with what it showed, which is then cleared. On failure *ret_line is the
 * number of the failing line's first row, from 1, and *ret_start where it starts in source. */
bool session_run_script(struct session *session, const char *source, size_t size, struct doc *out,
                        void (*after_line)(void *context, struct doc *out), void *context,
                        size_t *ret_line, size_t *ret_start, struct error *reterr);

/* What an expression would give after `lines` (or NULL), which then are undone: names, random
 * stream and settings are as before. The caller releases *ret. On failure *reterr has its place in
 * expression, or none when one of the lines failed. */
bool session_peek(struct session *session, const char *lines, const char *expression,
                  struct value *ret, struct error *reterr);

/* For what the language itself does. */

/* Binds a name, taking *value over; VALUE_ABSENT deletes it. A node without a name is named so. */
bool session_bind(struct session *session, const char *name, size_t size, struct value *value,
                  struct error *reterr);
/* Runs one statement of the line under way. */
bool session_run_statement(struct session *session, const struct statement *statement,
                           struct doc *out, struct error *reterr);
/* NAME = *value, as the language has it: a name with a fixed meaning is refused, at its place. */
bool session_assign(struct session *session, const struct expr *name, struct value *value,
                    struct error *reterr);
/* Where the settings ask for it, adds "X  3x3", so that a learner sees what an assignment did. */
void session_echo(struct session *session, const struct expr *name, struct doc *out);
/* Runs the lines of a file as part of the line under way: all of them work, or nothing changes.
 * name stands for the file in messages. ERR_LIMIT when files load each other too deep. */
bool session_run_inside(struct session *session, const char *name, const char *source, size_t size,
                        struct doc *out, struct error *reterr);
/* ERR_FILE, naming `what`, where settings.no_files keeps the session from files. */
bool session_may_use_files(const struct session *session, const char *what, struct error *reterr);
/* The random stream, remembered so that a failing line can give it back. */
struct random *session_random(struct session *session);
/* What whatif, keep and undo work on, remembered likewise; NULL without memory. */
struct whatif_state *session_whatif(struct session *session, struct error *reterr);
struct show_options session_show_options(const struct session *session);
/* Adds a line to tell the learner beside the result. */
void session_note(struct session *session, const char *format, ...) ERROR_FORMAT(2, 3);
/* Forgets everything but the settings. */
bool session_reset(struct session *session, struct error *reterr);

bool change_add(struct change *change, const char *name, size_t size, struct value *value,
                struct error *reterr); /* takes *value over */
void change_release(struct change *change);

/* Writes what is shown for a value: a tensor as a table, a list in brackets, None as nothing. */
bool session_show(struct session *session, const struct value *value, struct doc *out,
                  struct error *reterr);

#endif
