/* A folder of a test's own for the files it writes. */
#ifndef ATTN_TESTS_FILES_TESTING_H
#define ATTN_TESTS_FILES_TESTING_H

#include "testing.h"

enum { TESTING_PATH = 1024 };

/* Makes a folder, and removes it with all that is in it. They fit cmocka's group functions. */
int testing_make_folder(void **state);
int testing_remove_folder(void **state);
/* Empties it; fits cmocka's teardown. */
int testing_clear_folder(void **state);
/* "FOLDER/name", in path. */
const char *testing_path(char path[TESTING_PATH], const char *name);
/* Writes the file of this name there, and the folder that name begins with, where it has one. */
void testing_write(const char *name, const void *bytes, size_t size);
/* All of the file at path, to be freed with test_free(); *ret_size may be NULL. A NUL follows. */
char *testing_read(const char *path, size_t *ret_size);
/* How many entries it has. */
size_t testing_count_files(void);

#endif
