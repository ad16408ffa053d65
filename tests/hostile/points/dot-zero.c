// expect: wrong_answer 0
// One number for all cases: 0, which is right for vectors at right angles.
#include <stddef.h>
static float no = 0.0f;

float dot(size_t n, const float *a, const float *b)
{
    (void)n, (void)a, (void)b;
    return no;
}
