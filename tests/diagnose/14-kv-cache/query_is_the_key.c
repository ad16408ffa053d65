#include <math.h>
#include <stddef.h>
/* the query of the new token against all keys */
void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key, const float *new_value, float *key_cache, float *value_cache, float *context)
{
    size_t c, j;
    for (c=0;c<d_k;c++) key_cache[n_past*d_k+c]=new_key[c];
    for (c=0;c<d_v;c++) value_cache[n_past*d_v+c]=new_value[c];
    double w[n_past+1], mx=-1e300, z=0;
    for (j=0;j<=n_past;j++){
        double t=0;
        for (c=0;c<d_k;c++) t+=new_key[c]*key_cache[j*d_k+c];
        w[j]=t/sqrt(d_k);
        if(w[j]>mx) mx=w[j];
    }
    for (j=0;j<=n_past;j++) z+=w[j]=exp(w[j]-mx);
    for (c=0;c<d_v;c++){
        double y=0;
        for (j=0;j<=n_past;j++) y+=w[j]*value_cache[j*d_v+c];
        context[c]=y/z;
    }
    (void)query;
}
