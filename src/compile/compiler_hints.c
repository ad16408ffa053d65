/* Plain sentences for compilers' messages: see mistake.h.
 *
 * Messages are matched by patterns, in which % stands for some text that the sentence may repeat,
 * and ~ for some that it does not. In sentences %1 and %2 are what the pattern's first and second %
 * stand for, %f is the exercise's function and %p its prototype. The first pattern that matches
 * speaks, so that special cases stand above general ones. */
#include "compile/compiler_hints.h"

#include <string.h>

#include "base/array.h"

enum {
    MAX_PARTS = 3,
    LONGEST_PART = 60, /* bytes of a name that are repeated */
};

struct part {
    const char *begin;
    size_t size;
};

struct mistake {
    const char *pattern, *sentence;
};

/* ---- names that nobody declared ---- */

/* Functions and constants of the C library, by the header that declares them. */
static const struct header {
    const char *name, *names; /* each name between two spaces */
} headers[] = {
    {"math.h",
     " INFINITY NAN HUGE_VAL HUGE_VALF M_PI M_E exp expf expl exp2 exp2f expm1 expm1f log logf "
     "log2 "
     "log2f log10 log10f log1p log1pf sqrt sqrtf pow powf fabs fabsf fmax fmaxf fmin fminf fma "
     "fmaf "
     "tanh tanhf sin sinf cos cosf tan tanf sinh sinhf cosh coshf erf erff floor floorf ceil ceilf "
     "round roundf trunc truncf fmod fmodf isnan isinf isfinite ldexp ldexpf frexp frexpf hypot "
     "hypotf cbrt cbrtf lround lroundf "},
    {"stdlib.h", " malloc calloc realloc free abs abort exit qsort rand srand EXIT_SUCCESS "
                 "EXIT_FAILURE "},
    {"string.h", " memcpy memset memmove memcmp strlen strcmp "},
    {"stdio.h", " printf fprintf puts putchar stdout stderr "},
    {"float.h", " FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON "},
    {"stdint.h", " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t "
                 "uintptr_t SIZE_MAX UINT32_MAX INT32_MAX UINT64_MAX INT64_MAX "},
    {"limits.h", " INT_MAX INT_MIN UINT_MAX LONG_MAX CHAR_BIT "},
    {"assert.h", " assert static_assert "},
};

/* Words of other languages, and what C says. */
static const struct mistake foreign[] = {
    {"True", "C writes true, in small letters."},
    {"False", "C writes false, in small letters."},
    {"None", "C writes NULL for a pointer to nothing."},
    {"null", "C writes NULL, in capital letters."},
    {"nullptr", "C17 writes NULL for a pointer to nothing."},
    {"inf", "C writes INFINITY, with #include <math.h> at the top of the file."},
    {"Infinity", "C writes INFINITY, with #include <math.h> at the top of the file."},
    {"nan", "C writes NAN, with #include <math.h> at the top of the file."},
    {"pi", "C has no name for pi: write a constant, 3.14159265f."},
    {"and", "C writes && for \"and\"."},
    {"or", "C writes || for \"or\"."},
    {"not", "C writes ! for \"not\"."},
    {"let", "C has no let: a variable begins with its type, as in float sum = 0;"},
    {"var", "C has no var: a variable begins with its type, as in float sum = 0;"},
    {"def", "C has no def: a function begins with the type that it returns."},
    {"fn", "C has no fn: a function begins with the type that it returns."},
    {"std", "This is C, not C++: leave out std:: and include C's own headers, such as <math.h>."},
    {"using", "This is C, not C++: leave this line out."},
    {"vector", "This is C, not C++: an array is a pointer here, and its length a parameter."},
    {"string", "C has no type string."},
    {"boolean", "The type is called bool in C."},
    {"float32", "The type is called float in C."},
    {"len", "A C array does not know its length: use the sizes among the parameters."},
    {"sum", "C has no sum(): add the numbers up in a loop."},
    {"max", "C has no max(): compare with >, or use fmaxf() from <math.h>."},
    {"min", "C has no min(): compare with <, or use fminf() from <math.h>."},
    {"range", "C has no range(): write for (size_t i = 0; i < n; i++)."},
    {"print", "C writes printf(\"%f\\n\", x), with #include <stdio.h> at the top of the file."},
    {"dot", "C has no dot(): multiply and add in a loop."},
};

static bool is_in(const char *names, struct part name)
{
    for (const char *at = strchr(names, ' '); at != NULL; at = strchr(at + 1, ' '))
        if (strncmp(at + 1, name.begin, name.size) == 0 && at[1 + name.size] == ' ')
            return true;
    return false;
}

static bool part_is(struct part part, const char *word)
{
    return strlen(word) == part.size && memcmp(word, part.begin, part.size) == 0;
}

static bool explain_library_name(struct part name, struct text *text)
{
    for (size_t i = 0; i < COUNT_OF(headers); i++) {
        if (is_in(headers[i].names, name)) {
            text_format(text, "%.*s needs #include <%s> at the top of the file.", (int)name.size,
                        name.begin, headers[i].name);
            return true;
        }
    }
    for (size_t i = 0; i < COUNT_OF(foreign); i++) {
        if (part_is(name, foreign[i].pattern)) {
            text_put(text, foreign[i].sentence);
            return true;
        }
    }
    return false;
}

/* ---- the table ---- */

static const char undeclared[] =
    "%1 is not declared here. Is it spelt as where it was declared, and was that before this line "
    "and inside the same braces?";
static const char undeclared_counter[] =
    "%1 is not declared. A variable gets its type where it first appears: size_t %1 = 0.";
static const char undeclared_function[] =
    "%1 is called before the compiler has seen it. Is it spelt right? A function of your own must "
    "stand above the place where it is called.";
static const char unknown_type[] = "%1 is no type that C knows. Is it spelt right? Common ones "
                                   "are float, double, size_t, int and bool.";
static const char prototype_differs[] =
    "%f must be declared exactly as the task says, with these types in this order: %p";
static const char no_static[] =
    "Leave static away before %f: attn must be able to call it from outside.";
static const char defined_late[] =
    "%1 is used above the line where it is defined. Move its definition up.";
static const char second_function[] = "The file defines %f twice. Keep one of the two.";
static const char second_declaration[] = "%1 is declared twice in the same place. To give it a new "
                                         "value, leave the type away the second "
                                         "time.";
static const char other_declaration[] =
    "The name %1 is taken already, by a parameter or by something above. Use that one, or choose "
    "another name.";
static const char no_semicolon[] =
    "Something is missing just before this place: most likely a ; at the end of the statement.";
static const char no_closing[] = "A ) is missing: each ( needs its ).";
static const char no_comma[] = "A comma or a ) is missing in this list of parameters.";
static const char no_opening[] =
    "A ( is missing. A loop looks like this: for (size_t i = 0; i < n; i++) { ... }";
static const char no_bracket[] = "A ] is missing: each [ needs its ].";
static const char ends_early[] =
    "The file ends too early: a { further up has no }. Indent each block, and the one that does "
    "not end will show.";
static const char one_too_many[] =
    "There is a } too many here, or an earlier one closes more than it should.";
static const char outside[] =
    "This stands outside of every function. Is there a ; right behind the function's head, or a } "
    "too early above?";
static const char no_body[] =
    "The body of a function stands in braces: a { is missing behind its head.";
static const char open_comment[] = "A comment begins here with /* and never ends with */.";
static const char open_quotes[] = "Some text begins here with a quotation mark and does not end.";
static const char no_at[] =
    "C has no operator @: a product of matrices is three loops, one inside the other.";
static const char strange_sign[] =
    "Here is a sign that C does not use, such as a long dash or a curly quotation mark that was "
    "copied from a page. Type it anew.";
static const char no_if[] =
    "This else has no if. Is there a ; right behind the if's condition, or are the braces missing "
    "around its statements?";
static const char inner_function[] =
    "A function can't be defined inside another one. Mostly a } is missing above.";
static const char only_read[] = "%1 is const: it can be read, but not written.";
static const char something_only_read[] =
    "This is const: it can be read, but not written. Which array is the result to go into?";
static const char no_place[] =
    "The left side of = must be a place to store a number in, such as x or weights[i]. To compare, "
    "write ==.";
static const char no_increment[] = "Only a variable can be counted up or down.";
static const char whole_array[] =
    "An array can't be assigned as a whole. Copy its numbers in a loop.";
static const char no_array[] =
    "This is a single number, and has no [ ]. A matrix is one long row of numbers here: with cols "
    "columns, element (i, j) is x[i * cols + j], not x[i][j].";
static const char index_comma[] =
    "x[i, j] means x[j] in C. With cols columns, element (i, j) is x[i * cols + j].";
static const char whole_index[] = "An index must be a whole number. Declare it as size_t.";
static const char array_for_number[] =
    "An array is used where a number is expected, or the other way round: x is a whole array, x[i] "
    "is one number of it.";
static const char no_value[] = "This function is void: it gives no value that could be used.";
static const char argument_type[] =
    "Argument %1 of %2 has another type than the function asks for. Is it a number where an array "
    "is expected, or an array where a number is?";
static const char other_pointer[] =
    "These pointers point to different types. A float * can't be used as a double *: the numbers "
    "have different sizes in memory.";
static const char pointer_number[] =
    "A pointer and a number are mixed up: x is where an array begins, x[i] is one number of it.";
static const char drops_const[] =
    "An array that may only be read is passed to a pointer that may write. Declare that pointer "
    "const float *.";
static const char whole_numbers[] =
    "%1 works on whole numbers only. For floats, x * x is a square, and fmodf() from <math.h> a "
    "remainder.";
static const char whole_numbers_only[] =
    "This operator works on whole numbers only. For floats, x * x is a square, and fmodf() from "
    "<math.h> a remainder.";
static const char no_operator[] =
    "This operator does not work on these operands. Arrays can't be calculated with as a whole: "
    "work on x[i] in a loop.";
static const char too_few[] = "This call leaves arguments out: the function asks for more.";
static const char too_many[] = "This call has too many arguments for the function.";
static const char no_function[] =
    "What stands before the ( is no function. Array elements are written x[i], and a product needs "
    "its *.";
static const char no_return[] = "A function that is not void must end with return and a value.";
static const char return_value[] =
    "The function is void: it returns nothing. Its result goes into the array that is not const.";
static const char no_header[] =
    "There is no header %1. Is it spelt right? Only the headers of the C library are there, such "
    "as <math.h>.";
static const char no_file[] =
    "There is no such file where the compiler runs: only the headers of the C library are there.";
static const char no_member[] =
    "C arrays have no members, and do not know their length: the sizes are parameters.";
static const char no_initializer[] =
    "An array whose length is a variable can't be given values with = {...}. Set them in a loop.";
static const char no_loop[] = "break and continue work inside a loop only.";
static const char no_constant[] =
    "A variable outside of all functions can start with a constant only, not with a computed "
    "value.";
static const char read_as_declaration[] =
    "This is read as the declaration of an array. If it is meant to be something else, a } above "
    "ends the function too early.";
static const char no_condition[] = "A single = assigns. To compare, write ==.";
static const char no_start[] =
    "%1 is read before it has a value. A variable does not start at 0 by itself: write = 0 or what "
    "it should start with.";
static const char empty_body[] =
    "The ; right behind the ) is all that is repeated, or done under the condition. Take it away.";
static const char one_statement[] =
    "Without braces only the next statement belongs to this %1. Put { } around all that do.";
static const char never_negative[] =
    "A size_t is never below 0, so this is always true. To count down, write for (size_t i = n; "
    "i-- > 0;).";
static const char no_expression[] =
    "A value is missing here, or something that does not belong stands in its place. Look at the "
    "line above as well.";

static const struct mistake mistakes[] = {
    /* names */
    {"unknown type name '%'~", unknown_type},
    {"'%' undeclared~", undeclared},
    {"use of undeclared identifier '%'~", undeclared},
    {"implicit declaration of function '%'~", undeclared_function},
    {"implicitly declaring library function '%'~", undeclared_function},
    {"call to undeclared library function '%'~", undeclared_function},
    {"call to undeclared function '%'~", undeclared_function},
    {"incompatible implicit declaration of built-in function '%'~", undeclared_function},
    /* declarations */
    {"static declaration of '%' follows non-static declaration", defined_late},
    {"conflicting types for '%'~", second_declaration},
    {"redefinition of '%'~", second_declaration},
    {"redeclaration of '%'~", second_declaration},
    {"'%' redeclared as different kind of symbol", other_declaration},
    {"redefinition of parameter '%'", other_declaration},
    {"initializer element is not ~", no_constant},
    {"invalid initializer", read_as_declaration},
    {"array initializer must be an initializer list~", read_as_declaration},
    {"variable-sized object may not be initialized~", no_initializer},
    {"function definition is not allowed here", inner_function},
    {"data definition has no type or storage class~", outside},
    {"type specifier missing~", outside},
    {"type defaults to 'int' in declaration~", outside},
    /* signs that are missing, or too many */
    {"unterminated ~comment", open_comment},
    {"missing terminating ~ character~", open_quotes},
    {"stray '@' in program", no_at},
    {"stray ~ in program", strange_sign},
    {"unexpected character <~", strange_sign},
    {"non-ASCII ~", strange_sign},
    {"'else' without a previous 'if'", no_if},
    {"expected declaration or statement at end of input", ends_early},
    {"expected '{' at end of input", no_body},
    {"expected declaration specifiers before ~", no_body},
    {"expected function body after function declarator", no_body},
    {"expected '}'~", ends_early},
    {"extraneous closing brace~", one_too_many},
    {"expected identifier or '(' before '}' token", one_too_many},
    {"expected identifier or '('~", outside},
    {"expected '(' ~", no_opening},
    {"expected ')'~", no_closing},
    {"expected ']'~", no_bracket},
    {"expected ';', ',' or ')'~", no_comma},
    {"expected ';'~", no_semicolon},
    {"expected ',' or ';'~", no_semicolon},
    {"expected '=', ',', ';'~", no_semicolon},
    {"expected ':', ',', ';'~", no_semicolon},
    {"expected expression before 'void'", no_semicolon}, /* as in (void)rows; behind it */
    {"expected ~expression~", no_expression},
    /* reading and writing */
    {"assignment of read-only location '*(% +~", only_read},
    {"assignment of read-only location '*(%+~", only_read},
    {"~crement of read-only location ~", something_only_read},
    {"assignment of read-only location '*%'", only_read},
    {"assignment of read-only location ~", something_only_read},
    {"assignment of read-only variable '%'", only_read},
    {"assignment of read-only parameter '%'", only_read},
    {"cannot assign to variable '%' with const-qualified type ~", only_read},
    {"read-only variable is not assignable", something_only_read},
    {"lvalue required as left operand~", no_place},
    {"lvalue required as ~crement operand", no_increment},
    {"expression is not assignable", no_place},
    {"assignment to expression with array type", whole_array},
    {"array type '~' is not assignable", whole_array},
    /* arrays and numbers */
    {"subscripted value is ~", no_array},
    {"array subscript is not an integer", whole_index},
    {"left-hand operand of comma expression has no effect~", index_comma},
    {"left operand of comma operator has no effect~", index_comma},
    {"void value not ignored as it ought to be", no_value},
    {"~ from incompatible type 'void'", no_value},
    {"~ with an expression of incompatible type 'void'", no_value},
    {"incompatible type for argument % of '%'", argument_type},
    {"passing '~' to parameter of incompatible type~", array_for_number},
    {"incompatible types when ~", array_for_number},
    {"~ with an expression of incompatible type ~", array_for_number},
    {"assigning to '~' from incompatible type ~", array_for_number},
    {"~ discards '~' qualifier~", drops_const},
    {"~ discards qualifiers~", drops_const},
    {"~ from incompatible pointer type~", other_pointer},
    {"incompatible pointer types ~", other_pointer},
    {"~ makes pointer from integer without a cast~", pointer_number},
    {"~ makes integer from pointer without a cast~", pointer_number},
    {"incompatible integer to pointer conversion ~", pointer_number},
    {"incompatible pointer to integer conversion ~", pointer_number},
    {"comparison between pointer and integer~", pointer_number},
    {"invalid operands to binary % (have '~*'~", no_operator},
    {"invalid operands to binary % (have '~' and '~*'~", no_operator},
    {"invalid operands to binary expression ('~*~", no_operator},
    {"invalid operands to binary expression ~", whole_numbers_only},
    {"invalid operands to binary % ~", whole_numbers},
    {"wrong type argument to ~", no_operator},
    {"invalid argument type '~' to unary expression", no_operator},
    {"request for member ~", no_member},
    {"member reference ~", no_member},
    /* calls and returns */
    {"too few arguments to ~", too_few},
    {"too many arguments to ~", too_many},
    {"called object ~", no_function},
    {"no return statement in function returning non-void~", no_return},
    {"control reaches end of non-void function~", no_return},
    {"non-void function does not return a value~", no_return},
    {"'return' with no value, in function returning non-void~", no_return},
    {"non-void function '~' should return a value~", no_return},
    {"'return' with a value, in function returning void~", return_value},
    {"void function '~' should not return a value~", return_value},
    {"break statement not within loop~", no_loop},
    {"continue statement not within~", no_loop},
    {"'break' statement not in ~", no_loop},
    {"'continue' statement not in ~", no_loop},
    {"can't open ~", no_file},
    {"file not found: ~", no_file},
    {"Could not find inc~", no_file},
    {"%: No such file or directory", no_header},
    {"'%' file not found", no_header},
    /* warnings that are nearly always right */
    {"suggest parentheses around assignment used as truth value~", no_condition},
    {"using the result of an assignment as a condition ~", no_condition},
    {"'%' may be used uninitialized~", no_start},
    {"'%' is used uninitialized~", no_start},
    {"variable '%' is uninitialized when ~", no_start},
    {"variable '%' may be uninitialized when ~", no_start},
    {"variable '%' is used uninitialized ~", no_start},
    {"suggest braces around empty body ~", empty_body},
    {"~ has empty body~", empty_body},
    {"this '%' clause does not guard~", one_statement},
    {"misleading indentation; statement is not part of the previous '%'~", one_statement},
    {"comparison of unsigned expression in '>= 0' is always true~", never_negative},
    {"result of comparison of unsigned expression >= 0 is always true~", never_negative},
};

/* ---- matching ---- */

/* Does text begin with the pattern up to its next wildcard? Returns where both go on. */
static bool literal_matches(const char **pattern, const char **text)
{
    while (**pattern != '\0' && **pattern != '%' && **pattern != '~') {
        if (**pattern != **text)
            return false;
        (*pattern)++;
        (*text)++;
    }
    return true;
}

/* Moves *text to the first place that goes on like the pattern. */
static bool find_literal(const char **pattern, const char **text)
{
    for (const char *at = *text;; at++) {
        const char *p = *pattern, *t = at;
        if (literal_matches(&p, &t) && (*p != '\0' || *t == '\0')) {
            *text = at;
            return true;
        }
        if (*at == '\0')
            return false;
    }
}

/* A wildcard stands for as little as what is behind it allows, which suffices here. */
static bool matches(const char *pattern, const char *text, struct part parts[MAX_PARTS])
{
    size_t n = 0;
    while (literal_matches(&pattern, &text)) {
        if (*pattern == '\0')
            return *text == '\0';
        bool kept = *pattern++ == '%';
        const char *begin = text;
        if (*pattern == '\0')
            text += strlen(text);
        else if (!find_literal(&pattern, &text))
            return false;
        if (kept && n < MAX_PARTS)
            parts[n++] = (struct part){begin, (size_t)(text - begin)};
    }
    return false;
}

/* ---- saying ---- */

static void say_part(struct part part, struct text *text)
{
    bool fits = part.size <= LONGEST_PART;
    text_add(text, part.begin, fits ? part.size : LONGEST_PART);
    text_put(text, fits ? "" : "...");
}

static void say(const char *sentence, const struct compiler_hint_context *context,
                const struct part *parts, struct text *text)
{
    for (const char *at = sentence; *at != '\0'; at++) {
        if (*at != '%') {
            text_char(text, *at);
            continue;
        }
        at++;
        if (*at == 'f')
            text_put(text, context->function);
        else if (*at == 'p')
            text_put(text, context->prototype);
        else
            say_part(parts[*at - '1'], text);
    }
}

/* A name as short as a counter's. */
static bool is_counter(struct part name)
{
    return name.size == 1 && strchr("ijklrcdhnpqt", *name.begin) != NULL;
}

/* The sentence that fits a name better than the pattern's usual one. */
static const char *sentence_for(const char *usual, struct part name,
                                const struct compiler_hint_context *context)
{
    bool is_function = part_is(name, context->function);
    if (usual == undeclared && is_counter(name))
        return undeclared_counter;
    if (usual == defined_late && is_function)
        return no_static;
    return usual;
}

/* A second definition of the function itself has a reason of its own: other types, or twice. */
static const char *sentence_for_function(const char *message)
{
    return strncmp(message, "conflicting", 11) == 0 || strstr(message, "different type") != NULL
               ? prototype_differs
           : strncmp(message, "redefinition", 12) == 0 ? second_function
                                                       : NULL;
}

bool compiler_hint_add(const char *message, const struct compiler_hint_context *context,
                       struct text *text)
{
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        struct part parts[MAX_PARTS] = {{"", 0}, {"", 0}, {"", 0}};
        const char *sentence = mistakes[i].sentence;
        if (!matches(mistakes[i].pattern, message, parts))
            continue;
        if ((sentence == undeclared || sentence == undeclared_function ||
             sentence == unknown_type) &&
            explain_library_name(parts[0], text))
            return true;
        if (part_is(parts[0], context->function) && sentence_for_function(message) != NULL)
            sentence = sentence_for_function(message);
        say(sentence_for(sentence, parts[0], context), context, parts, text);
        return true;
    }
    return false;
}
