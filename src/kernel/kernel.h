/* The kernels: the few loops in which nearly all time is spent, on plain pointers and strides, once
 * for each instruction set. Which set is used is decided while the program runs.
 *
 * Plain C stays the version to read, in tensor/ and attention/: it sums in double. The rule that
 * says which of the two computes is here, and nowhere else: work below KERNEL_LEAST_* is done by
 * the plain version, so that what a person looks at has the same digits on every machine. */
#ifndef ATTN_KERNEL_KERNEL_H
#define ATTN_KERNEL_KERNEL_H

#include <stdbool.h>

#include "kernel/attention_head.h"
#include "kernel/elementwise.h"
#include "kernel/fold.h"
#include "kernel/gemm.h"
#include "kernel/norm_rows.h"
#include "kernel/numbers.h"
#include "kernel/softmax_row.h"

/* From so many multiply-adds in one operation on (a product of 32 x 32 matrices), or so many
 * numbers that a function is applied to one by one (more than a screen shows), the kernels
 * compute. */
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
 * variable ATTN_ISA names, read once; NULL when that is "plain" or none that is here. */
const struct kernel *kernel_get(void);
/* kernel_get() where that many multiply-adds are worth it, or numbers; else NULL. */
const struct kernel *kernel_for_products(double n);
const struct kernel *kernel_for_numbers(size_t n);

/* The instruction sets that this machine has, best first, ended by NULL: at most KERNEL_MAX_SETS.
 */
enum { KERNEL_MAX_SETS = 4 };
void kernel_sets(const struct kernel *ret_sets[KERNEL_MAX_SETS + 1]);
/* Whether ATTN_ISA, where it is set, names something this machine has; "plain" always is. */
bool kernel_name_fits(const char *name);

#endif
