/* Compiling and linking a learner's file, each step in a box of its own. */
#ifndef ATTN_COMPILE_COMPILER_H
#define ATTN_COMPILE_COMPILER_H

#include "compile/compiler_messages.h"
#include "sandbox/box.h"
#include "exercise/exercise.h"
#include "compile/build_cache_internal.h"

/* The compiler of this machine: $CC, else cc, gcc, clang, tcc on PATH. */
struct compiler {
    char path[256];    /* absolute */
    char version[128]; /* first line of --version */
    enum compiler_family { COMPILER_GCC, COMPILER_CLANG, COMPILER_TCC, COMPILER_OTHER } family;
    bool inits_locals; /* knows -ftrivial-auto-var-init=pattern */
};

/* named: a path or a command name to use instead of searching, or NULL. ERR_FILE says what to
 * install if no compiler is found. */
bool compiler_find(const char *named, struct compiler *ret, struct error *reterr);
/* The same, but does not ask a compiler for its version again if it has not changed: the build
 * cache holds its answer. */
bool compiler_find_again(const char *named, struct compiler *ret, struct error *reterr);

struct build_ahead;

struct compile_request {
    const struct compiler *compiler;
    const struct exercise *exercise;
    const struct limits *limits;
    const struct compiler_hints *hints; /* NULL: compilers' messages get no plain sentence */
    unsigned layers;
    const struct strings *also; /* more options for the learner's file, or NULL */
    bool sanitize;              /* for the run under sanitizers: ASan and UBSan, dynamic, -g */
    bool use_cache; /* look in the build cache (build_cache_internal.h) first, and put into it */
    struct kept_builds *kept; /* look here first instead, and put into it; or NULL */
    uint64_t *cpu_us; /* grows by the processor time of compiler and linker, in us; or NULL */
    struct build_ahead *ahead; /* begun before, by build_begin(); or NULL */
    bool keeps_later; /* build_program() does not cache the result; build_keep() does later */
    bool shows;       /* SHOW of attn_show.h gives its numbers to the runner, for the learner to
                       * see; else it does nothing */
    bool links_many;  /* enough programs will be linked that runtime_build() should prepare the
                       * linker, as it does if the cache keeps that */
};

/* The result of a build. */
struct build {
    enum verdict verdict; /* PASS, or COMPILE_ERROR, LINK_ERROR, INTERNAL_ERROR */
    char detail[64];
    struct text messages; /* diagnostics, cleaned and trimmed to the learner's file, bounded; also
                           * the warnings of a build that worked. The file has the learner's name */
    struct text plain;    /* one plain sentence for the first of the common errors, or of the
                           * warnings that are nearly always right; or empty */
    const char *lack;     /* a resource that this machine may lack, if that could be why the build
                           * failed: a constant. NULL: the file is at fault */
    int program_fd;       /* PASS: the static program, read-only; else -1. build_release() closes */
    uint64_t compile_us, link_us; /* wall time of the two steps; 0: the step did not run */
    struct build_key key;         /* the key for build_keep(); empty: nothing is to be kept */
};

/* How programs are linked without the compiler: see linker_internal.h. */
struct linker {
    struct text words;     /* the linker's path and arguments, each ended by a NUL; or empty */
    struct text libraries; /* the files that the base was made of, and their state at that time */
    const char
        *base; /* [base_size] base.o: the runner, with the parts of the C library that it needs */
    size_t base_size;
    struct text own;       /* holds base, */
    struct build_map kept; /* or this does */
};

/* The part of a program that is the same for every submission to an exercise: runner.o, built from
 * trusted text. Made once. ERR_FILE if this machine can't build it. */
struct runtime {
    struct text object;   /* bytes of runner.o */
    struct linker linker; /* empty if the compiler links */
};
bool runtime_build(const struct compile_request *request, struct runtime *ret,
                   struct error *reterr);
void runtime_release(struct runtime *runtime);

/* Compiles source[0..size), which the learner knows as file_name, and links it with the runtime
 * (sanitize: compiles the sanitizers' harness with it). A failure shows only in the verdict. */
void build_program(const struct compile_request *request, const struct runtime *runtime,
                   const char *file_name, const char *source, size_t size, struct build *ret);
/* Caches a program that was built with keeps_later: after the verdict, so that nobody waits for the
 * disk. */
void build_keep(const struct compile_request *request, struct build *build);
void build_release(struct build *build);
/* The resource that this machine lacks, judged by the words of a failure of attn's own or of a
 * compiler: a constant such as "too few processes are allowed (ulimit -u)", or NULL. */
const char *build_lack_in(const char *words);

#endif
