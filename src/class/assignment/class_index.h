/* Finds the student of a class list whom a name means. */
#ifndef ATTN_ASSIGNMENT_CLASS_INDEX_H
#define ATTN_ASSIGNMENT_CLASS_INDEX_H

#include "base/arena.h"
#include "report/student.h"

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
 * write it (Ann Sample of Moodle, sampleann of Canvas); the end of a repository's name (hw3-asample
 * of GitHub). Composed and decomposed letters, and invisible marks, make no difference. NULL if it
 * fits nobody, or several students, or without memory. */
const struct student *class_index_find(const struct class_index *index, const char *name);

#endif
