/* Compilers' flags: see arguments.h. */
#include "compile/arguments_internal.h"

#include <stdio.h>

#include "compile/compiler_messages.h"
#include "compile/harness_internal.h"

static void add_all(struct arguments *arguments, const char *const *items, size_t n)
{
    for (size_t i = 0; i < n && arguments->n + 1 < MAX_ARGUMENTS; i++)
        arguments->items[arguments->n++] = items[i];
    arguments->items[arguments->n] = NULL;
}

/* add(arguments, "-a", "-b"): adds all of them. */
#define add(arguments, ...)                                \
    add_all(arguments, (const char *const[]){__VA_ARGS__}, \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

bool compiler_is_gcc_like(const struct compiler *compiler)
{
    return compiler->family == COMPILER_GCC || compiler->family == COMPILER_CLANG;
}

/* Can the linker tell the runner of failed allocations (harness_internal.h)? The linkers of systems
 * that have static programs know the options of GNU's. */
static bool knows_wrap(const struct compiler *compiler)
{
    return compiler_is_gcc_like(compiler) && box_hides_libraries();
}

/* Compilers look for their parts beside their own path, so they are called by their whole path. */
static void begin_arguments(const struct compiler *compiler, struct arguments *arguments)
{
    *arguments = (struct arguments){.n = 0};
    add(arguments, compiler->path);
    if (compiler->family != COMPILER_TCC)
        add(arguments, "-std=c17");
}

static void add_message_flags(const struct compile_request *request, struct arguments *arguments)
{
    bool clang = request->compiler->family == COMPILER_CLANG;
    if (!compiler_is_gcc_like(request->compiler))
        return;
    snprintf(arguments->max_errors, sizeof arguments->max_errors, "%s=%u",
             clang ? "-ferror-limit" : "-fmax-errors", request->limits->max_errors);
    add(arguments, arguments->max_errors,
        clang ? "-fno-color-diagnostics" : "-fdiagnostics-color=never");
}

/* Flags that make mistakes visible; they are the same for the program that is judged and the one
 * that explains. Warnings that compilers treat differently are explicitly made errors or not, so
 * that the verdict does not depend on the compiler. */
static void add_careful_flags(const struct compile_request *request, struct arguments *arguments)
{
    if (compiler_is_gcc_like(request->compiler))
        add(arguments, "-fno-common", "-Wall", "-Wextra", "-Wno-sign-compare",
            "-Werror=implicit-function-declaration", "-Werror=return-type",
            "-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion",
            "-Wno-error=implicit-int");
    if (request->compiler->family == COMPILER_GCC)
        add(arguments, "-Wno-maybe-uninitialized"); /* it is right about few of them */
    if (request->compiler->inits_locals)
        add(arguments, "-ftrivial-auto-var-init=pattern");
    add_message_flags(request, arguments);
}

/* Does this processor have vectors of 32 bytes, and fused multiply-adds, like nearly all since
 * 2013? The code runs on the machine that compiles it. */
static bool has_wide_vectors(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/* Without -mavx2 GCC splits a vector of 32 bytes and sends it through memory, so that a function
 * written with such vectors would seem to be no faster. */
static void add_processor(const struct compile_request *request, struct arguments *arguments)
{
    if (request->exercise->speed != NULL && has_wide_vectors())
        add(arguments, "-mavx2", "-mfma");
}

/* A function that is timed is optimised as far as a compiler can go without changing the sums of
 * floats. GCC would unroll a loop of eight steps before it looks for vectors, and then makes them
 * of the loop around it, which costs a factor of four if eight sums lie side by side in memory; so
 * it keeps a loop of more than seven steps. */
static void add_optimization(const struct compile_request *request, struct arguments *arguments)
{
    if (!compiler_is_gcc_like(request->compiler))
        return;
    add(arguments, request->exercise->speed != NULL ? "-O3" : "-O1");
    if (request->exercise->speed != NULL && request->compiler->family == COMPILER_GCC)
        add(arguments, "--param", "max-completely-peel-times=6");
    add_processor(request, arguments);
}

static void add_also(const struct compile_request *request, struct arguments *arguments)
{
    for (unsigned i = 0; request->also != NULL && i < request->also->n; i++)
        add(arguments, request->also->items[i]);
}

void arguments_to_compile(const struct compile_request *request, struct arguments *ret)
{
    begin_arguments(request->compiler, ret);
    add_optimization(request, ret);
    if (compiler_is_gcc_like(request->compiler))
        add(ret, "-g1", "-fno-lto", "-pipe");
    add_careful_flags(request, ret);
    if (request->shows && request->compiler->family == COMPILER_GCC)
        add(ret, "-ftrack-macro-expansion=0"); /* faults within SHOW stand at the learner's line */
    add_also(request, ret);
    add(ret, "-include", HEADER_FILE, "-c", SUBMISSION_FILE, "-o", OBJECT_FILE);
}

void arguments_to_preprocess(const struct compile_request *request, struct arguments *ret)
{
    begin_arguments(request->compiler, ret);
    add_optimization(request, ret);
    add_careful_flags(request, ret);
    add(ret, "-w", "-include", HEADER_FILE, "-E", SUBMISSION_FILE);
}

void arguments_to_compile_preprocessed(const struct compile_request *request, struct arguments *ret)
{
    begin_arguments(request->compiler, ret);
    add_optimization(request, ret);
    add(ret, "-g1", "-fno-lto", "-pipe");
    add_careful_flags(request, ret);
    add_also(request, ret);
    add(ret, "-w", "-x", "cpp-output", "-c", SUBMISSION_FILE, "-o", OBJECT_FILE);
}

void arguments_to_compile_runner(const struct compile_request *request, struct arguments *ret)
{
    begin_arguments(request->compiler, ret);
    if (compiler_is_gcc_like(request->compiler))
        add(ret, "-O1", "-fno-lto");
    if (!knows_wrap(request->compiler))
        add(ret, "-D__real_malloc=malloc", "-D__real_calloc=calloc", "-D__real_realloc=realloc",
            "-D__real_aligned_alloc=aligned_alloc", "-D__real_posix_memalign=posix_memalign");
    add(ret, "-c", RUNNER_FILE, "-o", RUNNER_OBJECT_FILE);
}

void arguments_to_link(const struct compile_request *request, struct arguments *ret)
{
    *ret = (struct arguments){.n = 0};
    add(ret, request->compiler->path);
    if (box_hides_libraries())
        add(ret, "-static");
    if (knows_wrap(request->compiler))
        add(ret, HARNESS_WRAP, "-Wl,-z,noexecstack", "-Wl,-z,relro,-z,now");
    if (compiler_is_gcc_like(request->compiler))
        add(ret, "-fno-lto");
    if (request->compiler->family == COMPILER_GCC)
        add(ret, "-fno-use-linker-plugin");
    add(ret, "-o", PROGRAM_FILE, RUNNER_OBJECT_FILE, OBJECT_FILE, "-lm");
}

/* The program that explains a crash: the learner's file and its harness in one go, both checked
 * while they run. Addresses that are merely computed, and objects whose size is known by chance,
 * are left to the address sanitizer, which says more about them. */
void arguments_to_sanitize(const struct compile_request *request, struct arguments *ret)
{
    begin_arguments(request->compiler, ret);
    add(ret, "-O0", "-g", "-fno-omit-frame-pointer", "-fno-lto",
        "-fsanitize=address,undefined,float-cast-overflow",
        "-fno-sanitize=pointer-overflow,object-size", "-fno-sanitize-recover=all");
    add_processor(request, ret);
    add_careful_flags(request, ret);
    add(ret, "-w", "-include", HEADER_FILE, "-o", PROGRAM_FILE, SUBMISSION_FILE, SANITIZER_FILE,
        "-lm");
}
