/* The machine that runs cells, as its parts see it.
 *
 * Functions that can fail return false (or VALUE_ABSENT, or NULL) and leave the error, an instance
 * of a kind of BaseException, in machine->raised. */
#ifndef ATTN_LANG_NOTEBOOK_MACHINE_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_MACHINE_INTERNAL_H

#include <signal.h>

#include "base/text.h"
#include "lang/notebook/code_internal.h"
#include "lang/notebook/notebook.h"
#include "tensor/random.h"

enum {
    MACHINE_MAX_CALLS = 990,     /* functions within functions; Python allows 1000 */
    MACHINE_MAX_TEXT = 1 << 26,  /* bytes of a str */
    MACHINE_MAX_ITEMS = 1 << 26, /* of a list that one operation makes */
    MACHINE_STACK = 1 << 18,     /* values on the stack of all calls */
    NATIVE_MAX_PARAMS = 12,
};

/* The errors that the machine raises itself: rows of a table in errors.c. */
enum error_class {
    ERROR_BASE,
    ERROR_EXCEPTION,
    ERROR_TYPE,
    ERROR_VALUE,
    ERROR_NAME,
    ERROR_UNBOUND,
    ERROR_INDEX,
    ERROR_KEY,
    ERROR_ATTRIBUTE,
    ERROR_ZERO,
    ERROR_OVERFLOW,
    ERROR_RUNTIME,
    ERROR_RECURSION,
    ERROR_NOT_IMPLEMENTED,
    ERROR_STOP,
    ERROR_ASSERTION,
    ERROR_IMPORT,
    ERROR_MODULE,
    ERROR_SYNTAX,
    ERROR_MEMORY,
    ERROR_INTERRUPT,
    ERROR_EXIT,
    ERROR_GENERATOR_EXIT,
    ERROR_ARITHMETIC,
    ERROR_LOOKUP,
    ERROR_OS,
    ERROR_FILE_NOT_FOUND,
    ERROR_WARNING,
    ERROR_USER_WARNING,
    ERROR_FUTURE_WARNING,
    ERROR_DEPRECATION,
    ERROR_EOF,
    ERROR_UNICODE,
    ERROR_UNICODE_DECODE,
    ERROR_UNICODE_ENCODE,
    ERROR_FLOATING,
    ERROR_RUNTIME_WARNING,
    ERROR_PERMISSION,
    ERROR_TIMEOUT,
    ERROR_AXIS, /* numpy's */
    ERROR_COUNT
};

/* Classes of attn's own. */
enum own_class {
    CLASS_OBJECT,
    CLASS_TYPE,
    CLASS_NONE,
    CLASS_BOOL,
    CLASS_INT,
    CLASS_FLOAT,
    CLASS_STR,
    CLASS_TUPLE,
    CLASS_LIST,
    CLASS_DICT,
    CLASS_SET,
    CLASS_FROZENSET,
    CLASS_RANGE,
    CLASS_SLICE,
    CLASS_FUNCTION,
    CLASS_BUILTIN,
    CLASS_METHOD,
    CLASS_PROPERTY,
    CLASS_STATIC,
    CLASS_CLASS_METHOD,
    CLASS_SUPER,
    CLASS_MODULE,
    CLASS_GENERATOR,
    CLASS_ITERATOR,
    CLASS_VIEW,
    CLASS_ENUMERATE,
    CLASS_ZIP,
    CLASS_MAP,
    CLASS_FILTER,
    CLASS_REVERSED,
    CLASS_ELLIPSIS,
    CLASS_NOT_IMPLEMENTED,
    CLASS_CELL,
    CLASS_COUNTER,
    CLASS_DEFAULTDICT,
    CLASS_NAMESPACE,
    CLASS_TENSOR,
    CLASS_PARAMETER,
    CLASS_DTYPE,
    CLASS_STREAM,
    CLASS_SIZE,
    CLASS_RESULTS, /* torch.return_types: tuples whose items have names */
    CLASS_NDARRAY,
    CLASS_NP_GENERIC, /* numpy's scalars: arrays without axes */
    CLASS_NP_INTEGER,
    CLASS_NP_FLOATING,
    CLASS_NP_BOOL,
    CLASS_NP_UINT8,
    CLASS_NP_INT8,
    CLASS_NP_INT16,
    CLASS_NP_INT32,
    CLASS_NP_INT64,
    CLASS_NP_FLOAT16,
    CLASS_NP_FLOAT32,
    CLASS_NP_FLOAT64,
    CLASS_COUNT
};

/* Names that the machine looks up itself, interned once: rows of names_of_machine[]. */
enum known_name {
    NAME_INIT,
    NAME_NEW,
    NAME_CALL,
    NAME_REPR,
    NAME_STR,
    NAME_LEN,
    NAME_GETITEM,
    NAME_SETITEM,
    NAME_DELITEM,
    NAME_CONTAINS,
    NAME_ITER,
    NAME_NEXT,
    NAME_ENTER,
    NAME_EXIT,
    NAME_HASH,
    NAME_BOOL,
    NAME_GETATTR,
    NAME_SETATTR,
    NAME_DICT,
    NAME_CLASS,
    NAME_NAME,
    NAME_DOC,
    NAME_FORMAT,
    NAME_QUALNAME,
    NAME_MODULE,
    NAME_BASES,
    NAME_MRO,
    NAME_ARGS,
    NAME_FLOAT,
    NAME_INT,
    NAME_INDEX,
    NAME_ABS,
    NAME_REVERSED,
    NAME_MISSING,
    NAME_POST_INIT,
    NAME_ANNOTATIONS,
    NAME_ROUND,
    NAME_DELATTR,
    NAME_SLOTS,
    NAME_SET_NAME,
    NAME_DEFAULTS,
    NAME_SELF,
    NAME_FUNC,
    NAME_FGET,
    NAME_INIT_SUBCLASS,
    NAME_WRAPPED,
    NAME_VALUE,
    NAME_GET_OF, /* of a descriptor */
    NAME_SET_OF,
    NAME_DELETE_OF,
    NAME_COUNT
};

/* Those that were printed, and whether warnings.simplefilter("ignore") holds: warnings.c. */
struct warnings {
    bool is_quiet;
    uint64_t *keys; /* a hash of each text with its place */
    size_t n, capacity;
};

struct torch;
struct numpy;

struct machine {
    struct things things;
    struct notebook_options options;
    struct graph own_graph, *graph; /* that tensors are nodes of: the session's, or its own */
    struct unit *units;
    struct code *codes;
    struct table *interned; /* str: every name of the source */
    struct string *names[NAME_COUNT];
    struct string *binary_names[SIGN_COUNT][2]; /* __add__, __radd__ */
    struct class *classes[CLASS_COUNT];
    struct class *errors[ERROR_COUNT];
    struct table *builtins;
    struct table *modules;       /* those that were imported */
    struct table *global_places; /* str: the place of each global */
    struct value *globals;
    size_t n_globals, global_capacity;
    struct value *stack; /* MACHINE_STACK */
    size_t stack_used;
    struct frame *frame; /* that runs */
    struct warnings warnings;
    unsigned n_calls;
    uintptr_t first_frame; /* where this program's stack was at the first of them */
    size_t most_stack;     /* bytes that calls may take of it; 0: not known yet */
    struct value raised;   /* ABSENT: nothing went wrong */
    size_t peak_before;    /* bytes of memory used at most before the line */
    size_t error_begin;    /* where it came up in the statement that runs: byte of its unit */
    bool lacked;           /* the line failed because attn does not have what it uses */
    struct table *lacking; /* str: a global that a statement would have made, had it run */
    struct value empty_tuple, empty_str, ellipsis, not_implemented;
    struct random random; /* Python's own stream: random.seed() */
    bool random_is_seeded;
    struct torch *torch;       /* tensor_internal.h; NULL until torch is imported */
    struct numpy *numpy;       /* ndarray_internal.h; the same of numpy */
    struct text out;           /* printed, and not yet handed on */
    size_t n_steps;            /* jumps backwards and calls */
    struct observer *observer; /* of a line whose shapes are looked at; borrowed, NULL: none */
    struct arena axes;         /* the names of axes that it found: axes_internal.h */
    const struct thing *repr_things[256]; /* whose repr() is under way */
    size_t repr_depth;
};

/* A function of attn's own. params as in a builtin: "x", "key=None", "*rest", "**named", and "*"
 * alone before those that are only given by name. */
struct native_call {
    struct machine *m;
    struct value args[NATIVE_MAX_PARAMS]; /* borrowed; ABSENT: not given */
    const struct value *rest;             /* of *rest */
    size_t n_rest;
    const struct value *named_names, *named_values; /* of **named */
    size_t n_named;
    const struct native *native;
};
struct native {
    const char *name;
    const char *params[NATIVE_MAX_PARAMS + 1];
    bool (*run)(struct native_call *c, struct value *ret);
};

/* ---- machine.c ---- */

/* Calls a function with values that are borrowed; names: a tuple of the keywords of the last ones,
 * or NULL. */
bool machine_call(struct machine *m, struct value function, const struct value *args, size_t n,
                  const struct tuple *names, struct value *ret);
/* function(first, args...) */
bool machine_call_with(struct machine *m, struct value function, struct value first,
                       const struct value *args, size_t n, const struct tuple *names,
                       struct value *ret);
bool machine_call_method(struct machine *m, struct value self, struct string *name,
                         const struct value *args, size_t n, struct value *ret, bool *ret_found);
/* Runs a generator up to its next yield; *ret is ABSENT at its end. */
bool generator_resume(struct machine *m, struct generator *generator, struct value sent,
                      struct value *ret);
/* Every step that could go on for long asks this: ^C, and rings of garbage. */
bool machine_tick(struct machine *m);
/* A name of Python that is written in Python (python/builtins.py); NULL: Python has no such name,
 * or raised.
 */
const struct value *builtin_in_python(struct machine *m, const struct string *name);
/* The generator goes on as if its yield had raised the error, which it takes over; as
 * generator_resume(). */
bool generator_throw(struct machine *m, struct generator *generator, struct value error,
                     struct value *ret);
/* A new place for a global, the last. */
bool machine_add_global(struct machine *m, struct string *name);
/* The name under which a unit's global is kept; borrowed, NULL without memory. */
struct string *name_of_global(struct machine *m, const struct unit *unit, const char *bytes,
                              size_t size);
/* Parses, compiles and runs the text of a module of that name. */
bool machine_run_module(struct machine *m, const char *name, const char *source);
/* What of a cell did not run because attn does not have it. */
struct lacks {
    size_t n_lines, n_ran; /* rows of code */
    size_t n;              /* statements that were passed over */
    struct text reasons;   /* "; line 9: ..." */
};
/* Runs a cell statement by statement, and passes over those that use what attn does not have; in a
 * session such an error ends it. *ret is the value of the last statement there, else ABSENT. */
bool machine_run_statements(struct machine *m, const char *name, const char *source, size_t size,
                            struct lacks *lacks, struct value *ret);
bool machine_run_code(struct machine *m, const struct code *code, struct value *ret);

/* ---- host.c ---- */

/* What a global that no cell has given a value is in the session, or attn's function of that name;
 * *ret is ABSENT where the session knows it neither. */
bool host_find(struct machine *m, int64_t place, struct string *name, struct value *ret);
/* attn's function of that name; *ret is ABSENT if attn does not have it. */
bool host_function(struct machine *m, struct string *name, struct value *ret);
/* Once the line has filled too much memory, its tensors keep no history any more. */
void host_watch_memory(struct machine *m);
/* A tensor without a name is called as the variable that it gets. One that was not computed gets a
 * name only from a parameter: a variable may stand for it for a moment. torch's own functions name
 * the stages of attention. */
enum naming { NAMED_VARIABLE, NAMED_PARAMETER, NAMED_IN_TORCH };
void host_name_tensor(struct machine *m, struct value v, struct value name, enum naming by);

/* ---- errors.c ---- */

bool raise_error(struct machine *m, enum error_class which, const char *format, ...)
    ERROR_FORMAT(3, 4);
/* The same for what attn does not have: other statements of the cell still run. */
bool raise_lack(struct machine *m, enum error_class which, const char *format, ...)
    ERROR_FORMAT(3, 4);
bool raise_memory(struct machine *m);
bool raise_value(struct machine *m, struct value error); /* takes over an instance */
/* The raised error has this cause, ABSENT where none is given, and came while `context` was
 * handled, or ABSENT; both borrowed. */
void raised_from(struct machine *m, struct value cause, struct value context);
bool raise_key(struct machine *m, struct value key); /* borrowed */
/* Makes raised of this class; the error is given up. False where it is of another class. */
bool raised_is(const struct machine *m, enum error_class which);
void raised_clear(struct machine *m);
/* Adds the place of a frame to the error's trace. */
void raised_add_place(struct machine *m, const struct frame *frame);
bool errors_init(struct machine *m);
/* The row of a unit, from 0, that a byte of its text lies in. */
size_t unit_row(const struct unit *unit, size_t at);
/* "FILE:ROW: CATEGORY: TEXT" and the row itself: where the cell is now. */
void errors_write_row(const struct machine *m, const char *category, const char *text,
                      struct text *out);
/* "Traceback (most recent call last): ..." */
void error_write_trace(struct machine *m, struct value error, struct text *out);
/* Only the functions that were called, the newest last, without the statement that called them. */
void error_write_calls(struct value error, struct text *out);
/* Only its last line, without a newline: "ValueError: ..." */
void error_write_last(struct machine *m, struct value error, struct text *out);
bool value_make_error(struct machine *m, struct class *class, const struct value *args, size_t n,
                      struct value *ret);

/* ---- warnings.c ---- */

/* Prints a warning as Python does, once for each place. */
void machine_warn(struct machine *m, const char *category, const char *text);
void warnings_release(struct warnings *w);

/* ---- classes.c ---- */

struct class *class_of(const struct machine *m, struct value v); /* borrowed */
const char *class_name(const struct class *class);
const char *value_class_name(const struct machine *m, struct value v);
bool class_is(const struct class *class, const struct class *of);
bool value_isinstance(const struct machine *m, struct value v, const struct class *class);
struct class *class_new(struct machine *m, const char *name, struct class *const *bases, size_t n);
/* x.NAME is what the function gives. */
bool class_add_property(struct machine *m, struct class *class, const struct native *native);
/* x.NAME() calls the function, written in Python, of that name, for an x of each of the n owners.
 * The function itself is in *ret. TypeError if function was not written in Python. */
bool class_take_method(struct machine *m, const enum own_class *owners, size_t n,
                       struct value function, struct value *ret);
bool class_add_natives(struct machine *m, struct class *class, const struct native *rows, size_t n);
/* The attribute of a class or of those that it stands on; borrowed, or NULL. */
const struct value *class_find(const struct class *class, const struct string *name);
bool attribute_get(struct machine *m, struct value object, struct string *name, struct value *ret);
/* The same, but *ret is ABSENT if the object has no such attribute. */
bool attribute_try(struct machine *m, struct value object, struct string *name, struct value *ret);
/* For a call: *ret is a function and *ret_self what it is called with; or ABSENT. */
bool attribute_method(struct machine *m, struct value object, struct string *name,
                      struct value *ret, struct value *ret_self);
bool attribute_set(struct machine *m, struct value object, struct string *name, struct value v);
bool attribute_delete(struct machine *m, struct value object, struct string *name);
/* class NAME(bases): with the attributes that its body left; takes ownership of them. */
bool class_build(struct machine *m, struct string *name, const struct value *bases, size_t n,
                 struct table *attributes, struct value *ret);
/* An instance of a class of the cell whose __init__ did not run. */
bool class_make_instance(struct machine *m, struct class *class, const struct value *args, size_t n,
                         const struct tuple *names, struct value *ret);
/* class(args) */
bool class_call(struct machine *m, struct class *class, const struct value *args, size_t n,
                const struct tuple *names, struct value *ret);
bool classes_init(struct machine *m);
/* The list, dict, str, ... that an instance of a class of cells derived from one of them is. */
struct value value_payload(struct value v);

/* ---- operators.c ---- */

bool operate(struct machine *m, enum sign sign, struct value a, struct value b, bool in_place,
             struct value *ret); /* borrowed */
bool operate_unary(struct machine *m, enum sign sign, struct value a, struct value *ret);
bool value_truth(struct machine *m, struct value v, bool *ret);
bool value_equal(struct machine *m, struct value a, struct value b, bool *ret);
bool value_less(struct machine *m, struct value a, struct value b, bool *ret);
bool value_identical(struct value a, struct value b);
bool value_hash(struct machine *m, struct value v, uint64_t *ret);
bool value_contains(struct machine *m, struct value container, struct value item, bool *ret);
bool value_length(struct machine *m, struct value v, int64_t *ret);
bool index_get(struct machine *m, struct value object, struct value at, struct value *ret);
bool index_set(struct machine *m, struct value object, struct value at, struct value v);
bool index_delete(struct machine *m, struct value object, struct value at);
/* A whole number, also of True; else TypeError. */
bool value_whole(struct machine *m, struct value v, int64_t *ret);
bool value_number(struct machine *m, struct value v, double *ret);

/* ---- tables with any keys ---- */

bool dict_find(struct machine *m, const struct table *table, struct value key,
               struct entry **ret); /* *ret NULL: not there */
bool dict_put(struct machine *m, struct table *table, struct value key, struct value value);
bool dict_remove(struct machine *m, struct table *table, struct value key, bool *ret_was);
/* dict(other), dict.update(other): pairs, or a mapping; borrowed. */
bool dict_update(struct machine *m, struct table *table, struct value from);

/* ---- iterators.c ---- */

bool value_iterate(struct machine *m, struct value v, struct value *ret);
/* The list of the members of an Enum (python/enum.py); NULL: v is not one. Borrowed. */
const struct value *class_members(struct machine *m, struct value v);
/* *ret is ABSENT at the end. */
bool iterator_next(struct machine *m, struct value iterator, struct value *ret);
bool value_to_array(struct machine *m, struct value v, struct array **ret); /* a new list */
/* An iterator of attn's own over `from`. */
bool iterator_new(struct machine *m, enum iterator_kind kind, struct value from, struct value also,
                  struct value *ret);
size_t range_count(const struct range *range);

/* ---- format.c ---- */

bool value_repr(struct machine *m, struct value v, struct text *out);
bool value_str(struct machine *m, struct value v, struct text *out);
/* str(v), repr(v) or ascii(v), as the conversion 's', 'r' or 'a' of a format asks. */
bool value_convert(struct machine *m, struct value v, char conversion, struct text *out);
bool value_format(struct machine *m, struct value v, const char *spec, size_t size,
                  struct text *out);
bool text_percent(struct machine *m, const struct string *format, struct value args,
                  struct value *ret);
bool text_brace_format(struct machine *m, const struct string *format, const struct value *args,
                       size_t n, const struct value *names, const struct value *values,
                       size_t n_named, struct value *ret);
/* *ret is a str of the text, which is released. */
bool text_to_str(struct machine *m, struct text *text, struct value *ret);

/* ---- making values; each raises MemoryError ---- */

bool make_str(struct machine *m, const char *bytes, size_t size, struct value *ret);
bool make_tuple(struct machine *m, const struct value *items, size_t n,
                struct value *ret); /* borrowed */
struct string *intern(struct machine *m, const char *bytes,
                      size_t size); /* borrowed by the caller */
bool make_bound(struct machine *m, struct value self, struct value function, struct value *ret);
bool make_slice(struct machine *m, struct value start, struct value stop, struct value step,
                struct value *ret);
/* Where needle begins in text, from byte `from` on; SIZE_MAX: nowhere. */
size_t text_find(const char *text, size_t size, const char *needle, size_t needle_size,
                 size_t from);
size_t str_length(const struct string *string);
/* Byte at which character i begins. */
size_t str_offset(const struct string *string, size_t i);

/* ---- compile.c, scope.c ---- */

/* Compiles statements; NULL with raised where they are too large. gives_value: what the code gives
 * is the value of the last one, if that is an expression. */
const struct code *compile_cell(struct machine *m, struct unit *unit, const struct statement *first,
                                bool gives_value);

/* ---- natives ---- */

bool native_call(struct machine *m, const struct native *native, const struct value *args, size_t n,
                 const struct tuple *names, struct value *ret);
bool add_native(struct machine *m, struct table *table, const struct native *native);
struct native_table {
    const struct native *rows;
    size_t n;
};
extern const struct native_table functions_of_python, methods_of_str, methods_of_list,
    methods_of_tuple, methods_of_dict, methods_of_set, methods_of_int, methods_of_float,
    methods_of_object, methods_of_generator, methods_of_property, methods_of_error,
    methods_of_collections, properties_of_numbers;
/* attn has no module of this name: ModuleNotFoundError, with what to do. */
bool raise_missing_module(struct machine *m, const char *name);
/* _attn.find, for python/re.py: patterns.c. */
bool pattern_find(struct native_call *c, struct value *ret);
bool module_import(struct machine *m, const char *name, size_t size, struct value *ret);
/* int(x), list(x), ...: what a class of attn's own makes. */
bool own_class_call(struct machine *m, struct class *class, const struct value *args, size_t n,
                    const struct tuple *names, struct value *ret);
bool array_sort(struct machine *m, struct array *array, struct value key, bool reverse);
void machine_print(struct machine *m, const char *bytes, size_t size);
/* The same for sys.stderr; what has been printed goes first. */
void machine_print_error(struct machine *m, const char *bytes, size_t size);

#endif
