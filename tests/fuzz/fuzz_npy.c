/* Fuzzes the .npy reader: any bytes are either refused with a message, or give a tensor that can be
 * read whole, written, and read again to the same bits. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/npy.h"
#include "tensor/tensor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static bool same_bits(const struct tensor *a, const struct tensor *b)
{
    size_t size = tensor_size(a);
    return tensor_same_shape(a, b) && a->is_bool == b->is_bool &&
           (size == 0 || memcmp(a->data, b->data, size * sizeof(float)) == 0);
}

/* Looks at every number by its index: a wrong stride shows as a read out of bounds. */
static void read_whole(const struct tensor *x)
{
    size_t size = tensor_size(x);
    for (size_t i = 0; i < size; i++) {
        float number = tensor_at_position(x, i);
        check(!x->is_bool || number == 0 || number == 1);
    }
}

static void write_and_read_again(const struct tensor *x)
{
    struct tensor again;
    unsigned char *bytes;
    size_t size;
    check(npy_format(x, &bytes, &size, NULL));
    check(npy_parse(bytes, size, "again", &again, NULL));
    check(same_bits(x, &again));
    tensor_release(&again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tensor x;
    struct error error = {.kind = ERR_NONE};
    if (npy_parse(data, size, "fuzz", &x, &error)) {
        check(tensor_is_dense(&x));
        read_whole(&x);
        write_and_read_again(&x);
        tensor_release(&x);
    } else {
        check(error.kind != ERR_NONE && strlen(error.text) > 0);
    }
    return 0;
}
