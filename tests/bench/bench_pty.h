/* A program at a pseudo terminal that shows nothing and answers nothing: for how long its output
 * takes. */
#ifndef ATTN_TESTS_BENCH_PTY_H
#define ATTN_TESTS_BENCH_PTY_H

#include <sys/types.h>

#include "base/text.h"

/* The two that a frame may wait for, each of which needs a processor. */
enum pty_side { PTY_PROGRAM, PTY_OWN, PTY_SIDES };

/* When something began. */
struct pty_moment {
    double ms;                   /* by clock_ns() */
    double waited_ms[PTY_SIDES]; /* so long each has waited so far for a processor to be free */
};

struct pty {
    int fd;                    /* the terminal from outside; -1 when closed */
    pid_t program;             /* 0 when it has ended */
    int waits[PTY_SIDES];      /* files that tell how long each has waited; -1 where none does */
    struct pty_moment started; /* before the program was */
};

/* What is run at it. The program is told that it is an xterm with all colours, in UTF-8. */
struct pty_program {
    int rows, cols;
    const char *path;  /* or NULL: */
    int (*run)(void);  /* is called in a child that has the terminal as standard input and output */
    char *const *argv; /* for path; NULL at the end */
};

/* What came as the answer to keys, or from the start on. */
struct pty_output {
    double ms; /* from then to its last byte */
    /* Without what of it somebody else had the processor: the longer of the two sides' waits is
     * taken off, since the other may lie within it. As ms where the system does not tell. */
    double undisturbed_ms;
    size_t bytes;
};

enum { PTY_PATIENCE_MS = 5000 }; /* so long a first byte is waited for */

/* ERR_FILE with why there is no terminal or no child. */
bool pty_open(const struct pty_program *program, struct pty *ret, struct error *reterr);
/* Ends the program by force, where it runs still. Safe to call twice, and on a pty of PTY_CLOSED.
 */
#define PTY_CLOSED                    \
    {                                 \
        .fd = -1, .waits = { -1, -1 } \
    }
void pty_close(struct pty *pty);

/* Reads what comes until nothing has come for quiet_ms. seen gets the bytes, unless it is NULL. */
void pty_listen(struct pty *pty, const struct pty_moment *since, int quiet_ms, struct text *seen,
                struct pty_output *ret);
/* Types keys and listens to what comes of them. False when they could not be typed. */
bool pty_type(struct pty *pty, const char *keys, int quiet_ms, struct text *seen,
              struct pty_output *ret);
/* Types bytes and reads n_bytes, not more. False when they do not come. */
bool pty_ask(struct pty *pty, const void *bytes, size_t size, size_t n_bytes, double *ret_ms);
/* Whether the program has ended by itself with exit code 0, or does within PTY_PATIENCE_MS. */
bool pty_wait_exit(struct pty *pty);
/* The processor time that the program has taken so far, in ms; -1 where that can't be known. */
double pty_processor_ms(const struct pty *pty);

#endif
