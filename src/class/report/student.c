/* A class list and its json: see student.h. */
#include "report/student.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/parts_internal.h"
#include "result/safe_text.h"

static const struct {
    const char *key;
    size_t offset; /* of the char * in struct student */
} words[] = {
    {"login", offsetof(struct student, login)},     {"name", offsetof(struct student, name)},
    {"email", offsetof(struct student, email)},     {"id", offsetof(struct student, id)},
    {"number", offsetof(struct student, number)}, /* this one and the next may be NULL */
    {"section", offsetof(struct student, section)},
};

enum { N_REQUIRED = 4 };

static char **word(struct student *student, size_t i)
{
    return (char **)((char *)student + words[i].offset);
}

static const char *word_of(const struct student *student, size_t i)
{
    return *(char *const *)((const char *)student + words[i].offset);
}

static void student_release(struct student *student)
{
    for (size_t i = 0; i < COUNT_OF(words); i++)
        free(*word(student, i));
}

void students_release(struct students *students)
{
    for (size_t i = 0; i < students->n; i++)
        student_release(&students->items[i]);
    free(students->items);
    free(students->slots);
    *students = (struct students){0};
}

/* ---- finding by login ---- */

enum { SLOTS_MIN = 16, SLOTS_A_STUDENT = 2 };

/* The slot of a login, or the free one where it belongs. There is a free one. */
static size_t *slot_of(const struct students *students, const char *login)
{
    size_t at = (size_t)name_hash(login);
    for (;; at++) {
        size_t *slot = &students->slots[at & (students->n_slots - 1)];
        if (*slot == 0 || strcmp(students->items[*slot - 1].login, login) == 0)
            return slot;
    }
}

/* Of several with one login the first is found. */
static void note_slot(const struct students *students, size_t i)
{
    size_t *slot = slot_of(students, students->items[i].login);
    if (*slot == 0)
        *slot = i + 1;
}

/* Makes room for n logins, and notes the place of each again. */
static bool index_logins(struct students *students, size_t n)
{
    size_t n_slots = SLOTS_MIN;
    while (n_slots / SLOTS_A_STUDENT < n) {
        if (n_slots > SIZE_MAX / 2)
            return false;
        n_slots *= 2;
    }
    size_t *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    free(students->slots);
    students->slots = slots;
    students->n_slots = n_slots;
    for (size_t i = 0; i < students->n; i++)
        note_slot(students, i);
    return true;
}

const struct student *students_find(const struct students *students, const char *login)
{
    size_t found = students->n_slots > 0 ? *slot_of(students, login) : 0;
    return found > 0 ? &students->items[found - 1] : NULL;
}

/* ---- the list ---- */

/* A word of a list as results show it, without marks of direction; NULL without memory. */
static char *shown_copy(const char *listed)
{
    char *plain = text_copy_undirected(listed, strlen(listed));
    char *copy = plain != NULL ? result_safe_copy(plain) : NULL;
    free(plain);
    return copy;
}

bool students_add(struct students *students, const char *login, const char *name, const char *email,
                  const char *id, struct error *reterr)
{
    struct student added = {.login = result_safe_copy(login),
                            .name = shown_copy(name),
                            .email = shown_copy(email),
                            .id = shown_copy(id)};
    struct student *items =
        array_grow(students->items, students->n, &students->capacity, sizeof *items);
    if (items != NULL)
        students->items = items;
    bool has_slot = (students->n + 1) * SLOTS_A_STUDENT <= students->n_slots ||
                    index_logins(students, students->n + 1);
    if (items == NULL || !has_slot || added.login == NULL || added.name == NULL ||
        added.email == NULL || added.id == NULL) {
        student_release(&added);
        return error_memory(reterr, "the class list");
    }
    students->items[students->n++] = added;
    note_slot(students, students->n - 1);
    return true;
}

static bool set_word(char **word, const char *listed)
{
    char *copy = listed != NULL ? shown_copy(listed) : NULL;
    if (listed != NULL && copy == NULL)
        return false;
    free(*word);
    *word = copy;
    return true;
}

bool students_set_number(struct students *students, const char *number, const char *section,
                         struct error *reterr)
{
    struct student *last = &students->items[students->n - 1];
    bool ok = set_word(&last->number, number) && set_word(&last->section, section);
    return ok || error_memory(reterr, "the class list");
}

bool students_keep_part(struct students *students, unsigned part, unsigned n, struct error *reterr)
{
    size_t kept = 0;
    for (size_t i = 0; i < students->n; i++) {
        if (part_of(students->items[i].login, n) == part)
            students->items[kept++] = students->items[i];
        else
            student_release(&students->items[i]);
    }
    students->n = kept;
    return index_logins(students, kept) || error_memory(reterr, "the class list");
}

static int compare_logins(const void *a, const void *b)
{
    const struct student *left = a, *right = b;
    return strcmp(left->login, right->login);
}

bool students_sort(struct students *students, struct error *reterr)
{
    if (students->n > 1)
        qsort(students->items, students->n, sizeof *students->items, compare_logins);
    return index_logins(students, students->n) || error_memory(reterr, "the class list");
}

bool students_add_all(struct students *students, const struct students *from, struct error *reterr)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct student *one = &from->items[i];
        if (students_find(students, one->login) != NULL)
            continue;
        if (!students_add(students, one->login, one->name, one->email, one->id, reterr) ||
            !students_set_number(students, one->number, one->section, reterr))
            return false;
        students->items[students->n - 1].is_login_made = one->is_login_made;
        students->items[students->n - 1].submitted_s = one->submitted_s;
    }
    return true;
}

json_t *students_to_json(const struct students *students)
{
    json_t *array = json_array();
    for (size_t i = 0; array != NULL && i < students->n; i++) {
        json_t *item = json_object();
        bool ok = item != NULL;
        for (size_t j = 0; ok && j < COUNT_OF(words); j++) {
            const char *said = word_of(&students->items[i], j);
            ok = (said == NULL && j >= N_REQUIRED) ||
                 json_object_set_new(item, words[j].key, json_string(said)) == 0;
        }
        if (json_array_append_new(array, item) != 0 || !ok) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static bool read_student(const json_t *json, struct students *students, struct error *reterr)
{
    const char *texts[COUNT_OF(words)];
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        texts[i] = json_string_value(json_object_get(json, words[i].key));
        if (texts[i] == NULL && i < N_REQUIRED)
            return error_set(reterr, ERR_FILE, "students: %s must be a text", words[i].key);
    }
    return students_add(students, texts[0], texts[1], texts[2], texts[3], reterr) &&
           students_set_number(students, texts[N_REQUIRED], texts[N_REQUIRED + 1], reterr);
}

bool students_from_json(const json_t *json, struct students *ret, struct error *reterr)
{
    struct students students = {0};
    bool ok = json_is_array(json) || error_set(reterr, ERR_FILE, "students must be a list");
    for (size_t i = 0; ok && i < json_array_size(json); i++)
        ok = read_student(json_array_get(json, i), &students, reterr);
    if (!ok) {
        students_release(&students);
        return false;
    }
    *ret = students;
    return true;
}
