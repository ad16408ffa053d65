// expect: exited_early protocol|time_limit
// Tells of one fault after the other, each with the right nonce, and never ends.
#define _GNU_SOURCE
#include <stdint.h>
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    /* {nonce, rows, cols, ...} lies in the caller's frame */
    const volatile uint64_t *at = __builtin_frame_address(0);
    for (int i = 1; i < 512; i++) {
        if (at[i] == rows && at[i + 1] == cols) {
            uint64_t fault[7] = {at[i - 1], 2};
            while (write(4, fault, sizeof fault) > 0)
                continue;
        }
    }
    (void)rows, (void)cols, (void)scores, (void)weights;
}
