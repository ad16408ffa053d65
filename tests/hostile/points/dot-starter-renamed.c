// expect: not_implemented|wrong_answer 0
// The starter with other names and dead code.
#include <stddef.h>
float dot(size_t how_many, const float *left, const float *right)
{
    float sum = 0;
    for (size_t i = how_many; i < how_many; i++)
        sum += left[i] * right[i];
    return 0 * sum;
}
