/* Looking on while a line runs: what each of the learner's statements gave, with the names of its
 * axes, and the operation that failed.
 *
 * A machine with an observer calls it for the operations of the learner's own code, not for those
 * of torch's modules that are written in Python. */
#ifndef ATTN_LANG_NOTEBOOK_OBSERVE_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_OBSERVE_INTERNAL_H

#include "lang/notebook/axes_internal.h"
#include "lang/syntax/ast.h"

/* An operation: a call, an operator, an attribute or an index. All values are borrowed. */
struct observed {
    const struct frame *frame;
    const struct expr *expr; /* NULL: of a OP= b */
    const struct statement *statement;
    struct value function; /* ABSENT: an operator */
    const struct value *args;
    size_t n;
    const struct tuple *names; /* of the last args, or NULL */
};

/* A statement of the learner that gave a tensor. */
struct shape_row {
    const struct unit *unit;
    size_t begin, end;         /* of the statement */
    const struct expr *target; /* NULL: it was returned, or is a parameter */
    struct value name;         /* of a parameter: str; else ABSENT */
    unsigned depth;
    struct value value;  /* a share of a tensor; ABSENT: the head of a call */
    struct value caller; /* of such a head: str, CLASS.forward */
    struct text problem; /* where a comment says something else */
};

/* A variable as a comment's letter: its size in one call. */
struct said_size {
    const char *name;
    size_t name_size, size, row;
    unsigned depth;
};

enum { FAILURE_MAX_ARGS = 8, FAILURE_MAX_CALLERS = 24 };

/* The operation of the learner's code that failed. Its values are shares. */
struct failure {
    struct value error; /* ABSENT: none failed */
    const struct code *code;
    struct observed seen; /* names and frame are not to be used any more */
    struct value args[FAILURE_MAX_ARGS], self;
    struct value *variables; /* of the call, as code->names has them */
    size_t n_variables;
    unsigned depth;
    struct place_of_call {
        const struct unit *unit;
        const struct expr *expr;
        const struct statement *statement;
    } callers[FAILURE_MAX_CALLERS]; /* the nearest first */
    size_t n_callers;
};

struct observer {
    bool keeps_rows;
    bool lacks_memory; /* for something that it should have noted */
    struct shape_row *rows;
    size_t n_rows, capacity;
    size_t n_left_out; /* rows beyond the most that are kept */
    struct said_size *said;
    size_t n_said, said_capacity;
    struct failure failure;
    double deadline_s;    /* of the monotonic clock; 0: none */
    struct text problems; /* where comments say something else, where no rows are kept */
    /* The shape of what a place of the learner's unit of that number gives first; end 0: of none */
    size_t watched_unit, watched_begin, watched_end;
    struct text watched_shape;
};

static inline bool is_observed(const struct machine *m, const struct frame *frame)
{
    return m->observer != NULL && frame->code->unit->prefix == NULL;
}
/* Where a statement ends, without the comments and blanks behind it. */
size_t statement_code_end(const struct unit *unit, const struct statement *s);
/* How many units of the learner's are older than this one. */
size_t unit_number(const struct unit *unit);
/* Whether the time of the observer is up. */
bool observer_is_late(const struct machine *m);
double observer_now_s(void);
/* Notes that memory is lacking, if there is an observer. */
void observer_lacks_memory(struct machine *m);
void observer_release(struct observer *observer);

/* Writes (2, 3), as a person writes a shape into a comment. */
void observe_write_shape(const struct tensor *x, struct text *out);

/* A function of the learner begins. */
void observe_call(struct machine *m, const struct frame *frame);
void observe_result(struct machine *m, const struct observed *seen, struct value result);
/* An error is raised. */
void observe_failure(struct machine *m, const struct observed *seen);
/* Instruction `at` of the frame gives a value to a name, or returns it. */
void observe_store(struct machine *m, const struct frame *frame, size_t at, struct value value);

/* The value of a name, or of an attribute of one, in a frame; borrowed, ABSENT: not known. */
struct value frame_value(const struct machine *m, const struct code *code,
                         const struct value *slots, const struct expr *expr);

#endif
