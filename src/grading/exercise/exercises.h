/* All exercises, read; and finding one by any of its names. */
#ifndef ATTN_EXERCISE_EXERCISES_H
#define ATTN_EXERCISE_EXERCISES_H

#include "course/progress/lesson_count.h"
#include "exercise/exercise.h"

/* ---- catalogue ---- */

/* The exercises by the names of their folders, DATA_DIR/exercises/NN-id, or those in a user's own
 * folder. None of them is read, so that a command that needs one exercise reads only that one. */

enum {
    EXERCISE_NUMBER_BYTES = 3, /* "04-" before a folder's name, "04_" before a file's */
    EXERCISE_FILE_BYTES = 128, /* of a file's name, with its NUL */
};

/* Writes the name of a learner's file for the exercise in a folder: 04_softmax_rows.c for
 * 04-softmax-rows. Returns name. */
char *exercise_file_name(const char *folder_name, char name[EXERCISE_FILE_BYTES]);

struct catalogue_entry {
    unsigned number;
    char id[64];
    char folder_name[80];                /* 04-softmax-rows */
    char file_name[EXERCISE_FILE_BYTES]; /* 04_softmax_rows.c */
};

struct catalogue {
    char *folder;                    /* the folder that holds the exercises' folders */
    struct catalogue_entry *entries; /* by number */
    size_t n, capacity;
};

/* The exercises of own_folder or, if that is NULL, of DATA_DIR/exercises; data_dir NULL: it was not
 * found. ERR_FILE if there are no exercises to read. */
bool catalogue_open(const char *data_dir, const char *own_folder, struct catalogue *ret,
                    struct error *reterr);
void catalogue_release(struct catalogue *catalogue);

/* Counts the exercises in DATA_DIR and those that are solved: 0 of 0 if none can be read. */
course_count_exercises catalogue_count;

/* The exercise of exactly this number, id, folder or file (or a path to one of the two). NULL if no
 * exercise has this name. */
const struct catalogue_entry *catalogue_entry(const struct catalogue *catalogue, const char *name);

/* Is a learner's file of this name for the exercise? The number may be missing. */
bool catalogue_entry_has_file(const struct catalogue_entry *entry, const char *file_name);

/* Reads the exercise. The caller frees it. */
bool catalogue_load(const struct catalogue *catalogue, const struct catalogue_entry *entry,
                    struct exercise **ret, struct error *reterr);

/* The exercises in DATA_DIR/exercises, by number. */
struct exercises {
    struct exercise **items; /* [n], of catalogue.entries */
    size_t n;
    struct catalogue catalogue;
};

/* As catalogue_open(), and its errors, and those of exercise_load(). */
bool exercises_load(const char *data_dir, const char *own_folder, struct exercises *ret,
                    struct error *reterr);
void exercises_release(struct exercises *exercises);

/* Finds an exercise by id ("softmax-rows"), number ("4"), folder ("04-softmax-rows"), function or
 * file name ("softmax_rows", "softmax_rows.c", "some/path/softmax_rows.c", "04-softmax-rows.c",
 * "softmax-rows.c", "anna_softmax_rows.c" if the name ends so after a _ or -; the longest name
 * wins). NULL if none fits. */
const struct exercise *exercises_find(const struct exercises *exercises, const char *name);

/* The part of a file's name before the exercise's name, without the _ or - between them: [*ret,
 * *ret + result), "anna" of "class/anna_softmax_rows.c". 0 if there is no such part. */
size_t exercise_name_prefix(const struct exercise *exercise, const char *name, const char **ret);

/* The id that is spelt most like name, or NULL. */
const char *exercises_suggest(const struct exercises *exercises, const char *name);

/* Reads the one exercise that a name means, by all the names of exercises_find(); reads all
 * exercises only if the catalogue can't decide. The caller frees it. ERR_NAME, with the nearest
 * name, if none fits. */
bool exercises_find_one(const struct catalogue *catalogue, const char *name, struct exercise **ret,
                        struct error *reterr);

#endif
