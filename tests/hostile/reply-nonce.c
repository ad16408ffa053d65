// expect: wrong_answer|exited_early protocol
// Finds the request on the stack and answers it without having worked.
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
            uint64_t reply[7] = {at[i - 1], 1};
            if (write(4, reply, sizeof reply) < 0)
                return;
        }
    }
    (void)rows, (void)cols, (void)scores, (void)weights;
}
