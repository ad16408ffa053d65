/* A box: one program, started with every layer of isolation that this machine has, and ended for
 * certain. box.c is the box of Linux; box_portable.c is that of other systems, with only limits.
 * docs/security.md describes the layers, their reasons, and the order in which they are set up.
 *
 * A box is started, watched by its pidfd and collected; killing it kills everything in it. Boxes
 * are made by a process without threads. */
#ifndef ATTN_SANDBOX_BOX_H
#define ATTN_SANDBOX_BOX_H

#include <stdint.h>
#include <sys/types.h>

#include "sandbox/limits.h"

/* The layers of isolation, as bits. */
enum layer {
    LAYER_NAMESPACES = 1 << 0, /* user, pid, mount, net, ipc, uts, cgroup */
    LAYER_ROOT = 1 << 1,       /* an empty (or nearly empty) read-only root; needs NAMESPACES */
    LAYER_RLIMITS = 1 << 2,
    LAYER_LANDLOCK = 1 << 3,
    LAYER_SECCOMP = 1 << 4,
    LAYER_CGROUP = 1 << 5, /* memory and pids, if this process may make a control group */
    LAYER_UID = 1 << 6,    /* away from root */
    LAYERS_ALL = (1 << 7) - 1
};

const char *layer_name(enum layer layer); /* "namespaces", ... of one bit */

enum box_kind {
    BOX_RUN,       /* a static program, no files, about 35 system calls, no environment */
    BOX_COMPILE,   /* a compiler: its own files read-only, /w to write to, no network */
    BOX_SANITIZER, /* a dynamic program under sanitizers: libraries read-only, /proc */
};

/* A file that is put into a box's folder before the start, or fetched from it after the end. The
 * folder is /w or, without LAYER_ROOT, a folder of this machine that is removed at the end. It is
 * the program's working folder: an argument names a file in it without a folder, which works in
 * both. */
struct box_file {
    const char *name;  /* without a slash */
    const void *bytes; /* in: its content */
    size_t size;       /* in */
    size_t max_size;   /* out: a larger one is not fetched */
    int fd; /* out: box_collect() puts a read-only descriptor here, sealed if the system can; -1
             * when the file is missing, not a regular file or too large */
};

enum { BOX_MAX_FDS = 8, BOX_MAX_FILES = 4 };

struct box_plan {
    enum box_kind kind;
    unsigned layers; /* of enum layer: the layers to use */
    struct box_limits limits;
    int program_fd;       /* BOX_RUN: the program to execute. The caller's; stays open */
    const char *path;     /* else: the program's absolute path, of this machine or /w/... */
    char *const *argv;    /* NULL-terminated. clang finds its own parts by argv[0]: give the path.
                           * NULL: without a program; all layers are set up, and the end is code 0 */
    const char *shows;    /* a folder of this machine that can be read as well; or NULL */
    const char *variable; /* BOX_RUN: "NAME=VALUE", its whole environment; NULL: an empty one */
    int fds[BOX_MAX_FDS]; /* become descriptors 0, 1, ...; -1: an empty pipe end. The caller's */
    unsigned n_fds;       /* at least 3 */
    struct box_file in[BOX_MAX_FILES];
    unsigned n_in;
    const char *late; /* one more file that is put in; the program starts only once box_feed() gave
                       * it. NULL: it starts at once, without such a file */
    struct box_file *out; /* [n_out], filled by box_collect() */
    unsigned n_out;
};

enum box_how {
    BOX_EXITED,    /* code */
    BOX_SIGNALLED, /* signal */
    BOX_FORBIDDEN, /* a system call that the filter does not allow: call */
    BOX_KILLED,    /* by box_kill() */
    BOX_FAILED,    /* attn's fault: it was never started, or its init failed; failure says why */
};

struct box_end {
    enum box_how how;
    int code, signal;
    char call[32];        /* name of the forbidden call, or its number */
    bool out_of_memory;   /* the memory cgroup killed it, or its variables never fitted */
    uint64_t cpu_us;      /* of the program and all its children */
    size_t max_rss_bytes; /* of the largest of them; 0: no more than attn itself has */
    size_t memory_bytes;  /* the same, else the sum of all by the control group; 0: unknown */
    char failure[160];    /* BOX_FAILED: the step and the error */
};

/* Whether the system's libraries are hidden from a BOX_RUN: then its program must be static. */
bool box_hides_libraries(void);
/* Whether a BOX_RUN could start the program at fd: if libraries are hidden, only a program that
 * names no other program to load them. */
bool box_can_run(int fd);

struct box;

/* Starts it. On failure (ERR_FILE, ERR_MEMORY; ERR_RANGE for a plan that makes no sense; always
 * attn's fault) nothing is left behind. If this machine lacks a layer of plan->layers, that is a
 * failure too, here or as BOX_FAILED: ask layers_available() first. plan->out is used until
 * box_collect(), the rest of the plan only during the call. */
bool box_start(const struct box_plan *plan, struct box **ret, struct error *reterr);
/* Gives a box its late file, which starts its program. Only once. False if the system has no late
 * files or the box is gone. */
bool box_feed(struct box *box, const void *bytes, size_t size);
/* A descriptor that polls readable when the box has ended; or -1 if the system has no such
 * descriptor: then poll in steps of a few ms with box_ended(). */
int box_pidfd(const struct box *box);
/* A descriptor to poll for forbidden calls, or -1; when it is readable, call box_forbidden(), which
 * notes the call and kills the box. The descriptor changes then: ask again each time. If nobody
 * polls, a BOX_RUN is not ended by a forbidden call but stopped in it. */
int box_notify_fd(const struct box *box);
void box_forbidden(struct box *box);
bool box_ended(struct box *box);
/* The processor time that the program of a BOX_RUN has used so far, in ns: unlike elapsed time, it
 * does not depend on the machine's other work. 0 if the system does not say. */
uint64_t box_processor_ns(struct box *box);
/* The time it has waited for a processor that others used, in ns; 0 if the system does not say. */
uint64_t box_waited_ns(struct box *box);
enum box_activity {
    BOX_NOT_TOLD, /* the system does not say, or not yet */
    BOX_SLEEPS,   /* it waits for anything but a processor */
    BOX_COMPUTES, /* or waits to: box_waited_ns() includes a wait only when it is over */
    BOX_LEAVES,   /* nothing of it runs any more; the system is freeing the memory of it and its box
                   */
};
/* What the program of a BOX_RUN is doing now. */
enum box_activity box_activity(struct box *box);
/* The most memory that the program of a BOX_RUN, which still runs, has held so far: resident, with
 * shared memory. 0 if the system does not say. */
uint64_t box_memory_bytes(struct box *box);
/* Ends everything in it. May be called at any time before box_collect(). */
void box_kill(struct box *box);
/* The processor time, in us, of all processes below this one that have ended and were waited for:
 * those of all collected boxes. */
uint64_t box_all_cpu_us(void);
/* Waits for the end (kill it first if it may not end), fills *ret and frees the box. */
void box_collect(struct box *box, struct box_end *ret);

/* The layers that work on this machine for this process, each tried for real in a box without a
 * program (some ms); a bit set of enum layer. reasons (or NULL) gets a line "NAME: why" for each
 * layer that does not work. */
unsigned layers_available(struct text *reasons);

/* How well the layers hold together, by the table in docs/security.md. */
enum isolation { ISOLATION_FULL, ISOLATION_REDUCED, ISOLATION_WEAK };
enum isolation layers_isolation(unsigned layers);

/* What layers of ISOLATION_WEAK lack: adds the least that would suffice, such as "seccomp" or
 * "either landlock, or namespaces and root", to *text, and returns the bits of all layers that it
 * names. Adds nothing if they are not weak. is_root: attn was started as root. */
unsigned layers_needed(unsigned layers, bool is_root, struct text *text);

#endif
