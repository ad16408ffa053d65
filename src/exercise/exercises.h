/* All exercises, read; and finding one by what people call it. */
#ifndef ATTN_EXERCISE_EXERCISES_H
#define ATTN_EXERCISE_EXERCISES_H

#include "exercise/catalogue.h"

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

/* By id ("softmax-rows"), number ("4"), folder ("04-softmax-rows"), function or file name
 * ("softmax_rows", "softmax_rows.c", "some/path/softmax_rows.c", "04-softmax-rows.c",
 * "softmax-rows.c", "anna_softmax_rows.c" where it ends so after a _ or -; the longest name wins).
 * NULL when there is none. */
const struct exercise *exercises_find(const struct exercises *exercises, const char *name);
/* What stands before the exercise's name in a file's name, without the _ or - between them:
 * [*ret, *ret + result), "anna" of "class/anna_softmax_rows.c". 0 where there is nothing. */
size_t exercise_name_prefix(const struct exercise *exercise, const char *name, const char **ret);
/* The id that is spelt most like name, or NULL. */
const char *exercises_suggest(const struct exercises *exercises, const char *name);

/* Reads the one exercise that a name means, by all the names of exercises_find(); all exercises are
 * read only when the catalogue does not tell it. It is the caller's to free. ERR_NAME, with the
 * nearest name, when there is none. */
bool exercises_find_one(const struct catalogue *catalogue, const char *name, struct exercise **ret,
                        struct error *reterr);

#endif
