/* A box: one program, started with every layer of isolation that this machine has, and ended for
 * certain. box.c is the box of Linux; box_portable.c is that of other systems, with limits alone.
 *
 * docs/security.md tells the layers, their reasons, and in which order they are put up.
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
    LAYER_CGROUP = 1 << 5, /* memory and pids, where this process may make one */
    LAYER_UID = 1 << 6,    /* away from root */
    LAYERS_ALL = (1 << 7) - 1
};

const char *layer_name(enum layer layer); /* "namespaces", ... of one bit */

enum box_kind {
    BOX_RUN,       /* a static program, no files, about 35 system calls, no environment */
    BOX_COMPILE,   /* a compiler: its own files read-only, /w to write in, no network */
    BOX_SANITIZER, /* a dynamic program under sanitizers: libraries read-only, /proc */
};

/* A file that is put into a box's folder before the start, or fetched from there after the end. The
 * folder is /w, or, without LAYER_ROOT, one of this machine's that is removed at the end. It is the
 * program's working folder: an argument names a file in it without a folder, which is right in
 * both. */
struct box_file {
    const char *name;  /* without a slash */
    const void *bytes; /* in: what it holds */
    size_t size;       /* in */
    size_t max_size;   /* out: a larger one is not fetched */
    int fd;            /* out: box_collect() puts a read-only descriptor here, sealed where the
                        * system can; -1 when the file is missing, no regular file or too large */
};

enum { BOX_MAX_FDS = 8, BOX_MAX_FILES = 4 };

struct box_plan {
    enum box_kind kind;
    unsigned layers; /* of enum layer: what to use of what there is */
    struct box_limits limits;
    int program_fd;       /* BOX_RUN: what is executed. The caller's; stays open */
    const char *path;     /* else: the program's absolute path, of this machine or /w/... */
    char *const *argv;    /* NULL-terminated. clang finds its own parts by argv[0]: give the path.
                           * NULL: there is no program, all layers are put up, and the end is code 0 */
    const char *variable; /* BOX_RUN: "NAME=VALUE", all of its environment; NULL: there is none */
    int fds[BOX_MAX_FDS]; /* become descriptors 0, 1, ...; -1: an empty pipe end. The caller's */
    unsigned n_fds;       /* at least 3 */
    struct box_file in[BOX_MAX_FILES];
    unsigned n_in;
    const char *late;     /* one more file that is put in; the program starts only once box_feed()
                           * gave it. NULL: there is none, and it starts at once */
    struct box_file *out; /* [n_out], filled by box_collect() */
    unsigned n_out;
};

enum box_how {
    BOX_EXITED,    /* code */
    BOX_SIGNALLED, /* signal */
    BOX_FORBIDDEN, /* a system call that the filter does not allow: call */
    BOX_KILLED,    /* by box_kill() */
    BOX_FAILED,    /* ours: it was never started, or its init failed; failure tells */
};

struct box_end {
    enum box_how how;
    int code, signal;
    char call[32];        /* name of the forbidden call, or its number */
    bool out_of_memory;   /* the memory cgroup killed it, or its variables never fitted */
    uint64_t cpu_us;      /* of the program and all its children */
    size_t max_rss_bytes; /* of the largest of them; 0: no more than attn has itself */
    size_t memory_bytes;  /* that, else what all held together by the control group; 0: not known */
    char failure[160];    /* BOX_FAILED: the step and the error */
};

/* Whether the system's libraries are hidden from a BOX_RUN: then its program must be static. */
bool box_hides_libraries(void);
/* Whether a BOX_RUN could start the program at fd: where libraries are hidden, one that names no
 * other program to load them. */
bool box_can_run(int fd);

struct box;

/* Starts it. On failure (ERR_FILE, ERR_MEMORY; ERR_RANGE for a plan that makes no sense; always
 * ours) nothing is left behind. A layer of plan->layers that this machine lacks is a failure too,
 * here or as BOX_FAILED: ask layers_available() first. plan->out is used until box_collect(), all
 * else of the plan only during the call. */
bool box_start(const struct box_plan *plan, struct box **ret, struct error *reterr);
/* Gives a box its late file: its program starts. Once only. False where the system has no late
 * files or the box is gone. */
bool box_feed(struct box *box, const void *bytes, size_t size);
/* A descriptor that polls readable when the box has ended; or -1 where the system has none, then
 * poll in steps of a few ms with box_ended(). */
int box_pidfd(const struct box *box);
/* A descriptor to poll for forbidden calls, or -1; when it is readable call box_forbidden(), which
 * notes the call and kills the box. It is another one after that: ask again each time. A BOX_RUN
 * that nobody polls for is not ended by a forbidden call but stopped in it. */
int box_notify_fd(const struct box *box);
void box_forbidden(struct box *box);
bool box_ended(struct box *box);
/* The processor time that the program of a BOX_RUN has taken so far, in ns: unlike the time that
 * passed, it does not depend on what else the machine does. 0 where the system does not tell. */
uint64_t box_processor_ns(struct box *box);
/* How long it could have computed so far, but others had the processors, in ns; 0 where the system
 * does not tell. */
uint64_t box_waited_ns(struct box *box);
enum box_activity {
    BOX_NOT_TOLD, /* by this system, or not yet */
    BOX_SLEEPS,   /* it waits for anything but a processor */
    BOX_COMPUTES, /* or waits to: box_waited_ns() tells of a wait only when it is over */
    BOX_LEAVES,   /* nothing of it runs any more; the system takes back what it and its box held */
};
/* What the program of a BOX_RUN does at this moment. */
enum box_activity box_activity(struct box *box);
/* The most memory that the program of a BOX_RUN, which still runs, has held so far: resident, with
 * what it shares. 0 where the system does not tell. */
uint64_t box_memory_bytes(struct box *box);
/* Ends everything in it. Can be called at any time before box_collect(). */
void box_kill(struct box *box);
/* The processor time, in us, that processes below this one took which have ended and were waited
 * for: all of the boxes that were collected. */
uint64_t box_all_cpu_us(void);
/* Waits for the end (kill it first if it may not end), fills *ret and frees the box. */
void box_collect(struct box *box, struct box_end *ret);

/* Which layers work on this machine for this process, each tried for real in a box without a
 * program (some ms); a bit set of enum layer. reasons (or NULL) gets a line "NAME: why" for each
 * that does not. */
unsigned layers_available(struct text *reasons);

/* How well the layers hold together, by the table in docs/security.md. */
enum isolation { ISOLATION_FULL, ISOLATION_REDUCED, ISOLATION_WEAK };
enum isolation layers_isolation(unsigned layers);

/* What layers of ISOLATION_WEAK need in order not to be: adds the least that would suffice, such as
 * "seccomp" or "either landlock, or namespaces and root", to *text, and returns the bits of all
 * that it names. Nothing where they are not weak. is_root: attn was started as root. */
unsigned layers_needed(unsigned layers, bool is_root, struct text *text);

#endif
