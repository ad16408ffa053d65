/* A class list and its json: see student.h. */
#include "report/student.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/parts.h"
#include "report/safe_text.h"

static const struct {
    const char *key;
    size_t offset; /* of the char * in struct student */
} words[] = {
    {"login", offsetof(struct student, login)},
    {"name", offsetof(struct student, name)},
    {"email", offsetof(struct student, email)},
    {"id", offsetof(struct student, id)},
};

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
    *students = (struct students){0};
}

bool students_add(struct students *students, const char *login, const char *name, const char *email,
                  const char *id, struct error *reterr)
{
    struct student added = {.login = result_safe_copy(login),
                            .name = result_safe_copy(name),
                            .email = result_safe_copy(email),
                            .id = result_safe_copy(id)};
    struct student *items =
        array_grow(students->items, students->n, &students->capacity, sizeof *items);
    if (items != NULL)
        students->items = items;
    if (items == NULL || added.login == NULL || added.name == NULL || added.email == NULL ||
        added.id == NULL) {
        student_release(&added);
        return error_memory(reterr, "the class list");
    }
    students->items[students->n++] = added;
    return true;
}

void students_keep_part(struct students *students, unsigned part, unsigned n)
{
    size_t kept = 0;
    for (size_t i = 0; i < students->n; i++) {
        if (part_of(students->items[i].login, n) == part)
            students->items[kept++] = students->items[i];
        else
            student_release(&students->items[i]);
    }
    students->n = kept;
}

bool students_add_all(struct students *students, const struct students *from, struct error *reterr)
{
    bool is_new = students->n == 0; /* then each is there once, as it is in the other */
    for (size_t i = 0; i < from->n; i++) {
        const struct student *one = &from->items[i];
        if ((is_new || students_find(students, one->login) == NULL) &&
            !students_add(students, one->login, one->name, one->email, one->id, reterr))
            return false;
    }
    return true;
}

const struct student *students_find(const struct students *students, const char *login)
{
    for (size_t i = 0; i < students->n; i++)
        if (strcmp(students->items[i].login, login) == 0)
            return &students->items[i];
    return NULL;
}

json_t *students_to_json(const struct students *students)
{
    json_t *array = json_array();
    for (size_t i = 0; array != NULL && i < students->n; i++) {
        json_t *item = json_object();
        bool ok = item != NULL;
        for (size_t j = 0; ok && j < COUNT_OF(words); j++)
            ok = json_object_set_new(item, words[j].key,
                                     json_string(word_of(&students->items[i], j))) == 0;
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
        if (texts[i] == NULL)
            return error_set(reterr, ERR_FILE, "students: %s must be a text", words[i].key);
    }
    return students_add(students, texts[0], texts[1], texts[2], texts[3], reterr);
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
