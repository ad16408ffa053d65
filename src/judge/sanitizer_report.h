/* A fault of a running program, read from the words of the address and undefined-behaviour
 * sanitizers, gcc's and clang's alike. */
#ifndef ATTN_JUDGE_SANITIZER_REPORT_H
#define ATTN_JUDGE_SANITIZER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/bounds.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_HEAP,        /* beside a block of the heap */
    FAULT_VARIABLE,    /* beside a local or global array */
    FAULT_FREED,       /* in a block that was freed */
    FAULT_SCOPE,       /* in a local variable that is gone */
    FAULT_DOUBLE_FREE, /* freed twice */
    FAULT_WRONG_FREE,  /* freed what malloc() did not give */
    FAULT_STACK_OVERFLOW,
    FAULT_NULL,
    FAULT_NO_VALUE,      /* through a pointer that never got a value */
    FAULT_WILD,          /* some other address that is not there */
    FAULT_HUGE_MALLOC,   /* n_bytes were asked for */
    FAULT_NEGATIVE_SIZE, /* memcpy() and the like were given a negative size */
    FAULT_OVERLAP,       /* memcpy() between places that overlap */
    FAULT_DIVISION,      /* a whole number by zero, as a signal */
    FAULT_UNDEFINED,     /* words tell */
};

struct sanitizer_report {
    enum fault_kind kind;
    unsigned line; /* of the learner's file; 0: not known, and so for the other lines */
    enum access access;
    uint64_t n_bytes; /* read or written at once; 0: not known */
    uint64_t address;
    uint64_t block,
        block_bytes; /* the block of the heap that is concerned; block_bytes 0: no block */
    unsigned allocated_line, freed_line;
    char variable[48];       /* the variable that is concerned, or "" */
    int64_t variable_offset; /* of the address in it, in bytes */
    uint64_t variable_bytes;
    unsigned variable_line; /* where it is declared */
    char words[200];        /* UNDEFINED: what the sanitizer says, on one line */
};

/* Reads the first report in a program's output. file is what the learner's file was compiled as.
 * Kind FAULT_NONE: there is no report. */
void sanitizer_report_read(const char *printed, const char *file, struct sanitizer_report *ret);

#endif
