/* Numbers as answers: how near they are, and the remarks about them. */
#include "course/lesson/question_internal.h"

#include <math.h>
#include <string.h>

#include "graph/node.h"
#include "lang/value/literal.h"
#include "tensor/tensor.h"

double question_within(const struct question *question)
{
    if (question->within > 0)
        return question->within;
    return question->kind == QUESTION_FORMULA ? FORMULA_WITHIN : QUESTION_WITHIN;
}

/* An answer that is right to the last digit asked for must not fail by the last bit of a float. */
bool number_is_near(float given, float right, double within)
{
    if (isnan(given) || isnan(right))
        return isnan(given) && isnan(right);
    if (isinf(given) || isinf(right))
        return given == right;
    double scale = fmax(1, fabs((double)right));
    return fabs((double)given - (double)right) <= within * scale * 1.001;
}

/* Four times the rounding of a float: large whole numbers are computed no more exactly. */
#define WHOLE_WITHIN 2.4e-7

bool question_accepts_number(const struct question *question, float given, float right)
{
    bool are_whole =
        isfinite(given) && isfinite(right) && given == roundf(given) &&
        fabs((double)right - round((double)right)) <= WHOLE_WITHIN * fabs((double)right);
    double within = question_within(question);
    return number_is_near(given, right, within) &&
           (!are_whole || question->within > 0 || number_is_near(given, right, WHOLE_WITHIN));
}

size_t numbers_count_far(const struct tensor *a, const struct tensor *b, double within,
                         size_t *ret_first)
{
    size_t n = 0;
    for (size_t i = tensor_size(a); i-- > 0;)
        if (!number_is_near(tensor_at_position(a, i), tensor_at_position(b, i), within)) {
            *ret_first = i;
            n++;
        }
    return n;
}

bool numbers_are_near(const struct tensor *a, const struct tensor *b, double within)
{
    size_t first;
    return tensor_same_shape(a, b) && numbers_count_far(a, b, within, &first) == 0;
}

struct node *answer_peek(struct session *session, const char *lines, const char *expression,
                         struct error *reterr)
{
    struct value value;
    if (!session_peek(session, lines, expression, &value, reterr))
        return NULL;
    struct node *node = value_to_node(&session->graph, &value, "an answer", reterr);
    value_release(&value);
    return node;
}

/* 0,25 or 0,5*16: a comma between digits, outside lists. */
static bool has_decimal_comma(const char *text)
{
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ','))
        if (comma > text && text_is_digit(comma[-1]) && text_is_digit(comma[1]))
            return strchr(text, '[') == NULL;
    return false;
}

bool answer_peek_number(struct session *session, const char *expression, float *ret,
                        struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    struct node *node = answer_peek(session, NULL, expression, reterr);
    if (node == NULL)
        return false;
    bool ok = tensor_size(&node->value) == 1;
    if (ok)
        *ret = tensor_at_position(&node->value, 0);
    else if (has_decimal_comma(expression))
        error_set(reterr, ERR_SHAPE, "a single number is asked for; write decimals with a point");
    else
        error_set(reterr, ERR_SHAPE,
                  "a single number is asked for here, and this is a tensor of %s",
                  tensor_shape_text(&node->value, shape));
    node_free(node);
    return ok;
}
