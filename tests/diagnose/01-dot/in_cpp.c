#include <iostream>
using namespace std;

float dot(size_t n, const float *a, const float *b)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    cout << s << endl;
    return s;
}
