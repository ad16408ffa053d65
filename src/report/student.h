/* Who hands in, as a class list names them. */
#ifndef ATTN_REPORT_STUDENT_H
#define ATTN_REPORT_STUDENT_H

#include <jansson.h>

#include "base/error.h"

struct student {
    char *login;             /* what results call them: a folder's name, a login */
    char *name, *email, *id; /* "" where the list does not say */
};

struct students {
    struct student *items; /* in the order of the list, which only functions below change */
    size_t n, capacity;
    size_t
        *slots; /* [n_slots], a power of two: where a login leads, 1 more than its item; 0: free */
    size_t n_slots;
};

void students_release(struct students *students);
/* Copies the words, made safe as those of results are, and without marks of direction but for the
 * login, which results have as it is (safe_name_copy()). ERR_MEMORY. */
bool students_add(struct students *students, const char *login, const char *name, const char *email,
                  const char *id, struct error *reterr);
/* Adds copies of those of `from` whose login is not there yet. ERR_MEMORY; some may be added. */
bool students_add_all(struct students *students, const struct students *from, struct error *reterr);
/* Leaves those of a part of the class: see part_of(). ERR_MEMORY. */
bool students_keep_part(struct students *students, unsigned part, unsigned n, struct error *reterr);
/* Puts them in the order of their logins. ERR_MEMORY. */
bool students_sort(struct students *students, struct error *reterr);
/* NULL when nobody is called so. Takes the same time in a class of any size. */
const struct student *students_find(const struct students *students, const char *login);

/* "students" of the json format. A new reference; NULL without memory. */
json_t *students_to_json(const struct students *students);
/* ERR_FILE when it is no such list. */
bool students_from_json(const json_t *json, struct students *ret, struct error *reterr);

#endif
