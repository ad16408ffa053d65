/* See lesson_yaml_internal.h. */
#include "course/lesson/lesson_yaml_internal.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/yaml.h"

static const char *const kind_names[QUESTION_KINDS] = {
    [QUESTION_NUMBER] = "number",     [QUESTION_CHOICE] = "choice",
    [QUESTION_MATRIX] = "matrix",     [QUESTION_ORDER] = "order",
    [QUESTION_FORMULA] = "formula",   [QUESTION_CELL] = "cell",
    [QUESTION_MASK] = "mask",         [QUESTION_CHANGE] = "change",
    [QUESTION_PREDICT] = "predict",   [QUESTION_REFLECTION] = "reflection",
    [QUESTION_EXERCISE] = "exercise",
};

bool question_is_judged(enum question_kind kind)
{
    return kind != QUESTION_PREDICT && kind != QUESTION_REFLECTION && kind != QUESTION_EXERCISE;
}

bool question_has_matrix(enum question_kind kind)
{
    return kind == QUESTION_MATRIX || kind == QUESTION_CELL || kind == QUESTION_MASK;
}

/* ---- readers ---- */

static bool read_text(struct yaml *yaml, yaml_value value, void *ret)
{
    struct lesson_text *text = ret;
    text->line = yaml->lines_above + yaml_line(value);
    return yaml_read_text(yaml, value, &text->text);
}

/* 0 would mean the usual one. */
static bool read_within(struct yaml *yaml, yaml_value value, void *ret)
{
    double *within = ret;
    return yaml_read_number(yaml, value, within) &&
           (*within > 0 ||
            yaml_fault(yaml, yaml_line(value),
                       "a number above 0 is expected; left out it is the usual one"));
}

/* A list as the language writes it, since in YAML it needs no quotes: [1, [2, 3]]. */
static bool write_list(struct yaml *yaml, yaml_value value, struct text *text)
{
    if (value->type == YAML_SCALAR_NODE) {
        text_add(text, (const char *)value->data.scalar.value, value->data.scalar.length);
        return true;
    }
    if (value->type != YAML_SEQUENCE_NODE)
        return yaml_fault(yaml, yaml_line(value), "an expression is expected, not a mapping");
    text_char(text, '[');
    yaml_node_item_t *begin = value->data.sequence.items.start;
    for (yaml_node_item_t *item = begin; item < value->data.sequence.items.top; item++) {
        text_put(text, item > begin ? ", " : "");
        if (!write_list(yaml, yaml_document_get_node(&yaml->document, *item), text))
            return false;
    }
    text_char(text, ']');
    return true;
}

static bool read_expression(struct yaml *yaml, yaml_value value, void *ret)
{
    struct lesson_text *expression = ret;
    if (value->type == YAML_SCALAR_NODE)
        return read_text(yaml, value, ret);
    struct text text = {0};
    expression->line = yaml->lines_above + yaml_line(value);
    bool ok = write_list(yaml, value, &text);
    if (ok) {
        expression->text = text.failed ? NULL : arena_copy(yaml->arena, text.bytes, text.size);
        ok = expression->text != NULL || error_memory(yaml->reterr, yaml->path);
    }
    text_release(&text);
    return ok;
}

struct text_list {
    struct lesson_text **items;
    unsigned *n;
};

static bool read_texts(struct yaml *yaml, yaml_value value, void *ret)
{
    struct text_list *list = ret;
    return yaml_read_list(yaml, value, read_text, sizeof **list->items, (void **)list->items,
                          list->n);
}

static bool read_expressions(struct yaml *yaml, yaml_value value, void *ret)
{
    struct text_list *list = ret;
    return yaml_read_list(yaml, value, read_expression, sizeof **list->items, (void **)list->items,
                          list->n);
}

/* A list, or one text in place of a list of one. */
static bool read_names(struct yaml *yaml, yaml_value value, void *ret)
{
    struct text_list *list = ret;
    if (value->type != YAML_SCALAR_NODE)
        return read_texts(yaml, value, ret);
    struct lesson_text *item = arena_take(yaml->arena, sizeof *item);
    if (item == NULL)
        return error_memory(yaml->reterr, yaml->path);
    *list->items = item;
    *list->n = 1;
    return read_text(yaml, value, item);
}

static bool read_wrong_answer(struct yaml *yaml, yaml_value value, void *ret)
{
    struct wrong_answer *wrong = ret;
    const struct yaml_field fields[] = {
        {"is", read_expression, &wrong->is, true},
        {"say", read_text, &wrong->say, true},
    };
    return yaml_read_fields(yaml, value, "a wrong answer", fields, COUNT_OF(fields));
}

static bool read_wrong(struct yaml *yaml, yaml_value value, void *ret)
{
    struct question *question = ret;
    return yaml_read_list(yaml, value, read_wrong_answer, sizeof *question->wrong,
                          (void **)&question->wrong, &question->n_wrong);
}

static bool read_kind(struct yaml *yaml, yaml_value value, void *ret)
{
    char *name;
    enum question_kind *kind = ret;
    if (!yaml_read_text(yaml, value, &name))
        return false;
    for (*kind = 0; *kind < QUESTION_KINDS; (*kind)++)
        if (strcmp(name, kind_names[*kind]) == 0)
            return true;
    return yaml_fault(yaml, yaml_line(value),
                      "'%.40s' is not one of the kinds number, choice, matrix, order, formula, "
                      "cell, mask, change, predict, reflection and exercise",
                      name);
}

/* ---- opening ---- */

/* A question has a few lines. libyaml's time for open brackets, and ours for keys, grows with the
 * square. */
enum { PIECE_MAX_BYTES = 32 * 1024 };

/* Whether an alias could stand somewhere: a name after a * that ends no word. It may be text too.
 */
static bool may_have_alias(const struct lesson_piece *piece)
{
    for (size_t i = 0; i + 1 < piece->size; i++)
        if (piece->text[i] == '*' && (i == 0 || strchr(" \t\r\n[{,", piece->text[i - 1]) != NULL) &&
            strchr(" \t\r\n*", piece->text[i + 1]) == NULL)
            return true;
    return false;
}

/* False with a fault at the first alias, which may stand for itself, without end, or for very much.
 * Text that is not YAML is left to the caller that opens it. */
static bool has_no_aliases(const struct lesson_piece *piece, struct error *reterr)
{
    yaml_parser_t parser;
    struct yaml yaml = {.path = piece->path, .reterr = reterr, .lines_above = piece->lines_above};
    bool ok = true, ended = false;
    if (!may_have_alias(piece)) /* events take as long as reading itself */
        return true;
    if (!yaml_parser_initialize(&parser))
        return error_memory(reterr, piece->path);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)piece->text, piece->size);
    while (ok && !ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event))
            break;
        ended = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_ALIAS_EVENT)
            ok = yaml_fault(&yaml, (unsigned)event.start_mark.line + 1,
                            "*%.40s refers to another place; write out what stands there, or put "
                            "it in quotes where it is text",
                            (const char *)event.data.alias.anchor);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ok;
}

static bool open_piece(struct lesson *lesson, const struct lesson_piece *piece, struct yaml *yaml,
                       yaml_value *ret_root, struct error *reterr)
{
    if (piece->size > PIECE_MAX_BYTES)
        return error_set(reterr, ERR_SYNTAX,
                         "%s:%u: this block of YAML is longer than %d bytes; shorten its texts, or "
                         "ask in several questions",
                         piece->path, piece->lines_above + 1, (int)PIECE_MAX_BYTES);
    return has_no_aliases(piece, reterr) &&
           yaml_open_part(yaml, piece->path, piece->lines_above, piece->text, piece->size,
                          &lesson->arena, ret_root, reterr);
}

/* ---- the header ---- */

bool lesson_read_header(struct lesson *lesson, const struct lesson_piece *piece,
                        struct error *reterr)
{
    struct yaml yaml;
    yaml_value root;
    struct text_list before = {&lesson->needs, &lesson->n_needs};
    struct text_list objectives = {&lesson->objectives, &lesson->n_objectives};
    struct text_list sources = {&lesson->sources, &lesson->n_sources};
    const struct yaml_field fields[] = {
        {"id", yaml_read_text, &lesson->id, true},
        {"title", yaml_read_text, &lesson->title, true},
        {"minutes", yaml_read_whole, &lesson->minutes, false},
        {"needs", read_texts, &before, false},
        {"objectives", read_texts, &objectives, true},
        {"sources", read_texts, &sources, false},
    };
    if (!open_piece(lesson, piece, &yaml, &root, reterr))
        return false;
    bool ok = yaml_read_fields(&yaml, root, "the header", fields, COUNT_OF(fields));
    size_t size = ok ? strspn(lesson->id, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
    if (ok && (size >= LESSON_NAME_BYTES || lesson->id[size] != '\0'))
        ok = yaml_fault(&yaml, yaml_line(root),
                        "id: small letters, digits and hyphens are expected, fewer than %d",
                        LESSON_NAME_BYTES);
    yaml_close(&yaml);
    return ok;
}

/* ---- questions ---- */

enum need { NEVER, MAY, MUST };

/* The keys that a kind has besides `kind`. */
static const struct needs {
    unsigned char answer, because, hints, wrong, also, draw, without, cells, matrix, change, most,
        holds, makes, hides, exercise, within, options;
} needs[QUESTION_KINDS] = {
    [QUESTION_NUMBER] = {MUST, MUST, MUST, MAY, .hides = MAY, .within = MAY},
    [QUESTION_CHOICE] = {MUST, MUST, MUST, MUST, .hides = MAY, .options = MUST},
    [QUESTION_MATRIX] = {MUST, MUST, MUST, MAY, .cells = MAY, .makes = MAY, .hides = MAY,
                         .within = MAY},
    [QUESTION_ORDER] = {MUST, MUST, MUST, MAY, .also = MAY, .options = MUST},
    [QUESTION_FORMULA] = {MUST, MUST, MUST, MAY, .draw = MUST, .without = MAY, .within = MAY},
    [QUESTION_CELL] = {MUST, MUST, MUST, MAY, .matrix = MUST},
    [QUESTION_MASK] = {.answer = MUST, .because = MUST, .hints = MUST, .wrong = MAY},
    [QUESTION_CHANGE] = {MUST, MUST, MUST, MAY, .change = MUST, .most = MAY, .holds = MUST,
                         .makes = MAY},
    [QUESTION_PREDICT] = {.answer = MUST, .because = MAY, .hints = MAY, .options = MAY},
    [QUESTION_REFLECTION] = {.because = MAY, .hints = MAY},
    [QUESTION_EXERCISE] = {.exercise = MUST, .because = MAY, .hints = MAY},
};

static bool check_needs(struct yaml *yaml, yaml_value root, const struct question *question)
{
    const struct needs *need = &needs[question->kind];
    const struct {
        const char *what;
        unsigned char need;
        bool has;
    } checks[] = {
        {"the key answer", need->answer, question->answer.text != NULL},
        {"the key because", need->because, question->because.text != NULL},
        {"the key hints", need->hints, question->n_hints > 0},
        {"the key wrong", need->wrong, question->n_wrong > 0},
        {"the key also", need->also, question->n_also > 0},
        {"the key draw", need->draw, question->n_draw > 0},
        {"the key without", need->without, question->n_without > 0},
        {"the key cells", need->cells, question->cells.text != NULL},
        {"the key matrix", need->matrix, question->matrix.text != NULL},
        {"the key change", need->change, question->n_change > 0},
        {"the key most", need->most, question->most > 0},
        {"the key holds", need->holds, question->holds.text != NULL},
        {"the key makes", need->makes, question->makes.text != NULL},
        {"the key hides", need->hides, question->n_hides > 0},
        {"the key exercise", need->exercise, question->exercise.text != NULL},
        {"the key within", need->within, question->within > 0},
        {"a numbered list of two options or more", need->options == MUST ? MUST : MAY,
         question->n_options > 1},
    };
    for (size_t i = 0; i < COUNT_OF(checks); i++)
        if (checks[i].has ? checks[i].need == NEVER : checks[i].need == MUST)
            return yaml_fault(yaml, yaml_line(root), "a question of the kind %s %s %s",
                              kind_names[question->kind],
                              checks[i].need == MUST ? "needs" : "can't have", checks[i].what);
    return true;
}

bool lesson_read_question(struct lesson *lesson, const struct lesson_piece *piece,
                          struct question *question, struct error *reterr)
{
    struct yaml yaml;
    yaml_value root;
    struct text_list hints = {&question->hints, &question->n_hints};
    struct text_list also = {&question->also, &question->n_also};
    struct text_list draw = {&question->draw, &question->n_draw};
    struct text_list without = {&question->without, &question->n_without};
    struct text_list change = {&question->change, &question->n_change};
    struct text_list hides = {&question->hides, &question->n_hides};
    const struct yaml_field fields[] = {
        {"kind", read_kind, &question->kind, true},
        {"answer", read_expression, &question->answer, false},
        {"because", read_text, &question->because, false},
        {"hints", read_texts, &hints, false},
        {"wrong", read_wrong, question, false},
        {"also", read_expressions, &also, false},
        {"draw", read_texts, &draw, false},
        {"without", read_texts, &without, false},
        {"cells", read_expression, &question->cells, false},
        {"matrix", read_expression, &question->matrix, false},
        {"change", read_names, &change, false},
        {"most", yaml_read_whole, &question->most, false},
        {"holds", read_text, &question->holds, false},
        {"makes", read_text, &question->makes, false},
        {"hides", read_names, &hides, false},
        {"exercise", read_text, &question->exercise, false},
        {"within", read_within, &question->within, false},
    };
    if (!open_piece(lesson, piece, &yaml, &root, reterr))
        return false;
    bool ok = yaml_read_fields(&yaml, root, "a question", fields, COUNT_OF(fields)) &&
              check_needs(&yaml, root, question);
    yaml_close(&yaml);
    if (ok && needs[question->kind].options == NEVER)
        question->n_options = 0; /* then the list is one like any other */
    return ok;
}
