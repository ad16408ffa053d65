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
    struct student *items; /* in the order of the list */
    size_t n, capacity;
};

void students_release(struct students *students);
/* Copies the words, made safe as those of results are. ERR_MEMORY. */
bool students_add(struct students *students, const char *login, const char *name, const char *email,
                  const char *id, struct error *reterr);
/* Adds copies of those of `from` whose login is not there yet. ERR_MEMORY; some may be added. */
bool students_add_all(struct students *students, const struct students *from, struct error *reterr);
/* Leaves those of a part of the class: see part_of(). */
void students_keep_part(struct students *students, unsigned part, unsigned n);
/* NULL when nobody is called so. */
const struct student *students_find(const struct students *students, const char *login);

/* "students" of the json format. A new reference; NULL without memory. */
json_t *students_to_json(const struct students *students);
/* ERR_FILE when it is no such list. */
bool students_from_json(const json_t *json, struct students *ret, struct error *reterr);

#endif
