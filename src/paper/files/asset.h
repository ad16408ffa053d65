/* The files in assets/, read whole. */
#ifndef ATTN_FILES_ASSET_H
#define ATTN_FILES_ASSET_H

#include "base/error.h"
#include "base/text.h"

enum { ASSET_MAX_BYTES = 1 << 20, ASSET_PATH_BYTES = 4096 };

struct asset {
    char path[ASSET_PATH_BYTES]; /* for messages */
    struct text text;            /* the whole file */
};

/* Reads DATA_DIR/assets/NAME; data_dir is NULL if attn's data was not found. ERR_FILE: there is no
 * such text of at most ASSET_MAX_BYTES. After a failure the asset is empty, and may be released. */
bool asset_read(struct asset *asset, const char *data_dir, const char *name, struct error *reterr);
void asset_release(struct asset *asset);

#endif
