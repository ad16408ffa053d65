/* attn run FILE: runs a file of Python, or the code cells of a notebook, as it stands. What it
 * prints goes to standard output, and nothing else; a traceback goes to standard error, and the
 * exit code is 1. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "files/file.h"
#include "lang/notebook/ipynb.h"
#include "lang/notebook/notebook.h"
#include "lang/syntax/parser.h"

struct run_options {
    struct common_options common;
    unsigned cell; /* 0: all of them */
};

/* A notebook of Jupyter holds its pictures too. */
enum { IPYNB_MAX_BYTES = 64 << 20, BESIDE_MAX_BYTES = 64 << 20 };

static int run_main(int argc, char **argv);

static const struct option rows[] = {
    OPTIONS_COMMON(struct run_options),
    {OPTION_NUMBER, "--cell", "N",
     "of a notebook: shows what its code cell N prints; those before it run unseen",
     OPTION_SETS(struct run_options, cell), .low = 1, .high = 100000},
    {.kind = OPTION_WORD,
     .name = "FILE",
     .value = NULL,
     .help = "a file of Python, or a notebook (.ipynb); - reads Python from standard input"},
    {.kind = OPTION_END},
};

const struct subcommand run_file_command = {
    "run",
    "FILE.py|FILE.ipynb",
    "runs a file of Python or a notebook and prints what Python prints; exit code 1 on an error",
    run_main,
    rows,
    .notes = "  attn run model.py\n"
             "  attn run lesson.ipynb --cell 3",
};

/* What printing and reading need to know. */
struct printing {
    const char *path; /* of the cell */
    bool failed, is_quiet;
};

static void print_bytes(void *context, const char *bytes, size_t size)
{
    struct printing *printing = context;
    if (!printing->is_quiet)
        printing->failed = printing->failed || fwrite(bytes, 1, size, stdout) != size;
}

static void print_error_bytes(void *context, const char *bytes, size_t size)
{
    (void)context;
    fflush(stdout);
    fwrite(bytes, 1, size, stderr);
}

static void print_note(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "%s\n", text);
}

/* Opens a file in a folder or below it, step by step, so that no symbolic link leads out of it. -1:
 * errno says why. Closes the folder. */
static int open_below(int folder, const char *name)
{
    enum { STEPS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
    char step[NAME_MAX + 1];
    while (folder >= 0) {
        const char *slash = strchr(name, '/');
        size_t size = slash != NULL ? (size_t)(slash - name) : strlen(name);
        int next = -1;
        if (size > NAME_MAX) {
            errno = ENAMETOOLONG;
        } else {
            memcpy(step, name, size);
            step[size] = '\0';
            next = openat(folder, size > 0 ? step : ".", slash ? STEPS | O_DIRECTORY : STEPS);
        }
        int problem = errno;
        close(folder);
        errno = problem;
        if (slash == NULL)
            return next;
        folder = next;
        name = slash + 1;
    }
    return -1;
}

/* The whole of a regular file; closes it. */
static bool read_regular(int fd, struct text *ret)
{
    struct stat status;
    char bytes[65536];
    bool ok = fd >= 0 && fstat(fd, &status) == 0;
    if (ok && !S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EACCES;
        ok = false;
    }
    for (size_t at = 0, n = 1; ok && n > 0 && at <= BESIDE_MAX_BYTES; at += n) {
        n = file_read_at(fd, at, bytes, sizeof bytes);
        text_add(ret, bytes, n);
    }
    if (fd >= 0)
        close(fd);
    return ok && !ret->failed;
}

/* A file in the folder of the cell, or below it. */
static bool read_beside(void *context, const char *name, struct text *ret, struct error *reterr)
{
    const struct printing *printing = context;
    const char *slash = strrchr(printing->path, '/');
    struct text folder = {0};
    if (slash != NULL)
        text_add(&folder, printing->path, (size_t)(slash + 1 - printing->path));
    else
        text_put(&folder, ".");
    bool ok =
        !folder.failed &&
        read_regular(
            open_below(open(text_string(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC), name), ret);
    if (!ok)
        error_set(reterr, ERR_FILE, "%s: %s", name, strerror(errno));
    text_release(&folder);
    return ok;
}

/* "attn: cell 1, line 1 is not run: %matplotlib inline" */
static void say_skipped(size_t cell, const struct text *skipped)
{
    const char *at = text_string(skipped);
    for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        const char *colon = strchr(at, ':');
        fprintf(stderr, "attn: cell %zu, %.*s is not run%.*s\n", cell, (int)(colon - at), at,
                (int)(end - colon), colon);
    }
}

/* Runs the cells in their order up to the last one that is wanted, or to the first with an error
 * that nobody catches. */
static enum notebook_end run_cells(struct notebook *notebook, const char *path,
                                   const struct ipynb *cells, unsigned only,
                                   struct printing *printing, struct text *trace, int *ret_code)
{
    struct text name = {0};
    enum notebook_end end = NOTEBOOK_DONE;
    size_t last = only > 0 ? only : cells->n;
    bool lacks = false;
    for (size_t i = 0; end <= NOTEBOOK_LACKED && i < last; i++) {
        const struct ipynb_cell *cell = &cells->cells[i];
        printing->is_quiet = only > 0 && i + 1 < only;
        text_clear(&name);
        text_format(&name, "%s, cell %zu", path, i + 1);
        if (!printing->is_quiet)
            say_skipped(i + 1, &cell->skipped);
        end = notebook_run(notebook, text_string(&name), text_string(&cell->source),
                           cell->source.size, trace, ret_code);
        lacks = lacks || end == NOTEBOOK_LACKED;
    }
    text_release(&name);
    return end == NOTEBOOK_DONE && lacks ? NOTEBOOK_LACKED : end;
}

/* cells NULL: source is one file of Python. */
static int run_text(const char *path, const struct text *source, const struct ipynb *cells,
                    unsigned only)
{
    struct printing printing = {.path = path};
    struct text trace = {0};
    int code = EXIT_OK;
    struct notebook_options options = {.print = print_bytes,
                                       .print_error = print_error_bytes,
                                       .note = print_note,
                                       .read = read_beside,
                                       .context = &printing,
                                       .shows_value = cells != NULL,
                                       .stop = &interrupt_flag};
    struct notebook *notebook = notebook_new(&options);
    if (notebook == NULL) {
        fputs("attn: run: not enough memory\n", stderr);
        return EXIT_FAILED;
    }
    interrupt_catch();
    enum notebook_end end =
        cells != NULL
            ? run_cells(notebook, path, cells, only, &printing, &trace, &code)
            : notebook_run(notebook, path, text_string(source), source->size, &trace, &code);
    if (!finish_output(!printing.failed))
        end = NOTEBOOK_FAILED;
    fwrite(text_string(&trace), 1, trace.size, stderr);
    text_clear(&trace);
    if (end == NOTEBOOK_FAILED)
        notebook_explain(notebook, &trace);
    fwrite(text_string(&trace), 1, trace.size, stderr);
    notebook_free(notebook);
    text_release(&trace);
    if (end == NOTEBOOK_FAILED)
        end_by_signal(interrupt_flag);
    return end == NOTEBOOK_FAILED || end == NOTEBOOK_LACKED ? EXIT_FAILED : code;
}

int run_python(const char *path, const struct text *source)
{
    return run_text(path, source, NULL, 0);
}

static int run_ipynb(const char *path, const struct text *source, unsigned only)
{
    struct ipynb cells;
    struct error error = {0};
    int code = EXIT_FAILED;
    if (!ipynb_read(text_string(source), source->size, &cells, &error)) {
        fprintf(stderr, "attn: %s: it can't be read as a notebook: %s\n", path, error.text);
        return EXIT_FAILED;
    }
    if (only > cells.n)
        fprintf(stderr, "attn: %s: it has %zu code cell%s; give --cell a number up to that\n", path,
                cells.n, cells.n == 1 ? "" : "s");
    else
        code = run_text(path, NULL, &cells, only);
    ipynb_release(&cells);
    return code;
}

static int run_main(int argc, char **argv)
{
    struct run_options options = {0};
    struct text source = {0};
    if (options_read(&run_file_command, argc, argv, 1, &options) == 0)
        usage_error("run: give a FILE of Python, as in attn run model.py");
    const char *path = argv[1];
    bool is_notebook = text_ends_with(path, ".ipynb");
    if (options.cell > 0 && !is_notebook)
        usage_error("run: --cell takes a cell of a notebook; %s is a file of Python", path);
    if (!read_whole_file(path, is_notebook ? IPYNB_MAX_BYTES : CELL_MAX_BYTES, &source)) {
        fprintf(stderr, "attn: %s: %s; check its name\n", path, strerror(errno));
        text_release(&source);
        return EXIT_FAILED;
    }
    int code = is_notebook ? run_ipynb(path, &source, options.cell) : run_python(path, &source);
    text_release(&source);
    return code;
}
