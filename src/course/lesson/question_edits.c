/* For lint: formulas that are the right one but for one slip, and whether fresh inputs tell them
 * from it. They tell > from >= where two numbers that are compared are equal, which random ones
 * never are; and a name from its number where that is drawn, and not the same each time. */
#include "course/lesson/question_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "lang/syntax/parser.h"
#include "tensor/tensor.h"

static const struct {
    enum op_kind op;
    const char *sign, *other;
} comparisons[] = {{OP_LT, "<", "<="}, {OP_LE, "<=", "<"}, {OP_GT, ">", ">="}, {OP_GE, ">=", ">"}};

/* What is tried with each part of an answer, until one passes. */
struct search {
    const struct question *question;
    const struct question_sessions *sessions;
    struct text edited;
    enum question_slip slip;
    bool ok;
    struct error *reterr;
};

/* Judges the answer with other bytes in the place of [begin, end). */
static void try_edited(struct search *search, size_t begin, size_t end, const char *other,
                       enum question_slip slip)
{
    const char *answer = search->question->answer.text;
    struct judged judged = {0};
    struct error error; /* a number in place of a size may not fit, and that tells it */
    text_clear(&search->edited);
    text_add(&search->edited, answer, begin);
    text_put(&search->edited, other);
    text_put(&search->edited, answer + end);
    search->ok = !search->edited.failed || error_memory(search->reterr, "a formula");
    if (search->ok && !question_judge_formula(search->question, search->sessions,
                                              text_string(&search->edited), &judged, &error))
        search->ok =
            !error_is_stop(&error) || error_set(search->reterr, error.kind, "%s", error.text);
    if (search->ok && judged.right)
        search->slip = slip;
}

static void try_comparison(struct search *search, const struct expr *expr)
{
    const char *answer = search->question->answer.text;
    for (size_t i = 0; i < COUNT_OF(comparisons); i++) {
        if (expr->as.operation.op != comparisons[i].op)
            continue;
        size_t begin = expr->as.operation.left->end;
        begin += strcspn(answer + begin, "<>"); /* there may be a bracket before it */
        try_edited(search, begin, begin + strlen(comparisons[i].sign), comparisons[i].other,
                   QUESTION_SLIP_COMPARISON);
        return;
    }
}

/* Whether a line of `draw` gives this name a value. */
static bool is_drawn(const struct search *search, const struct expr *name)
{
    bool found = false;
    for (unsigned i = 0; !found && i < search->question->n_draw; i++) {
        struct arena arena = {0};
        struct statement *statement = NULL;
        struct error ignored;
        const char *line = search->question->draw[i].text;
        (void)parser_parse_line(&arena, search->sessions->lesson->find_command, line, strlen(line),
                                &statement, &ignored);
        for (; statement != NULL; statement = statement->next)
            for (size_t k = 0; statement->kind == STATEMENT_ASSIGN && k < statement->n_targets; k++)
                found = found || (statement->targets[k]->kind == EXPR_NAME &&
                                  expr_same_word(statement->targets[k], name));
        arena_release(&arena);
    }
    return found;
}

/* The number that a name is with the first fresh inputs; false for a tensor of several. */
static bool find_number(const struct search *search, const char *name, float *ret)
{
    struct text lines = {0};
    struct error ignored;
    struct node *node =
        question_trial_lines(search->question, 0, &lines, &ignored)
            ? answer_peek(search->sessions->lesson, text_string(&lines), name, &ignored)
            : NULL;
    bool is_number = node != NULL && tensor_size(&node->value) == 1;
    if (is_number)
        *ret = tensor_at_position(&node->value, 0);
    node_free(node);
    text_release(&lines);
    return is_number;
}

static void try_number(struct search *search, const struct expr *expr)
{
    char name[LESSON_NAME_BYTES], written[32];
    float number;
    if (expr->as.text.size >= sizeof name || !is_drawn(search, expr))
        return;
    memcpy(name, expr->as.text.bytes, expr->as.text.size);
    name[expr->as.text.size] = '\0';
    if (!find_number(search, name, &number))
        return;
    snprintf(written, sizeof written, "%.9g", (double)number);
    try_edited(search, expr->begin, expr->end, written, QUESTION_SLIP_NUMBER);
}

static void try_part(const struct expr *expr, void *context)
{
    struct search *search = context;
    if (!search->ok || search->slip != QUESTION_SLIP_NONE)
        return;
    if (expr->kind == EXPR_BINARY)
        try_comparison(search, expr);
    else if (expr->kind == EXPR_NAME)
        try_number(search, expr);
    if (search->ok && search->slip == QUESTION_SLIP_NONE)
        expr_each_part(expr, try_part, search);
}

bool question_accepts_slip(const struct question *question,
                           const struct question_sessions *sessions, struct text *edited,
                           enum question_slip *ret, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *statement = NULL;
    const char *answer = question->answer.text;
    struct search search = {.question = question, .sessions = sessions, .reterr = reterr};
    search.ok = parser_parse_line(&arena, sessions->lesson->find_command, answer, strlen(answer),
                                  &statement, reterr);
    if (search.ok && statement != NULL && statement->kind == STATEMENT_EXPRESSION)
        try_part(statement->value, &search);
    arena_release(&arena);
    if (search.ok && search.slip != QUESTION_SLIP_NONE)
        text_put(edited, text_string(&search.edited));
    text_release(&search.edited);
    if (search.ok)
        *ret = search.slip;
    return search.ok && (!edited->failed || error_memory(reterr, "a formula"));
}
