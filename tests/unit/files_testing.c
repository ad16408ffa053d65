/* A folder for a test's files: see files_testing.h. */
#include "files_testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

int testing_make_folder(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/attn-files-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(folder) == NULL;
}

/* Counts what is in the folder at path; with clear, removes it. */
static size_t entries_of(const char *path, bool clear)
{
    DIR *dir = opendir(path);
    size_t count = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char full[TESTING_PATH];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
        if (clear && unlink(full) != 0) {
            entries_of(full, true);
            rmdir(full);
        }
    }
    closedir(dir);
    return count;
}

int testing_clear_folder(void **state)
{
    (void)state;
    entries_of(folder, true);
    return 0;
}

int testing_remove_folder(void **state)
{
    testing_clear_folder(state);
    return rmdir(folder);
}

size_t testing_count_files(void)
{
    return entries_of(folder, false);
}

const char *testing_path(char path[TESTING_PATH], const char *name)
{
    snprintf(path, TESTING_PATH, "%s/%s", folder, name);
    return path;
}

void testing_write(const char *name, const void *bytes, size_t size)
{
    char path[TESTING_PATH];
    const char *slash = strchr(name, '/');
    if (slash != NULL) {
        testing_path(path, name);
        path[strlen(path) - strlen(slash)] = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(testing_path(path, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

char *testing_read(const char *path, size_t *ret_size)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &info) != 0)
        fail_msg("%s can't be read", path);
    size_t size = (size_t)info.st_size;
    char *bytes = test_malloc(size + 1);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    bytes[size] = '\0';
    if (ret_size != NULL)
        *ret_size = size;
    return bytes;
}
