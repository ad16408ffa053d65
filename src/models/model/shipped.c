/* See shipped.h. */
#include "model/shipped.h"

#include "files/file.h"
#include "model/model.h"

const char shipped_example[] = "The cat sat on the mat because it was tired";

struct model *shipped_open(const char *data_dir, struct error *reterr)
{
    static const char place[] = "assets/model";
    char path[4096] = "";
    if (data_dir != NULL && path_join(path, sizeof path, data_dir, place) && path_is_folder(path))
        return model_open(path, reterr);
    error_set(reterr, ERR_FILE,
              "no model comes with this attn (there is no %s): attn view FOLDER opens one, as "
              "Hugging Face writes it",
              path[0] != '\0' ? path : place);
    return NULL;
}
