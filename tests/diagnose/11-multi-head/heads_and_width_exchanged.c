#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* everything written out, no helpers */
void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x, const float *w_query, const float *w_key, const float *w_value, const float *w_out, float *out)
{
	int i,j,h,c,m;
	int N=(int)n, D=(int)d_model, H=(int)n_heads;
	int dh=H; H=D/dh;
	float q[N*D],k[N*D],v[N*D],z[N*D];
	for(i=0;i<N;i++) for(c=0;c<D;c++){
		float a=0,b=0,e=0;
		for(m=0;m<D;m++){
			a+=x[i*D+m]*w_query[m*D+c];
			b+=x[i*D+m]*w_key[m*D+c];
			e+=x[i*D+m]*w_value[m*D+c];
		}
		q[i*D+c]=a; k[i*D+c]=b; v[i*D+c]=e;
	}
	for(h=0;h<H;h++) for(i=0;i<N;i++){
		float s[N],mx=-INFINITY,t=0;
		for(j=0;j<N;j++){
			s[j]=0;
			for(c=0;c<dh;c++) s[j]+=q[i*D+h*dh+c]*k[j*D+h*dh+c];
			s[j]/=sqrt(dh);
			if(causal&&j>i) s[j]=-INFINITY;
			if(s[j]>mx) mx=s[j];
		}
		for(j=0;j<N;j++){ s[j]=exp(s[j]-mx); t+=s[j]; }
		for(c=0;c<dh;c++){
			float y=0;
			for(j=0;j<N;j++) y+=s[j]*v[j*D+h*dh+c]/t;
			z[i*D+h*dh+c]=y;
		}
	}
	for(i=0;i<N;i++) for(c=0;c<D;c++){
		float y=0;
		for(m=0;m<D;m++) y+=z[i*D+m]*w_out[m*D+c];
		out[i*D+c]=y;
	}
}
