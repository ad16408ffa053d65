/* Fuzzes the parser: any bytes, as a cell and as lines of formulas. What is read stands in the
 * source, each part of an expression too; what can't be read says why. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static void check_refusal(const struct error *error, size_t size)
{
    check(error->kind != ERR_NONE && error->text[0] != '\0');
    check(error->begin <= error->end && error->end <= size + 1);
}

static void check_expression(const struct expr *expr, void *context)
{
    const size_t *size = context;
    if (expr == NULL)
        return;
    check(expr->begin <= expr->end && expr->end <= *size);
    if (expr->kind == EXPR_REFUSED)
        check(expr->as.text.size > 0);
    expr_each_part(expr, check_expression, context);
}

static size_t check_statements(const struct statement *first, size_t size)
{
    size_t n_refused = 0, at = 0;
    for (const struct statement *each = first; each != NULL; each = each->next) {
        check(each->begin <= each->end && each->end <= size + 1);
        check(each->kind == STATEMENT_REFUSED || (at <= each->begin && each->end <= size));
        at = each->kind == STATEMENT_REFUSED ? at : each->begin;
        check_expression(each->value, &size);
        for (size_t i = 0; i < each->n_targets; i++)
            check_expression(each->targets[i], &size);
        for (size_t i = 0; i < each->n_handlers; i++)
            n_refused += check_statements(each->handlers[i].body, size);
        n_refused += check_statements(each->body, size);
        n_refused += check_statements(each->otherwise, size);
        n_refused += check_statements(each->final, size);
        if (each->kind == STATEMENT_REFUSED) {
            check(each->words != NULL && each->words_size > 0);
            n_refused++;
        }
    }
    return n_refused;
}

static void read_cell(const char *source, size_t size)
{
    struct arena arena = {0};
    struct program program;
    struct error error = {0};
    if (parser_parse_cell(&arena, source, size, &program, &error))
        check(check_statements(program.first, size) == program.n_refused);
    else
        check_refusal(&error, size);
    arena_release(&arena);
}

static void read_lines(const char *source, size_t size)
{
    for (size_t at = 0; at < size;) {
        bool is_open;
        struct arena arena = {0};
        struct statement *first;
        struct error error = {0};
        size_t n = lexer_line(source + at, size - at, &is_open);
        if (parser_parse_line(&arena, command_find, source + at, n, &first, &error))
            (void)check_statements(first, n);
        else
            check_refusal(&error, n);
        arena_release(&arena);
        at += n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *source = malloc(size + (size == 0)); /* of exactly this size */
    if (source == NULL)
        return 0;
    memcpy(source, data, size);
    read_cell(source, size);
    read_lines(source, size);
    free(source);
    return 0;
}
