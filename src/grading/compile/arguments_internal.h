/* Arguments that only a build needs. All of these fill *ret, which must stay in place as long as it
 * is used. */
#ifndef ATTN_COMPILE_ARGUMENTS_INTERNAL_H
#define ATTN_COMPILE_ARGUMENTS_INTERNAL_H

#include "compile/arguments.h"

/* The same options, to print the preprocessor's output for the learner's file. */
void arguments_to_preprocess(const struct compile_request *request, struct arguments *ret);
/* The same options, to compile what the preprocessor printed, without a word about it: for
 * compilers that are like gcc. */
void arguments_to_compile_preprocessed(const struct compile_request *request,
                                       struct arguments *ret);
void arguments_to_compile_runner(const struct compile_request *request, struct arguments *ret);
/* Compiles a file and the sanitizers' harness in one go, both under the sanitizers. */
void arguments_to_sanitize(const struct compile_request *request, struct arguments *ret);

#endif
