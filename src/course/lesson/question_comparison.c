/* For lint: whether fresh inputs tell > from >= in a formula. They do where two numbers that are
 * compared are equal, which random ones never are. */
#include "course/lesson/question_internal.h"

#include <string.h>

#include "base/array.h"
#include "lang/syntax/parser.h"

static const struct {
    enum op_kind op;
    const char *sign, *other;
} comparisons[] = {{OP_LT, "<", "<="}, {OP_LE, "<=", "<"}, {OP_GT, ">", ">="}, {OP_GE, ">=", ">"}};

/* What is tried with each comparison of an answer, until one passes. */
struct search {
    const struct question *question;
    const struct question_sessions *sessions;
    struct text edited;
    bool passes, ok;
    struct error *reterr;
};

/* The answer with one sign in another's place. */
static bool write_edited(const char *answer, const struct expr *comparison, const char *sign,
                         const char *other, struct text *edited, struct error *reterr)
{
    const char *at = answer + comparison->as.operation.left->end;
    at += strcspn(at, "<>"); /* there may be a bracket before it */
    text_clear(edited);
    text_add(edited, answer, (size_t)(at - answer));
    text_put(edited, other);
    text_put(edited, at + strlen(sign));
    return !edited->failed || error_memory(reterr, "a formula");
}

static void try_comparison(const struct expr *expr, void *context)
{
    struct search *search = context;
    struct judged judged = {0};
    for (size_t i = 0; i < COUNT_OF(comparisons); i++) {
        if (!search->ok || search->passes || expr->kind != EXPR_BINARY ||
            expr->as.operation.op != comparisons[i].op)
            continue;
        search->ok = write_edited(search->question->answer.text, expr, comparisons[i].sign,
                                  comparisons[i].other, &search->edited, search->reterr) &&
                     question_judge_formula(search->question, search->sessions,
                                            text_string(&search->edited), &judged, search->reterr);
        search->passes = search->ok && judged.right;
    }
    if (search->ok && !search->passes)
        expr_each_part(expr, try_comparison, search);
}

bool question_accepts_comparison(const struct question *question,
                                 const struct question_sessions *sessions, struct text *edited,
                                 bool *ret, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *statement = NULL;
    const char *answer = question->answer.text;
    struct search search = {.question = question, .sessions = sessions, .reterr = reterr};
    search.ok = parser_parse_line(&arena, sessions->lesson->find_command, answer, strlen(answer),
                                  &statement, reterr);
    if (search.ok && statement != NULL && statement->kind == STATEMENT_EXPRESSION)
        try_comparison(statement->value, &search);
    arena_release(&arena);
    if (search.ok && search.passes)
        text_put(edited, text_string(&search.edited));
    text_release(&search.edited);
    if (search.ok)
        *ret = search.passes;
    return search.ok && (!edited->failed || error_memory(reterr, "a formula"));
}
