/* Why a program crashed or left an array: the same file once more, under the address and
 * undefined-behaviour sanitizers of gcc or clang, and their report in the exercise's words. It
 * explains a failure and never decides anything. */
#ifndef ATTN_JUDGE_WHY_SANITIZER_REPORT_H
#define ATTN_JUDGE_WHY_SANITIZER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/compiler.h"
#include "exercise/fixture.h"
#include "judge/run/bounds.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_HEAP,        /* beside a block of the heap */
    FAULT_VARIABLE,    /* beside a local or global array */
    FAULT_FREED,       /* in a block that was freed */
    FAULT_SCOPE,       /* in a local variable that is gone */
    FAULT_DOUBLE_FREE, /* freed twice */
    FAULT_WRONG_FREE,  /* freed a pointer that malloc() did not give */
    FAULT_STACK_OVERFLOW,
    FAULT_NULL,
    FAULT_NO_VALUE,      /* through a pointer that never got a value */
    FAULT_WILD,          /* at another address that is not mapped */
    FAULT_HUGE_MALLOC,   /* n_bytes were asked for */
    FAULT_NEGATIVE_SIZE, /* memcpy() or a relative got a negative size */
    FAULT_OVERLAP,       /* memcpy() between places that overlap */
    FAULT_DIVISION,      /* a whole number was divided by zero, which is a signal */
    FAULT_UNDEFINED,     /* see words */
};

struct sanitizer_report {
    enum fault_kind kind;
    unsigned line; /* of the learner's file; 0: not known. The same for the other lines */
    enum access access;
    uint64_t n_bytes; /* read or written at once; 0: not known */
    uint64_t address;
    uint64_t block,
        block_bytes; /* the block of the heap that the report is about; block_bytes 0: no block */
    unsigned allocated_line, freed_line;
    char variable[48];       /* the variable that the report is about, or "" */
    int64_t variable_offset; /* of the address in it, in bytes */
    uint64_t variable_bytes;
    unsigned variable_line; /* of its declaration */
    char words[200];        /* UNDEFINED: the sanitizer's sentence, on one line */
};

/* Builds source[0..size), which the learner knows as file_name, with the sanitizers, and runs it on
 * the fixture in a box. Adds to *text the report in the exercise's words, with the line of the
 * source:
 *
 *   Line 7 of softmax_rows.c: row 3 of weights was written (weights[12]); weights has 3 rows
 *   (0..2).
 *       7 | weights[i * cols + j] = 0;
 *
 * Adds nothing when nothing was reported, or when a sanitizer, a box or memory is missing. *ret is
 * the report; its kind is FAULT_NONE when nothing was reported. A block that is an array of the
 * exercise has no allocated_line in it. */
void sanitizer_rerun(const struct compile_request *request, const char *file_name,
                     const char *source, size_t size, const struct fixture *fixture,
                     struct text *text, struct sanitizer_report *ret);

#endif
