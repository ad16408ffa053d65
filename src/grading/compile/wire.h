/* The messages between attn and the runner: one setup, then one request and one reply of fixed size
 * for each case. Arrays lie in two pieces of shared memory, one for inputs, one for outputs; each
 * array has a slot there, and the runner maps each slot between inaccessible pages.
 *
 * This file is part of the program that a learner's function is linked to: harness_internal.h. */
#ifndef ATTN_COMPILE_WIRE_H
#define ATTN_COMPILE_WIRE_H

#include <stdint.h>

/* The runner's descriptors. */
enum {
    WIRE_STDIN,
    WIRE_STDOUT,
    WIRE_STDERR,
    WIRE_REQUESTS,
    WIRE_REPLIES,
    WIRE_INPUTS,
    WIRE_OUTPUTS,
    WIRE_N_FDS,
};

enum {
    WIRE_MAX_ARGS = 17
}; /* the parameters, and after the last one a place for a returned float */

/* Whole pages of one of the two memories. Argument i's array lies in slot i. */
struct wire_slot {
    uint64_t fd; /* WIRE_INPUTS or WIRE_OUTPUTS; 0: the argument is not an array */
    uint64_t offset, n_bytes;
};

struct wire_setup {
    struct wire_slot slots[WIRE_MAX_ARGS];
    struct wire_slot shown; /* room for one struct wire_shown; fd 0: nothing is shown */
};

/* The matrices that the function shows with attn_show.h: any bytes, for a person to look
 * at. */
enum { WIRE_SHOWN_MAX = 16, WIRE_SHOWN_NAME = 48, WIRE_SHOWN_SIDE = 64 };
enum wire_shown_state {
    WIRE_SHOWN_BEGUN, /* copying it has not finished */
    WIRE_SHOWN_WHOLE,
    WIRE_SHOWN_NULL,      /* NULL was passed: no numbers */
    WIRE_SHOWN_TOO_LARGE, /* it has more numbers than memory can hold */
};

struct wire_shown_matrix {
    char name[WIRE_SHOWN_NAME]; /* its name in the file, cut to what fits, with a NUL */
    uint64_t state, axes;       /* axes: 0 a number, 1 a row, 2 a matrix */
    uint64_t rows, cols;        /* as they were passed; 1 for missing axes */
    float cells[WIRE_SHOWN_SIDE * WIRE_SHOWN_SIDE]; /* the first rows and columns, row by row */
};

struct wire_shown {
    uint64_t n; /* the number of matrices shown; only the first WIRE_SHOWN_MAX are here */
    struct wire_shown_matrix items[WIRE_SHOWN_MAX];
};

#define WIRE_NULL UINT64_MAX

enum wire_wish { WIRE_CALL, WIRE_NOTHING }; /* NOTHING is answered without a call */

struct wire_request {
    uint64_t nonce;
    uint64_t wish;                /* of enum wire_wish */
    uint64_t clock_shift;         /* any bits: they shift the program's clocks from call to call */
    uint64_t variant;             /* which of several forms of the function is called; else 0 */
    uint64_t args[WIRE_MAX_ARGS]; /* sizes and bools as they are, floats by their bits, arrays by
                                   * the offset in their slot; WIRE_NULL is NULL */
};

enum wire_kind { WIRE_ANSWER = 1, WIRE_FAULT = 2 };
enum wire_area {
    WIRE_ELSEWHERE = -1,
    WIRE_STACK = -2,
    WIRE_NEAR_NULL = -3,
    WIRE_TICKS = -4,
    WIRE_NO_ADDRESS = -5, /* a pointer whose bits can't be an address of any program */
};
enum wire_access { WIRE_TOUCHED, WIRE_READ, WIRE_WRITTEN };

/* All fields but the nonce are hints: they help to explain a failure, and decide nothing. */
struct wire_reply {
    uint64_t nonce;
    uint64_t kind;
    uint64_t heap_bytes; /* ANSWER: heap in use after the call */
    int64_t area;        /* FAULT: the slot at which it happened, or one of enum wire_area */
    int64_t offset;      /* FAULT: the offset in bytes from the beginning of the slot */
    uint64_t access;     /* FAULT: enum wire_access */
    uint64_t no_memory;  /* an allocation was refused: ANSWER: in this call, FAULT: at some time */
};

#endif
