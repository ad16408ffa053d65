/* The kernels: the few loops in which nearly all time is spent, on plain pointers and strides, once
 * for each instruction set. Which set is used is decided while the program runs.
 *
 * Plain C, in tensor/ and attention/, stays the version to read: it sums in double. The rule that
 * says which of the two computes is here, and nowhere else: the plain version does work below
 * KERNEL_LEAST_*, so that the results a person looks at have the same digits on every machine. */
#ifndef ATTN_KERNEL_KERNEL_H
#define ATTN_KERNEL_KERNEL_H

#include <stdbool.h>

#include "kernel/attention_head_internal.h"
#include "kernel/elementwise_internal.h"
#include "kernel/fold_internal.h"
#include "kernel/gemm_internal.h"
#include "kernel/norm_rows_internal.h"
#include "kernel/numbers_internal.h"
#include "kernel/softmax_row_internal.h"

/* The least work that kernels compute: multiply-adds in one operation (a product of 32 x 32
 * matrices), or numbers to which a function is applied one by one (more than a screen shows). */
enum { KERNEL_LEAST_PRODUCTS = 1 << 15, KERNEL_LEAST_NUMBERS = 1 << 11 };

struct kernel {
    const char *name; /* of the instruction set, as ATTN_ISA takes it */
    gemm_room_function *gemm_room;
    gemm_function *gemm;
    attention_room_function *attention_room;
    attention_rows_function *attention_rows;
    attention_weights_function *attention_weights;
    attention_back_room_function *attention_back_room;
    attention_back_function *attention_back;
    all_finite_function *all_finite;
    element_function *element;
    fold_function *fold;
    fold_columns_function *fold_columns;
    extreme_function *extreme;
    extreme_columns_function *extreme_columns;
    place_function *place;
    softmax_row_function *softmax_row;
    loss_row_function *loss_row;
    loss_row_back_function *loss_row_back;
    norm_rows_function *norm_rows;
    norm_rows_back_function *norm_rows_back;
    transpose_function *transpose;
};

/* The kernels of the best instruction set that this machine has, or of the one that the environment
 * variable ATTN_ISA names, which is read once; NULL if it is "plain" or not on this machine. */
const struct kernel *kernel_get(void);
/* kernel_get() if n multiply-adds, or n numbers, are enough work for it; else NULL. */
const struct kernel *kernel_for_products(double n);
const struct kernel *kernel_for_numbers(size_t n);

/* The instruction sets that this machine has, best first, ended by NULL: at most KERNEL_MAX_SETS.
 */
enum { KERNEL_MAX_SETS = 4 };
void kernel_sets(const struct kernel *ret_sets[KERNEL_MAX_SETS + 1]);
/* Whether this machine has the instruction set `name`, as ATTN_ISA names it; "plain" always
 * fits. */
bool kernel_name_fits(const char *name);

#endif
