/* Finds the student of a class list whom a name means, and those who handed in. */
#ifndef ATTN_ASSIGNMENT_CLASS_INDEX_H
#define ATTN_ASSIGNMENT_CLASS_INDEX_H

#include "base/arena.h"
#include "report/student.h"
#include "result/result.h"

struct class_index {
    const struct students *students; /* borrowed */
    struct class_key *keys;          /* sorted by the name, then by the order of the list */
    size_t n, capacity;
    struct arena arena; /* of the keys' words */
};

/* Makes a list ready for class_index_find(). students must stay as it is. ERR_MEMORY. */
bool class_index_open(const struct students *students, struct class_index *ret,
                      struct error *reterr);
void class_index_close(struct class_index *index); /* may be all zero bytes */

/* The student whom a folder, or a name in a file's name, means; name is as safe_name_copy() gives
 * it: a login, in any case; an e-mail or the part of one before the @; a number; a name as systems
 * write it (Ann Sample of Moodle, sampleann of Canvas), or its words in any order; the end of a
 * repository's name (hw3-asample of GitHub). Composed and decomposed letters, and invisible marks,
 * make no difference. NULL if it fits nobody, or several students, or without memory. */
const struct student *class_index_find(const struct class_index *index, const char *name);

/* What an instructor says of a folder whose student attn could not tell. */
struct who_row {
    char *folder; /* see struct caller */
    char *login;  /* "": nobody of the class */
};

struct who_rows {
    struct who_row *items;
    size_t n, capacity;
};

/* One who handed in something, and whom the class list says it is. */
struct class_call {
    const struct caller *caller;   /* borrowed */
    const struct student *student; /* NULL: not one of the list; or there is no list */
    bool is_by_hand;               /* a row of who_rows says so */
    bool is_unclear;               /* whose it is, the list does not tell */
    char *candidates;              /* then: logins, one a line; else NULL */
    char *name; /* what results call them: the login, else the name; with the number
                 * if another person has the same name */
};

/* Fills in all but the callers of calls[0..n), which are all of a class. What counts, in this
 * order:
 *
 *  - a row of who (or NULL) for the folder;
 *  - the system's own number, if the list has it; a student whom the list gives another number is
 *    not meant, whatever the name. An id of the list counts if the name fits too;
 *  - of names of people: the exact name, then its words in any order if only one student has them.
 *    Of plain folders first a login, an e-mail, an id, and in the end the end of a repository's
 * name.
 *
 * Where two callers come to the same student, the one who has less to go by is unclear; if they
 * have as much and two numbers, both are. The exact
 * name of a folder without a number contradicts nothing. students: NULL without a class list; then
 * nothing is unclear. Calls must be all zero bytes but for their callers; free them with
 * class_calls_release(). ERR_MEMORY. */
bool class_calls_settle(const struct students *students, const struct who_rows *who,
                        struct class_call *calls, size_t n, struct error *reterr);
void class_calls_release(struct class_call *calls, size_t n);

#endif
