// expect: wrong_answer 0
// Looks for the seed in its environment, arguments and auxiliary vector.
#include <string.h>
#include <stddef.h>
extern char **environ;

float dot(size_t n, const float *a, const float *b)
{
    for (char **at = environ - 2; *at != NULL && at < environ + 64; at++)
        if (strstr(*at, "987654321") != NULL) {
            float sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += a[i] * b[i];
            return sum;
        }
    return 0;
}
