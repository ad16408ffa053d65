/* Answers by the numbers of options: choices and orders. */
#include "course/lesson/question_internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "tensor/tensor.h"

static bool add_choice(const struct question *question, double number,
                       struct option_numbers *choices, struct error *reterr)
{
    if (!(number >= 1 && number <= (double)question->n_options) || number != floor(number))
        return error_set(reterr, ERR_RANGE, "the options are numbered 1 to %zu",
                         question->n_options);
    if (choices->n == OPTIONS_MAX)
        return error_set(reterr, ERR_LIMIT, "there are not that many options");
    for (size_t i = 0; i < choices->n; i++)
        if (choices->items[i] == (unsigned)number)
            return error_set(reterr, ERR_RANGE, "%.0f is there twice", number);
    choices->items[choices->n++] = (unsigned)number;
    return true;
}

/* Adds a number, or each digit of it: the steps of an order may be typed without blanks, as 4213,
 * where their numbers have one digit. */
static bool add_typed(const struct question *question, const char *digits, size_t size,
                      struct option_numbers *choices, struct error *reterr)
{
    bool is_order = question->kind == QUESTION_ORDER && question->n_options <= 9;
    for (size_t i = 0; is_order && i < size; i++)
        is_order = digits[i] > '0' && digits[i] <= '0' + (int)question->n_options;
    if (!is_order)
        return add_choice(question, (double)strtoul(digits, NULL, 10), choices, reterr);
    for (size_t i = 0; i < size; i++)
        if (!add_choice(question, digits[i] - '0', choices, reterr))
            return false;
    return true;
}

bool option_numbers_read(const struct question *question, struct session *session,
                         const char *typed, struct option_numbers *ret, struct error *reterr)
{
    struct option_numbers choices = {.n = 0};
    if (typed[strspn(typed, "0123456789 \t\r\n,;)")] == '\0') {
        for (const char *at = typed; *(at += strspn(at, " \t\r\n,;)")) != '\0';) {
            size_t size = strspn(at, "0123456789");
            if (!add_typed(question, at, size, &choices, reterr))
                return false;
            at += size;
        }
        if (choices.n == 0)
            return error_set(reterr, ERR_SYNTAX, "an option's number is expected");
        *ret = choices;
        return true;
    }
    struct node *node = answer_peek(session, NULL, typed, reterr);
    bool ok = node != NULL;
    for (size_t i = 0; ok && i < tensor_size(&node->value); i++)
        ok = add_choice(question, (double)tensor_at_position(&node->value, i), &choices, reterr);
    node_free(node);
    if (ok)
        *ret = choices;
    return ok;
}

static bool has_choice(const struct option_numbers *choices, unsigned item)
{
    for (size_t i = 0; i < choices->n; i++)
        if (choices->items[i] == item)
            return true;
    return false;
}

static bool is_subset(const struct option_numbers *a, const struct option_numbers *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (!has_choice(b, a->items[i]))
            return false;
    return true;
}

static bool same_set(const struct option_numbers *a, const struct option_numbers *b)
{
    return a->n == b->n && is_subset(a, b);
}

static bool same_order(const struct option_numbers *a, const struct option_numbers *b)
{
    return a->n == b->n && memcmp(a->items, b->items, a->n * sizeof a->items[0]) == 0;
}

/* Finds the wrong answer that was given: with `exactly`, the same options; else one that is a
 * single wrong option and among those given. */
static bool find_wrong_choice(const struct question *question, struct session *session,
                              const struct option_numbers *given,
                              const struct option_numbers *right, bool exactly,
                              struct judged *judged, struct error *reterr)
{
    for (size_t i = 0; judged->foreseen == NULL && i < question->n_wrong; i++) {
        struct option_numbers wrong;
        assert(question->wrong != NULL);
        if (!option_numbers_read(question, session, question->wrong[i].is.text, &wrong, reterr))
            return false;
        bool is_among =
            wrong.n == 1 && has_choice(given, wrong.items[0]) && !has_choice(right, wrong.items[0]);
        if (exactly ? same_set(given, &wrong) : is_among)
            judged->foreseen = &question->wrong[i];
    }
    return true;
}

bool question_judge_choice(const struct question *question,
                           const struct question_sessions *sessions, const char *typed,
                           struct judged *judged, struct error *reterr)
{
    struct option_numbers given, right;
    if (!option_numbers_read(question, sessions->learner, typed, &given, reterr) ||
        !option_numbers_read(question, sessions->lesson, question->answer.text, &right, reterr))
        return false;
    judged->right = same_set(&given, &right);
    if (judged->right)
        return true;
    if (is_subset(&given, &right))
        snprintf(judged->note, sizeof judged->note, "That is right, but not all of it.");
    return find_wrong_choice(question, sessions->lesson, &given, &right, true, judged, reterr) &&
           find_wrong_choice(question, sessions->lesson, &given, &right, false, judged, reterr);
}

/* How many steps are at the same place in both, which are equally long. */
static size_t count_in_place(const struct option_numbers *a, const struct option_numbers *b)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n && i < b->n; i++)
        n += a->items[i] == b->items[i];
    return n;
}

static bool is_complete(const struct question *question, const struct option_numbers *given,
                        struct error *reterr)
{
    return given->n == question->n_options ||
           error_set(reterr, ERR_RANGE,
                     "all %zu numbers are asked for, in their order, such as answer 2 1 ...",
                     question->n_options);
}

bool question_judge_order(const struct question *question, const struct question_sessions *sessions,
                          const char *typed, struct judged *judged, struct error *reterr)
{
    struct option_numbers given, other;
    if (!option_numbers_read(question, sessions->learner, typed, &given, reterr) ||
        !is_complete(question, &given, reterr) ||
        !option_numbers_read(question, sessions->lesson, question->answer.text, &other, reterr) ||
        !is_complete(question, &other, reterr))
        return false;
    judged->right = same_order(&given, &other);
    size_t n = count_in_place(&given, &other);
    for (size_t i = 0; !judged->right && i < question->n_also; i++) {
        assert(question->also != NULL);
        if (!option_numbers_read(question, sessions->lesson, question->also[i].text, &other,
                                 reterr))
            return false;
        judged->right = same_order(&given, &other);
        n = size_max(n, count_in_place(&given, &other));
    }
    for (size_t i = 0; !judged->right && judged->foreseen == NULL && i < question->n_wrong; i++) {
        assert(question->wrong != NULL);
        if (!option_numbers_read(question, sessions->lesson, question->wrong[i].is.text, &other,
                                 reterr))
            return false;
        if (same_order(&given, &other))
            judged->foreseen = &question->wrong[i];
    }
    if (!judged->right)
        snprintf(judged->note, sizeof judged->note, "%zu of %zu %s right.", n, given.n,
                 n == 1 ? "stands" : "stand");
    return true;
}
