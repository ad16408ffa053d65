// expect: wrong_answer 0
// Keeps the inputs of each case, and answers with the largest number seen so far.
#include <stddef.h>
static float most;

float dot(size_t n, const float *a, const float *b)
{
    for (size_t i = 0; i < n; i++)
        most = a[i] + b[i] > most ? a[i] + b[i] : most;
    return most;
}
