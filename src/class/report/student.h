/* The students, as a class list names them. */
#ifndef ATTN_REPORT_STUDENT_H
#define ATTN_REPORT_STUDENT_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"

struct student {
    char *login;             /* the name in results: a folder's name, a login */
    char *name, *email, *id; /* "" if the list does not say */
    char *number;  /* the number by which the school's system calls them in the names of folders
                    * and files; "" if the list does not say, or NULL */
    char *section; /* "" if the list does not say, or NULL */
    int64_t submitted_s; /* when they handed in; 0: the list does not say. It is not in json */
    bool is_login_made;  /* the login was made from the e-mail or the name; the list has none */
};

struct students {
    struct student *items; /* in the order of the list, which only functions below change */
    size_t n, capacity;
    size_t *slots; /* [n_slots], a power of two: 1 more than the item of a login; 0: free */
    size_t n_slots;
};

void students_release(struct students *students);
/* Copies the words, made safe as those of results are, and without marks of direction except in the
 * login, which results show unchanged (safe_name_copy()). ERR_MEMORY. */
bool students_add(struct students *students, const char *login, const char *name, const char *email,
                  const char *id, struct error *reterr);
/* Gives the student added last a number, and a section. NULL: none is said. ERR_MEMORY. */
bool students_set_number(struct students *students, const char *number, const char *section,
                         struct error *reterr);
/* Adds copies of the students of `from` whose login is not in the list yet. ERR_MEMORY; some may be
 * added. */
bool students_add_all(struct students *students, const struct students *from, struct error *reterr);
/* Keeps only the students in one part of the class: see part_of(). ERR_MEMORY. */
bool students_keep_part(struct students *students, unsigned part, unsigned n, struct error *reterr);
/* Puts them in the order of their logins. ERR_MEMORY. */
bool students_sort(struct students *students, struct error *reterr);
/* NULL if no student has this login. Takes the same time in a class of any size. */
const struct student *students_find(const struct students *students, const char *login);

/* "students" of the json format. A new reference; NULL without memory. */
json_t *students_to_json(const struct students *students);
/* ERR_FILE if it is not such a list. */
bool students_from_json(const json_t *json, struct students *ret, struct error *reterr);

#endif
