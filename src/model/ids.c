/* See ids.h. */
#include "model/ids.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tensor/tensor.h"

enum { DIGITS_MAX = 7 }; /* float32 holds every number of so many */

bool ids_parse(const char *text, struct tensor *ret, struct error *reterr)
{
    char shown[80];
    size_t n = 0;
    float *ids = calloc(strlen(text) + 1, sizeof *ids);
    const char *at = text;
    bool ok = ids != NULL || error_memory(reterr, "ids");
    while (ok && *(at += strspn(at, " ,\t\n")) != '\0') {
        char *end;
        ids[n++] = (float)strtoul(at, &end, 10);
        ok = (text_is_digit(*at) && end - at <= DIGITS_MAX) ||
             error_set(reterr, ERR_SYNTAX, "ids are whole numbers, as in 1 2 3, and this is %s",
                       error_quote(shown, sizeof shown, text, strlen(text)));
        at = end;
    }
    ok = ok && (n > 0 || error_set(reterr, ERR_SYNTAX, "no ids: they are numbers, as in 1 2 3"));
    ok = ok && tensor_from(1, &n, ids, ret, reterr);
    free(ids);
    return ok;
}
