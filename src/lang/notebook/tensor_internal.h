/* Tensors of cells: what torch.tensor() makes.
 *
 * A tensor is a thing that names a *place*: numbers that several tensors may share. The place of a
 * view holds no numbers of its own but how they are found in those of another place (an operation
 * of the graph that moves numbers, and its arguments). Nodes of the graph never change, so an
 * in-place operation makes a new node for the numbers and counts their version up; a view makes its
 * node again when its version is old. So all views see the change.
 *
 * A place knows whether gradients flow to it. In a file that runs, numbers to which none flow keep
 * no history: their node is a leaf, and what nothing names is freed at once. At a prompt they keep
 * it, for `why` (keeps_history); there OP_DETACH stands before what gradients must not reach. */
#ifndef ATTN_LANG_NOTEBOOK_TENSOR_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_TENSOR_INTERNAL_H

#include "graph/builder.h"
#include "graph/graph.h"
#include "graph/node.h"
#include "lang/notebook/machine_internal.h"
#include "tensor/tensor.h"

/* In the order of promotion within a category. Numbers of all of them are kept in float32: whole
 * ones up to 2^24, beyond which operations refuse; those of other floats are computed as float32,
 * which is said once. */
enum dtype {
    DTYPE_BOOL,
    DTYPE_UINT8,
    DTYPE_INT8,
    DTYPE_INT16,
    DTYPE_INT32,
    DTYPE_INT64,
    DTYPE_FLOAT16,
    DTYPE_BFLOAT16,
    DTYPE_FLOAT32,
    DTYPE_FLOAT64,
    DTYPE_COMPLEX64, /* two numbers each, in one more axis at the end */
    DTYPE_COUNT
};
enum dtype_category { CATEGORY_BOOL, CATEGORY_WHOLE, CATEGORY_FLOAT, CATEGORY_COMPLEX };

struct dtype_row {
    const char *name;   /* float32 */
    const char *other;  /* float, as in torch.float and x.float(); or NULL */
    const char *scalar; /* Float, as messages have it */
    enum dtype_category category;
    double least, most; /* of whole numbers */
};
extern const struct dtype_row dtypes[DTYPE_COUNT];

struct dtype_thing {
    struct thing thing;
    enum dtype dtype;
    bool is_numpy; /* dtype('float32'), not torch.float32 */
};

struct stream_thing {
    struct thing thing;
    struct random random;
    int64_t seed;
};

/* An array of numpy whose cells hold the same numbers: see ndarray.c. */
struct nd_link;

enum { PLACE_MAX_INTS = 3 * TENSOR_MAX_AXES };

struct place {
    size_t n_owners;
    struct graph *graph;
    struct place *of; /* it is a view of this one; NULL: it has numbers of its own */
    /* of a view: its operation. OP_DETACH lets no gradient through */
    enum op_kind kind;
    size_t n_ints;
    ptrdiff_t ints[PLACE_MAX_INTS];
    struct node *node; /* newest; of a view: as of `version`, or NULL */
    uint64_t version;  /* counts changes of the numbers; of a view: what its node was made from */
    unsigned n_writes; /* of numbers: in-place operations, as PyTorch counts them */
    bool is_unseen;    /* x.data: writing through it is not noticed by backward() */
    /* Of numbers and of OP_DETACH: */
    bool tracks;           /* gradients flow here */
    bool keeps_history;    /* it was made where torch->keeps_history */
    bool is_spent;         /* backward() has freed how they were computed */
    bool is_below;         /* -inf of int64 is among them: see tensor_node() */
    uint64_t variable;     /* a leaf that gradients are added up for; 0: none */
    uint64_t retained;     /* a result that keeps its gradient: the same; 0: it does not */
    bool is_only_hooked;   /* `retained` is for hooks alone: .grad stays empty */
    size_t n_tracked;      /* tensors that reach it without OP_DETACH */
    const char *grad_name; /* AddBackward0: what made the numbers; NULL: a leaf */
    /* Of numbers: the array that shares them, or NULL. A write to either reaches the other. */
    struct nd_link *link;
};

struct tensor_thing {
    struct thing thing;
    struct place *place;
    enum dtype dtype;
    bool is_parameter;
    struct axes *axes; /* their names: axes_internal.h; NULL: not known */
    struct value grad; /* a tensor, or NONE */
};

/* What tensors of a notebook share; made by the first import of torch. */
struct torch {
    struct random random;
    bool is_seeded;
    bool no_grad;
    bool takes_below;   /* see tensor_node() */
    bool keeps_history; /* at a prompt: all numbers keep what they were computed from */
    uint64_t last_variable;
    struct value dtypes[DTYPE_COUNT];
    struct value device;
    enum dtype default_dtype;
    unsigned said; /* bits of enum torch_note */
    /* torch.set_printoptions() */
    struct print_options {
        int precision, threshold, edge_items, width;
        int scientific; /* 0, 1, or -1: as the numbers need it */
    } print;
    struct value hook_caller; /* python/torch.py's, once a tensor has hooks; else ABSENT */
    void *made_rows;          /* in-place methods: see torch.c */
};
enum torch_note { NOTE_HALF = 1, NOTE_DOUBLE = 2, NOTE_HISTORY = 4 };

static inline struct tensor_thing *as_tensor(struct value v)
{
    return THING_AS(tensor_thing, v);
}
static inline bool is_tensor(struct value v)
{
    return value_is(v, THING_TENSOR);
}

/* ---- tensor.c ---- */

void tensor_let_go(struct tensor_thing *t);
/* The newest numbers; borrowed until the next operation. NULL raises.
 * A float beyond int64, such as log(0), becomes the least int64 in PyTorch, and -inf here. Such
 * numbers are there to be hidden by where(), min() or clamp(): operations that leave them as they
 * are set torch->takes_below, and all others refuse them. */
struct node *tensor_node(struct machine *m, struct tensor_thing *t);
/* The same where only the shape is looked at. */
struct node *tensor_form(struct machine *m, struct tensor_thing *t);
bool tensor_tracks(const struct tensor_thing *t); /* x.requires_grad */
bool tensor_is_leaf(const struct tensor_thing *t);
const char *tensor_grad_name(const struct tensor_thing *t);
/* A new tensor with the numbers of node, whose share it takes over, also on failure; NULL raises
 * nothing and returns false. grad_name NULL: a leaf without gradient, and without history. */
bool tensor_make(struct machine *m, struct node *node, enum dtype dtype, const char *grad_name,
                 struct value *ret);
/* The same from numbers; takes *numbers over. */
bool tensor_make_leaf(struct machine *m, struct tensor *numbers, enum dtype dtype,
                      struct value *ret);
/* A view: kind is an operation that moves numbers, or OP_DETACH. */
bool tensor_make_view(struct machine *m, struct tensor_thing *t, enum op_kind kind, size_t n_ints,
                      const ptrdiff_t *ints, const char *grad_name, struct value *ret);
/* The same tensor becomes a leaf that gradients are added up for, or no longer. */
bool tensor_set_requires_grad(struct machine *m, struct tensor_thing *t, bool wanted);
/* t takes on the numbers of value, which has its shape and category. tracks: gradients flow through
 * value. On failure t is as before. value is borrowed. */
bool tensor_write(struct machine *m, struct tensor_thing *t, struct node *value, bool tracks,
                  const char *grad_name);
/* Positions[...] of t, row-major, take on the numbers of value: at most as many, or one. */
bool tensor_write_at(struct machine *m, struct tensor_thing *t, const size_t *positions, size_t n,
                     struct node *value, bool tracks, const char *grad_name);
/* The numbers of t and the cells of the array are the same memory from now on; t owns its numbers
 * and has the array's shape. */
struct ndarray;
bool tensor_share_array(struct machine *m, struct tensor_thing *t, struct ndarray *a);
/* An array without a copy that shares the numbers of t: a write to either reaches the other. NULL
 * raises, or *ret_fits is false where an array can't show this view. */
struct ndarray *tensor_shared_array(struct machine *m, struct tensor_thing *t, bool *ret_fits);
/* What a tensor is at one time: its place, its numbers, its gradient. NULL without memory. */
struct tensor_state;
struct tensor_state *tensor_state_of(struct tensor_thing *t);
void tensor_state_give_back(const struct tensor_state *state, struct tensor_thing *t);
void tensor_state_free(struct tensor_state *state);
/* t takes on numbers that it had before, such as those of a line that was taken back. False, and
 * nothing changes, where node is not older, or another shape, or t is a view. */
bool tensor_go_back(struct tensor_thing *t, struct node *node);
/* The numbers that t is a view of, or has of its own. */
struct place *tensor_root(const struct tensor_thing *t);
/* x.data = y */
bool tensor_set_data(struct machine *m, struct tensor_thing *t, struct tensor_thing *from);
/* Raises what an error of the graph says. */
bool raise_graph_error(struct machine *m, const struct error *error);
/* Whole numbers of a node that are too large for float32, or for dtype: raises. */
bool tensor_check_whole(struct machine *m, const struct tensor *x, enum dtype dtype);
/* Says once that numbers of this kind are computed in float32. */
void tensor_note(struct machine *m, enum dtype dtype);
/* "[2, 3]" */
void tensor_write_shape(const struct tensor *x, struct text *out);
/* The number of a tensor that holds one: int, float or bool. */
bool tensor_item(struct machine *m, struct tensor_thing *t, struct value *ret);

bool tensor_truth(struct machine *m, struct tensor_thing *t, bool *ret);
extern const struct tuple_form form_of_size;
/* torch.Size of the first n_axes axes of x. */
bool make_size(struct machine *m, const struct tensor *x, struct value *ret);

/* Dtypes of operands, as PyTorch promotes them: tensors with axes first, then single numbers, then
 * numbers of Python. */
struct promotion {
    int with_axes, single, python; /* enum dtype, or -1 */
};
enum dtype promoted(const struct promotion *p);
enum dtype dtype_join(enum dtype a, enum dtype b);

/* ---- one operation ---- */

/* Nodes that an operation makes on the way, and whether gradients flow through it. */
struct work {
    struct machine *m;
    struct builder b;
    struct error error;
    bool reaches; /* gradients flow to an operand */
    bool tracks;  /* and through the operation */
    struct promotion promotion;
};
void work_begin(struct work *work, struct machine *m);
/* The node of a tensor, number or bool; NULL raises. Takes part in promotion and tracking. */
struct node *work_operand(struct work *work, struct value v);
struct node *work_tensor(struct work *work, struct tensor_thing *t);
/* x as numbers of that dtype: bools become 0 and 1, floats lose their fraction. */
struct node *work_cast(struct work *work, struct node *x, enum dtype from, enum dtype to);
/* Ends it: *ret is node, or what went wrong is raised. */
bool work_end(struct work *work, struct node *node, enum dtype dtype, const char *grad_name,
              struct value *ret);
/* Ends it without a result; false where a step failed, or ok is false. */
bool work_stop(struct work *work, bool ok);

/* ---- tensor_index.c ---- */

bool tensor_index_get(struct machine *m, struct tensor_thing *t, struct value at,
                      struct value *ret);
bool tensor_index_set(struct machine *m, struct tensor_thing *t, struct value at, struct value v);

/* ---- tensor_text.c ---- */

bool tensor_repr(struct machine *m, struct tensor_thing *t, struct text *out);

/* ---- torch_math.c ---- */

bool tensor_operate(struct machine *m, enum sign sign, struct value a, struct value b,
                    bool in_place, struct value *ret);
bool tensor_contains(struct machine *m, struct value container, struct value item, bool *ret);
bool tensor_operate_unary(struct machine *m, enum sign sign, struct value a, struct value *ret);

/* ---- torch_make.c ---- */

/* torch.tensor(data): from nested lists, numbers and tensors. dtype -1: what the data say. */
bool tensor_from_data(struct machine *m, struct value data, int dtype, struct value *ret);

bool stream_new(struct machine *m, struct value *ret); /* torch.Generator() */

/* ---- torch.c ---- */

/* x.grad = v, x.data = v, x.requires_grad = v; takes v over. */
bool tensor_attribute_set(struct machine *m, struct value object, const struct string *name,
                          struct value v);

void torch_free(struct machine *m);
/* Fills the module _torch, and gives the class of tensors its methods. */
bool torch_fill(struct machine *m, struct module *module);
bool tensor_class_call(struct machine *m, bool is_parameter, const struct value *args, size_t n,
                       const struct tuple *names, struct value *ret);

#endif
