/* Finding and reading learners' files: see submission.h. */
#include "judge/submission.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "files/path.h"
#include "report/result.h"

enum { NAME_MAX_SHOWN = 160 };

/* The first so many of some paths, by their bytes, however many there are. */
struct first_paths {
    char **items; /* in order */
    size_t n, capacity, max, n_seen;
};

/* A search under way. */
struct submission_search {
    const struct submissions_wanted *wanted;
    struct submissions *found;
    struct first_paths fitting, others; /* .c files of the student's folder that is looked at */
};

/* ---- names ---- */

/* folder/name, to be freed. What lies in "." goes by its name. */
static char *join(const char *folder, const char *name)
{
    struct text text = {0};
    if (strcmp(folder, ".") != 0)
        text_format(&text, "%s%s", folder, strcmp(folder, "/") == 0 ? "" : "/");
    text_put(&text, name);
    if (text.failed)
        text_release(&text);
    return text.bytes;
}

static bool cannot_read(const char *path, struct error *reterr)
{
    char name[NAME_MAX_SHOWN];
    const char *why = strerror(errno);
    return error_set(reterr, ERR_FILE, "%s: can't be read: %s",
                     error_quote(name, sizeof name, path, strlen(path)), why);
}

/* The path as results show it, to be freed. */
static char *shown_name(const char *path)
{
    struct result result;
    result_init(&result);
    char *name = result_name(&result, path, "", "", NULL) ? result.file : NULL;
    if (name != NULL)
        result.file = NULL;
    result_release(&result);
    return name;
}

/* ---- what was found ---- */

static void submission_release(struct submission *submission)
{
    free(submission->path);
    free(submission->name);
    free(submission->student);
}

/* The student whose folder it lies in, or who is named before the exercise: anna_dot.c. To be
 * freed.
 */
static char *whose(const char *path, const char *student, const struct exercise *exercise)
{
    const char *prefix = path;
    size_t size = exercise != NULL ? exercise_name_prefix(exercise, path, &prefix) : 0;
    return student[0] != '\0' ? strdup(student) : strndup(prefix, size);
}

static bool add(struct submission_search *search, const char *path, const char *student,
                const struct exercise *exercise, struct error *reterr)
{
    struct submissions *found = search->found;
    struct submission added = {
        .path = strdup(path), .name = shown_name(path), .student = whose(path, student, exercise)};
    struct submission *items = array_grow(found->items, found->n, &found->capacity, sizeof *items);
    if (items != NULL)
        found->items = items;
    if (items == NULL || added.path == NULL || added.name == NULL || added.student == NULL) {
        submission_release(&added);
        return error_memory(reterr, "the list of submissions");
    }
    added.exercise = exercise;
    items[found->n++] = added;
    return true;
}

static bool leave_out(struct submission_search *search, const char *path, struct error *reterr)
{
    struct submissions *found = search->found;
    char **names =
        array_grow(found->left_out, found->n_left_out, &found->left_out_capacity, sizeof *names);
    if (names != NULL) {
        found->left_out = names;
        names[found->n_left_out] = shown_name(path);
    }
    if (names == NULL || names[found->n_left_out] == NULL)
        return error_memory(reterr, "the list of submissions");
    found->n_left_out++;
    return true;
}

/* A .c file of a folder: it is taken when its name fits. */
static bool consider(struct submission_search *search, const char *path, const char *student,
                     struct error *reterr)
{
    const struct submissions_wanted *wanted = search->wanted;
    const struct exercise *named = exercises_find(wanted->exercises, path);
    if (wanted->exercise != NULL && named != NULL && named != wanted->exercise)
        return true;
    const struct exercise *exercise = wanted->exercise != NULL ? wanted->exercise : named;
    return exercise != NULL ? add(search, path, student, exercise, reterr)
                            : leave_out(search, path, reterr);
}

/* ---- walking ---- */

/* Visits what a folder holds, but for names that begin with a dot: those are a system's own, such
 * as .git, or the second halves of files that macOS packs. */
static bool for_each_entry(struct submission_search *search, const char *folder,
                           const char *student,
                           bool (*visit)(struct submission_search *search, const char *path,
                                         const char *name, const char *student,
                                         struct error *reterr),
                           struct error *reterr)
{
    DIR *dir = opendir(folder);
    bool ok = dir != NULL || cannot_read(folder, reterr);
    struct dirent *entry;
    while (ok && (errno = 0, entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = join(folder, entry->d_name);
        ok = path != NULL ? visit(search, path, entry->d_name, student, reterr)
                          : error_memory(reterr, "the list of submissions");
        free(path);
    }
    if (ok && errno != 0)
        ok = cannot_read(folder, reterr);
    if (dir != NULL)
        closedir(dir);
    return ok;
}

static void first_paths_release(struct first_paths *paths)
{
    for (size_t i = 0; i < paths->n; i++)
        free(paths->items[i]);
    free(paths->items);
    *paths = (struct first_paths){0};
}

static bool first_paths_add(struct first_paths *paths, const char *path, struct error *reterr)
{
    size_t at = 0, end = paths->n;
    paths->n_seen++;
    while (at < end) {
        size_t middle = at + (end - at) / 2;
        if (strcmp(paths->items[middle], path) < 0)
            at = middle + 1;
        else
            end = middle;
    }
    if (at == paths->max)
        return true;
    char **items = array_grow(paths->items, paths->n, &paths->capacity, sizeof *items);
    char *copy = items != NULL ? strdup(path) : NULL;
    if (items != NULL)
        paths->items = items;
    if (copy == NULL)
        return error_memory(reterr, "the list of submissions");
    if (paths->n == paths->max)
        free(paths->items[--paths->n]);
    memmove(paths->items + at + 1, paths->items + at, (paths->n - at) * sizeof *paths->items);
    paths->items[at] = copy;
    paths->n++;
    return true;
}

/* Files that are named after an exercise do not lose their place to others. */
static bool note_path(struct submission_search *search, const char *path, const char *name,
                      const char *student, struct error *reterr)
{
    const struct submissions_wanted *wanted = search->wanted;
    (void)student;
    if (!text_ends_with(name, ".c"))
        return true;
    const struct exercise *named = exercises_find(wanted->exercises, path);
    if (wanted->exercise != NULL && named != NULL && named != wanted->exercise)
        return true;
    bool fits = wanted->exercise != NULL || named != NULL;
    return first_paths_add(fits ? &search->fitting : &search->others, path, reterr);
}

static bool add_crowd(struct submission_search *search, const char *folder, struct error *reterr)
{
    struct submissions *found = search->found;
    const struct first_paths *paths = &search->fitting;
    struct crowd *crowds =
        array_grow(found->crowds, found->n_crowds, &found->crowds_capacity, sizeof *crowds);
    if (crowds == NULL)
        return error_memory(reterr, "the list of submissions");
    found->crowds = crowds;
    struct crowd *crowd = &crowds[found->n_crowds++];
    *crowd = (struct crowd){.folder = shown_name(folder),
                            .last = shown_name(paths->items[paths->n - 1]),
                            .n_kept = paths->n,
                            .n_left_out = paths->n_seen - paths->n};
    return (crowd->folder != NULL && crowd->last != NULL) ||
           error_memory(reterr, "the list of submissions");
}

/* What a student's folder holds, as far as one may hand in. */
static bool take_folder(struct submission_search *search, const char *folder, const char *student,
                        struct error *reterr)
{
    search->fitting.max = search->others.max =
        search->wanted->max_files > 0 ? search->wanted->max_files : SIZE_MAX;
    bool ok = for_each_entry(search, folder, student, note_path, reterr);
    for (size_t i = 0; ok && i < search->fitting.n; i++)
        ok = consider(search, search->fitting.items[i], student, reterr);
    for (size_t i = 0; ok && i < search->others.n; i++)
        ok = consider(search, search->others.items[i], student, reterr);
    if (ok && search->fitting.n_seen > search->fitting.n)
        ok = add_crowd(search, folder, reterr);
    search->found->n_unlisted += search->others.n_seen - search->others.n;
    first_paths_release(&search->fitting);
    first_paths_release(&search->others);
    return ok;
}

/* A folder of a student's. One that nobody may read is no reason to stop: it gets a verdict. */
static bool visit_student(struct submission_search *search, const char *path, const char *student,
                          struct error *reterr)
{
    const struct submissions *found = search->found;
    size_t before = found->n + found->n_left_out;
    if (access(path, R_OK | X_OK) != 0)
        return add(search, path, student, search->wanted->exercise, reterr);
    if (!take_folder(search, path, student, reterr))
        return false;
    return found->n + found->n_left_out > before || leave_out(search, path, reterr);
}

static bool visit_entry(struct submission_search *search, const char *path, const char *name,
                        const char *student, struct error *reterr)
{
    struct stat here;
    if (text_ends_with(name, ".c"))
        return consider(search, path, student, reterr);
    if (lstat(path, &here) != 0)
        return true; /* gone again */
    if (S_ISDIR(here.st_mode))
        return visit_student(search, path, name, reterr);
    if (S_ISLNK(here.st_mode) && path_is_folder(path))
        return add(search, path, name, search->wanted->exercise, reterr);
    return true;
}

static bool find_in(struct submission_search *search, const char *given, struct error *reterr)
{
    const struct submissions_wanted *wanted = search->wanted;
    const char *student = wanted->student != NULL ? wanted->student : "";
    struct stat there;
    size_t size = strlen(given);
    while (size > 1 && given[size - 1] == '/')
        size--; /* so that a path is the same however it was typed */
    char *path = strndup(given, size);
    if (path == NULL)
        return error_memory(reterr, "the list of submissions");
    bool ok;
    if (stat(path, &there) != 0 && lstat(path, &there) != 0)
        ok = cannot_read(path, reterr);
    else if (S_ISDIR(there.st_mode) && wanted->student != NULL)
        ok = take_folder(search, path, student, reterr);
    else if (S_ISDIR(there.st_mode))
        ok = for_each_entry(search, path, student, visit_entry, reterr);
    else
        ok = add(search, path, student,
                 wanted->exercise != NULL ? wanted->exercise
                                          : exercises_find(wanted->exercises, path),
                 reterr);
    free(path);
    return ok;
}

static int compare(const void *a, const void *b)
{
    const struct submission *left = a, *right = b;
    return strcmp(left->name, right->name);
}

/* In order, and each once however often it was given. */
static void sort(struct submissions *found)
{
    size_t kept = 0;
    if (found->n > 1)
        qsort(found->items, found->n, sizeof *found->items, compare);
    for (size_t i = 0; i < found->n; i++) {
        if (kept > 0 && compare(&found->items[kept - 1], &found->items[i]) == 0)
            submission_release(&found->items[i]);
        else
            found->items[kept++] = found->items[i];
    }
    found->n = kept;
}

bool submissions_find(const struct submissions_wanted *wanted, struct submissions *ret,
                      struct error *reterr)
{
    struct submissions found = {0};
    struct submission_search search = {.wanted = wanted, .found = &found};
    for (size_t i = 0; i < wanted->n_paths; i++) {
        if (!find_in(&search, wanted->paths[i], reterr)) {
            submissions_release(&found);
            return false;
        }
    }
    sort(&found);
    *ret = found;
    return true;
}

void submissions_release(struct submissions *submissions)
{
    if (submissions == NULL)
        return;
    for (size_t i = 0; i < submissions->n; i++)
        submission_release(&submissions->items[i]);
    for (size_t i = 0; i < submissions->n_left_out; i++)
        free(submissions->left_out[i]);
    for (size_t i = 0; i < submissions->n_crowds; i++) {
        free(submissions->crowds[i].folder);
        free(submissions->crowds[i].last);
    }
    free(submissions->items);
    free(submissions->left_out);
    free(submissions->crowds);
    *submissions = (struct submissions){0};
}

/* ---- reading ---- */

/* What lstat() tells before anything is opened: opening a device can do things. */
static const char *why_not_regular(const char *path)
{
    struct stat here;
    if (lstat(path, &here) != 0)
        return errno == ENOENT || errno == ENOTDIR ? "missing" : "unreadable";
    if (S_ISLNK(here.st_mode))
        return "symlink";
    return S_ISREG(here.st_mode) ? NULL : "not a regular file";
}

static bool read_all(int fd, size_t max_bytes, struct text *text)
{
    char bytes[16384];
    while (text->size <= max_bytes) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        text_add(text, bytes, (size_t)n);
        if (text->failed)
            return true;
    }
    return true;
}

/* Why an open file is no submission; "" when it is one. */
static const char *read_file(int fd, size_t max_bytes, struct text *text)
{
    struct stat here;
    if (fstat(fd, &here) != 0)
        return "unreadable";
    if (!S_ISREG(here.st_mode))
        return "not a regular file";
    if (here.st_size > 0 && (uintmax_t)here.st_size > max_bytes)
        return "too large";
    if (!read_all(fd, max_bytes, text))
        return "unreadable";
    if (text->failed)
        return SUBMISSION_NO_MEMORY;
    if (text->size > max_bytes)
        return "too large";
    return memchr(text_string(text), '\0', text->size) != NULL ? "NUL byte" : "";
}

bool submission_read(const char *path, size_t max_bytes, struct text *ret, const char **ret_why)
{
    struct text text = {0};
    const char *why = why_not_regular(path);
    if (why == NULL) {
        int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        why = fd >= 0 ? read_file(fd, max_bytes, &text) : errno == ELOOP ? "symlink" : "unreadable";
        if (fd >= 0)
            close(fd);
    }
    if (why != NULL && why[0] == '\0') {
        text_release(ret);
        *ret = text;
        return true;
    }
    text_release(&text);
    *ret_why = why;
    return false;
}

/* ---- earlier results ---- */

enum staleness submission_staleness(const struct submission *submission,
                                    const struct result *earlier, size_t max_bytes)
{
    struct text source = {0};
    const char *why, *exercise = submission->exercise != NULL ? submission->exercise->digest : "";
    char digest[DIGEST_TEXT];
    if (earlier->verdict == VERDICT_INTERNAL_ERROR)
        return NEVER_GRADED;
    if (!submission_read(submission->path, max_bytes, &source, &why)) {
        bool is_same =
            earlier->verdict == VERDICT_BAD_FILE && strcmp(result_word(earlier->detail), why) == 0;
        return is_same ? RESULT_IS_CURRENT : FILE_CHANGED;
    }
    digest_of(text_string(&source), source.size, digest);
    text_release(&source);
    if (strcmp(result_word(earlier->source_digest), digest) != 0)
        return FILE_CHANGED;
    if (strcmp(result_word(earlier->exercise_digest), exercise) != 0)
        return EXERCISE_CHANGED;
    return strcmp(result_word(earlier->attn_version), ATTN_VERSION) != 0 ? ATTN_CHANGED
                                                                         : RESULT_IS_CURRENT;
}
