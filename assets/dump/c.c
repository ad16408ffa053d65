/* Writes an array to NAME.npy; a folder of them is read by: attn verify FOLDER
 * The names are free, but plain ones are understood at once: query, key, value, mask, scores,
 * weights, context. */
#include <stdio.h>

static void keep(const char *path, const float *numbers, size_t rows, size_t cols)
{
    FILE *file = fopen(path, "wb");
    char header[119];
    snprintf(header, sizeof header,
             "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }", rows, cols);
    fprintf(file, "\x93NUMPY\x01%cv%c%-117s\n", 0, 0, header);
    fwrite(numbers, sizeof *numbers, rows * cols, file);
    fclose(file);
}

/* keep("dump/query.npy", query, n_q, d_k); keep("dump/context.npy", context, n_q, d_v); */
