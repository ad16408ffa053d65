/* The functions that the sources of one instruction set provide to each other. */
#ifndef ATTN_KERNEL_KERNEL_INTERNAL_H
#define ATTN_KERNEL_KERNEL_INTERNAL_H

#include "kernel/kernel.h"
#include "kernel/vector_internal.h"

gemm_room_function KERNEL(gemm_room);
gemm_function KERNEL(gemm);
attention_room_function KERNEL(attention_room);
attention_rows_function KERNEL(attention_rows);
attention_weights_function KERNEL(attention_weights);
attention_back_room_function KERNEL(attention_back_room);
attention_back_function KERNEL(attention_back);
all_finite_function KERNEL(all_finite);
element_function KERNEL(element);
fold_function KERNEL(fold);
fold_columns_function KERNEL(fold_columns);
extreme_function KERNEL(extreme);
extreme_columns_function KERNEL(extreme_columns);
place_function KERNEL(place);
softmax_row_function KERNEL(softmax_row);
loss_row_function KERNEL(loss_row);
loss_row_back_function KERNEL(loss_row_back);
norm_rows_function KERNEL(norm_rows);
norm_rows_back_function KERNEL(norm_rows_back);
transpose_function KERNEL(transpose);

extern const struct kernel KERNEL(kernel);

#endif
