/* Fuzzes the reader of notebooks: any bytes, as a .ipynb. Cells keep the number of their lines, and
 * a file that is refused leaves nothing. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lang/notebook/ipynb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipynb ipynb;
    struct error error = {0};
    char *text = malloc(size + (size == 0)); /* of exactly this size */
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    if (ipynb_read(text, size, &ipynb, &error)) {
        for (size_t i = 0; i < ipynb.n; i++) {
            const struct text *source = &ipynb.cells[i].source;
            check(!source->failed && strlen(text_string(source)) == source->size);
        }
        ipynb_release(&ipynb);
    } else {
        check(error.kind != ERR_NONE && error.text[0] != '\0');
        check(ipynb.n == 0);
    }
    free(text);
    return 0;
}
