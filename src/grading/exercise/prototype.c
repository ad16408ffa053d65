/* Reading a C prototype: see prototype.h. A few tokens and no grammar worth a table. */
#include "exercise/prototype.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

/* One token of the prototype: a word, or one sign; size 0 at the end. */
struct prototype_token {
    const char *begin;
    size_t size;
};

struct prototype_reader {
    const char *rest;
    struct prototype_token token; /* the next one */
    struct error *reterr;
};

static bool is_word_sign(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void advance(struct prototype_reader *reader)
{
    const char *at = reader->rest + strspn(reader->rest, " \t\r\n");
    size_t size = *at == '\0' ? 0 : 1;
    while (is_word_sign(at[0]) && is_word_sign(at[size]))
        size++;
    reader->token = (struct prototype_token){at, size};
    reader->rest = at + size;
}

/* Skips the next token if it is this one. */
static bool accept(struct prototype_reader *reader, const char *text)
{
    if (!text_equals(reader->token.begin, reader->token.size, text))
        return false;
    advance(reader);
    return true;
}

/* "prototype: WANTED is expected, not X". Returns false. */
static bool expected(const struct prototype_reader *reader, const char *wanted)
{
    char shown[PROTOTYPE_MAX_NAME];
    error_quote(shown, sizeof shown, reader->token.begin, reader->token.size);
    return error_set(reader->reterr, ERR_SYNTAX, "prototype: %s is expected %s%s", wanted,
                     reader->token.size > 0 ? "where it says " : "at its end", shown);
}

static bool expect(struct prototype_reader *reader, const char *text)
{
    return accept(reader, text) || expected(reader, text);
}

/* Words that C reserves and that an author might use as a name here. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = {"const",  "float",    "double",   "int",    "bool",
                                        "size_t", "void",     "char",     "long",   "short",
                                        "signed", "unsigned", "restrict", "static", "return",
                                        "if",     "for",      "while",    "do",     "register"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

static bool read_name(struct prototype_reader *reader, const char *what,
                      char ret[PROTOTYPE_MAX_NAME])
{
    struct prototype_token token = reader->token;
    if (token.size == 0 || !is_word_sign(*token.begin) || isdigit((unsigned char)*token.begin))
        return expected(reader, what);
    if (token.size >= PROTOTYPE_MAX_NAME)
        return error_set(reader->reterr, ERR_SYNTAX, "prototype: names have at most %d letters",
                         PROTOTYPE_MAX_NAME - 1);
    char name[PROTOTYPE_MAX_NAME];
    memcpy(name, token.begin, token.size);
    name[token.size] = '\0';
    if (is_reserved(name))
        return expected(reader, what);
    memcpy(ret, name, sizeof name);
    advance(reader);
    return true;
}

/* `size_t`, `bool`, `float`, `const float *`, `float *` or `const bool *` */
static bool read_type(struct prototype_reader *reader, struct param *param)
{
    param->constant = accept(reader, "const");
    if (accept(reader, "size_t"))
        param->kind = PARAM_SIZE;
    else if (accept(reader, "float"))
        param->kind = accept(reader, "*") ? PARAM_FLOATS : PARAM_FLOAT;
    else if (accept(reader, "bool"))
        param->kind = accept(reader, "*") ? PARAM_BOOLS : PARAM_BOOL;
    else
        return expected(reader, "size_t, bool, float, const float *, float * or const bool *");
    if (param->constant && !param_is_pointer(param))
        return error_set(reader->reterr, ERR_SYNTAX,
                         "prototype: const is for arrays; leave it out before a single number");
    if (param->kind == PARAM_BOOLS && !param->constant)
        return error_set(reader->reterr, ERR_SYNTAX,
                         "prototype: an array of bool can only be read; write const bool *");
    return true;
}

static bool read_param(struct prototype_reader *reader, struct prototype *prototype)
{
    struct param param = {0};
    if (prototype->n_params == PROTOTYPE_MAX_PARAMS)
        return error_set(reader->reterr, ERR_SYNTAX,
                         "prototype: a function has at most %d parameters", PROTOTYPE_MAX_PARAMS);
    if (!read_type(reader, &param) || !read_name(reader, "a parameter's name", param.name))
        return false;
    if (prototype_param(prototype, param.name, strlen(param.name)) >= 0)
        return error_set(reader->reterr, ERR_SYNTAX, "prototype: two parameters are called %s",
                         param.name);
    if (strcmp(param.name, "result") == 0 || strcmp(param.name, prototype->function) == 0)
        return error_set(reader->reterr, ERR_SYNTAX,
                         "prototype: a parameter can't be called %s, which means something else",
                         param.name);
    prototype->params[prototype->n_params++] = param;
    return true;
}

static bool read_params(struct prototype_reader *reader, struct prototype *prototype)
{
    do {
        if (!read_param(reader, prototype))
            return false;
    } while (accept(reader, ","));
    return expect(reader, ")");
}

bool prototype_parse(const char *text, struct prototype *ret, struct error *reterr)
{
    struct prototype_reader reader = {.rest = text, .reterr = reterr};
    struct prototype prototype = {0};
    advance(&reader);
    prototype.returns_float = accept(&reader, "float");
    if (!prototype.returns_float && !accept(&reader, "void"))
        return expected(&reader, "float or void");
    if (!read_name(&reader, "the function's name", prototype.function) || !expect(&reader, "(") ||
        !read_params(&reader, &prototype) || !expect(&reader, ";"))
        return false;
    if (reader.token.size > 0)
        return expected(&reader, "nothing more");
    *ret = prototype;
    return true;
}

bool param_is_pointer(const struct param *param)
{
    return param->kind == PARAM_FLOATS || param->kind == PARAM_BOOLS;
}

int prototype_param(const struct prototype *prototype, const char *name, size_t size)
{
    for (unsigned i = 0; i < prototype->n_params; i++) {
        const char *other = prototype->params[i].name;
        if (strlen(other) == size && memcmp(other, name, size) == 0)
            return (int)i;
    }
    return -1;
}

void prototype_header(const struct prototype *prototype, struct text *text)
{
    static const char *const types[] = {
        [PARAM_SIZE] = "size_t ",   [PARAM_BOOL] = "bool ",   [PARAM_FLOAT] = "float ",
        [PARAM_FLOATS] = "float *", [PARAM_BOOLS] = "bool *",
    };
    text_put(text, "#include <stdbool.h>\n#include <stddef.h>\n");
    text_format(text, "%s %s(", prototype->returns_float ? "float" : "void", prototype->function);
    for (unsigned i = 0; i < prototype->n_params; i++) {
        const struct param *param = &prototype->params[i];
        text_format(text, "%s%s%s%s", i > 0 ? ", " : "", param->constant ? "const " : "",
                    types[param->kind], param->name);
    }
    text_put(text, ");\n");
}
