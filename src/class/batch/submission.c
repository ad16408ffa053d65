/* Reading learners' files: see submission.h. */
#include "batch/submission.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assignment/class_index.h"
#include "assignment/handed_in.h"
#include "base/array.h"
#include "files/clock.h"
#include "files/file.h"
#include "result/safe_text.h"
#include "result/source.h"
#include "sandbox/boxed_command.h"

/* ---- earlier results ---- */

enum staleness submission_staleness(const struct submission *submission,
                                    const struct result *earlier, size_t max_bytes)
{
    struct text source = {0};
    const char *why, *exercise = submission->exercise != NULL ? submission->exercise->digest : "";
    char digest[DIGEST_TEXT];
    if (earlier->verdict == VERDICT_INTERNAL_ERROR)
        return NEVER_GRADED;
    if (!source_read(submission->path, max_bytes, &source, &why)) {
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

/* A search under way. */
struct submission_search {
    const struct submissions_wanted *wanted;
    struct submissions *found;
    struct name_reader names;
    unsigned depth;   /* of the folder that is looked at, in the student's folder */
    size_t n_entries; /* looked at in the student's folder so far */
    struct first_paths fitting, others; /* .c files of the student's folder that is looked at */
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

/* Folders in a student's folder are looked into, links are not followed. */
static bool note_path(struct submission_search *search, const char *path, const char *name,
                      const struct caller *whose, struct error *reterr)
{
    struct stat here;
    if (++search->n_entries > MAX_ENTRIES)
        return true;
    if (text_ends_with(name, ".c") || text_ends_with(name, ".C"))
        return note_file(search, path, reterr);
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

/* What a student's folder holds, as far as one may hand in. */
static bool take_folder(struct submission_search *search, const char *folder,
                        const struct caller *whose, struct error *reterr)
{
    search->fitting.max = search->others.max =
        search->wanted->max_files > 0 ? search->wanted->max_files : SIZE_MAX;
    search->n_entries = 0;
    bool ok = for_each_entry(search, folder, whose, note_path, reterr);
    for (size_t i = 0; ok && i < search->fitting.n; i++)
        ok = consider(search, search->fitting.items[i], whose, reterr);
    for (size_t i = 0; ok && i < search->others.n; i++)
        ok = leave_out(search, search->others.items[i], reterr);
    if (ok && search->fitting.n_seen > search->fitting.n)
        ok = add_crowd(search, folder, reterr);
    search->found->n_unlisted += search->others.n_seen - search->others.n;
    first_paths_release(&search->fitting);
    first_paths_release(&search->others);
    return ok;
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

static bool visit_entry(struct submission_search *search, const char *path, const char *name,
                        const struct caller *whose, struct error *reterr)
{
    struct stat here;
    if (text_ends_with(name, ".c") || text_ends_with(name, ".C"))
        return consider(search, path, whose, reterr);
    if (strcmp(name, "__MACOSX") == 0 || lstat(path, &here) != 0)
        return true; /* a system's own, or gone again */
    const char *called;
    size_t n_digits, size = folder_student(name, &called, &n_digits);
    struct caller folder = {.folder = strdup(name),
                            .name = strndup(called, size),
                            .number = strndup(called + size + (n_digits > 0), n_digits)};
    bool ok = true;
    if (folder.folder == NULL || folder.name == NULL || folder.number == NULL)
        ok = error_memory(reterr, "the list of submissions");
    else if (S_ISDIR(here.st_mode))
        ok = visit_student(search, path, &folder, reterr);
    else if (S_ISLNK(here.st_mode) && path_is_folder(path))
        ok = add_nameless(search, path, &folder, reterr);
    free(folder.folder);
    free(folder.name);
    free(folder.number);
    return ok;
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
        ok = for_each_entry(search, path, whose, visit_entry, reterr);
    else
        ok = take_given(search, path, whose, reterr);
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

/* ---- when they were handed in ---- */

static int64_t time_of_file(const char *path)
{
    struct stat here;
    return lstat(path, &here) == 0 && here.st_mtime > 0 ? (int64_t)here.st_mtime : 0;
}

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

/* What a system calls late without a moment is late by as little as can be. */
static int64_t time_in_name(const struct submission *submission,
                            const struct assignment *assignment)
{
    int64_t grace_s = (int64_t)(assignment->late.grace_minutes * 60);
    if (submission->submitted_s != 0 || !submission->is_late || assignment->due_s == 0)
        return submission->submitted_s;
    return assignment->due_s + grace_s + 1;
}

size_t submissions_note_times(struct submissions *submissions, const struct assignment *assignment,
                              const struct limits *limits, unsigned layers)
{
    struct git git = {.limits = limits, .layers = layers, .path = find_git()};
    for (size_t i = 0; i < submissions->n; i++) {
        struct submission *submission = &submissions->items[i];
        switch (assignment != NULL ? assignment->time : TIME_OF_FILE) {
        case TIME_OF_FILE:
            submission->submitted_s = time_of_file(submission->path);
            break;
        case TIME_OF_COMMIT:
            submission->submitted_s = time_of_commit(submission->path, &git);
            break;
        case TIME_IN_NAME:
        default:
            submission->submitted_s = time_in_name(submission, assignment);
            break;
        }
    }
    return git.n_silent;
}
