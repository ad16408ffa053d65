/* The exercises by the names of their folders, DATA_DIR/exercises/NN-id, or those in a folder of
 * somebody's own. None of them is read, so
 * that a command that needs one exercise reads one. */
#ifndef ATTN_EXERCISE_CATALOGUE_H
#define ATTN_EXERCISE_CATALOGUE_H

#include "course/progress/lesson_count.h"
#include "exercise/exercise.h"

enum {
    EXERCISE_NUMBER_BYTES = 3, /* "04-" before a folder's name, "04_" before a file's */
    EXERCISE_FILE_BYTES = 128, /* of a file's name, with its NUL */
};

/* Writes what a learner's file for the exercise in a folder is called: 04_softmax_rows.c for
 * 04-softmax-rows. Returns name. */
char *exercise_file_name(const char *folder_name, char name[EXERCISE_FILE_BYTES]);

struct catalogue_entry {
    unsigned number;
    char id[64];
    char folder_name[80];                /* 04-softmax-rows */
    char file_name[EXERCISE_FILE_BYTES]; /* 04_softmax_rows.c */
};

struct catalogue {
    char *folder;                    /* that holds the exercises' folders */
    struct catalogue_entry *entries; /* by number */
    size_t n, capacity;
};

/* Of own_folder, or where that is NULL of DATA_DIR/exercises; data_dir NULL: it was not found.
 * ERR_FILE when there are no exercises to be read. */
bool catalogue_open(const char *data_dir, const char *own_folder, struct catalogue *ret,
                    struct error *reterr);
void catalogue_release(struct catalogue *catalogue);
/* Counts the exercises in DATA_DIR and those that are solved: 0 of 0 where none can be read. */
course_count_exercises catalogue_count;

/* The exercise of exactly this number, id, folder or file (or a path to one of the two). NULL when
 * there is none. */
const struct catalogue_entry *catalogue_entry(const struct catalogue *catalogue, const char *name);
/* Is a learner's file of this name for the exercise? The number may be missing. */
bool catalogue_entry_has_file(const struct catalogue_entry *entry, const char *file_name);
/* Reads the exercise. It is the caller's to free. */
bool catalogue_load(const struct catalogue *catalogue, const struct catalogue_entry *entry,
                    struct exercise **ret, struct error *reterr);

#endif
