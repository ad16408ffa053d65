/* See ast.h. */
#include "lang/syntax/ast.h"

#include <string.h>

#include "base/text.h"

bool expr_is_word(const struct expr *expr, const char *word)
{
    return text_equals(expr->as.text.bytes, expr->as.text.size, word);
}

bool expr_same_word(const struct expr *a, const struct expr *b)
{
    return a->as.text.size == b->as.text.size &&
           memcmp(a->as.text.bytes, b->as.text.bytes, a->as.text.size) == 0;
}

bool expr_place_error(const struct expr *expr, struct error *reterr)
{
    return error_place(reterr, expr->begin, expr->end);
}
