/* Finds the student that a name means: see class_index.h. Each form of a student's name becomes a
 * key: the name without differences that don't matter (Unicode's case folding and its ignorable
 * marks, composed as in NFC; of full names and names compared with them, letters, digits and marks
 * alone). All keys are sorted once. */
#include "assignment/class_index.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/array.h"
#include "base/text.h"

enum {
    KEY_MAX = 400, /* bytes: a longer name is nobody's */
    TURNS_MAX = 16 /* words of a name with which another way to write it can begin */
};

/* How a student is meant: the first way that finds anybody decides. */
enum way { BY_LOGIN_IN_ANY_CASE, BY_EMAIL, BY_ID, BY_NAME, N_WAYS };

struct class_key {
    const char *word;
    enum way way;
    size_t student;
};

/* ---- the compared form ---- */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* The bytes of a name, if it shows some as \xNN. */
static void unescape(const char *name, size_t size, struct text *ret)
{
    for (size_t i = 0; i < size; i++) {
        int high = -1, low = -1;
        if (size - i > 3 && name[i] == '\\' && name[i + 1] == 'x') {
            high = hex_digit(name[i + 2]);
            low = hex_digit(name[i + 3]);
        }
        if (high >= 0 && low >= 0) {
            text_char(ret, (char)(high * 16 + low));
            i += 3;
        } else {
            text_char(ret, name[i]);
        }
    }
}

static bool is_ascii(const struct text *text)
{
    for (size_t i = 0; i < text->size; i++)
        if ((unsigned char)text->bytes[i] >= 0x80)
            return false;
    return true;
}

static void lower_ascii(struct text *text)
{
    for (size_t i = 0; i < text->size; i++)
        if (text->bytes[i] >= 'A' && text->bytes[i] <= 'Z')
            text->bytes[i] = (char)(text->bytes[i] - 'A' + 'a');
}

/* A name without differences that don't matter in a word. Bytes that are not UTF-8 stay as they
 * are. */
static void add_word_key(struct text *key, const char *name, size_t size)
{
    struct text bytes = {0};
    utf8proc_uint8_t *folded = NULL;
    unescape(name, size, &bytes);
    if (!bytes.failed && !is_ascii(&bytes) &&
        utf8proc_map((const utf8proc_uint8_t *)bytes.bytes, (utf8proc_ssize_t)bytes.size, &folded,
                     UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE) >=
            0) {
        text_put(key, (const char *)folded);
    } else {
        lower_ascii(&bytes);
        text_add(key, text_string(&bytes), bytes.size);
    }
    free(folded);
    key->failed = key->failed || bytes.failed;
    text_release(&bytes);
}

static bool is_of_a_name(utf8proc_int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

/* Adds the letters and digits of a name. */
static void add_name_key(struct text *key, const char *name, size_t size)
{
    struct text word = {0};
    add_word_key(&word, name, size);
    for (size_t at = 0; at < word.size;) {
        utf8proc_int32_t code = -1;
        utf8proc_ssize_t step = utf8proc_iterate((const utf8proc_uint8_t *)word.bytes + at,
                                                 (utf8proc_ssize_t)(word.size - at), &code);
        size_t length = step > 0 ? (size_t)step : 1;
        if (step <= 0 || is_of_a_name(code))
            text_add(key, word.bytes + at, length);
        at += length;
    }
    key->failed = key->failed || word.failed;
    text_release(&word);
}

/* ---- the keys ---- */

static bool add_key(struct class_index *index, enum way way, size_t student, struct text *word)
{
    bool ok = !word->failed;
    if (ok && word->size > 0 && word->size <= KEY_MAX) {
        struct class_key *keys = array_grow(index->keys, index->n, &index->capacity, sizeof *keys);
        const char *copy = arena_copy(&index->arena, word->bytes, word->size);
        index->keys = keys != NULL ? keys : index->keys;
        ok = keys != NULL && copy != NULL;
        if (ok)
            keys[index->n++] = (struct class_key){copy, way, student};
    }
    text_release(word);
    return ok;
}

static bool add_login(struct class_index *index, size_t i, const char *login)
{
    struct text key = {0};
    add_word_key(&key, login, strlen(login));
    return add_key(index, BY_LOGIN_IN_ANY_CASE, i, &key);
}

static bool add_email(struct class_index *index, size_t i, const char *email)
{
    struct text whole = {0}, before_at = {0};
    add_word_key(&whole, email, strlen(email));
    add_word_key(&before_at, email, strcspn(email, "@"));
    bool ok = before_at.size == 0 || before_at.size == whole.size ||
              add_key(index, BY_EMAIL, i, &before_at);
    text_release(&before_at);
    return add_key(index, BY_EMAIL, i, &whole) && ok;
}

static bool add_id(struct class_index *index, size_t i, const char *id)
{
    struct text key = {0};
    text_put(&key, id);
    return add_key(index, BY_ID, i, &key);
}

/* The name with its words in this order, or begun at a later one: "Ann de Sample" is anndesample,
 * desampleann and sampleannde. */
static bool add_names(struct class_index *index, size_t i, const char *name)
{
    size_t size = strlen(name), n_turns = 0;
    bool ok = true;
    for (size_t at = 0; ok && size <= KEY_MAX && at < size && n_turns < TURNS_MAX; at++) {
        struct text key = {0};
        if (at > 0 && (strchr(" ,", name[at - 1]) == NULL || strchr(" ,", name[at]) != NULL))
            continue;
        add_name_key(&key, name + at, size - at);
        add_name_key(&key, name, at);
        ok = add_key(index, BY_NAME, i, &key);
        n_turns++;
    }
    return ok;
}

static int compare_words(const struct class_key *a, const struct class_key *b)
{
    return a->way != b->way ? (a->way > b->way) - (a->way < b->way) : strcmp(a->word, b->word);
}

static int compare_keys(const void *a, const void *b)
{
    const struct class_key *left = a, *right = b;
    int order = compare_words(left, right);
    return order != 0 ? order : (left->student > right->student) - (left->student < right->student);
}

bool class_index_open(const struct students *students, struct class_index *ret,
                      struct error *reterr)
{
    struct class_index index = {.students = students};
    bool ok = true;
    for (size_t i = 0; ok && i < students->n; i++) {
        const struct student *one = &students->items[i];
        ok = add_login(&index, i, one->login) && add_email(&index, i, one->email) &&
             add_id(&index, i, one->id) && add_names(&index, i, one->name);
    }
    if (!ok) {
        class_index_close(&index);
        return error_memory(reterr, "the class list");
    }
    if (index.n > 1)
        qsort(index.keys, index.n, sizeof *index.keys, compare_keys);
    *ret = index;
    return true;
}

void class_index_close(struct class_index *index)
{
    free(index->keys);
    arena_release(&index->arena);
    *index = (struct class_index){0};
}

/* ---- finding ---- */

/* Whom some keys have named so far. */
struct finding {
    const struct class_index *index;
    size_t n, student; /* how many, 2 for more; one of them */
};

static void take(struct finding *finding, size_t student)
{
    if (finding->n > 0 && finding->student == student)
        return;
    finding->student = student;
    finding->n = finding->n == 0 ? 1 : 2;
}

/* Those with this key: its place in the order is looked for by halves. */
static void look(struct finding *finding, enum way way, const char *word)
{
    const struct class_index *index = finding->index;
    const struct class_key wanted = {word, way, 0};
    size_t at = 0, end = index->n;
    while (at < end) {
        size_t middle = at + (end - at) / 2;
        if (compare_words(&index->keys[middle], &wanted) < 0)
            at = middle + 1;
        else
            end = middle;
    }
    for (; at < index->n && compare_words(&index->keys[at], &wanted) == 0; at++)
        take(finding, index->keys[at].student);
}

/* hw-3-asample ends in "3-asample" and in "asample". The longest ending that is a login decides:
 * hw-3-wei-li is wei-li's, and not li's. */
static void look_at_ends(struct finding *finding, const char *word)
{
    for (const char *at = strchr(word, '-'); at != NULL && finding->n == 0;
         at = strchr(at + 1, '-'))
        look(finding, BY_LOGIN_IN_ANY_CASE, at + 1);
}

const struct student *class_index_find(const struct class_index *index, const char *name)
{
    const struct student *found = students_find(index->students, name);
    struct finding finding = {.index = index};
    struct text word = {0}, letters = {0};
    size_t size = strlen(name);
    if (found != NULL || size == 0 || size > KEY_MAX)
        return found;
    add_word_key(&word, name, size);
    add_name_key(&letters, name, size);
    const char *const words[N_WAYS] = {[BY_LOGIN_IN_ANY_CASE] = text_string(&word),
                                       [BY_EMAIL] = text_string(&word),
                                       [BY_ID] = name,
                                       [BY_NAME] = text_string(&letters)};
    for (int way = 0; finding.n == 0 && way < N_WAYS; way++)
        look(&finding, (enum way)way, words[way]);
    if (finding.n == 0)
        look_at_ends(&finding, text_string(&word));
    bool is_known = finding.n == 1 && !word.failed && !letters.failed;
    text_release(&word);
    text_release(&letters);
    return is_known ? &index->students->items[finding.student] : NULL;
}
