/* Which kernels this machine can run: see kernel.h. */
#include "kernel/kernel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef KERNEL_BASELINE
#define KERNEL_BASELINE attn_kernel_vector
#endif
extern const struct kernel attn_kernel_avx512, attn_kernel_avx2, KERNEL_BASELINE;

void kernel_sets(const struct kernel *ret_sets[KERNEL_MAX_SETS + 1])
{
    size_t n = 0;
#ifdef KERNEL_HAS_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        ret_sets[n++] = &attn_kernel_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        ret_sets[n++] = &attn_kernel_avx2;
#endif
    ret_sets[n++] = &KERNEL_BASELINE;
    ret_sets[n] = NULL;
}

/* The best set of this machine, or the one of that name; NULL if no set has that name. */
static const struct kernel *find(const char *name)
{
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    if (name == NULL)
        return sets[0];
    for (size_t i = 0; sets[i] != NULL; i++)
        if (strcmp(sets[i]->name, name) == 0)
            return sets[i];
    return NULL;
}

bool kernel_name_fits(const char *name)
{
    return strcmp(name, "plain") == 0 || find(name) != NULL;
}

const struct kernel *kernel_get(void)
{
    /* The machine's and its environment's answer, which does not change while a program runs: found
     * once, by the first caller. */
    static _Atomic(const struct kernel *) found;
    static atomic_bool known;
    if (!atomic_load_explicit(&known, memory_order_acquire)) {
        atomic_store_explicit(&found, find(getenv("ATTN_ISA")), memory_order_relaxed);
        atomic_store_explicit(&known, true, memory_order_release);
    }
    return atomic_load_explicit(&found, memory_order_relaxed);
}

const struct kernel *kernel_for_products(double n)
{
    return n < KERNEL_LEAST_PRODUCTS ? NULL : kernel_get();
}

const struct kernel *kernel_for_numbers(size_t n)
{
    return n < KERNEL_LEAST_NUMBERS ? NULL : kernel_get();
}
