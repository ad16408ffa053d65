/* Pseudonyms: see anonymous.h. */
#include "report/anonymous.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/digest.h"
#include "files/file.h"
#include "sandbox/system.h"

enum { PSEUDONYM_BYTES = 14 };

enum {
    NAME_MAX_SHOWN = 160,
    RANDOM_BYTES = 32,
    KEY_MIN_BYTES = 16,
    NEEDLES = 64,
    FOLDER_MIN = 2,    /* a folder of one letter is in every formula */
    NAME_PART_MIN = 3, /* letters: shorter parts of a name are in too many words */
    ID_MIN = 4,        /* a short number is in too many results */
};

/* ---- the key ---- */

static bool cannot(const char *path, const char *what, struct error *reterr)
{
    char name[NAME_MAX_SHOWN];
    return error_set(reterr, ERR_FILE, "--anonymous %s: %s",
                     error_quote(name, sizeof name, path, strlen(path)), what);
}

static bool write_key(const char *path, struct error *reterr)
{
    unsigned char bytes[RANDOM_BYTES];
    char digits[2 * RANDOM_BYTES + 2];
    if (!system_random(bytes, sizeof bytes))
        return cannot(path, strerror(errno), reterr);
    for (size_t i = 0; i < RANDOM_BYTES; i++)
        snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
    digits[sizeof digits - 2] = '\n';
    digits[sizeof digits - 1] = '\0';
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && file_write_all(fd, digits, strlen(digits));
    int problem = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        problem = errno;
    }
    return ok || cannot(path, strerror(problem), reterr);
}

static bool read_key(int fd, const char *path, struct anonymous_key *ret, struct error *reterr)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return cannot(path, strerror(errno), reterr);
    if (!S_ISREG(status.st_mode) || status.st_size > ANONYMOUS_KEY_BYTES)
        return cannot(path, "it is not a file with a key", reterr);
    ret->size = (size_t)status.st_size;
    ret->is_readable = (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
    if (!file_read_all(fd, ret->bytes, ret->size))
        return cannot(path, strerror(errno), reterr);
    while (ret->size > 0 && strchr(" \t\r\n", ret->bytes[ret->size - 1]) != NULL)
        ret->size--;
    return ret->size >= KEY_MIN_BYTES ||
           cannot(path, "a key has at least 16 bytes; name a new file, and it is made", reterr);
}

bool anonymous_key_load(const char *path, struct anonymous_key *ret, struct error *reterr)
{
    *ret = (struct anonymous_key){.size = 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) {
        if (!write_key(path, reterr))
            return false;
        ret->is_new = true;
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (fd < 0)
        return cannot(path, strerror(errno), reterr);
    bool is_new = ret->is_new, ok = read_key(fd, path, ret, reterr);
    ret->is_new = is_new;
    close(fd);
    return ok;
}

/* The pseudonym of a login: "s" and 12 digits of its HMAC-SHA-256 (RFC 2104) with the key. */
static void anonymous_name(const struct anonymous_key *key, const char *login,
                           char ret[PSEUDONYM_BYTES])
{
    char digest[DIGEST_TEXT];
    digest_with_key(key->bytes, key->size, login, strlen(login), digest);
    snprintf(ret, PSEUDONYM_BYTES, "s%.12s", digest);
}

/* ---- pieces of text that tell a student's identity ---- */

/* Pieces of text to be replaced, each as text_copy_name() gives it. */
struct needles {
    char *items[NEEDLES];
    size_t n;
    bool failed; /* without memory */
};

static void needles_release(struct needles *needles)
{
    for (size_t i = 0; i < needles->n; i++)
        free(needles->items[i]);
    needles->n = 0;
}

static void add_needle(struct needles *needles, const char *bytes, size_t size, size_t least)
{
    if (size < least || size == 0 || needles->n == NEEDLES)
        return;
    char *composed = text_copy_name(bytes, size);
    if (composed != NULL)
        needles->items[needles->n++] = composed;
    needles->failed = needles->failed || composed == NULL;
}

static bool is_word(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 0x80 || text_is_digit(c) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

static void add_parts(struct needles *needles, const char *name)
{
    for (const char *at = name; *at != '\0';) {
        size_t size = strcspn(at, " ,");
        add_needle(needles, at, size, NAME_PART_MIN);
        at += size + (at[size] != '\0');
    }
}

static void add_student(struct needles *needles, const struct student *student)
{
    add_needle(needles, student->email, strlen(student->email), 1);
    add_needle(needles, student->name, strlen(student->name), 1);
    add_needle(needles, student->id, strlen(student->id), ID_MIN);
    add_needle(needles, student->login, strlen(student->login), 1);
    add_parts(needles, student->name);
}

/* Is it a word of the exercise's id, as softmax is of softmax-rows? */
static bool is_of_exercise(const char *id, const char *word, size_t size)
{
    for (size_t length; *id != '\0'; id += length + (id[length] != '\0')) {
        length = strcspn(id, "-");
        if (length == size && strncasecmp(id, word, size) == 0)
            return true;
    }
    return false;
}

/* Without a login, the student's name may stand in the path, as a folder or a part of a name:
 * class/anna/dot.c, hw3_anna_dot.c, "Anna Alm_12_assignsubmission_file_". */
static void add_path_words(struct needles *needles, const struct result *result,
                           const struct students *students, const char *separators, size_t least)
{
    const char *id = result_word(result->exercise);
    for (const char *at = result_word(result->file); *at != '\0';) {
        size_t size = strcspn(at, separators);
        char login[NAME_MAX_SHOWN];
        snprintf(login, sizeof login, "%.*s", (int)(size < sizeof login ? size : 0), at);
        const struct student *student = students_find(students, login);
        if (student != NULL)
            add_student(needles, student);
        if (!is_of_exercise(id, at, size))
            add_needle(needles, at, size, least);
        at += size + (at[size] != '\0');
    }
}

/* The longest ones first. */
static struct needles needles_of(const struct result *result, const struct student *student,
                                 const struct students *students)
{
    struct needles needles = {.n = 0};
    const char *file = result_word(result->file), *login = result_word(result->student);
    add_needle(&needles, file, strlen(file), 1);
    add_needle(&needles, path_base_name(file), strlen(path_base_name(file)), 1);
    if (student != NULL)
        add_student(&needles, student);
    else
        add_needle(&needles, login, strlen(login), 1);
    if (login[0] == '\0') {
        add_path_words(&needles, result, students, "/", FOLDER_MIN);
        add_path_words(&needles, result, students, "/_-.,() ", NAME_PART_MIN);
    }
    return needles;
}

/* The bytes at `at` that are a needle in any case, as a whole word. */
static size_t match(const struct needles *needles, const char *text, const char *at)
{
    for (size_t i = 0; i < needles->n; i++) {
        const char *needle = needles->items[i];
        bool begins = at == text || !is_word(at[-1]) || !is_word(needle[0]);
        size_t size = begins ? text_begins_in_any_case(at, needle) : 0;
        if (size > 0 && (!is_word(at[size]) || !is_word(needle[strlen(needle) - 1])))
            return size;
    }
    return 0;
}

/* Words with the needles replaced; to be released. */
static struct text without(const struct needles *needles, const char *words, const char *pseudonym)
{
    struct text text = {.failed = needles->failed};
    char *composed = text_copy_name(result_word(words), strlen(result_word(words)));
    for (const char *at = composed; at != NULL && *at != '\0';) {
        size_t size = match(needles, composed, at);
        if (size > 0)
            text_put(&text, pseudonym);
        else
            text_char(&text, *at);
        at += size > 0 ? size : 1;
    }
    text.failed = text.failed || composed == NULL;
    free(composed);
    return text;
}

/* ---- one result ---- */

/* A result with the student and the name of its file as they are from now on. */
struct renamed {
    const struct result *old;
    const char *who; /* the login; or the file, if there is no login */
    char pseudonym[PSEUDONYM_BYTES];
    unsigned number; /* of several for the same exercise, from 1 */
};

static void add_file(struct text *text, const struct renamed *renamed)
{
    const char *exercise = result_word(renamed->old->exercise);
    if (result_word(renamed->old->file)[0] == '\0')
        return; /* missing */
    text_format(text, "%s/%s", renamed->pseudonym, exercise[0] != '\0' ? exercise : "file");
    if (renamed->number > 1)
        text_format(text, "-%u", renamed->number);
    text_put(text, ".c");
}

static bool copy_words(const struct renamed *renamed, const struct student *student,
                       const struct students *students, struct result *ret)
{
    const struct result *old = renamed->old;
    struct needles needles = needles_of(old, student, students);
    struct text file = {0}, detail = {0};
    struct text message = without(&needles, old->message, renamed->pseudonym);
    struct text note = without(&needles, old->note, renamed->pseudonym);
    if (old->verdict != VERDICT_UNCLEAR) /* that names the files of others */
        detail = without(&needles, old->detail, renamed->pseudonym);
    needles_release(&needles);
    add_file(&file, renamed);
    bool is_named = result_word(old->student)[0] != '\0';
    bool ok = !file.failed && !detail.failed && !message.failed && !note.failed &&
              result_name(ret, text_string(&file), is_named ? renamed->pseudonym : "",
                          result_word(old->exercise), NULL) &&
              result_say(ret, old->verdict, text_string(&detail), text_string(&message), NULL) &&
              (note.size == 0 || result_add_note(ret, text_string(&note), NULL));
    text_release(&file);
    text_release(&detail);
    text_release(&message);
    text_release(&note);
    return ok;
}

static bool copy_findings(const struct result *old, struct result *ret)
{
    bool ok = true;
    for (size_t i = 0; ok && i < old->n_cases; i++) {
        const struct case_result *one = &old->cases[i];
        ok = result_add_case(ret, one->name, one->group, one->verdict, one->max_abs_error, NULL);
        if (ok)
            ret->cases[i].earns = one->earns;
    }
    for (size_t i = 0; ok && i < old->n_ideas; i++)
        ok = result_add_idea(ret, old->ideas[i].id, old->ideas[i].say, NULL);
    ret->exercise_digest = result_safe_copy(result_word(old->exercise_digest));
    ret->attn_version = result_safe_copy(result_word(old->attn_version));
    return ok && ret->exercise_digest != NULL && ret->attn_version != NULL;
}

/* *ret is to be released either way. */
static bool copy_renamed(const struct renamed *renamed, const struct student *student,
                         const struct students *students, struct result *ret)
{
    const struct result *old = renamed->old;
    result_init(ret);
    ret->score = old->score;
    ret->max_score = old->max_score;
    ret->judged_score = old->judged_score;
    ret->judged_max_score = old->judged_max_score;
    ret->days_late = old->days_late;
    ret->is_by_hand = old->is_by_hand;
    ret->is_left_out = old->is_left_out;
    ret->cpu_ms = old->cpu_ms;
    ret->memory_kib = old->memory_kib;
    ret->time_ms = old->time_ms;
    return copy_words(renamed, student, students, ret) && copy_findings(old, ret);
}

/* ---- all of them ---- */

static int compare_renamed(const void *a, const void *b)
{
    const struct renamed *left = a, *right = b;
    int order = strcmp(left->who, right->who);
    if (order == 0)
        order = strcmp(result_word(left->old->exercise), result_word(right->old->exercise));
    return order != 0 ? order : result_compare(left->old, right->old);
}

static bool is_same_work(const struct renamed *a, const struct renamed *b)
{
    return strcmp(a->who, b->who) == 0 &&
           strcmp(result_word(a->old->exercise), result_word(b->old->exercise)) == 0;
}

/* Each person's together; NULL without memory. */
static struct renamed *rename_all(const struct results *results, const struct anonymous_key *key)
{
    struct renamed *all = calloc(results->n + 1, sizeof *all);
    for (size_t i = 0; all != NULL && i < results->n; i++) {
        const struct result *old = &results->items[i];
        bool is_named = result_word(old->student)[0] != '\0';
        all[i].old = old;
        all[i].who = is_named ? old->student : result_word(old->file);
        anonymous_name(key, all[i].who, all[i].pseudonym);
    }
    if (all != NULL && results->n > 1)
        qsort(all, results->n, sizeof *all, compare_renamed);
    for (size_t i = 0; all != NULL && i < results->n; i++)
        all[i].number = i > 0 && is_same_work(&all[i - 1], &all[i]) ? all[i - 1].number + 1 : 1;
    return all;
}

/* The name of the file that counts in the place of all[at]. */
static bool copy_duplicate_of(const struct renamed *all, size_t n, size_t at, struct result *ret)
{
    struct text file = {0};
    size_t first = at + 1 - all[at].number;
    if (result_counts(all[at].old))
        return true;
    for (size_t i = first; i < n && is_same_work(&all[first], &all[i]); i++)
        if (strcmp(result_word(all[i].old->file), all[at].old->duplicate_of) == 0)
            add_file(&file, &all[i]);
    if (file.size == 0)
        text_format(&file, "%s/another.c", all[at].pseudonym);
    ret->duplicate_of = file.failed ? NULL : result_safe_copy(text_string(&file));
    text_release(&file);
    return ret->duplicate_of != NULL;
}

static bool copy_results(const struct results *results, const struct anonymous_key *key,
                         struct results *ret)
{
    struct renamed *all = rename_all(results, key);
    bool ok = all != NULL;
    for (size_t i = 0; ok && i < results->n; i++) {
        const struct student *student = students_find(&results->students, all[i].who);
        struct result result;
        ok = copy_renamed(&all[i], student, &results->students, &result) &&
             copy_duplicate_of(all, results->n, i, &result) &&
             results_insert(ret, ret->n, &result, NULL);
        result_release(&result);
    }
    if (ret->n > 1)
        qsort(ret->items, ret->n, sizeof *ret->items, result_compare);
    free(all);
    return ok;
}

static bool copy_students(const struct students *students, const struct anonymous_key *key,
                          struct students *ret)
{
    for (size_t i = 0; i < students->n; i++) {
        char pseudonym[PSEUDONYM_BYTES];
        anonymous_name(key, students->items[i].login, pseudonym);
        if (!students_add(ret, pseudonym, "", "", "", NULL))
            return false;
    }
    return students_sort(ret, NULL);
}

static bool copy_likenesses(const struct likenesses *likenesses, const struct anonymous_key *key,
                            struct likenesses *ret)
{
    for (size_t i = 0; i < likenesses->n; i++) {
        const struct likeness *one = &likenesses->items[i];
        char a[PSEUDONYM_BYTES], b[PSEUDONYM_BYTES];
        anonymous_name(key, one->a, a);
        anonymous_name(key, one->b, b);
        bool in_order = strcmp(a, b) < 0;
        if (!likenesses_add(ret, one->exercise, in_order ? a : b, in_order ? b : a, one->share,
                            NULL))
            return false;
    }
    return true;
}

bool results_anonymize(struct results *results, const struct anonymous_key *key,
                       struct error *reterr)
{
    struct results anonymous = {.seed = results->seed, .is_anonymous = true};
    text_add(&anonymous.sandbox, text_string(&results->sandbox), results->sandbox.size);
    const char *title = results->title != NULL ? results->title : "";
    if (!results_entitle(&anonymous, title, NULL) || anonymous.sandbox.failed ||
        !exercise_order_add_all(&anonymous.exercises, &results->exercises, NULL) ||
        !copy_results(results, key, &anonymous) ||
        !copy_students(&results->students, key, &anonymous.students) ||
        !copy_likenesses(&results->similar, key, &anonymous.similar)) {
        results_release(&anonymous);
        return error_memory(reterr, "the results");
    }
    results_release(results);
    *results = anonymous;
    return true;
}
