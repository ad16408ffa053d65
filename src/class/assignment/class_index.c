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
    KEY_MAX = 400,         /* bytes: a longer name is nobody's */
    TURNS_MAX = 16,        /* words of a name with which another way to write it can begin */
    WORDS_MAX = 32,        /* of a name that is compared in any order */
    CANDIDATES_MAX = 1000, /* for a folder that no list knows; of more none is named */
    FOUND_MAX = 16,        /* students whom one name may mean, of which more are not told apart */
};

/* How a student is meant. */
enum way {
    BY_NUMBER, /* the system's own */
    BY_LOGIN_IN_ANY_CASE,
    BY_EMAIL, /* the whole, or the part before the @ */
    BY_ID,
    BY_NAME,     /* its words in the order in which they are said: "ann sample" */
    BY_SORTABLE, /* "sampleann", of a list that says which is the last name: "Sample, Ann" */
    BY_TURNED,   /* "sampleann", and all other turns of the name */
    BY_WORDS,    /* its words in any order */
    N_WAYS
};

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

static bool add_plain(struct class_index *index, enum way way, size_t i, const char *word)
{
    struct text key = {0};
    text_put(&key, word);
    return add_key(index, way, i, &key);
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
        ok = add_key(index, BY_TURNED, i, &key);
        n_turns++;
    }
    return ok;
}

/* Where the words of a name begin: at blanks, commas, and Moodle's underscores for blanks. */
static size_t next_word(const char **at, const char **ret)
{
    const char *joints = " ,_";
    *at += strspn(*at, joints);
    size_t size = strcspn(*at, joints);
    *ret = *at;
    *at += size;
    return size;
}

/* "Sample, Ann" as it is said: Ann Sample. */
static void add_spoken(struct text *text, const char *name)
{
    const char *comma = strchr(name, ',');
    if (comma != NULL)
        text_format(text, "%s ", comma + 1);
    text_add(text, name, comma != NULL ? (size_t)(comma - name) : strlen(name));
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The compared words of a name, each with a blank after it, in their order or sorted. */
static void add_sequence_key(struct text *key, const char *name, bool sorted)
{
    struct text spoken = {0};
    char *words[WORDS_MAX];
    size_t n = 0;
    add_spoken(&spoken, name);
    const char *at = text_string(&spoken), *word;
    for (size_t size; n < WORDS_MAX && (size = next_word(&at, &word)) > 0;) {
        struct text one = {0};
        add_name_key(&one, word, size);
        key->failed = key->failed || one.failed;
        if (one.failed || one.size == 0)
            text_release(&one);
        else
            words[n++] = one.bytes;
    }
    if (sorted && n > 1)
        qsort(words, n, sizeof *words, compare_strings);
    for (size_t i = 0; i < n; i++) {
        text_format(key, "%s ", words[i]);
        free(words[i]);
    }
    key->failed = key->failed || spoken.failed;
    text_release(&spoken);
}

static bool add_name_in_words(struct class_index *index, size_t i, const char *name)
{
    struct text spoken = {0}, sorted = {0}, sortable = {0};
    if (strlen(name) > KEY_MAX)
        return true;
    add_sequence_key(&spoken, name, false);
    add_sequence_key(&sorted, name, true);
    bool ok = add_key(index, BY_NAME, i, &spoken);
    ok = add_key(index, BY_WORDS, i, &sorted) && ok;
    if (strchr(name, ',') != NULL)
        add_name_key(&sortable, name, strlen(name));
    return add_key(index, BY_SORTABLE, i, &sortable) && ok;
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
             add_plain(&index, BY_ID, i, one->id) &&
             add_plain(&index, BY_NUMBER, i, result_word(one->number)) &&
             add_names(&index, i, one->name) && add_name_in_words(&index, i, one->name);
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

/* ---- finding one ---- */

/* How sure it is that somebody is meant. */
enum strength {
    NOT_AT_ALL,
    BY_LIKE_NAME, /* the name's words in another order, or joined */
    BY_SAME_NAME,
    SURELY, /* a number, a login or an e-mail */
};

/* Whom something means. */
struct finding {
    const struct class_index *index;
    size_t n, students[FOUND_MAX];
    enum strength strength;
};

static bool has_found(const struct finding *finding, size_t student)
{
    bool has = false;
    for (size_t i = 0; i < finding->n; i++)
        has = has || finding->students[i] == student;
    return has;
}

static void take(struct finding *finding, size_t student, enum strength strength)
{
    if (finding->n < FOUND_MAX && !has_found(finding, student))
        finding->students[finding->n++] = student;
    finding->strength = strength;
}

/* Those with this key: its place in the order is looked for by halves. */
static void look(struct finding *finding, enum way way, const char *word, enum strength strength)
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
        take(finding, index->keys[at].student, strength);
}

/* hw-3-asample ends in "3-asample" and in "asample". The longest ending that is a login decides:
 * hw-3-wei-li is wei-li's, and not li's. */
static void look_at_ends(struct finding *finding, const char *word)
{
    for (const char *at = strchr(word, '-'); at != NULL && finding->n == 0;
         at = strchr(at + 1, '-'))
        look(finding, BY_LOGIN_IN_ANY_CASE, at + 1, SURELY);
}

/* The forms in which a name is compared. */
struct name_keys {
    struct text word, letters, spoken, sorted;
};

static bool name_keys_make(const char *name, struct name_keys *ret)
{
    size_t size = strlen(name);
    *ret = (struct name_keys){.word = {0}};
    if (size == 0 || size > KEY_MAX)
        return false;
    add_word_key(&ret->word, name, size);
    add_name_key(&ret->letters, name, size);
    add_sequence_key(&ret->spoken, name, false);
    add_sequence_key(&ret->sorted, name, true);
    return !ret->word.failed && !ret->letters.failed && !ret->spoken.failed && !ret->sorted.failed;
}

static void name_keys_release(struct name_keys *keys)
{
    text_release(&keys->word);
    text_release(&keys->letters);
    text_release(&keys->spoken);
    text_release(&keys->sorted);
}

/* The exact name first; then its words in any order, and joined. */
static void look_for_name(struct finding *finding, const struct name_keys *keys)
{
    if (keys->letters.size == 0)
        return;
    look(finding, BY_NAME, text_string(&keys->spoken), BY_SAME_NAME);
    if (finding->n == 0)
        look(finding, BY_SORTABLE, text_string(&keys->letters), BY_SAME_NAME);
    if (finding->n > 0)
        return;
    look(finding, BY_TURNED, text_string(&keys->letters), BY_LIKE_NAME);
    look(finding, BY_WORDS, text_string(&keys->sorted), BY_LIKE_NAME);
}

static void look_for_login(struct finding *finding, const char *name, const struct name_keys *keys)
{
    static const enum way ways[] = {BY_LOGIN_IN_ANY_CASE, BY_EMAIL};
    const struct student *exact = students_find(finding->index->students, name);
    if (exact != NULL)
        take(finding, (size_t)(exact - finding->index->students->items), SURELY);
    for (size_t i = 0; finding->n == 0 && i < COUNT_OF(ways); i++)
        look(finding, ways[i], text_string(&keys->word), SURELY);
}

/* A name with nothing else known of it: a folder's, or one in a table. */
static void find_plain(struct finding *finding, const char *name)
{
    struct name_keys keys;
    if (name_keys_make(name, &keys)) {
        look_for_login(finding, name, &keys);
        if (finding->n == 0)
            look(finding, BY_ID, name, SURELY);
        if (finding->n == 0)
            look(finding, BY_NUMBER, name, SURELY);
        if (finding->n == 0)
            look_for_name(finding, &keys);
        if (finding->n == 0)
            look_at_ends(finding, text_string(&keys.word));
    }
    name_keys_release(&keys);
}

const struct student *class_index_find(const struct class_index *index, const char *name)
{
    struct finding finding = {.index = index};
    find_plain(&finding, name);
    return finding.n == 1 ? &index->students->items[finding.students[0]] : NULL;
}

/* ---- finding those who handed in ---- */

/* Those whom a name and an e-mail of the system mean. */
static void find_by_words(struct finding *finding, const struct caller *caller)
{
    struct name_keys email = {.word = {0}}, name = {.word = {0}};
    if (name_keys_make(result_word(caller->email), &email))
        look_for_login(finding, caller->email, &email);
    if (finding->n == 0 && name_keys_make(result_word(caller->name), &name)) {
        look_for_name(finding, &name);
        if (finding->n == 0)
            look_for_login(finding, caller->name, &name);
    }
    name_keys_release(&email);
    name_keys_release(&name);
}

/* Is the student called by another number on the list? */
static bool has_another_number(const struct class_index *index, size_t student, const char *number)
{
    const char *own = result_word(index->students->items[student].number);
    return own[0] != '\0' && strcmp(own, number) != 0;
}

/* The number decides. One that may be the system's or not, since the list only calls it an id, must
 * not contradict the name. */
static bool find_called(struct finding *finding, const struct caller *caller)
{
    const char *number = caller->number;
    struct finding words = {.index = finding->index}, ids = {.index = finding->index};
    look(finding, BY_NUMBER, number, SURELY);
    if (finding->n > 0)
        return finding->n == 1;
    find_by_words(&words, caller);
    look(&ids, BY_ID, number, SURELY);
    if (ids.n == 1 && has_found(&words, ids.students[0])) {
        *finding = ids;
        return true;
    }
    *finding = words;
    for (size_t i = 0; i < ids.n; i++)
        take(finding, ids.students[i], BY_LIKE_NAME);
    bool fits = ids.n == 0 && words.n > 0;
    struct finding left = {.index = finding->index};
    for (size_t i = 0; i < words.n; i++)
        if (!has_another_number(finding->index, words.students[i], number))
            take(&left, words.students[i], words.strength);
    if (!fits || left.n != 1)
        return false;
    *finding = left;
    return true;
}

static const struct who_row *row_of(const struct who_rows *who, const char *folder)
{
    struct name_keys wanted, other;
    const struct who_row *found = NULL;
    bool ok = folder[0] != '\0' && name_keys_make(folder, &wanted);
    for (size_t i = 0; ok && who != NULL && i < who->n && found == NULL; i++) {
        if (name_keys_make(who->items[i].folder, &other) &&
            strcmp(text_string(&wanted.word), text_string(&other.word)) == 0)
            found = &who->items[i];
        name_keys_release(&other);
    }
    if (folder[0] != '\0')
        name_keys_release(&wanted);
    return found;
}

/* The findings about one call, while all are compared. */
struct found_call {
    struct class_call *call;
    size_t student;
    enum strength strength;
};

static int compare_texts(const char *a, const char *b)
{
    return strcmp(result_word(a), result_word(b));
}

/* By the student, then the surest first. */
static int compare_found(const void *a, const void *b)
{
    const struct found_call *left = a, *right = b;
    if (left->student != right->student)
        return left->student < right->student ? -1 : 1;
    if (left->strength != right->strength)
        return left->strength > right->strength ? -1 : 1;
    int order = compare_texts(left->call->caller->number, right->call->caller->number);
    return order != 0 ? order : compare_texts(left->call->caller->name, right->call->caller->name);
}

static bool is_same_caller(const struct caller *a, const struct caller *b)
{
    return compare_texts(a->number, b->number) == 0 && compare_texts(a->name, b->name) == 0;
}

/* Do two callers who were found to be the same student contradict each other? */
static bool contradict(const struct found_call *surer, const struct found_call *other)
{
    const struct caller *a = surer->call->caller, *b = other->call->caller;
    bool have_numbers = result_word(a->number)[0] != '\0' && result_word(b->number)[0] != '\0';
    if (is_same_caller(a, b) || surer->call->is_by_hand || other->call->is_by_hand)
        return false;
    if (surer->strength == other->strength)
        return have_numbers && compare_texts(a->number, b->number) != 0;
    if (other->strength == BY_SAME_NAME && result_word(b->number)[0] == '\0')
        return false; /* folders of one's own choice: anna, and Anna Alm */
    return other->strength < SURELY;
}

static bool add_candidate(struct text *candidates, const char *login)
{
    text_format(candidates, "%s%s", candidates->size > 0 ? "\n" : "", login);
    return !candidates->failed;
}

/* *candidates is taken. */
static bool doubt(struct class_call *call, struct text *candidates)
{
    call->student = NULL;
    call->is_unclear = true;
    free(call->candidates);
    call->candidates = candidates->failed ? NULL : strdup(text_string(candidates));
    text_release(candidates);
    return call->candidates != NULL;
}

static bool doubt_one(struct class_call *call, const char *login)
{
    struct text candidates = {0};
    add_candidate(&candidates, login);
    return doubt(call, &candidates);
}

static bool is_plain(const struct caller *caller)
{
    return result_word(caller->number)[0] == '\0' && result_word(caller->email)[0] == '\0';
}

/* What the list alone says of one. */
static bool call_one(const struct class_index *index, const struct who_rows *who,
                     struct class_call *call, struct found_call *found)
{
    const struct caller *caller = call->caller;
    struct finding finding = {.index = index};
    struct text candidates = {0};
    *found = (struct found_call){.call = call, .student = SIZE_MAX};
    const struct who_row *row = row_of(who, result_word(caller->folder));
    if (row != NULL) {
        call->is_by_hand = true;
        call->student = row->login[0] != '\0' ? class_index_find(index, row->login) : NULL;
        if (call->student != NULL)
            *found =
                (struct found_call){call, (size_t)(call->student - index->students->items), SURELY};
        return true;
    }
    bool is_known;
    if (is_plain(caller)) {
        find_plain(&finding, result_word(caller->name));
        is_known = finding.n == 1;
    } else {
        is_known = find_called(&finding, caller);
    }
    if (is_known) {
        *found = (struct found_call){call, finding.students[0], finding.strength};
        call->student = &index->students->items[finding.students[0]];
        return true;
    }
    for (size_t i = 0; i < finding.n; i++)
        add_candidate(&candidates, index->students->items[finding.students[i]].login);
    return doubt(call, &candidates);
}

/* Takes back what was found with less to go by than another caller had for the same student: the
 * list has one Anna Alm, and two hand in as she. */
static bool compare_all(const struct class_index *index, struct found_call *found, size_t n)
{
    bool ok = true;
    if (n > 1)
        qsort(found, n, sizeof *found, compare_found);
    for (size_t begin = 0, end; ok && begin < n; begin = end) {
        bool first_is_doubted = false;
        for (end = begin + 1; ok && end < n && found[end].student == found[begin].student; end++) {
            if (found[begin].student == SIZE_MAX || !contradict(&found[begin], &found[end]))
                continue;
            first_is_doubted = first_is_doubted || found[end].strength == found[begin].strength;
            ok = doubt_one(found[end].call, index->students->items[found[end].student].login);
        }
        for (size_t i = begin; ok && first_is_doubted && i < end; i++)
            if (found[i].call->student != NULL && !found[i].call->is_by_hand)
                ok = doubt_one(found[i].call, index->students->items[found[i].student].login);
    }
    return ok;
}

/* A folder that no list knows may be anybody's who has no login on the list, and of whom nothing
 * else was found. */
static bool add_those_without_login(const struct class_index *index, struct class_call *calls,
                                    size_t n)
{
    const struct students *students = index->students;
    struct text candidates = {0};
    bool *is_here = calloc(students->n + 1, sizeof *is_here), ok = is_here != NULL;
    size_t n_added = 0;
    for (size_t i = 0; ok && i < n; i++)
        if (calls[i].student != NULL)
            is_here[calls[i].student - students->items] = true;
    for (size_t i = 0; ok && i < students->n; i++)
        if (!is_here[i] && students->items[i].is_login_made &&
            result_word(students->items[i].number)[0] == '\0' && n_added++ < CANDIDATES_MAX)
            add_candidate(&candidates, students->items[i].login);
    for (size_t i = 0; ok && i < n && n_added > 0 && n_added <= CANDIDATES_MAX; i++) {
        if (!calls[i].is_unclear || calls[i].candidates[0] != '\0' || !is_plain(calls[i].caller))
            continue;
        free(calls[i].candidates);
        calls[i].candidates = strdup(text_string(&candidates));
        ok = calls[i].candidates != NULL;
    }
    ok = ok && !candidates.failed;
    text_release(&candidates);
    free(is_here);
    return ok;
}

/* ---- names for those whom the list does not know ---- */

static int compare_calls(const void *a, const void *b)
{
    const struct class_call *left = *(struct class_call *const *)a,
                            *right = *(struct class_call *const *)b;
    int order = compare_texts(left->caller->name, right->caller->name);
    return order != 0 ? order : compare_texts(left->caller->number, right->caller->number);
}

/* Two people of one name have their numbers in their names. */
static bool name_all(const struct students *students, struct class_call *calls, size_t n)
{
    struct class_call **sorted = calloc(n + 1, sizeof *sorted);
    bool ok = sorted != NULL;
    for (size_t i = 0; ok && i < n; i++)
        sorted[i] = &calls[i];
    if (ok && n > 1)
        qsort(sorted, n, sizeof *sorted, compare_calls);
    for (size_t begin = 0, end; ok && begin < n; begin = end) {
        const struct caller *first = sorted[begin]->caller;
        bool is_shared =
            students != NULL && students_find(students, result_word(first->name)) != NULL;
        for (end = begin; end < n && compare_texts(sorted[end]->caller->name, first->name) == 0;
             end++)
            is_shared = is_shared || sorted[end]->student != NULL ||
                        compare_texts(sorted[end]->caller->number, first->number) != 0;
        for (size_t i = begin; ok && i < end; i++) {
            struct text name = {0};
            const char *number = result_word(sorted[i]->caller->number);
            text_put(&name, sorted[i]->student != NULL ? sorted[i]->student->login
                                                       : result_word(sorted[i]->caller->name));
            if (sorted[i]->student == NULL && is_shared && number[0] != '\0')
                text_format(&name, "_%s", number);
            sorted[i]->name = name.failed ? NULL : strdup(text_string(&name));
            text_release(&name);
            ok = sorted[i]->name != NULL;
        }
    }
    free(sorted);
    return ok;
}

bool class_calls_settle(const struct students *students, const struct who_rows *who,
                        struct class_call *calls, size_t n, struct error *reterr)
{
    struct class_index index = {.students = students};
    struct found_call *found = calloc(n + 1, sizeof *found);
    bool ok = found != NULL || error_memory(reterr, "the class list");
    ok = ok && (students == NULL || class_index_open(students, &index, reterr));
    if (!ok) {
        free(found);
        return false;
    }
    for (size_t i = 0; ok && students != NULL && i < n; i++)
        ok = call_one(&index, who, &calls[i], &found[i]);
    if (students != NULL)
        ok = ok && compare_all(&index, found, n) && add_those_without_login(&index, calls, n);
    ok = ok && name_all(students, calls, n);
    class_index_close(&index);
    free(found);
    return ok || error_memory(reterr, "the class list");
}

void class_calls_release(struct class_call *calls, size_t n)
{
    for (size_t i = 0; calls != NULL && i < n; i++) {
        free(calls[i].candidates);
        free(calls[i].name);
    }
    free(calls);
}
