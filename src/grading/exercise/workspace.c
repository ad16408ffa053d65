/* A learner's folder: see workspace.h. */
#include "exercise/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "exercise/task.h"
#include "base/text.h"

enum { MAX_BACKUPS = 1000, NAME_BYTES = EXERCISE_FILE_BYTES + 16 };

static const char readme_text[] =
    "# Attention in C, function by function\n"
    "\n"
    "Each `NN_name.c` here is an exercise. `tasks/NN_name.md` says what to write;\n"
    "`attn task NN` shows the same in the terminal. Begin with `01_dot.c`.\n"
    "\n"
    "    attn watch             grades a file each time you save it\n"
    "    attn check 01_dot.c    grades it once\n"
    "    attn hint              the next hint for the exercise you are at\n"
    "\n"
    "`attn exercises` lists what is solved, `attn reset 1` brings a starter back (and\n"
    "keeps what you wrote), `attn solutions 1` shows other ways to write what you have\n"
    "solved.\n"
    "\n"
    "To look inside your program, `#include \"attn_show.h\"` and write\n"
    "`SHOW(scores, n_q, n_k);` (or `SHOW(x, n);`, `SHOW(total);`): attn shows these\n"
    "numbers with the verdict, beside its own. Where your file is graded for points\n"
    "it does nothing.\n"
    "\n"
    "`compile_flags.txt`, `.clangd` and `headers/` are for your editor: with clangd it\n"
    "marks mistakes while you type. To compile by hand:\n"
    "\n"
    "    cc -std=c17 -Wall -Wextra -include headers/01_dot.h -c 01_dot.c\n";

static const char flags_text[] = "-std=c17\n-Wall\n-Wextra\n-Wshadow\n";

/* ---- files ---- */

static bool write_failed(const char *path, int problem, struct error *reterr)
{
    if (problem == ENOMEM)
        return error_memory(reterr, "a workspace");
    return error_set(reterr, ERR_FILE, "%s: can't be written: %s", path, strerror(problem));
}

/* Makes a file that is not there yet. EEXIST when it is, be it as a link to nowhere. */
static int make_file(const char *path, const char *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    int problem = file_write_all(file, bytes, size) ? 0 : errno;
    if (close(file) != 0 && problem == 0)
        problem = errno;
    if (problem != 0)
        unlink(path);
    return problem;
}

/* ---- starting ---- */

/* The files that are being made. */
struct making {
    const char *folder, *data_dir;
    struct workspace_report report;
    struct error *reterr;
};

static bool add_file(struct making *making, const char *name, const struct text *content)
{
    struct text path = {0};
    if (content->failed)
        return error_memory(making->reterr, "a workspace");
    text_format(&path, "%s/%s", making->folder, name);
    int problem = path.failed ? ENOMEM : folder_make_parents(text_string(&path), false);
    if (problem == 0)
        problem = make_file(text_string(&path), text_string(content), content->size);
    making->report.n_written += problem == 0;
    making->report.n_kept += problem == EEXIST;
    bool ok = problem == 0 || problem == EEXIST ||
              write_failed(text_string(&path), problem, making->reterr);
    text_release(&path);
    return ok;
}

static bool add_string(struct making *making, const char *name, const char *string)
{
    struct text content = {0};
    text_put(&content, string);
    bool ok = add_file(making, name, &content);
    text_release(&content);
    return ok;
}

/* "headers/04_softmax_rows.h": the name of the exercise's file with another folder and ending. */
static char *name_beside(const struct exercise *exercise, const char *folder, const char *ending,
                         char name[NAME_BYTES])
{
    char file[EXERCISE_FILE_BYTES];
    exercise_file_name(exercise->folder_name, file);
    snprintf(name, NAME_BYTES, "%s/%.*s%s", folder, (int)(strlen(file) - 2), file, ending);
    return name;
}

static bool add_header(struct making *making, const struct exercise *exercise)
{
    char name[NAME_BYTES];
    struct text content = {0};
    text_format(&content, "/* What attn includes before the first line of %s. */\n",
                exercise->starter_name);
    prototype_header(&exercise->prototype, &content);
    bool ok = add_file(making, name_beside(exercise, "headers", ".h", name), &content);
    text_release(&content);
    return ok;
}

static bool add_task(struct making *making, const struct exercise *exercise)
{
    char name[NAME_BYTES];
    struct text content = {0};
    bool ok = task_write(exercise, making->data_dir, &content, making->reterr) &&
              add_file(making, name_beside(exercise, "tasks", ".md", name), &content);
    text_release(&content);
    return ok;
}

static bool add_exercise(struct making *making, const struct exercise *exercise)
{
    char name[EXERCISE_FILE_BYTES];
    return add_string(making, exercise_file_name(exercise->folder_name, name), exercise->starter) &&
           add_header(making, exercise) && add_task(making, exercise);
}

/* clangd knows one set of flags for a folder; the prototype that belongs to each file comes on top,
 * by the file's name. */
static bool add_editor_rules(struct making *making, const struct exercises *exercises)
{
    struct text content = {0};
    for (size_t i = 0; i < exercises->n; i++) {
        char name[EXERCISE_FILE_BYTES], header[NAME_BYTES];
        exercise_file_name(exercises->items[i]->folder_name, name);
        name_beside(exercises->items[i], "headers", ".h", header);
        text_put(&content, i > 0 ? "---\n" : "");
        text_format(&content, "If:\n  PathMatch: (.*/)?%.*s\\.c\n", (int)(strlen(name) - 2), name);
        text_format(&content, "CompileFlags:\n  Add: [-include, %s]\n", header);
    }
    bool ok = add_file(making, ".clangd", &content);
    text_release(&content);
    return ok;
}

bool workspace_start(const struct exercises *exercises, const char *folder, const char *data_dir,
                     struct workspace_report *ret, struct error *reterr)
{
    struct making making = {.folder = folder, .data_dir = data_dir, .reterr = reterr};
    struct text show = {0};
    show_header(SHOW_PRINTS, &show);
    bool ok = add_string(&making, "README.md", readme_text) &&
              add_file(&making, SHOW_HEADER_FILE, &show) &&
              add_string(&making, "compile_flags.txt", flags_text) &&
              add_editor_rules(&making, exercises);
    for (size_t i = 0; ok && i < exercises->n; i++)
        ok = add_exercise(&making, exercises->items[i]);
    text_release(&show);
    if (ok)
        *ret = making.report;
    return ok;
}

/* ---- resetting ---- */

/* Gives the file a second name, which was free. Where links are unknown, the file is renamed: then
 * it is missing for a moment. */
static int add_name(const char *path, const char *backup)
{
    if (link(path, backup) == 0)
        return 0;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
    struct stat info;
    if (lstat(backup, &info) == 0)
        return EEXIST;
    return rename(path, backup) == 0 ? 0 : errno;
}

/* Keeps path under the first free backup name. ENOENT when there is nothing to keep. */
static int keep_backup(const char *path, struct text *backup)
{
    int problem = EEXIST;
    for (int i = 1; problem == EEXIST && i <= MAX_BACKUPS; i++) {
        text_clear(backup);
        text_format(backup, "%s.%d.bak", path, i);
        problem = backup->failed ? ENOMEM : add_name(path, text_string(backup));
    }
    return problem;
}

bool workspace_reset(const struct exercise *exercise, const char *path, char **ret_backup,
                     struct error *reterr)
{
    struct text backup = {0};
    int problem = keep_backup(path, &backup);
    bool kept = problem == 0;
    if (kept || problem == ENOENT)
        problem =
            file_replace(path, exercise->starter, strlen(exercise->starter), 0666) ? 0 : errno;
    if (problem != 0) {
        text_release(&backup);
        return write_failed(path, problem, reterr);
    }
    if (!kept)
        text_release(&backup); /* leaves NULL */
    *ret_backup = backup.bytes;
    return true;
}
