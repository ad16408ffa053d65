/* Fuzzes the reader of safetensors files: any bytes are either refused with a message, or give
 * tensors that can be read whole, written, and read again to the same bits. */
#include <string.h>

#include "files/weights.h"
#include "fuzz_file.h"
#include "tensor/tensor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static void write_and_read_again(const struct tensor *x)
{
    char path[300];
    struct safetensors *file;
    struct tensor again;
    fuzz_write(path, "again.safetensors", "", 0);
    check(safetensors_write(path, &(struct safetensors_tensor){"x", x}, 1, NULL, 0, NULL));
    check(safetensors_open(path, &file, NULL));
    check(safetensors_tensor(file, safetensors_find(file, "x"), &again, NULL));
    check(tensor_same_shape(x, &again));
    size_t size = tensor_size(x);
    check(size == 0 || memcmp(x->data, again.data, size * sizeof(float)) == 0);
    tensor_release(&again);
    safetensors_close(file);
}

static void read_entry(const struct safetensors *file, const struct safetensors_entry *entry,
                       bool writes)
{
    struct tensor x;
    struct error error = {.kind = ERR_NONE};
    volatile float sum = 0;
    check(safetensors_find(file, entry->name) == entry);
    check(entry->begin <= entry->end && entry->n_axes <= SAFETENSORS_MAX_AXES);
    if (!safetensors_tensor(file, entry, &x, &error)) {
        check(error.kind != ERR_NONE && strlen(error.text) > 0);
        return;
    }
    for (size_t i = 0; i < tensor_size(&x); i++)
        sum += tensor_at_position(&x, i);
    (void)sum;
    if (writes)
        write_and_read_again(&x);
    tensor_release(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[300];
    struct safetensors *file;
    struct error error = {.kind = ERR_NONE};
    if (!safetensors_open(fuzz_write(path, "x.safetensors", data, size), &file, &error)) {
        check(error.kind != ERR_NONE && strlen(error.text) > 0);
        return 0;
    }
    for (size_t i = 0; i < safetensors_count(file); i++)
        read_entry(file, safetensors_entry_at(file, i), i == 0);
    safetensors_close(file);
    return 0;
}
