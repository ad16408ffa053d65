#include <math.h>
#include <stddef.h>
void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head, const float *query, const float *key, const float *value, float *out)
{
  int H=n_heads, G=n_heads/n_kv_heads, N=n, D=d_head;
  for (int h=0; h<H; h++) for (int i=0; i<N; i++) {
    int kv=h/G; // which key head
    float s[N]; float sum=0, mx=-INFINITY;
    for (int j=0; j<N; j++) {
      s[j]=0;
      for (int c=0; c<D; c++) s[j]+=query[h*N*D+i*D+c]*key[kv*N*D+j*D+c];
      s[j]/=sqrtf(D);
      mx=fmaxf(mx,s[j]);
    }
    for (int j=0; j<N; j++) sum+=s[j]=expf(s[j]-mx);
    for (int c=0; c<D; c++) {
      float y=0;
      for (int j=0; j<N; j++) y+=s[j]*value[kv*N*D+j*D+c];
      out[h*N*D+c*N+i]=y/sum;
    }
  }
}
