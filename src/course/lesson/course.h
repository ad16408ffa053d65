/* The course: the lessons of a folder, by their files' names, NN-id.md, and its parts, which
 * course.yaml in that folder names. Reading the list opens no lesson. */
#ifndef ATTN_COURSE_LESSON_COURSE_H
#define ATTN_COURSE_LESSON_COURSE_H

#include "course/lesson/lesson.h"

struct course_entry {
    unsigned number;
    char file_name[LESSON_NAME_BYTES]; /* "05-scaling" */
    const char *id;                    /* "scaling", in file_name */
    char *path;
};

/* Lessons that belong together: entries[first] to entries[first + n - 1]. */
struct course_part {
    char *title;  /* "Words and scores" */
    char *gives;  /* completes "After it you can ..."; "" if it says nothing */
    char *begins; /* id of its first lesson */
    size_t first, n;
};

struct course {
    struct course_entry *entries; /* by number */
    size_t n, capacity;
    struct course_part *parts; /* in order; together they hold every lesson */
    unsigned n_parts;          /* at least 1 where there are lessons */
    struct arena arena;        /* of the parts */
};

/* Reads the names in DATA_DIR/lessons, and its parts; without course.yaml all lessons are one part,
 * "Lessons". ERR_FILE if the folder does not exist, ERR_SYNTAX if course.yaml is not as
 * docs/authoring.md says. */
bool course_open(const char *data_dir, struct course *ret, struct error *reterr);
void course_release(struct course *course);

/* The lesson that a learner means: by number, id, file name, or by the beginning of its id, if no
 * other id begins so. A number before an id is ignored: 14-dropout is dropout, whatever its number
 * is by now. ERR_NAME, with the nearest name, if no lesson fits. */
bool course_find(const struct course *course, const char *name, const struct course_entry **ret,
                 struct error *reterr);
/* The lesson with that id, as progress remembers it. NULL if the course does not have it. */
const struct course_entry *course_entry_of(const struct course *course, const char *id);
/* The lesson after that one, or NULL. */
const struct course_entry *course_next(const struct course *course, const char *id);

#endif
