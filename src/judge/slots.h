/* The arrays of a case as they lie in shared memory: each in a slot of its own, with canaries
 * beside it, outputs full of poison.
 *
 * Canaries and poison are NaNs with a payload that is drawn for each case, so that "not written"
 * is told from "wrote NaN" and nobody can know what to put back. */
#ifndef ATTN_JUDGE_SLOTS_H
#define ATTN_JUDGE_SLOTS_H

#include "judge/bounds.h"
#include "sandbox/memory_file.h"
#include "compile/wire.h"

/* One of the two memories: what the program shares, and what it held before the call. */
struct slot_memory {
    struct memory shared;
    unsigned char *before; /* [shared.n_bytes] */
};

struct slots {
    const struct exercise *exercise; /* borrowed */
    struct slot_memory inputs, outputs;
    struct wire_setup setup; /* what the program is told of it */

    /* The case that lies in them. */
    const struct fixture *fixture;        /* borrowed */
    uint64_t offsets[FIXTURE_MAX_ARRAYS]; /* of the arrays in their slots */
    uint32_t poison;                      /* the bits of a NaN, or of another leftover */
    uint32_t canary;                      /* those of another NaN */
};

/* The place of exercise->arrays[array] among the arguments of the function; the returned float
 * comes after them all. */
unsigned slots_argument(const struct exercise *exercise, unsigned array);
/* A by-value argument as a request holds it: the bits of a float, else a whole number. */
uint64_t slots_scalar(const struct param *param, double value);

/* The bytes that a slot needs to hold an array of n_bytes: whole pages, and room for canaries. */
uint64_t slot_bytes(size_t n_bytes);

/* Makes slots of these sizes, in the order of exercise->arrays. shows: with room for what the
 * program shows of itself. *ret is to be released also after a
 * failure. */
bool slots_init(const struct exercise *exercise, const uint64_t *sizes, bool shows,
                struct slots *ret, struct error *reterr);
void slots_release(struct slots *slots);

/* Puts a case in, at the end of the slots or at their begin. random: bits for the poison; leftover:
 * what the outputs hold in its place, or NULL. */
void slots_fill(struct slots *slots, const struct fixture *fixture, bool at_end, uint32_t random,
                const float *leftover);
/* Fills in what a request says of the arrays. */
void slots_request(const struct slots *slots, struct wire_request *request);

/* Looks at what lies beside the arrays, and at the inputs: PASS where all is as it was, else
 * OUT_OF_BOUNDS or MODIFIED_INPUTS with its detail. */
enum verdict slots_check(const struct slots *slots, char *detail, size_t capacity);
/* Copies the outputs, once. *ret_poisoned: there are cells that were not written. */
void slots_take(const struct slots *slots, struct answer *answer, bool *ret_poisoned);
/* What the program shows, as it is now; NULL without room for it. The program may change it at any
 * time, and to anything. */
const volatile struct wire_shown *slots_shown(const struct slots *slots);
/* The array whose slot this argument's is, or -1. argument may be any number. */
int slots_array(const struct slots *slots, int64_t argument);

#endif
