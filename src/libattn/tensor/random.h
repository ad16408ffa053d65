/* Seeded random numbers: the stream that torch.manual_seed(seed) starts on a CPU, so that numbers
 * in notebooks come out again here.
 *
 * Sources: Matsumoto and Nishimura 1998, "Mersenne Twister" (MT19937), and Box and Muller 1958 for
 * normal numbers. How PyTorch cuts the stream: rand takes the low 24 bits of each 32-bit word;
 * randn of 16 numbers or more fills the tensor with uniforms and turns each block of 16 (first
 * half: radii, second half: angles; a rest is redrawn as the last 16); fewer come one by one from
 * 53-bit uniforms. */
#ifndef ATTN_TENSOR_RANDOM_H
#define ATTN_TENSOR_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
    uint32_t state[624];
    unsigned next;  /* index of the next word; 624: make new ones first */
    bool has_spare; /* the one-by-one normals come in pairs */
    double spare_normal;
};

void random_seed(struct random *random, uint32_t seed);
/* The next 32 bits of the stream. */
uint32_t random_word(struct random *random);
/* Uniform in [0, 1) with 53 bits, from two words, the high one first. */
double random_uniform53(struct random *random);
/* numbers[0..count): uniform in [0, 1), multiples of 2^-24. */
void random_uniform(struct random *random, size_t count, float *numbers);
/* numbers[0..count): normal, mean 0, variance 1. */
void random_normal(struct random *random, size_t count, float *numbers);
/* A whole number, uniform below limit (> 0), as torch.randint draws it (word modulo limit). */
uint32_t random_below(struct random *random, uint32_t limit);
/* numbers[0..count): inverted-dropout factors: 0 with probability p, else 1 / (1 - p), so that the
 * expected factor is 1, in the draws of torch.dropout. 0 <= p <= 1; p = 1 gives zeros. Source:
 * Srivastava et al. 2014. */
void random_dropout(struct random *random, double p, size_t count, float *numbers);

#endif
