/* The vector types in which the kernels of one instruction set are written.
 *
 * Each kernel is one source, compiled once for every instruction set; the build sets KERNEL_ISA
 * (its name, such as avx2) and KERNEL_LANES (floats in a vector). The vectors are the compiler's
 * own (gcc and clang: "Vector Extensions"), so that no source names an instruction, except where
 * compilers would make several instructions of one: vec_max(), vec_min() and vec_any() below, and
 * vec_load_fours() in transpose_internal.h. */
#ifndef ATTN_KERNEL_VECTOR_INTERNAL_H
#define ATTN_KERNEL_VECTOR_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* For tools that read a source alone: the instruction set of an unknown machine. */
#ifndef KERNEL_ISA
#define KERNEL_ISA vector
#define KERNEL_LANES 4
#endif

/* KERNEL_X86(max_ps) is the intrinsic of x86-64 for a whole vector. */
#if KERNEL_LANES == 16 && defined(__AVX512F__)
#include <immintrin.h>
#define KERNEL_X86(name) _mm512_##name
#elif KERNEL_LANES == 8 && defined(__AVX__)
#include <immintrin.h>
#define KERNEL_X86(name) _mm256_##name
#elif KERNEL_LANES == 4 && defined(__SSE2__)
#include <emmintrin.h>
#define KERNEL_X86(name) _mm_##name
#endif

/* KERNEL(gemm) is gemm_avx2 in the build for AVX2. */
#define KERNEL_JOIN_(name, isa) attn_##name##_##isa
#define KERNEL_JOIN(name, isa) KERNEL_JOIN_(name, isa)
#define KERNEL(name) KERNEL_JOIN(name, KERNEL_ISA)

/* Always inlined, because its counts are constants only then. */
#define KERNEL_INLINE static inline __attribute__((always_inline))
/* Loops over the parts of a tile, which must become registers. */
#define KERNEL_UNROLL _Pragma("GCC unroll 16")
/* Loops along the inner size. A processor predicts the end of a loop with few turns, which is worth
 * 4 % of a tile with 64 places. */
#define KERNEL_UNROLL_SOME _Pragma("GCC unroll 4")

typedef float vec __attribute__((vector_size(KERNEL_LANES * 4)));
typedef int32_t vec_int __attribute__((vector_size(KERNEL_LANES * 4)));
/* For arithmetic on the bits of a number, which may wrap around. */
typedef uint32_t vec_bits __attribute__((vector_size(KERNEL_LANES * 4)));
/* The same at any address that holds floats. */
typedef float vec_anywhere __attribute__((vector_size(KERNEL_LANES * 4), aligned(4), may_alias));

/* Half as many doubles. */
typedef double vec_double __attribute__((vector_size(KERNEL_LANES * 4)));

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* n rounded up to whole vectors. */
static inline size_t whole_vectors(size_t n)
{
    return (n + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

KERNEL_INLINE vec vec_load(const float *from)
{
    return *(const vec_anywhere *)from;
}

KERNEL_INLINE void vec_store(float *to, vec x)
{
    *(vec_anywhere *)to = x;
}

/* The first n < LANES numbers at from, followed by `rest`. */
KERNEL_INLINE vec vec_load_first(const float *from, size_t n, float rest)
{
    float numbers[KERNEL_LANES];
    for (size_t i = 0; i < KERNEL_LANES; i++)
        numbers[i] = i < n ? from[i] : rest;
    return vec_load(numbers);
}

KERNEL_INLINE void vec_store_first(float *to, size_t n, vec x)
{
    float numbers[KERNEL_LANES];
    vec_store(numbers, x);
    memcpy(to, numbers, n * sizeof *to);
}

/* x in every lane. Subtracting 0 keeps every x as it is, -0 and NaN too. */
KERNEL_INLINE vec vec_splat(float x)
{
    return x - (vec){0};
}

/* Lane for lane: a if the mask's lane is -1, b if it is 0, as comparisons give it. */
KERNEL_INLINE vec vec_select(vec_int mask, vec a, vec b)
{
    return (vec)((mask & (vec_int)a) | (~mask & (vec_int)b));
}

/* The last n < LANES numbers before `end`, with `rest` in the lanes before them; LANES numbers
 * before `end` must be readable. */
static const int32_t lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

KERNEL_INLINE vec_int vec_lanes_before_last(size_t n)
{
    vec_int lanes;
    memcpy(&lanes, lane_numbers, sizeof lanes);
    return lanes < (int32_t)(KERNEL_LANES - n);
}

KERNEL_INLINE vec vec_load_last(const float *end, size_t n, float rest)
{
    return vec_select(vec_lanes_before_last(n), vec_splat(rest), vec_load(end - KERNEL_LANES));
}

/* Leaves the numbers before the last n as they are. */
KERNEL_INLINE void vec_store_last(float *end, size_t n, vec x)
{
    float *to = end - KERNEL_LANES;
    vec_store(to, vec_select(vec_lanes_before_last(n), vec_load(to), x));
}

/* Half a vector, and which lanes of a whole one the halves are, as shuffles count. */
typedef float vec_half __attribute__((vector_size(KERNEL_LANES * 2)));
#if KERNEL_LANES == 16
#define LANES_LOW 0, 1, 2, 3, 4, 5, 6, 7
#define LANES_HIGH 8, 9, 10, 11, 12, 13, 14, 15
#elif KERNEL_LANES == 8
#define LANES_LOW 0, 1, 2, 3
#define LANES_HIGH 4, 5, 6, 7
#else
#define LANES_LOW 0, 1
#define LANES_HIGH 2, 3
#endif

/* Half a vector of numbers in double. It works lane by lane, which compilers turn into one
 * instruction if the numbers are in memory. */
KERNEL_INLINE vec_double vec_load_half(const float *from)
{
    double numbers[KERNEL_LANES / 2];
    for (size_t i = 0; i < KERNEL_LANES / 2; i++)
        numbers[i] = (double)from[i];
    vec_double x;
    memcpy(&x, numbers, sizeof x);
    return x;
}

/* The lower and the upper half of the lanes in double, and back. They go through an array that
 * never reaches memory: gcc converts shuffled lanes a quarter at a time. */
KERNEL_INLINE vec_double vec_low_half(vec x)
{
    float numbers[KERNEL_LANES];
    vec_store(numbers, x);
    return vec_load_half(numbers);
}

KERNEL_INLINE vec_double vec_high_half(vec x)
{
    float numbers[KERNEL_LANES];
    vec_store(numbers, x);
    return vec_load_half(numbers + KERNEL_LANES / 2);
}

/* The sum of the lanes, one after the other. */
KERNEL_INLINE double vec_double_sum(vec_double x)
{
    double sum = 0;
    for (unsigned lane = 0; lane < KERNEL_LANES / 2; lane++)
        sum += x[lane];
    return sum;
}

KERNEL_INLINE vec vec_of_halves(vec_double low, vec_double high)
{
    vec_half first = __builtin_convertvector(low, vec_half);
    vec_half last = __builtin_convertvector(high, vec_half);
    return __builtin_shufflevector(first, last, LANES_LOW, LANES_HIGH);
}

/* The larger of each lane; b if either is NaN. gcc would make a comparison and a choice of the
 * loop, which costs a quarter of the whole e^x. */
KERNEL_INLINE vec vec_max(vec a, vec b)
{
#ifdef KERNEL_X86
    return KERNEL_X86(max_ps)(a, b);
#else
    for (size_t i = 0; i < KERNEL_LANES; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
    return b;
#endif
}

KERNEL_INLINE vec vec_min(vec a, vec b)
{
#ifdef KERNEL_X86
    return KERNEL_X86(min_ps)(a, b);
#else
    for (size_t i = 0; i < KERNEL_LANES; i++)
        b[i] = a[i] < b[i] ? a[i] : b[i];
    return b;
#endif
}

/* a b + c, rounded once, for uses where a rounded product would lose the digits that matter.
 * Without such an instruction it is computed in double, in which a product of floats is exact. */
KERNEL_INLINE vec vec_fma(vec a, vec b, vec c)
{
#if defined(KERNEL_X86) && defined(__FMA__)
    return KERNEL_X86(fmadd_ps)(a, b, c);
#elif defined(KERNEL_X86)
    return vec_of_halves(vec_low_half(a) * vec_low_half(b) + vec_low_half(c),
                         vec_high_half(a) * vec_high_half(b) + vec_high_half(c));
#else
    for (size_t i = 0; i < KERNEL_LANES; i++)
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
#endif
}

/* Whether any bit is set. gcc would make a store and eight loads of the loop, a sixth of argmax. */
KERNEL_INLINE bool vec_any(vec_int x)
{
#if KERNEL_LANES == 16 && defined(KERNEL_X86)
    return _mm512_test_epi32_mask((__m512i)x, (__m512i)x) != 0;
#else
    uint64_t words[KERNEL_LANES / 2], all = 0;
    memcpy(words, &x, sizeof words);
    KERNEL_UNROLL
    for (unsigned i = 0; i < KERNEL_LANES / 2; i++)
        all |= words[i];
    return all != 0;
#endif
}

/* The sum of the lanes: halves are added, then quarters, so that the order is the same in every
 * build with this number of lanes. */
KERNEL_INLINE float vec_sum(vec x)
{
    float numbers[KERNEL_LANES];
    vec_store(numbers, x);
    for (size_t half = KERNEL_LANES / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            numbers[i] += numbers[i + half];
    return numbers[0];
}

/* The largest lane, if none is NaN. */
KERNEL_INLINE float vec_largest(vec x)
{
    float numbers[KERNEL_LANES];
    vec_store(numbers, x);
    for (size_t half = KERNEL_LANES / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            numbers[i] = numbers[i] > numbers[i + half] ? numbers[i] : numbers[i + half];
    return numbers[0];
}

#endif
