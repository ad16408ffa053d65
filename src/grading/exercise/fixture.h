/* A case of an exercise with its drawn inputs and the expected results, kept by attn.
 *
 * A fixture owns its session (for `why` and for misconceptions) and its copies of all arrays. The
 * arrays are in the order of exercise->arrays. */
#ifndef ATTN_EXERCISE_FIXTURE_H
#define ATTN_EXERCISE_FIXTURE_H

#include <stdint.h>

#include "exercise/exercise.h"
#include "lang/session/session.h"

enum { FIXTURE_MAX_ARRAYS = PROTOTYPE_MAX_PARAMS + 1 };

struct fixture_array {
    bool present; /* false: drawn as None */
    bool boolean; /* cells are bool bytes, else floats */
    unsigned n_axes;
    size_t shape[EXERCISE_MAX_AXES];
    size_t n_cells, n_bytes; /* row-major */
    void *before;            /* [n_bytes] the input of the function; NULL for ROLE_OUT */
    float *expected;   /* [n_cells] the result that must be there afterwards; NULL for ROLE_IN */
    double *allowed;   /* [n_cells] the largest allowed error; NULL for ROLE_IN */
    struct node *node; /* a node of the session: the tensor that `before` (ROLE_IN) or
                        * `expected` was copied from, for tables and `why`; or NULL */
};

struct fixture {
    const struct exercise *exercise;    /* borrowed */
    const struct exercise_case *source; /* borrowed */
    unsigned repeat;                    /* which of source->repeat, from 0 */
    uint64_t seed;   /* the seed that fixture_draw() got: it draws the same again */
    bool is_public;  /* its inputs can be read in exercise.yaml: no seed changes them */
    bool is_extreme; /* it has inputs above 1e9 or, but for 0, below 1e-9 in size */
    char *name;      /* "random sizes 2 (n_q 3, n_k 5)" */
    double scalars[PROTOTYPE_MAX_PARAMS]; /* of by-value parameters, in the prototype's order */
    size_t memory_bytes;                  /* of source->memory_kib; 0: the usual limits */
    struct fixture_array arrays[FIXTURE_MAX_ARRAYS];
    size_t n_cells;          /* in all arrays: how much there is to look at */
    struct session *session; /* its names: sizes, drawn inputs, the stages */
    struct kept_lines *kept; /* lines that it ran instead of stages; or NULL */
    bool *reads;             /* [i * stages->n + j] stage i reads the name of stage j; or NULL */
    size_t *places;          /* [stages->n] of the stages' names in the session; or NULL */
    size_t most_numbers;     /* the most numbers that a tensor computed for such a line may have */
    struct value *drawn;     /* [n_drawn] of the session's first names, as drawing left them */
    size_t n_drawn;
};

/* Sizes that replace those of the case: of parameters, or of helper names. */
struct sizes {
    const char *names[PROTOTYPE_MAX_PARAMS];
    double values[PROTOTYPE_MAX_PARAMS];
    unsigned n;
};

/* Draws one case, or probe, from the run's seed. The same exercise, case, repeat, seed and sizes
 * give the same bytes on every machine. sizes may be NULL. simple: drawn numbers are rounded to one
 * decimal, for people (infinities stay). data_dir is borrowed by the session. On failure *reterr
 * names file, line, case and expression: ERR_MEMORY, or the author's fault (with the caller's
 * sizes: they do not fit this case). */
bool fixture_draw(const struct exercise *exercise, const struct exercise_case *source,
                  unsigned repeat, uint64_t seed, const struct sizes *sizes, bool simple,
                  const char *data_dir, struct fixture **ret, struct error *reterr);
/* Draws another case of the same sizes from another seed. */
bool fixture_draw_alike(const struct fixture *fixture, uint64_t seed, const char *data_dir,
                        struct fixture **ret, struct error *reterr);
/* A rank by sizes: cases with more sizes above 1 rank higher and, of equally many, those in which
 * more pairs of sizes differ. Mistakes show most if all sizes differ. */
unsigned fixture_size_rank(const struct fixture *fixture);
/* Draws the inputs and the expected values of exercise->speed. */
bool fixture_draw_speed(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                        struct fixture **ret, struct error *reterr);
void fixture_free(struct fixture *fixture);

/* All cases (or all probes) of an exercise, drawn from the run's seed. */
struct fixtures {
    struct fixture **items;
    size_t n, capacity;
};
bool fixtures_draw(const struct exercise *exercise, uint64_t seed, bool probes,
                   const char *data_dir, struct fixtures *ret, struct error *reterr);
void fixtures_release(struct fixtures *fixtures);

/* The numbers that a function left in the out and inout arrays: floats[i] has arrays[i].n_cells
 * numbers, NULL for ROLE_IN. */
struct answer {
    float *floats[FIXTURE_MAX_ARRAYS];
};
bool answer_init(const struct fixture *fixture, struct answer *answer, struct error *reterr);
void answer_release(struct answer *answer);

/* The first difference of an answer. */
struct difference {
    enum verdict verdict; /* PASS, WRONG_ANSWER, or NON_FINITE: some cell is NaN, or infinite where
                           * a number is expected */
    unsigned array;       /* index in exercise->arrays */
    size_t cell;          /* row-major: the first that differs; of NON_FINITE, the first such */
    size_t n_different;   /* cells that differ, over all arrays */
    double got, expected;
    double max_abs_error; /* over all cells that are finite on both sides */
};

/* Compares in double, written so that NaN fails: a cell is right when |got - expected| <= allowed,
 * or when an infinity is expected and the same one is there. */
struct difference fixture_compare(const struct fixture *fixture, const struct answer *answer);
/* The same for one array that the function fills. */
struct difference fixture_compare_array(const struct fixture *fixture, const struct answer *answer,
                                        unsigned array);
/* Is cell i of array a of the answer right? */
bool fixture_cell_right(const struct fixture *fixture, unsigned array, size_t cell, float got);

/* The answer of somebody with all of these misconceptions; if two replace the same stage, the first
 * one does. False if they say nothing about this case: idea_says_nothing(reterr). Other errors are
 * failures. The fixture's names, nodes and arrays stay as they are. The caller releases the
 * answer. */
bool fixture_answer_under(struct fixture *fixture, const struct misconception *const *ideas,
                          size_t n_ideas, struct answer *ret, struct error *reterr);

/* The right answer to inputs that a statement changes, "X = X * 2". As fixture_answer_under(). */
bool fixture_answer_changed(struct fixture *fixture, const char *statement, struct answer *ret,
                            struct error *reterr);

/* A statement that replaces a stage; it assigns the same name. */
struct stage_put {
    unsigned stage; /* in exercise->stages */
    const char *statement;
    const struct statement *read; /* the same, read; or NULL */
    const char *functions; /* the functions it calls, NAME(...) = EXPRESSION, a line each; "" if it
                            * calls none */
};
/* The answer with these statements, in the order of the stages. As fixture_answer_under(), and
 * faster: it does not compute again what does not depend on them. */
bool fixture_answer_put(struct fixture *fixture, const struct stage_put *puts, size_t n,
                        struct answer *ret, struct error *reterr);

/* ERR_SHAPE, ERR_RANGE, ERR_TYPE, ERR_LIMIT: shapes do not fit, or are far too large. ERR_NONE: one
 * of the ideas changes no number, or the others replace all that it changes. */
bool idea_says_nothing(const struct error *error);
/* Is the answer equal to other, cell for cell, within the same tolerance? NaN equals NaN here; and
 * other, which may be far larger than the expected answer, adds to the tolerance. */
bool fixture_answers_alike(const struct fixture *fixture, const struct answer *answer,
                           const struct answer *other);

/* The same for one cell of an array that the function fills. */
bool fixture_cells_alike(const struct fixture *fixture, unsigned array, size_t cell, float got,
                         float other);
/* The same within a thousand times the tolerance: in hard cases two roundings may differ so
 * much. */
bool fixture_answers_near(const struct fixture *fixture, const struct answer *answer,
                          const struct answer *other);
/* Do they differ so much that no rounding explains it: somewhere by more than three times the
 * difference that fixture_answers_alike() allows? */
bool fixture_answers_apart(const struct fixture *fixture, const struct answer *answer,
                           const struct answer *other);
/* The right answer as an answer. */
bool fixture_right_answer(const struct fixture *fixture, struct answer *ret, struct error *reterr);

/* "[2, 3]" for a cell of an array; text has at least 64 bytes. Returns text. */
char *fixture_place(const struct fixture_array *array, size_t cell, char *text, size_t capacity);

#endif
