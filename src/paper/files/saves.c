/* The saves of a folder's files: see saves.h. */
#include "files/saves.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"
#include "files/file.h"

struct saved_file {
    char name[SAVES_NAME_BYTES];
    struct file_stamp stamp;
};

/* ---- saved files ---- */

static bool add_name(struct saves *saves, const char *name, struct error *reterr)
{
    for (size_t i = 0; i < saves->n_names; i++)
        if (strcmp(saves->names[i], name) == 0)
            return true;
    char(*names)[SAVES_NAME_BYTES] =
        array_grow(saves->names, saves->n_names, &saves->names_capacity, sizeof *names);
    if (names == NULL)
        return error_memory(reterr, "the saved files");
    saves->names = names;
    snprintf(names[saves->n_names++], SAVES_NAME_BYTES, "%s", name);
    return true;
}

bool saves_next(struct saves *saves, char name[SAVES_NAME_BYTES])
{
    if (saves->n_names == 0)
        return false;
    memcpy(name, saves->names[0], SAVES_NAME_BYTES);
    memmove(saves->names, saves->names + 1, --saves->n_names * sizeof *saves->names);
    return true;
}

/* ---- looking ---- */

static struct saved_file *file_called(struct saves *saves, const char *name)
{
    for (size_t i = 0; i < saves->n_files; i++)
        if (strcmp(saves->files[i].name, name) == 0)
            return &saves->files[i];
    return NULL;
}

/* Notes how a file is now; it counts as saved when that is new. */
static bool note_file(struct saves *saves, const struct saved_file *now, struct error *reterr)
{
    struct saved_file *file = file_called(saves, now->name);
    if (file != NULL && file_stamp_is(&file->stamp, &now->stamp))
        return true;
    if (file == NULL) {
        struct saved_file *files =
            array_grow(saves->files, saves->n_files, &saves->files_capacity, sizeof *files);
        if (files == NULL)
            return error_memory(reterr, "the saved files");
        saves->files = files;
        file = &files[saves->n_files++];
    }
    *file = *now;
    return add_name(saves, now->name, reterr);
}

bool saves_look(struct saves *saves, struct error *reterr)
{
    DIR *folder = opendir(saves->folder);
    struct stat info;
    bool ok = true;
    /* The working folder can still be opened after it was removed. */
    saves->gone = folder == NULL || (fstat(dirfd(folder), &info) == 0 && info.st_nlink == 0);
    for (struct dirent *entry; ok && folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (!text_ends_with(entry->d_name, ".c") || strlen(entry->d_name) >= SAVES_NAME_BYTES ||
            fstatat(dirfd(folder), entry->d_name, &info, 0) != 0)
            continue;
        struct saved_file now = {.stamp = file_stamp_of(&info)};
        snprintf(now.name, sizeof now.name, "%s", entry->d_name);
        ok = note_file(saves, &now, reterr);
    }
    if (folder != NULL)
        closedir(folder);
    return ok;
}

/* ---- the whole ---- */

bool saves_open(const char *folder, struct saves *ret, struct error *reterr)
{
    struct saves saves = {.folder = folder};
    bool ok = saves_look(&saves, reterr);
    if (ok && saves.gone)
        ok = error_set(reterr, ERR_FILE, "%s: can't be watched: %s", folder, strerror(errno));
    saves.n_names = 0;
    if (!ok) {
        saves_close(&saves);
        return false;
    }
    *ret = saves;
    return true;
}

void saves_close(struct saves *saves)
{
    free(saves->names);
    free(saves->files);
    *saves = (struct saves){.folder = NULL};
}
