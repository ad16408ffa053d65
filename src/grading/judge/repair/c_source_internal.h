/* A learner's file as words, with its functions and the names that are known at each place: enough
 * of C to change one place of it. No types but numbers and their arrays are told apart. The text of
 * a #define is read too, as a function without parameters; other directives are left alone. */
#ifndef ATTN_JUDGE_REPAIR_C_SOURCE_INTERNAL_H
#define ATTN_JUDGE_REPAIR_C_SOURCE_INTERNAL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

enum c_word_kind { WORD_NAME, WORD_NUMBER, WORD_SIGN, WORD_QUOTED };

/* A name, a number, text in quotation marks, or a whole sign, such as `+=`. */
struct c_word {
    const char *begin; /* in the source */
    unsigned size, line;
    enum c_word_kind kind;
    unsigned partner;     /* of a bracket: the position of the other one; else 0 */
    bool binary;          /* a sign between two operands */
    bool opens_statement; /* the first word of a statement or declaration */
    bool in_index;        /* within [ ] */
    bool in_head;         /* within the ( ) of for, while or if */
    bool in_loop;         /* within that of for or while */
    bool in_step;         /* in the third part of for ( ) */
    bool is_target;       /* a name that is declared, set or changed here */
};

/* Kinds of variables; KIND_OTHER is never put anywhere. */
enum c_kind {
    KIND_INT,
    KIND_FLOAT, /* or double */
    KIND_BOOL,
    KIND_INTS,
    KIND_FLOATS,
    KIND_DOUBLES,
    KIND_BOOLS,
    KIND_OTHER,
};

struct c_name {
    const struct c_word *word;
    enum c_kind kind;
    bool constant;     /* what it points to may not be written */
    bool counts;       /* an int that is counted up or down: an index */
    unsigned from, to; /* the words at which it is known */
};

struct c_function {
    unsigned first;       /* its first word, such as `static` */
    unsigned name, open;  /* its name and the ( after it */
    unsigned close, body; /* the ) and the { after that */
    unsigned end;         /* the } */
    struct c_name *names; /* [n_names], parameters first */
    unsigned n_names, n_params;
    bool is_macro; /* a #define: its text lies between body and end, an empty word, and names are
                    * those of the last function's parameters */
};

struct c_source {
    const char *text; /* [size], borrowed */
    size_t size;
    struct c_word *words; /* [n_words]; those of directives come after all others, from n_code on */
    unsigned n_words, n_code;
    struct c_function *functions; /* [n_functions], in the order of the file; then the macros */
    unsigned n_functions;
    struct arena arena; /* owns all of it */
};

/* Reads text[0..size), which must stay. A file that this reader does not understand, or a very
 * large one, has no functions. False without memory. */
bool c_source_read(const char *text, size_t size, struct c_source *ret, struct error *reterr);
void c_source_release(struct c_source *source); /* all zero bytes are allowed */

bool c_word_is(const struct c_word *word, const char *spelling);
bool c_words_same(const struct c_word *a, const struct c_word *b);
/* Is it a word of a type, such as `const` or `size_t`? */
bool c_word_is_type(const struct c_word *word);
/* Is it `=`, or a sign such as `+=`? */
bool c_word_assigns(const struct c_word *word);
/* The last word of the statement that begins here; or `at` where no statement ends. */
unsigned c_statement_end(const struct c_source *source, unsigned at);
/* The variable that a word names at this place, or NULL. */
const struct c_name *c_name_at(const struct c_source *source, const struct c_function *function,
                               unsigned at, const struct c_word *word);

#endif
