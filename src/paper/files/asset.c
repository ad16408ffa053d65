/* See asset.h. */
#include "files/asset.h"

#include <stdio.h>

#include "files/file.h"

void asset_release(struct asset *asset)
{
    text_release(&asset->text);
}

bool asset_read(struct asset *asset, const char *data_dir, const char *name, struct error *reterr)
{
    *asset = (struct asset){.path = ""};
    if (data_dir == NULL)
        return error_set(reterr, ERR_FILE, "attn's assets are not found");
    int size = snprintf(asset->path, sizeof asset->path, "%s/assets/%s", data_dir, name);
    if (size < 0 || (size_t)size >= sizeof asset->path)
        return error_set(reterr, ERR_FILE, "assets/%s: the path to it is too long", name);
    if (file_read_text(asset->path, ASSET_MAX_BYTES, &asset->text, reterr))
        return true;
    asset_release(asset);
    return false;
}
