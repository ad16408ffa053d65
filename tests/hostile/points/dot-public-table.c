// expect: wrong_answer 0
// Knows the answers of the five public cases by heart, and nothing else.
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    if (n == 3 && a[0] == 1)
        return -1;
    if (n == 1 && a[0] == 3)
        return -7.5f;
    if (n == 4 && a[0] == 1 && a[3] == 0.5f)
        return 0;
    if (n == 5 && a[0] == 0.5f && a[1] == -1)
        return -7.5f;
    if (n == 3 && a[0] == 300)
        return 110;
    return b[0];
}
