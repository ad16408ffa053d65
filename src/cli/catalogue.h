/* The exercises by their folders' names, so that a command that needs one of them reads one. */
#ifndef ATTN_CLI_CATALOGUE_H
#define ATTN_CLI_CATALOGUE_H

#include "exercise/exercise.h"

struct catalogue_entry {
    unsigned number;
    char id[64];
    char folder_name[80]; /* 04-softmax-rows */
    char file_name[96];   /* 04_softmax_rows.c: in a workspace */
};

struct catalogue {
    char *folder;                    /* DATA_DIR/exercises */
    struct catalogue_entry *entries; /* by number */
    size_t n, capacity;
};

bool catalogue_open(struct catalogue *ret, struct error *reterr);
void catalogue_release(struct catalogue *catalogue);

/* The exercise that is called so exactly: by number, id, folder or file (or a path to it). NULL
 * when there is none. */
const struct catalogue_entry *catalogue_entry(const struct catalogue *catalogue, const char *name);
/* Reads it. */
bool catalogue_load(const struct catalogue *catalogue, const struct catalogue_entry *entry,
                    struct exercise **ret, struct error *reterr);
/* Reads the one that a name means, by all the names that exercises_find() knows. ERR_NAME, with the
 * nearest one, when there is none. */
bool catalogue_find(const struct catalogue *catalogue, const char *name, struct exercise **ret,
                    struct error *reterr);

#endif
