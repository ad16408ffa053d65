/* Reading learners' files: see submission.h. */
#include "batch/submission.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assignment/class_index.h"
#include "assignment/handed_in.h"
#include "assignment/system_records.h"
#include "base/array.h"
#include "files/archive.h"
#include "batch/submission_internal.h"
#include "files/clock.h"
#include "files/file.h"
#include "result/safe_text.h"
#include "result/source.h"
#include "sandbox/boxed_command.h"

/* ---- their bytes ---- */

bool submission_read(const struct submission *submission, size_t max_bytes, struct text *ret,
                     const char **ret_why)
{
    if (submission->why_not != NULL) {
        *ret_why = submission->why_not;
        return false;
    }
    return submission->bytes != NULL
               ? source_take(submission->bytes, submission->size, max_bytes, ret, ret_why)
               : source_read(submission->path, max_bytes, ret, ret_why);
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
    if (!submission_read(submission, max_bytes, &source, &why)) {
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

/* ---- when they were handed in: files ---- */

static int64_t time_of_file(const char *path)
{
    struct stat here;
    return lstat(path, &here) == 0 && here.st_mtime > 0 ? (int64_t)here.st_mtime : 0;
}

/* ---- finding them ---- */

enum {
    NAME_MAX_SHOWN = 160,
    MAX_DEPTH = 8,       /* of folders in a student's folder */
    MAX_ENTRIES = 50000, /* of such folders: what comes after is not looked at */
};

/* The first few of some paths, by their bytes, however many there are. */
struct first_paths {
    char **items; /* in order */
    size_t n, capacity, max, n_seen;
};

/* Of what a student hands in, and of the download of a class. */
static const struct archive_limits student_limits = {.file_bytes = 16 << 20,
                                                     .n_entries = 2000,
                                                     .entry_bytes = 4 << 20,
                                                     .total_bytes = 32 << 20,
                                                     .ratio = 250};
static const struct archive_limits class_limits = {.file_bytes = (size_t)512 << 20,
                                                   .n_entries = 50000,
                                                   .entry_bytes = 64 << 20,
                                                   .total_bytes = (size_t)512 << 20,
                                                   .ratio = 250};

/* An archive that is open: its files lie in it as in a folder. */
struct open_archive {
    char *path;
    struct archive archive; /* its entries in the order of their names */
    int64_t time_s;         /* of its own last change; 0: each file in it has its own */
};

enum { MAX_OPEN = 64 }; /* archives in one student's folder */

/* A search under way. */
struct submission_search {
    const struct submissions_wanted *wanted;
    struct submissions *found;
    struct name_reader names;
    unsigned depth;   /* of the folder that is looked at, in the student's folder */
    size_t n_entries; /* looked at in the student's folder so far */
    struct first_paths fitting, others; /* .c files of the student's folder that is looked at */
    struct system_records records;      /* of the path that is searched */
    struct open_archive open[MAX_OPEN]; /* that the paths above may lie in */
    size_t n_open;
};

/* ---- finding them: names ---- */

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

/* ---- finding them: the list ---- */

static void submission_release(struct submission *submission)
{
    free(submission->path);
    free(submission->name);
    free(submission->student);
    free(submission->called.folder);
    free(submission->called.name);
    free(submission->called.number);
    free(submission->called.email);
    free(submission->candidates);
    free(submission->bytes);
}

static bool copy_word(char **ret, const char *word)
{
    *ret = safe_name_copy(result_word(word));
    return *ret != NULL;
}

static bool copy_caller(struct caller *ret, const struct caller *from)
{
    bool ok = copy_word(&ret->folder, from->folder);
    ok = copy_word(&ret->name, from->name) && ok;
    ok = copy_word(&ret->number, from->number) && ok;
    return copy_word(&ret->email, from->email) && ok;
}

/* Who a file's name says it is of. *text has the words. */
static struct caller caller_in_name(const char *path, const struct handed_in *handed_in,
                                    struct text *text)
{
    struct caller caller = {.name = handed_in->student, .number = handed_in->number};
    text_put(text, handed_in->student);
    if (handed_in->number != NULL)
        text_format(text, "_%s", handed_in->number);
    if (text->size == 0)
        text_put(text, path_base_name(path));
    caller.folder = text->bytes;
    return caller;
}

static int compare_entries(const void *a, const void *b)
{
    const struct archive_entry *left = a, *right = b;
    return strcmp(left->name, right->name);
}

/* The file in an open archive that a path means; NULL for one on the disk. */
static struct archive_entry *packed_file(const struct submission_search *search, const char *path,
                                         int64_t *ret_time_s)
{
    for (size_t i = search->n_open; i > 0; i--) {
        const struct open_archive *open = &search->open[i - 1];
        size_t size = strlen(open->path);
        if (strncmp(path, open->path, size) != 0 || path[size] != '/')
            continue;
        const struct archive_entry wanted = {.name = (char *)(uintptr_t)(path + size + 1)};
        struct archive_entry *found = bsearch(&wanted, open->archive.entries, open->archive.n,
                                              sizeof wanted, compare_entries);
        if (found == NULL)
            continue;
        *ret_time_s = open->time_s != 0 ? open->time_s : found->time_s;
        return found;
    }
    return NULL;
}

/* Takes what the file's name says, but for the exercise; a folder says whose it is before that. */
static bool add(struct submission_search *search, const char *path, const struct caller *whose,
                const struct exercise *exercise, const struct handed_in *handed_in,
                struct error *reterr)
{
    struct submissions *found = search->found;
    struct text words = {0};
    const struct caller in_name = caller_in_name(path, handed_in, &words);
    struct submission added = {.path = strdup(path),
                               .name = shown_name(path),
                               .exercise = exercise,
                               .attempt = handed_in->attempt,
                               .is_late = handed_in->is_late,
                               .submitted_s = handed_in->submitted_s};
    bool ok = copy_caller(&added.called, whose != NULL ? whose : &in_name) && !words.failed;
    struct submission *items = array_grow(found->items, found->n, &found->capacity, sizeof *items);
    text_release(&words);
    if (items != NULL)
        found->items = items;
    if (items == NULL || added.path == NULL || added.name == NULL || !ok) {
        submission_release(&added);
        return error_memory(reterr, "the list of submissions");
    }
    const struct system_record *record =
        whose != NULL ? system_records_find(&search->records, result_word(whose->folder)) : NULL;
    added.recorded_s = record != NULL ? record->submitted_s : 0;
    struct archive_entry *packed = packed_file(search, path, &added.file_time_s);
    if (packed != NULL && packed->bytes != NULL) {
        added.bytes = packed->bytes;
        added.size = packed->size;
        packed->bytes = NULL;
    }
    items[found->n++] = added;
    return true;
}

/* Something that is not a file, but has the place of one. */
static bool add_nameless(struct submission_search *search, const char *path,
                         const struct caller *whose, struct error *reterr)
{
    const struct handed_in nothing = {.student = (char[]){""}};
    return add(search, path, whose, search->wanted->exercise, &nothing, reterr);
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

/* Is it for another exercise than the one that all are for? */
static bool is_for_another(const struct submissions_wanted *wanted,
                           const struct handed_in *handed_in)
{
    return wanted->exercise != NULL && handed_in->exercise != NULL &&
           handed_in->exercise != wanted->exercise;
}

/* ---- finding them: files without the ending .c ---- */

/* What students hand in in the place of a .c file, and why it is not graded. */
static const struct {
    const char *ending, *why;
    bool is_archive; /* else it must be named after an exercise, or end in .c and this, or be C++ */
    bool is_cplusplus;
} odd_endings[] = {
    {".txt", "it ends in .txt, not in .c", false, false},
    {".cpp", "C++, not C", false, true},
    {".cc", "C++, not C", false, true},
    {".cxx", "C++, not C", false, true},
    {".c++", "C++, not C", false, true},
    {".o", "a compiled file, not its source", false, false},
    {".exe", "a compiled file, not its source", false, false},
    {".pdf", "it ends in .pdf, not in .c", false, false},
    {".doc", "it ends in .doc, not in .c", false, false},
    {".docx", "it ends in .docx, not in .c", false, false},
    {".rtf", "it ends in .rtf, not in .c", false, false},
    {".py", "Python, not C", false, false},
    {".html", "it ends in .html, not in .c", false, false},
    {".tar", "an archive, but no ZIP file", true, false},
    {".gz", "an archive, but no ZIP file", true, false},
    {".tgz", "an archive, but no ZIP file", true, false},
    {".xz", "an archive, but no ZIP file", true, false},
    {".bz2", "an archive, but no ZIP file", true, false},
    {".7z", "an archive, but no ZIP file", true, false},
    {".rar", "an archive, but no ZIP file", true, false},
};

static bool ends_in(const char *name, const char *ending)
{
    size_t size = strlen(name), length = strlen(ending);
    return size > length && strcasecmp(name + size - length, ending) == 0;
}

static bool is_source_name(const char *name)
{
    return text_ends_with(name, ".c") || text_ends_with(name, ".C");
}

/* Takes a file that can't be graded, and why: whoever handed it in handed in something. */
static bool add_odd(struct submission_search *search, const char *path, const struct caller *whose,
                    const struct exercise *exercise, const struct handed_in *handed_in,
                    const char *why, struct error *reterr)
{
    bool ok = add(search, path, whose, exercise, handed_in, reterr);
    if (ok)
        search->found->items[search->found->n - 1].why_not = why;
    return ok;
}

/* A file with another ending: taken if it stands in the place of a .c file. */
static bool consider_odd(struct submission_search *search, const char *path,
                         const struct caller *whose, struct error *reterr)
{
    size_t i = 0;
    while (i < COUNT_OF(odd_endings) && !ends_in(path, odd_endings[i].ending))
        i++;
    if (i == COUNT_OF(odd_endings))
        return true;
    struct handed_in handed_in;
    char *stem = strndup(path, strlen(path) - strlen(odd_endings[i].ending));
    if (stem == NULL)
        return error_memory(reterr, "the list of submissions");
    bool is_c = is_source_name(stem) || odd_endings[i].is_cplusplus;
    bool ok = name_read(&search->names, stem, &handed_in, reterr);
    free(stem);
    if (!ok)
        return false;
    const struct exercise *exercise = handed_in.exercise;
    bool is_other = is_for_another(search->wanted, &handed_in);
    if (exercise == NULL && is_c)
        exercise = search->wanted->exercise;
    bool is_taken = !is_other && (exercise != NULL || is_c || odd_endings[i].is_archive);
    ok =
        !is_taken || add_odd(search, path, whose, exercise, &handed_in, odd_endings[i].why, reterr);
    handed_in_release(&handed_in);
    return ok;
}

/* A .c file of a folder: it is taken when its name fits. */
static bool consider(struct submission_search *search, const char *path, const struct caller *whose,
                     struct error *reterr)
{
    const struct submissions_wanted *wanted = search->wanted;
    struct handed_in handed_in;
    if (!name_read(&search->names, path, &handed_in, reterr))
        return false;
    const struct exercise *exercise =
        wanted->exercise != NULL ? wanted->exercise : handed_in.exercise;
    bool ok = true;
    if (!is_for_another(wanted, &handed_in))
        ok = exercise != NULL ? add(search, path, whose, exercise, &handed_in, reterr)
                              : leave_out(search, path, reterr);
    handed_in_release(&handed_in);
    return ok;
}

/* A path that was given itself stays, whatever its name says. */
static bool take_given(struct submission_search *search, const char *path,
                       const struct caller *whose, struct error *reterr)
{
    const struct submissions_wanted *wanted = search->wanted;
    struct handed_in handed_in;
    if (!name_read(&search->names, path, &handed_in, reterr))
        return false;
    bool ok =
        add(search, path, whose, wanted->exercise != NULL ? wanted->exercise : handed_in.exercise,
            &handed_in, reterr);
    handed_in_release(&handed_in);
    return ok;
}

/* ---- finding them: walking folders ---- */

/* Visits what a folder holds, but for names that begin with a dot: those are a system's own, such
 * as .git, or the second halves of files that macOS packs. */
static bool for_each_entry(struct submission_search *search, const char *folder,
                           const struct caller *whose,
                           bool (*visit)(struct submission_search *search, const char *path,
                                         const char *name, const struct caller *whose,
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
        ok = path != NULL ? visit(search, path, entry->d_name, whose, reterr)
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
static bool note_file(struct submission_search *search, const char *path, struct error *reterr)
{
    struct handed_in handed_in;
    if (!name_read(&search->names, path, &handed_in, reterr))
        return false;
    bool fits = search->wanted->exercise != NULL || handed_in.exercise != NULL;
    bool is_other = is_for_another(search->wanted, &handed_in);
    handed_in_release(&handed_in);
    return is_other || first_paths_add(fits ? &search->fitting : &search->others, path, reterr);
}

/* ---- finding them: archives ---- */

/* A system's own, as in for_each_entry(). */
static bool is_hidden(const char *name)
{
    bool is = false;
    for (const char *at = name; *at != '\0' && !is;) {
        size_t size = strcspn(at, "/");
        is = at[0] == '.' || (size == 8 && strncmp(at, "__MACOSX", 8) == 0);
        at += size + (at[size] == '/');
    }
    return is;
}

static bool wants_source(const char *name)
{
    return is_source_name(name) && !is_hidden(name);
}

static bool wants_class(const char *name)
{
    bool is_wanted = is_source_name(name) || ends_in(name, ".zip") ||
                     strcmp(path_base_name(name), SYSTEM_RECORDS_FILE) == 0;
    return is_wanted && !is_hidden(name);
}

/* *archive is taken. */
static bool keep_open(struct submission_search *search, const char *path, struct archive *archive,
                      int64_t time_s, struct error *reterr)
{
    char *copy = strdup(path);
    if (copy == NULL) {
        archive_release(archive);
        return error_memory(reterr, "the list of submissions");
    }
    if (archive->n > 1)
        qsort(archive->entries, archive->n, sizeof *archive->entries, compare_entries);
    search->open[search->n_open++] = (struct open_archive){copy, *archive, time_s};
    return true;
}

static void close_archives(struct submission_search *search, size_t n)
{
    while (search->n_open > n) {
        struct open_archive *open = &search->open[--search->n_open];
        free(open->path);
        archive_release(&open->archive);
    }
}

/* Notes the files of the archive opened last. */
static bool note_entries(struct submission_search *search, const struct caller *whose,
                         struct error *reterr)
{
    const struct open_archive *open = &search->open[search->n_open - 1];
    const struct archive *archive = &open->archive;
    bool ok = true;
    for (size_t i = 0; ok && i < archive->n; i++) {
        const char *name = archive->entries[i].name;
        if (is_hidden(name))
            continue;
        char *path = join(open->path, name);
        if (path == NULL)
            ok = error_memory(reterr, "the list of submissions");
        else if (is_source_name(name))
            ok = note_file(search, path, reterr);
        else
            ok = consider_odd(search, path, whose, reterr);
        free(path);
    }
    return ok;
}

static bool refuse_archive(struct submission_search *search, const char *path,
                           const struct caller *whose, const char *why, struct error *reterr)
{
    struct handed_in handed_in;
    if (!name_read(&search->names, path, &handed_in, reterr))
        return false;
    bool ok = add_odd(search, path, whose, NULL, &handed_in, why, reterr);
    handed_in_release(&handed_in);
    return ok;
}

/* A ZIP file of a student is looked into like a folder. */
static bool note_archive(struct submission_search *search, const char *path,
                         const struct caller *whose, struct error *reterr)
{
    struct archive archive;
    const char *why = "unreadable";
    int64_t time_s = time_of_file(path);
    const struct archive_entry *packed = packed_file(search, path, &time_s);
    if (search->n_open == MAX_OPEN)
        return refuse_archive(search, path, whose, "too many archives", reterr);
    bool ok = packed != NULL && packed->bytes != NULL
                  ? archive_read_bytes(packed->bytes, packed->size, &student_limits, wants_source,
                                       &archive, &why)
                  : archive_read(path, &student_limits, wants_source, &archive, &why);
    if (!ok)
        return refuse_archive(search, path, whose, why, reterr);
    return keep_open(search, path, &archive, time_s, reterr) && note_entries(search, whose, reterr);
}

/* Folders in a student's folder are looked into, links are not followed. */
static bool note_path(struct submission_search *search, const char *path, const char *name,
                      const struct caller *whose, struct error *reterr)
{
    struct stat here;
    if (++search->n_entries > MAX_ENTRIES)
        return true;
    if (is_source_name(name))
        return note_file(search, path, reterr);
    bool is_file = lstat(path, &here) == 0 && S_ISREG(here.st_mode);
    if (is_file && ends_in(name, ".zip"))
        return note_archive(search, path, whose, reterr);
    if (is_file)
        return consider_odd(search, path, whose, reterr);
    if (search->depth == MAX_DEPTH || strcmp(name, "__MACOSX") == 0 || lstat(path, &here) != 0 ||
        !S_ISDIR(here.st_mode) || access(path, R_OK | X_OK) != 0)
        return true;
    search->depth++;
    bool ok = for_each_entry(search, path, whose, note_path, reterr);
    search->depth--;
    return ok;
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

static void begin_student(struct submission_search *search)
{
    search->fitting.max = search->others.max =
        search->wanted->max_files > 0 ? search->wanted->max_files : SIZE_MAX;
    search->n_entries = 0;
}

/* Takes the files noted of a student, as far as one may hand in. n_open archives were open before.
 */
static bool end_student(struct submission_search *search, const char *folder,
                        const struct caller *whose, size_t n_open, bool ok, struct error *reterr)
{
    for (size_t i = 0; ok && i < search->fitting.n; i++)
        ok = consider(search, search->fitting.items[i], whose, reterr);
    for (size_t i = 0; ok && i < search->others.n; i++)
        ok = leave_out(search, search->others.items[i], reterr);
    if (ok && search->fitting.n_seen > search->fitting.n)
        ok = add_crowd(search, folder, reterr);
    search->found->n_unlisted += search->others.n_seen - search->others.n;
    first_paths_release(&search->fitting);
    first_paths_release(&search->others);
    close_archives(search, n_open);
    return ok;
}

/* What a student's folder holds. */
static bool take_folder(struct submission_search *search, const char *folder,
                        const struct caller *whose, struct error *reterr)
{
    size_t n_open = search->n_open;
    begin_student(search);
    bool ok = for_each_entry(search, folder, whose, note_path, reterr);
    return end_student(search, folder, whose, n_open, ok, reterr);
}

/* A student's folder. One that can't be read does not stop the search: it gets a verdict. */
static bool visit_student(struct submission_search *search, const char *path,
                          const struct caller *whose, struct error *reterr)
{
    const struct submissions *found = search->found;
    size_t before = found->n + found->n_left_out;
    if (access(path, R_OK | X_OK) != 0)
        return add_nameless(search, path, whose, reterr);
    if (!take_folder(search, path, whose, reterr))
        return false;
    return found->n + found->n_left_out > before || leave_out(search, path, reterr);
}

/* Who a folder is of, by the system's record or by its name, name[0..size). To be released either
 * way.
 */
static bool folder_caller(const struct submission_search *search, const char *name, size_t size,
                          struct caller *ret)
{
    char *folder = strndup(name, size);
    const char *called;
    size_t n_digits, length = folder != NULL ? folder_student(folder, &called, &n_digits) : 0;
    const struct system_record *recorded =
        folder != NULL ? system_records_find(&search->records, folder) : NULL;
    *ret = (struct caller){.folder = folder};
    if (folder == NULL)
        return false;
    if (recorded != NULL) {
        ret->name = strdup(recorded->caller.name);
        ret->number = strdup(recorded->caller.number);
        ret->email = strdup(recorded->caller.email);
        return ret->name != NULL && ret->number != NULL && ret->email != NULL;
    }
    ret->name = strndup(called, length);
    ret->number = strndup(called + length + (n_digits > 0), n_digits);
    return ret->name != NULL && ret->number != NULL;
}

static void caller_release(struct caller *caller)
{
    free(caller->folder);
    free(caller->name);
    free(caller->number);
    free(caller->email);
}

/* A ZIP file beside the others: its name says whose it is, as a file's or a folder's does. */
static bool visit_archive(struct submission_search *search, const char *path, const char *name,
                          struct error *reterr)
{
    struct handed_in handed_in;
    struct caller whose;
    struct text words = {0};
    size_t n_open = search->n_open;
    char *stem = strndup(path, strlen(path) - strlen(".zip"));
    bool is_read = stem != NULL ? name_read(&search->names, stem, &handed_in, reterr)
                                : error_memory(reterr, "the list of submissions");
    free(stem);
    if (!is_read)
        return false;
    struct caller in_name = caller_in_name(path, &handed_in, &words);
    bool is_file = handed_in.student[0] != '\0', ok = true;
    if (!is_file)
        ok = folder_caller(search, name, strlen(name) - strlen(".zip"), &whose);
    if (!ok || words.failed)
        ok = error_memory(reterr, "the list of submissions");
    const struct caller *of = is_file ? &in_name : &whose;
    begin_student(search);
    size_t before = search->found->n + search->found->n_left_out;
    ok = ok && note_archive(search, path, of, reterr);
    ok = end_student(search, path, of, n_open, ok, reterr);
    if (ok && search->found->n + search->found->n_left_out == before)
        ok = leave_out(search, path, reterr);
    if (!is_file)
        caller_release(&whose);
    handed_in_release(&handed_in);
    text_release(&words);
    return ok;
}

static bool visit_entry(struct submission_search *search, const char *path, const char *name,
                        const struct caller *whose, struct error *reterr)
{
    struct stat here;
    if (is_source_name(name))
        return consider(search, path, whose, reterr);
    if (strcmp(name, "__MACOSX") == 0 || lstat(path, &here) != 0)
        return true; /* a system's own, or gone again */
    if (S_ISREG(here.st_mode))
        return ends_in(name, ".zip") ? visit_archive(search, path, name, reterr)
                                     : consider_odd(search, path, NULL, reterr);
    struct caller folder;
    bool ok = folder_caller(search, name, strlen(name), &folder);
    if (!ok)
        ok = error_memory(reterr, "the list of submissions");
    else if (S_ISDIR(here.st_mode))
        ok = visit_student(search, path, &folder, reterr);
    else if (S_ISLNK(here.st_mode) && path_is_folder(path))
        ok = add_nameless(search, path, &folder, reterr);
    caller_release(&folder);
    return ok;
}

/* ---- finding them: a class in one archive ---- */

/* The bytes before the name that all files have in common, if that is the folder of the class: it
 * holds the system's record, or more than one folder. */
static size_t class_folder_size(const struct archive *archive)
{
    const char *first = NULL, *second = NULL;
    size_t size = 0, length = 0;
    bool has_more = false;
    for (size_t i = 0; i < archive->n; i++) {
        const char *name = archive->entries[i].name;
        if (is_hidden(name))
            continue;
        if (first == NULL) {
            first = name;
            size = strcspn(name, "/") + 1;
        }
        if (name[size - 1] != '/' || strncmp(first, name, size) != 0)
            return 0;
        size_t below = strcspn(name + size, "/");
        bool is_folder = name[size + below] == '/';
        has_more = has_more || strcmp(name + size, SYSTEM_RECORDS_FILE) == 0 ||
                   (is_folder && second != NULL &&
                    (below != length || strncmp(second, name + size, below) != 0));
        if (is_folder && second == NULL) {
            second = name + size;
            length = below;
        }
    }
    return has_more ? size : 0;
}

/* The entries [begin, end) lie in one student's folder, of which the name's part from at on is
 * called so. */
static bool take_packed_folder(struct submission_search *search, const struct archive *archive,
                               const char *in, size_t begin, size_t end, size_t at,
                               struct error *reterr)
{
    const char *name = archive->entries[begin].name;
    size_t size = strcspn(name + at, "/"), n_open = search->n_open;
    struct caller folder;
    struct text path = {0};
    text_format(&path, "%s/%.*s", in, (int)(at + size), name);
    bool ok = folder_caller(search, name + at, size, &folder) && !path.failed;
    if (!ok)
        error_memory(reterr, "the list of submissions");
    begin_student(search);
    size_t before = search->found->n + search->found->n_left_out;
    for (size_t i = begin; ok && i < end; i++) {
        const char *entry = archive->entries[i].name;
        char *file = join(in, entry);
        if (file == NULL)
            ok = error_memory(reterr, "the list of submissions");
        else if (is_hidden(entry))
            ok = true;
        else if (is_source_name(entry))
            ok = note_file(search, file, reterr);
        else if (ends_in(entry, ".zip"))
            ok = note_archive(search, file, &folder, reterr);
        else
            ok = consider_odd(search, file, &folder, reterr);
        free(file);
    }
    ok = end_student(search, text_string(&path), &folder, n_open, ok, reterr);
    if (ok && search->found->n + search->found->n_left_out == before)
        ok = leave_out(search, text_string(&path), reterr);
    caller_release(&folder);
    text_release(&path);
    return ok;
}

static bool take_packed_file(struct submission_search *search, const char *in, const char *name,
                             struct error *reterr)
{
    char *path = join(in, name);
    bool ok = path != NULL || error_memory(reterr, "the list of submissions");
    if (ok && is_hidden(name))
        ok = true;
    else if (ok && is_source_name(name))
        ok = consider(search, path, NULL, reterr);
    else if (ok && ends_in(name, ".zip"))
        ok = visit_archive(search, path, path_base_name(path), reterr);
    else if (ok)
        ok = consider_odd(search, path, NULL, reterr);
    free(path);
    return ok;
}

static bool take_records_in(struct submission_search *search, const struct archive *archive,
                            size_t at, struct error *reterr)
{
    bool ok = true;
    for (size_t i = 0; ok && i < archive->n; i++) {
        const struct archive_entry *one = &archive->entries[i];
        if (strlen(one->name) > at && strcmp(one->name + at, SYSTEM_RECORDS_FILE) == 0 &&
            one->bytes != NULL)
            ok = system_records_read(one->name, one->bytes, one->size, &search->records, reterr);
    }
    return ok;
}

/* The download of a class as it comes, without unpacking it. */
static bool take_class_archive(struct submission_search *search, const char *path,
                               struct error *reterr)
{
    struct archive packed;
    const char *why;
    if (!archive_read(path, &class_limits, wants_class, &packed, &why))
        return error_set(reterr, ERR_FILE, "%s: %s", path, why);
    if (!keep_open(search, path, &packed, 0, reterr))
        return false;
    const struct archive *archive = &search->open[0].archive;
    size_t at = class_folder_size(archive);
    bool ok = take_records_in(search, archive, at, reterr);
    for (size_t begin = 0, end; ok && begin < archive->n; begin = end) {
        const char *name = archive->entries[begin].name;
        size_t size = strlen(name) > at ? strcspn(name + at, "/") : 0;
        end = begin + 1;
        if (name[at + size] != '/') {
            ok = take_packed_file(search, path, name, reterr);
            continue;
        }
        while (end < archive->n && strncmp(archive->entries[end].name, name, at + size + 1) == 0)
            end++;
        if (!is_hidden(name))
            ok = take_packed_folder(search, archive, path, begin, end, at, reterr);
    }
    close_archives(search, 0);
    return ok;
}

static bool take_class_folder(struct submission_search *search, const char *path,
                              struct error *reterr)
{
    char *record = join(path, SYSTEM_RECORDS_FILE);
    bool ok = record != NULL || error_memory(reterr, "the list of submissions");
    if (ok && access(record, F_OK) == 0)
        ok = system_records_load(record, &search->records, reterr);
    free(record);
    return ok && for_each_entry(search, path, NULL, visit_entry, reterr);
}

static bool find_in(struct submission_search *search, const char *given, struct error *reterr)
{
    const struct submissions_wanted *wanted = search->wanted;
    struct caller given_by = {.folder = (char *)(uintptr_t)wanted->student,
                              .name = (char *)(uintptr_t)wanted->student};
    const struct caller *whose = wanted->student != NULL ? &given_by : NULL;
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
        ok = take_folder(search, path, whose, reterr);
    else if (S_ISDIR(there.st_mode))
        ok = take_class_folder(search, path, reterr);
    else if (ends_in(path, ".zip") && wanted->student != NULL) {
        begin_student(search);
        ok = note_archive(search, path, whose, reterr);
        ok = end_student(search, path, whose, 0, ok, reterr);
    } else if (ends_in(path, ".zip"))
        ok = take_class_archive(search, path, reterr);
    else
        ok = take_given(search, path, whose, reterr);
    system_records_release(&search->records);
    free(path);
    return ok;
}

void submissions_keep_part(struct submissions *submissions, unsigned part, unsigned n)
{
    size_t kept = 0;
    for (size_t i = 0; i < submissions->n; i++) {
        struct submission *submission = &submissions->items[i];
        const char *name = submission->student[0] != '\0' ? submission->student : submission->name;
        if (part_of(name, n) == part)
            submissions->items[kept++] = *submission;
        else
            submission_release(submission);
    }
    submissions->n = kept;
}

/* Is there a .c file of the same student for the same exercise? */
static bool has_better(const struct submissions *found, const struct submission *odd)
{
    bool has = false;
    for (size_t i = 0; i < found->n && !has; i++) {
        const struct submission *other = &found->items[i];
        has = other->why_not == NULL && other->exercise == odd->exercise &&
              strcmp(other->student, odd->student) == 0;
    }
    return has;
}

static bool note_odd(struct submissions *found, const struct submission *one, struct error *reterr)
{
    struct odd_file *odd = array_grow(found->odd, found->n_odd, &found->odd_capacity, sizeof *odd);
    if (odd == NULL)
        return error_memory(reterr, "the list of submissions");
    found->odd = odd;
    odd[found->n_odd] = (struct odd_file){strdup(one->student), strdup(one->name), one->why_not};
    found->n_odd++;
    return (odd[found->n_odd - 1].student != NULL && odd[found->n_odd - 1].file != NULL) ||
           error_memory(reterr, "the list of submissions");
}

/* Notes what was handed in and can't be graded. It stays only where nothing better was handed in
 * for its exercise. */
static bool sort_out_odd(struct submissions *found, struct error *reterr)
{
    bool *drops = calloc(found->n + 1, sizeof *drops);
    bool ok = drops != NULL || error_memory(reterr, "the list of submissions");
    size_t kept = 0;
    for (size_t i = 0; ok && i < found->n; i++) {
        const struct submission *one = &found->items[i];
        if (one->why_not == NULL)
            continue;
        ok = note_odd(found, one, reterr);
        drops[i] = one->exercise != NULL && has_better(found, one);
    }
    for (size_t i = 0; ok && i < found->n; i++) {
        if (drops[i])
            submission_release(&found->items[i]);
        else
            found->items[kept++] = found->items[i];
    }
    found->n = ok ? kept : found->n;
    free(drops);
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

/* Says of all whose they are. */
static bool call_all(const struct submissions_wanted *wanted, struct submissions *found,
                     struct error *reterr)
{
    bool is_one_unnamed = wanted->student != NULL && wanted->student[0] == '\0';
    struct class_call *calls = calloc(found->n + 1, sizeof *calls);
    bool ok = calls != NULL || error_memory(reterr, "the list of submissions");
    for (size_t i = 0; ok && i < found->n; i++)
        calls[i].caller = &found->items[i].called;
    ok = ok && class_calls_settle(is_one_unnamed ? NULL : wanted->roster, wanted->who, calls,
                                  found->n, reterr);
    for (size_t i = 0; ok && i < found->n; i++) {
        struct submission *one = &found->items[i];
        one->student = calls[i].name;
        one->candidates = calls[i].candidates;
        calls[i].name = calls[i].candidates = NULL;
    }
    if (calls != NULL)
        class_calls_release(calls, found->n);
    return ok;
}

bool submissions_find(const struct submissions_wanted *wanted, struct submissions *ret,
                      struct error *reterr)
{
    struct submissions found = {0};
    struct submission_search search = {.wanted = wanted, .found = &found};
    bool ok = name_reader_open(wanted->exercises, wanted->assignment, &search.names, reterr);
    for (size_t i = 0; ok && i < wanted->n_paths; i++)
        ok = find_in(&search, wanted->paths[i], reterr);
    name_reader_close(&search.names);
    ok = ok && call_all(wanted, &found, reterr);
    if (!ok) {
        submissions_release(&found);
        return false;
    }
    sort(&found);
    if (!sort_out_odd(&found, reterr)) {
        submissions_release(&found);
        return false;
    }
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
    for (size_t i = 0; i < submissions->n_odd; i++) {
        free(submissions->odd[i].student);
        free(submissions->odd[i].file);
    }
    free(submissions->odd);
    free(submissions->items);
    free(submissions->left_out);
    free(submissions->crowds);
    *submissions = (struct submissions){0};
}

/* ---- when they were handed in ---- */

/* ---- when: git ----
 *
 * A repository is made by a student, and git's whole trade is to read what lies there. So it runs
 * in the box of a compiler, which sees the repository and can write to nothing. */

enum {
    GIT_MS = 10000,
    GIT_CPU_S = 4,
    GIT_BYTES = 512 << 20,
    ANSWER_BYTES = 256,
    CLASS_GIT_MS = 60000, /* for all repositories together that give no answer */
};

/* The repositories of a class while they are asked. */
struct git {
    const struct limits *limits;
    unsigned layers;
    const char *path;      /* of git, or NULL if it is not installed */
    char silent[PATH_MAX]; /* the last repository that gave no answer */
    unsigned n_silent;     /* files whose repository gave none */
    uint64_t lost_ms;      /* by waiting for those */
};

/* The folder of a file's repository, or NULL: the nearest one with .git in it. If .git is a file,
 * as in a submodule, the outermost one, which holds what that file names. */
static const char *repository_of(const char *folder, char found[PATH_MAX])
{
    char at[PATH_MAX], path[PATH_MAX + 8];
    struct stat info;
    bool any = false;
    if (realpath(folder, at) == NULL)
        return NULL;
    for (char *slash = at + strlen(at); slash != NULL && slash > at; slash = strrchr(at, '/')) {
        *slash = '\0';
        snprintf(path, sizeof path, "%s/.git", at);
        if (at[0] == '\0' || lstat(path, &info) != 0)
            continue;
        snprintf(found, PATH_MAX, "%s", at);
        any = true;
        if (S_ISDIR(info.st_mode))
            break;
    }
    return any ? found : NULL;
}

/* Can every user reach and read the folder? path is absolute. */
static bool is_open_to_all(const char *path)
{
    char at[PATH_MAX];
    struct stat info;
    snprintf(at, sizeof at, "%s", path);
    bool is_open = stat(at, &info) == 0 && (info.st_mode & S_IROTH) != 0;
    for (char *slash = at + strlen(at); is_open && slash != NULL && slash > at;
         slash = strrchr(at, '/')) {
        *slash = '\0';
        is_open = at[0] == '\0' || (stat(at, &info) == 0 && (info.st_mode & S_IXOTH) != 0);
    }
    return is_open;
}

/* Whoever grades as root runs git as an ordinary user, but not in a folder that only root can read:
 * there it stays root, without any privilege, confined to what it may read and ask. */
static unsigned layers_for(const struct git *git, const char *repository)
{
    const unsigned confining = LAYER_LANDLOCK | LAYER_SECCOMP;
    bool stays_root =
        geteuid() == 0 && (git->layers & confining) == confining && !is_open_to_all(repository);
    return stays_root ? git->layers & (confining | LAYER_RLIMITS) : git->layers;
}

/* Runs git in the box; false when it gives no answer. Each setting of the repository that would
 * start a program or fetch missing objects is switched off besides. */
static bool ask_git(const struct git *git, const char *repository, char *folder, char *name,
                    struct boxed_result *ret)
{
    char path[] = "git";
    char *const argv[] = {path,
                          "-c",
                          "safe.directory=*",
                          "-c",
                          "core.fsmonitor=false",
                          "-c",
                          "core.hooksPath=/dev/null",
                          "-c",
                          "protocol.allow=never",
                          "--no-optional-locks",
                          "-C",
                          folder,
                          "rev-list",
                          "-1",
                          "--timestamp",
                          "HEAD",
                          "--",
                          name,
                          NULL};
    struct limits limits = *git->limits;
    limits.compile.wall_ms = GIT_MS;
    limits.compile.cpu_s = GIT_CPU_S;
    limits.compile.address_space_bytes = limits.compile.memory_bytes = GIT_BYTES;
    limits.text_kept_bytes = ANSWER_BYTES;
    const struct boxed_command plan = {.kind = BOX_COMPILE,
                                       .limits = &limits,
                                       .layers = layers_for(git, repository),
                                       .path = git->path,
                                       .argv = argv,
                                       .shows = repository,
                                       .input = -1};
    return boxed_command_run(&plan, ret, NULL) && boxed_result_succeeded(ret);
}

static const char *find_git(void)
{
    static const char *const paths[] = {"/usr/bin/git", "/bin/git", "/usr/local/bin/git"};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        if (access(paths[i], X_OK) == 0)
            return paths[i];
    return NULL;
}

/* "1772405940 0123abc...": the time of the last commit that touched the file; 0 where it is not in
 * a repository or is not committed, or where git does not say. A repository that gave no answer is
 * not asked again, and once they have cost too much none is. */
static int64_t time_of_commit(const char *path, struct git *git)
{
    const char *base = path_base_name(path);
    char *folder = base > path ? strndup(path, (size_t)(base - path)) : strdup(".");
    char *name = strdup(base), whole[PATH_MAX], repository[PATH_MAX];
    int64_t time_s = 0;
    if (folder != NULL && name != NULL && repository_of(folder, repository) != NULL &&
        realpath(folder, whole) != NULL) {
        struct boxed_result said = {.too_long = false};
        uint64_t began_ms = (uint64_t)clock_ms();
        bool asks = git->path != NULL && git->lost_ms < CLASS_GIT_MS &&
                    strcmp(git->silent, repository) != 0;
        if (asks && ask_git(git, repository, whole, name, &said)) {
            time_s = strtoll(text_string(&said.printed), NULL, 10);
        } else {
            git->n_silent++;
            git->lost_ms += asks ? (uint64_t)clock_ms() - began_ms : 0;
            memcpy(git->silent, repository, sizeof repository);
        }
        boxed_result_release(&said);
    }
    free(folder);
    free(name);
    return time_s > 0 ? time_s : 0;
}

/* ---- when: names ---- */

/* Can the files' times be those of handing in? The copies that a download makes have its own time;
 * then some file that the system did not mark as late would be. */
static bool has_true_times(const struct submissions *submissions, int64_t last_s)
{
    size_t n_in_time = 0;
    bool are_true = true;
    for (size_t i = 0; i < submissions->n && are_true; i++) {
        const struct submission *one = &submissions->items[i];
        int64_t time_s = one->file_time_s != 0 ? one->file_time_s : time_of_file(one->path);
        if (one->is_late)
            continue;
        are_true = time_s <= last_s;
        n_in_time++;
    }
    return are_true && n_in_time > 0;
}

/* LATE without a time: the file's time tells, where it can; else it is late by as little as can be.
 */
static void note_late_mark(struct submission *submission, const struct assignment *assignment,
                           bool has_times)
{
    int64_t grace_s = (int64_t)(assignment->late.grace_minutes * 60), due_s = assignment->due_s;
    int64_t time_s =
        submission->file_time_s != 0 ? submission->file_time_s : time_of_file(submission->path);
    bool is_told = has_times && time_s > due_s;
    submission->submitted_s = is_told ? time_s : due_s + grace_s + 1;
    submission->time_from =
        is_told ? "LATE in its name, and the file's time" : "LATE in its name, which says no time";
}

/* ---- when: lists ---- */

/* The times that a list has for those who handed in. NULL for none: *ret has nothing. To be freed.
 */
static bool list_times(const struct submissions *submissions, const struct students *times,
                       int64_t **ret, struct error *reterr)
{
    struct class_call *calls = calloc(submissions->n + 1, sizeof *calls);
    int64_t *found = calloc(submissions->n + 1, sizeof *found);
    bool ok = calls != NULL && found != NULL;
    for (size_t i = 0; ok && i < submissions->n; i++)
        calls[i].caller = &submissions->items[i].called;
    ok = ok && class_calls_settle(times, NULL, calls, submissions->n, NULL);
    for (size_t i = 0; ok && i < submissions->n; i++) {
        const struct student *by_login = students_find(times, submissions->items[i].student);
        const struct student *one = by_login != NULL ? by_login : calls[i].student;
        found[i] = one != NULL ? one->submitted_s : 0;
    }
    if (calls != NULL)
        class_calls_release(calls, submissions->n);
    if (!ok) {
        free(found);
        return error_memory(reterr, "the times of handing in");
    }
    *ret = found;
    return true;
}

static void note_time(struct submission *submission, const struct assignment *assignment,
                      struct git *git, bool has_times)
{
    enum time_source source = assignment != NULL ? assignment->time : TIME_OF_FILE;
    int64_t file_s = submission->file_time_s;
    if (source == TIME_OF_COMMIT) {
        submission->submitted_s = time_of_commit(submission->path, git);
        submission->time_from = "the commit's time";
    } else if (submission->recorded_s != 0) {
        submission->submitted_s = submission->recorded_s;
        submission->time_from = "the system's record";
    } else if (source == TIME_OF_FILE) {
        submission->submitted_s = file_s != 0 ? file_s : time_of_file(submission->path);
        submission->time_from = "the file's time";
    } else if (submission->submitted_s != 0) {
        submission->time_from = "its name";
    } else if (submission->is_late && assignment->due_s != 0) {
        note_late_mark(submission, assignment, has_times);
    }
}

bool submissions_note_times(struct submissions *submissions, const struct times_wanted *wanted,
                            size_t *ret_n_silent, struct error *reterr)
{
    const struct assignment *assignment = wanted->assignment;
    struct git git = {.limits = wanted->limits, .layers = wanted->layers, .path = find_git()};
    int64_t *listed = NULL;
    const char *from = wanted->times != NULL ? "the list of times" : "the class list";
    const struct students *times = wanted->times != NULL ? wanted->times : wanted->roster;
    if (times != NULL && !list_times(submissions, times, &listed, reterr))
        return false;
    bool has_times =
        assignment != NULL && assignment->time == TIME_IN_NAME &&
        has_true_times(submissions,
                       assignment->due_s + (int64_t)(assignment->late.grace_minutes * 60));
    for (size_t i = 0; i < submissions->n; i++) {
        struct submission *submission = &submissions->items[i];
        bool is_listed = listed != NULL && listed[i] != 0;
        if (is_listed &&
            (wanted->times != NULL || assignment == NULL || assignment->time != TIME_OF_COMMIT)) {
            submission->submitted_s = listed[i];
            submission->time_from = from;
        } else {
            note_time(submission, assignment, &git, has_times);
        }
        if (submission->submitted_s == 0)
            submission->time_from = NULL;
    }
    free(listed);
    *ret_n_silent = git.n_silent;
    return true;
}
