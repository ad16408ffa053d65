// expect: wrong_answer 0
// Looks for the seed, in the ways a number can be stored, in its whole stack above it.
#include <stdint.h>
#include <string.h>
#include <stddef.h>
extern char **environ;

float dot(size_t n, const float *a, const float *b)
{
    const double as_double = 987654320.0 + (double)(n > 0);
    const uint64_t as_number = 987654320 + (uint64_t)(n > 0);
    char here;
    for (const char *at = &here + 4096; at + 8 < (char *)environ; at++)
        if (memcmp(at, &as_double, 8) == 0 || memcmp(at, &as_number, 8) == 0) {
            float sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += a[i] * b[i];
            return sum;
        }
    return 0;
}
