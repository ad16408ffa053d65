/* The kernels of the instruction set that this is compiled for. */
#include "kernel/kernel_internal.h"

#define KERNEL_TEXT_(isa) #isa
#define KERNEL_TEXT(isa) KERNEL_TEXT_(isa)

const struct kernel KERNEL(kernel) = {
    .name = KERNEL_TEXT(KERNEL_ISA),
    .gemm_room = KERNEL(gemm_room),
    .gemm = KERNEL(gemm),
    .attention_room = KERNEL(attention_room),
    .attention_rows = KERNEL(attention_rows),
    .attention_weights = KERNEL(attention_weights),
    .attention_back_room = KERNEL(attention_back_room),
    .attention_back = KERNEL(attention_back),
    .all_finite = KERNEL(all_finite),
    .element = KERNEL(element),
    .fold = KERNEL(fold),
    .fold_columns = KERNEL(fold_columns),
    .extreme = KERNEL(extreme),
    .extreme_columns = KERNEL(extreme_columns),
    .place = KERNEL(place),
    .softmax_row = KERNEL(softmax_row),
    .loss_row = KERNEL(loss_row),
    .loss_row_back = KERNEL(loss_row_back),
    .norm_rows = KERNEL(norm_rows),
    .norm_rows_back = KERNEL(norm_rows_back),
    .transpose = KERNEL(transpose),
};
