/* A learner's desk: options, opening, and which file is meant. See desk.h. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "cli/desk.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "exercise/workspace.h"
#include "files/path.h"
#include "judge/submission.h"

/* ---- options ---- */

enum {
    DEFAULT_SEED = 1, /* the same cases at every save, so that what fails stays in view */
    MAX_SPANS_COLS = 10000,
};

/* Seeds stay below 2^53, so that every format keeps them exactly. */
static uint64_t read_seed(const char *command, const char *value)
{
    char *end;
    bool number = value != NULL && value[0] >= '0' && value[0] <= '9';
    unsigned long long seed = number ? strtoull(value, &end, 10) : 0;
    if (!number || *end != '\0' || seed >= 1ull << 53)
        usage_error("%s: --seed takes a whole number below 2^53", command);
    return seed;
}

static size_t read_spans(const char *command, const char *value)
{
    unsigned long cols =
        value != NULL && value[0] >= '0' && value[0] <= '9' ? strtoul(value, NULL, 10) : 0;
    if (cols < 1 || cols > MAX_SPANS_COLS)
        usage_error("%s: --spans takes a number of columns", command);
    return cols;
}

struct desk_options desk_options(int argc, char **argv, unsigned allowed)
{
    struct desk_options options = {.seed = DEFAULT_SEED};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (common_option(argc, argv, &i, &options.common))
            continue;
        if ((allowed & DESK_COMPILER) && strcmp(arg, "--compiler") == 0) {
            if (value == NULL)
                usage_error("%s: --compiler: a compiler's name must follow", argv[0]);
            options.compiler = argv[++i];
        } else if ((allowed & DESK_SEED) && strcmp(arg, "--seed") == 0) {
            options.seed = read_seed(argv[0], value);
            i++;
        } else if ((allowed & DESK_ALL) && strcmp(arg, "--all") == 0) {
            options.all = true;
        } else if ((allowed & DESK_SPANS) && strcmp(arg, "--again") == 0) {
            options.again = true;
        } else if ((allowed & DESK_SPANS) && strcmp(arg, "--spans") == 0) {
            options.spans_cols = read_spans(argv[0], value);
            i++;
        } else if (arg[0] == '-' && arg[1] != '\0') {
            usage_error("%s: %s: no such option; attn --help lists them", argv[0], arg);
        } else if (options.argument != NULL) {
            usage_error("%s: %s: one at a time; %s comes before it", argv[0], arg,
                        options.argument);
        } else {
            options.argument = arg;
        }
    }
    return options;
}

/* ---- opening ---- */

bool desk_open(const struct desk_options *options, struct desk *ret, struct error *reterr)
{
    struct desk desk = {.options = *options, .settings = terminal_settings(&options->common, 1)};
    if (options->spans_cols > 0)
        desk.settings.width_cols = options->spans_cols;
    if (!catalogue_open(&desk.catalogue, reterr))
        return false;
    desk.progress = progress_open(NULL);
    if (desk.progress == NULL) {
        catalogue_release(&desk.catalogue);
        return error_memory(reterr, "progress");
    }
    if (progress_problem(desk.progress) != NULL)
        fprintf(stderr, "attn: %s\n", progress_problem(desk.progress));
    *ret = desk;
    return true;
}

void desk_close(struct desk *desk)
{
    if (desk->exercise != NULL) {
        judge_setup_close(&desk->setup);
        exercise_free(desk->exercise);
    }
    progress_close(desk->progress);
    catalogue_release(&desk->catalogue);
    *desk = (struct desk){0};
}

int desk_error(const struct error *error)
{
    print_error(error, "", 0, NULL, 0);
    return error->kind == ERR_NAME ? EXIT_USAGE : EXIT_UNGRADED;
}

/* ---- which file ---- */

static bool ends_in_c(const char *name)
{
    size_t size = strlen(name);
    return size > 2 && strcmp(name + size - 2, ".c") == 0;
}

bool desk_read(const char *path, struct text *ret, struct error *reterr)
{
    const char *why = "missing";
    char *real = realpath(path, NULL); /* submissions may be no links; one's own files may */
    bool ok = real != NULL && submission_read(real, limits_default.source_bytes, ret, &why);
    free(real);
    return ok || error_set(reterr, ERR_FILE, "%s: it can't be graded: %s", path, why);
}

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* The exercise whose file in folder was changed last, and that file; NULL when there is none. */
static const struct catalogue_entry *newest_file(const struct desk *desk, const char *folder,
                                                 char ret_newest[DESK_PATH_BYTES])
{
    const struct catalogue_entry *newest = NULL;
    struct timespec newest_time = {0};
    DIR *files = opendir(folder);
    for (struct dirent *file; files != NULL && (file = readdir(files)) != NULL;) {
        char candidate[DESK_PATH_BYTES];
        struct stat info;
        const struct catalogue_entry *entry =
            ends_in_c(file->d_name) ? catalogue_entry(&desk->catalogue, file->d_name) : NULL;
        if (entry == NULL || !path_join(candidate, DESK_PATH_BYTES, folder, file->d_name) ||
            stat(candidate, &info) != 0 ||
            (newest != NULL && !is_newer(&info.st_mtim, &newest_time)))
            continue;
        newest = entry;
        newest_time = info.st_mtim;
        memcpy(ret_newest, candidate, DESK_PATH_BYTES);
    }
    if (files != NULL)
        closedir(files);
    return newest;
}

const char *desk_workspace(const struct desk *desk, const char *folder, char path[DESK_PATH_BYTES])
{
    char newest[DESK_PATH_BYTES];
    if (newest_file(desk, folder, newest) != NULL)
        return memcpy(path, folder, strlen(folder) + 1);
    if (path_join(path, DESK_PATH_BYTES, folder, DESK_FOLDER) &&
        newest_file(desk, path, newest) != NULL)
        return path;
    return NULL;
}

/* The file of an exercise in a workspace: with its number before it, or without where that is what
 * is there. */
static bool file_of(const struct catalogue_entry *entry, const char *workspace,
                    char path[DESK_PATH_BYTES])
{
    if (path_join(path, DESK_PATH_BYTES, workspace, entry->file_name + 3) && path_is_file(path))
        return true;
    return path_join(path, DESK_PATH_BYTES, workspace, entry->file_name);
}

static bool no_workspace(const char *folder, struct error *reterr)
{
    return error_set(reterr, ERR_FILE,
                     "%s: no exercises are here; attn start makes a folder with them, and cd %s "
                     "goes there",
                     strcmp(folder, ".") == 0 ? "this folder" : folder, DESK_FOLDER);
}

static bool is_starter(const struct exercise *exercise, const char *path)
{
    struct text source = {0};
    bool same =
        desk_read(path, &source, NULL) && strcmp(text_string(&source), exercise->starter) == 0;
    text_release(&source);
    return same;
}

const struct catalogue_entry *desk_next(struct desk *desk, unsigned number)
{
    const struct catalogue_entry *first = NULL;
    for (size_t i = 0; i < desk->catalogue.n; i++) {
        const struct catalogue_entry *entry = &desk->catalogue.entries[i];
        if (progress_is_solved(desk->progress, entry->id))
            continue;
        if (entry->number > number)
            return entry;
        first = first == NULL ? entry : first;
    }
    return first;
}

bool desk_current(struct desk *desk, const char *folder, struct exercise **ret,
                  char path[DESK_PATH_BYTES], struct error *reterr)
{
    char workspace[DESK_PATH_BYTES];
    struct exercise *exercise;
    if (desk_workspace(desk, folder, workspace) == NULL)
        return no_workspace(folder, reterr);
    const struct catalogue_entry *entry = newest_file(desk, workspace, path);
    if (entry == NULL || !catalogue_load(&desk->catalogue, entry, &exercise, reterr))
        return entry == NULL ? no_workspace(folder, reterr) : false;
    const struct catalogue_entry *next = is_starter(exercise, path) ? desk_next(desk, 0) : NULL;
    if (next != NULL && next != entry) {
        exercise_free(exercise);
        if (!file_of(next, workspace, path) ||
            !catalogue_load(&desk->catalogue, next, &exercise, reterr))
            return false;
    }
    *ret = exercise;
    return true;
}

bool desk_at(struct desk *desk, struct exercise **ret, struct error *reterr)
{
    char path[DESK_PATH_BYTES];
    struct exercise *current = NULL;
    bool is_current = desk_current(desk, ".", &current, path, NULL) &&
                      !progress_is_solved(desk->progress, current->id);
    if (is_current) {
        *ret = current;
        return true;
    }
    const struct catalogue_entry *next = desk_next(desk, current != NULL ? current->number : 0);
    exercise_free(current);
    if (next == NULL && desk->catalogue.n > 0)
        next = &desk->catalogue.entries[0];
    if (next == NULL)
        return error_set(reterr, ERR_FILE, "%s: there are no exercises", desk->catalogue.folder);
    return catalogue_load(&desk->catalogue, next, ret, reterr);
}

/* A file's name as typed: here, or else in the workspace. */
static void find_file(const struct desk *desk, const char *name, char path[DESK_PATH_BYTES])
{
    char workspace[DESK_PATH_BYTES];
    snprintf(path, DESK_PATH_BYTES, "%s", name);
    if (!path_is_file(path) && strchr(name, '/') == NULL &&
        desk_workspace(desk, ".", workspace) != NULL &&
        (!path_join(path, DESK_PATH_BYTES, workspace, name) || !path_is_file(path)))
        snprintf(path, DESK_PATH_BYTES, "%s", name);
}

/* The file of an exercise that was called by its id. */
static bool find_file_of(const struct desk *desk, const struct exercise *exercise,
                         char path[DESK_PATH_BYTES], struct error *reterr)
{
    char workspace[DESK_PATH_BYTES];
    const struct catalogue_entry *entry = catalogue_entry(&desk->catalogue, exercise->id);
    if (desk_workspace(desk, ".", workspace) == NULL || entry == NULL)
        return no_workspace(".", reterr);
    return file_of(entry, workspace, path) ||
           error_set(reterr, ERR_FILE, "%s: the path is too long", workspace);
}

bool desk_find(struct desk *desk, const char *argument, struct exercise **ret,
               char path[DESK_PATH_BYTES], struct error *reterr)
{
    struct exercise *exercise;
    if (argument == NULL)
        return desk_current(desk, ".", ret, path, reterr);
    if (!catalogue_find(&desk->catalogue, argument, &exercise, reterr))
        return false;
    if (ends_in_c(argument) || strchr(argument, '/') != NULL) {
        find_file(desk, argument, path);
    } else if (!find_file_of(desk, exercise, path, reterr)) {
        exercise_free(exercise);
        return false;
    }
    *ret = exercise;
    return true;
}
