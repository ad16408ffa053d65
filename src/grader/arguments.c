/* Compilers' flags: see arguments.h. */
#include "grader/arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "grader/diagnostics.h"
#include "grader/harness.h"

/* Adds arguments up to a NULL. */
static void add(struct arguments *arguments, ...)
{
    va_list list;
    va_start(list, arguments);
    const char *item;
    while ((item = va_arg(list, const char *)) != NULL && arguments->n + 1 < MAX_ARGUMENTS)
        arguments->items[arguments->n++] = item;
    va_end(list);
    arguments->items[arguments->n] = NULL;
}

bool compiler_is_gcc_like(const struct compiler *compiler)
{
    return compiler->family == COMPILER_GCC || compiler->family == COMPILER_CLANG;
}

/* Can the linker tell the runner of failed allocations (harness.h)? */
static bool knows_wrap(const struct compiler *compiler)
{
#ifdef __APPLE__
    (void)compiler;
    return false;
#else
    return compiler_is_gcc_like(compiler);
#endif
}

static const char *program_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void begin_arguments(const struct compiler *compiler, struct arguments *arguments)
{
    *arguments = (struct arguments){.n = 0};
    add(arguments, program_name(compiler->path), NULL);
    if (compiler->family != COMPILER_TCC)
        add(arguments, "-std=c17", NULL);
}

static void add_message_flags(const struct compile_request *request, struct arguments *arguments)
{
    bool clang = request->compiler->family == COMPILER_CLANG;
    if (!compiler_is_gcc_like(request->compiler))
        return;
    snprintf(arguments->max_errors, sizeof arguments->max_errors, "%s=%u",
             clang ? "-ferror-limit" : "-fmax-errors", request->limits->max_errors);
    add(arguments, arguments->max_errors,
        clang ? "-fno-color-diagnostics" : "-fdiagnostics-color=never", NULL);
}

/* What makes a mistake loud, and is the same for the program that is judged and the one that
 * explains. What is an error is said for each warning that not all compilers treat alike, so that
 * the verdict does not depend on the compiler. */
static void add_careful_flags(const struct compile_request *request, struct arguments *arguments)
{
    if (compiler_is_gcc_like(request->compiler))
        add(arguments, "-fno-common", "-Wall", "-Wextra", "-Werror=implicit-function-declaration",
            "-Werror=return-type", "-Wno-error=incompatible-pointer-types",
            "-Wno-error=int-conversion", "-Wno-error=implicit-int", NULL);
    if (request->compiler->inits_locals)
        add(arguments, "-ftrivial-auto-var-init=pattern", NULL);
    add_message_flags(request, arguments);
}

void arguments_to_compile(const struct compile_request *request, struct arguments *arguments)
{
    begin_arguments(request->compiler, arguments);
    if (compiler_is_gcc_like(request->compiler))
        add(arguments, request->exercise->speed != NULL ? "-O2" : "-O1", "-g1", "-fno-lto", NULL);
    add_careful_flags(request, arguments);
    add(arguments, "-include", HEADER_FILE, "-c", DIAGNOSTICS_FILE, "-o", OBJECT_FILE, NULL);
}

void arguments_to_compile_runner(const struct compile_request *request, struct arguments *arguments)
{
    begin_arguments(request->compiler, arguments);
    if (compiler_is_gcc_like(request->compiler))
        add(arguments, "-O1", "-fno-lto", NULL);
    if (!knows_wrap(request->compiler))
        add(arguments, "-D__real_malloc=malloc", "-D__real_calloc=calloc",
            "-D__real_realloc=realloc", NULL);
    add(arguments, "-c", RUNNER_FILE, "-o", RUNNER_OBJECT_FILE, NULL);
}

void arguments_to_link(const struct compile_request *request, struct arguments *arguments)
{
    *arguments = (struct arguments){.n = 0};
    add(arguments, program_name(request->compiler->path), NULL);
#ifndef __APPLE__
    add(arguments, "-static", NULL);
#endif
    if (knows_wrap(request->compiler))
        add(arguments, HARNESS_WRAP, "-Wl,-z,noexecstack", "-Wl,-z,relro,-z,now", NULL);
    if (compiler_is_gcc_like(request->compiler))
        add(arguments, "-fno-lto", NULL);
    if (request->compiler->family == COMPILER_GCC)
        add(arguments, "-fno-use-linker-plugin", NULL);
    add(arguments, "-o", PROGRAM_FILE, RUNNER_OBJECT_FILE, OBJECT_FILE, "-lm", NULL);
}

/* The program that explains a crash: the learner's file and its harness in one go, both checked
 * while they run. Addresses that are merely computed, and objects whose size is known by chance,
 * are left to the address sanitizer, which says more about them. */
void arguments_to_sanitize(const struct compile_request *request, struct arguments *arguments)
{
    begin_arguments(request->compiler, arguments);
    add(arguments, "-O0", "-g", "-fno-omit-frame-pointer", "-fno-lto",
        "-fsanitize=address,undefined,float-cast-overflow",
        "-fno-sanitize=pointer-overflow,object-size", "-fno-sanitize-recover=all", NULL);
    add_careful_flags(request, arguments);
    add(arguments, "-w", "-include", HEADER_FILE, "-o", PROGRAM_FILE, DIAGNOSTICS_FILE, ADVICE_FILE,
        "-lm", NULL);
}
