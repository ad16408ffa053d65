/* See foreign_internal.h. */
#include "lang/session/foreign_internal.h"

#include <string.h>

#include "base/array.h"

static const struct {
    const char *name, *advice;
} foreign[] = {
    {"einsum", "write the product with @, .T and sum, as A @ B for \"ij,jk->ik\""},
    {"type", "every value that is computed is a tensor of float32; X.shape says which"},
    {"dtype", "all numbers are float32"},
    {"device", "all numbers are in this computer's memory"},
    {"dir", "help lists all functions, help NAME explains one, and vars lists your names"},
    {"Linear", "a linear layer is X @ W + b"},
    {"LayerNorm", "write layer_norm(X)"},
    {"MultiheadAttention", "write multi_head_attention(X, W_q, W_k, W_v, n_heads, W_o)"},
    {"Parameter", "grad works for every tensor: W = randn(3, 3)"},
    {"register_buffer", "a name is enough, as in mask = causal_mask(4); only models keep buffers"},
    {"backward", "write grad(loss, W) for the gradient of a loss with respect to W"},
    {"requires_grad", "grad works for every tensor"},
    {"no_grad", "nothing is computed for gradients until you write grad(loss, W)"},
    {"manual_seed_all", "write manual_seed(n)"},
    {"tolist", "naming a tensor shows its numbers"},
    {"topk", "argmax(X) gives the place of the largest number"},
    {"sort", "X[order] puts rows in an order that you write, such as [2, 0, 1]"},
    {"gather", "write X[[2, 0]] for rows, or X[:, [2, 0]] for columns"},
    {"index_select", "write X[[2, 0]] for rows, or X[:, [2, 0]] for columns"},
};

const char *foreign_advice(const char *name, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(foreign); i++)
        if (text_equals(name, size, foreign[i].name))
            return foreign[i].advice;
    return NULL;
}

/* ---- einsum ---- */

enum { SUBSCRIPTS = 8 };

/* "bij,bjk->bik" without blanks, apart. */
struct subscripts {
    char parts[3][SUBSCRIPTS + 1]; /* of the first tensor, the second and the result */
    size_t sizes[3];
};

static bool read_subscripts(const char *text, size_t size, struct subscripts *ret)
{
    size_t part = 0;
    *ret = (struct subscripts){.sizes = {0}};
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool arrow = c == '-' && i + 1 < size && text[i + 1] == '>';
        bool next = (part == 0 && c == ',') || (part == 1 && arrow);
        if (c == ' ')
            continue;
        if (next) {
            part++;
            i += arrow;
        } else if (c >= 'a' && c <= 'z' && ret->sizes[part] < SUBSCRIPTS) {
            ret->parts[part][ret->sizes[part]++] = c;
        } else {
            return false;
        }
    }
    return part == 2;
}

/* How many letters in front all three share: the batch axes. */
static size_t shared_letters(const struct subscripts *s)
{
    size_t n = 0;
    while (n < s->sizes[0] && n < s->sizes[1] && n < s->sizes[2] &&
           s->parts[0][n] == s->parts[1][n] && s->parts[0][n] == s->parts[2][n])
        n++;
    return n;
}

/* Which of the two tensors must be transposed so that first @ second is the result; false where no
 * product is. Vectors, of one letter, are as @ takes them. */
static bool product_of(const struct subscripts *s, bool ret_transposed[2])
{
    size_t n_batch = shared_letters(s);
    const char *a = s->parts[0] + n_batch, *b = s->parts[1] + n_batch, *c = s->parts[2] + n_batch;
    size_t na = s->sizes[0] - n_batch, nb = s->sizes[1] - n_batch, nc = s->sizes[2] - n_batch;
    if (na < 1 || na > 2 || nb < 1 || nb > 2 || nc != na + nb - 2 || (n_batch > 0 && na + nb < 4))
        return false;
    for (unsigned way = 0; way < 4; way++) {
        bool turn_a = way & 1U, turn_b = way >> 1 & 1U;
        if ((turn_a && na < 2) || (turn_b && nb < 2))
            continue;
        char inner_a = a[na - 1 - turn_a], inner_b = nb < 2 ? b[0] : b[turn_b];
        char want[3] = "";
        size_t n = 0;
        if (na == 2)
            want[n++] = a[turn_a];
        if (nb == 2)
            want[n++] = b[1 - turn_b];
        if (inner_a == inner_b && memcmp(want, c, nc) == 0 && memchr(want, inner_a, n) == NULL) {
            ret_transposed[0] = turn_a;
            ret_transposed[1] = turn_b;
            return true;
        }
    }
    return false;
}

static void write_operand(const struct expr *operand, const char *source, bool transposed,
                          bool batched, struct text *text)
{
    bool simple = operand->kind == EXPR_NAME || operand->kind == EXPR_INDEX;
    text_format(text, simple ? "%.*s" : "(%.*s)", (int)(operand->end - operand->begin),
                source + operand->begin);
    if (transposed)
        text_put(text, batched ? ".mT" : ".T");
}

bool foreign_einsum(const struct expr *call, const char *source, struct text *text)
{
    struct subscripts subscripts;
    bool transposed[2];
    if (call->kind != EXPR_CALL || call->as.call.n != 3)
        return false;
    const struct argument *arguments = call->as.call.arguments;
    const struct expr *rule = arguments[0].value;
    if (rule->kind != EXPR_STRING || rule->as.text.size > 40 ||
        !read_subscripts(rule->as.text.bytes, rule->as.text.size, &subscripts) ||
        !product_of(&subscripts, transposed))
        return false;
    bool batched = shared_letters(&subscripts) > 0 && subscripts.sizes[0] > 2;
    write_operand(arguments[1].value, source, transposed[0], batched, text);
    text_put(text, " @ ");
    write_operand(arguments[2].value, source, transposed[1], batched, text);
    return true;
}
