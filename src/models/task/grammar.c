/* Looking up the names of a grammar's file: see grammar.h. */
#include "task/grammar.h"

#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <stdio.h>

#include "task/grammar_internal.h"
#include "base/array.h"
#include "base/suggestion.h"
#include "base/text.h"
#include "files/asset.h"

/* ---- grammar check ---- */

/* The check goes through all choices from the first rule on, with the classes that the word of each
 * name may belong to. */

enum { MOST_NESTED = 32, MOST_VISITS = 20000 };

struct walk {
    struct yaml *yaml;
    const struct grammar *grammar;
    bool *is_said; /* of each rule */
    unsigned n_nested, n_visits;
};

/* Bits of the classes that the word of each name may be of; 0: nothing is bound to it. */
struct bound_classes {
    uint32_t of[GRAMMAR_MOST_NAMES];
};

static bool check_form(const struct walk *walk, const struct bound_classes *bound,
                       const struct word_form *form, unsigned line, const char *where)
{
    const struct grammar *grammar = walk->grammar;
    const char *name = grammar->names[form->name];
    if (bound->of[form->name] == 0)
        return yaml_fault(walk->yaml, line, "%s: no word is bound to %s here", where, name);
    for (unsigned i = 0; i < grammar->n_classes; i++)
        if ((bound->of[form->name] >> i & 1) && grammar->classes[i].column_of[form->column] < 0)
            return yaml_fault(walk->yaml, line, "%s: %s may be of class %s, which has no form %s",
                              where, name, grammar->classes[i].name,
                              grammar->columns[form->column]);
    return true;
}

static bool check_conditions(const struct walk *walk, const struct bound_classes *bound,
                             const struct word_condition *conditions, unsigned n, unsigned line,
                             const char *where)
{
    for (unsigned i = 0; i < n; i++)
        if (!check_form(walk, bound, &conditions[i].a, line, where) ||
            !check_form(walk, bound, &conditions[i].b, line, where))
            return false;
    return true;
}

static bool bind_all(const struct walk *walk, const struct grammar_choice *choice,
                     struct bound_classes *bound)
{
    for (unsigned i = 0; i < choice->n_bindings; i++) {
        const struct word_binding *binding = &choice->bindings[i];
        const struct word_form from = {.name = binding->from};
        if (binding->is_same && !check_form(walk, bound, &from, choice->line, "bind"))
            return false;
        bound->of[binding->name] =
            binding->is_same ? bound->of[binding->from] : UINT32_C(1) << binding->from;
    }
    return true;
}

static bool check_question(const struct walk *walk, const struct bound_classes *bound,
                           const struct grammar_item *item, unsigned line)
{
    if (item->question < 0)
        return true;
    const struct grammar_question *question = &walk->grammar->questions[item->question];
    const struct word_form about = {.name = question->about};
    const struct word_form other = {.name = question->other < 0 ? question->about
                                                                : (unsigned)question->other};
    return check_form(walk, bound, &about, line, question->name) &&
           check_form(walk, bound, &other, line, question->name) &&
           check_form(walk, bound, &question->rival, line, question->name);
}

static bool check_rule(struct walk *walk, unsigned rule, const struct bound_classes *bound,
                       unsigned line);

static bool check_items(struct walk *walk, const struct grammar_choice *choice,
                        const struct bound_classes *bound)
{
    for (unsigned i = 0; i < choice->n_items; i++) {
        const struct grammar_item *item = &choice->items[i];
        if (!check_question(walk, bound, item, choice->line) ||
            (item->kind == ITEM_FORM &&
             !check_form(walk, bound, &item->form, choice->line, "say")) ||
            (item->kind == ITEM_RULE && !check_rule(walk, item->rule, bound, choice->line)))
            return false;
    }
    return true;
}

static bool check_choice(struct walk *walk, const struct grammar_choice *choice,
                         struct bound_classes bound)
{
    return check_conditions(walk, &bound, choice->when, choice->n_when, choice->line, "when") &&
           bind_all(walk, choice, &bound) &&
           check_conditions(walk, &bound, choice->where, choice->n_where, choice->line, "where") &&
           check_items(walk, choice, &bound);
}

static bool check_rule(struct walk *walk, unsigned rule, const struct bound_classes *bound,
                       unsigned line)
{
    const struct grammar_rule *r = &walk->grammar->rules[rule];
    if (walk->n_nested == MOST_NESTED)
        return yaml_fault(walk->yaml, line,
                          "<%s> goes round in a circle, or more than %d rules deep", r->name,
                          MOST_NESTED);
    if (walk->n_visits++ == MOST_VISITS)
        return yaml_fault(walk->yaml, line, "<%s>: the rules are in each other in too many ways",
                          r->name);
    walk->n_nested++;
    walk->is_said[rule] = true;
    for (unsigned i = 0; i < r->n_choices; i++)
        if (!check_choice(walk, &r->choices[i], *bound))
            return false;
    walk->n_nested--;
    return true;
}

static bool check_all_said(const struct walk *walk)
{
    const struct grammar *grammar = walk->grammar;
    for (unsigned i = 0; i < grammar->n_rules; i++)
        if (!walk->is_said[i])
            return yaml_fault(walk->yaml, grammar->rules[i].line,
                              "no story comes to <%s>; use it or take it out",
                              grammar->rules[i].name);
    return true;
}

/* Whether every story can be written: no rule comes back to itself, and each name is bound before
 * it is used, to words that have the form that is asked for. */
static bool grammar_check(struct yaml *yaml, const struct grammar *grammar)
{
    struct bound_classes nothing = {{0}};
    struct walk walk = {.yaml = yaml, .grammar = grammar};
    walk.is_said = calloc(grammar->n_rules, sizeof *walk.is_said);
    if (walk.is_said == NULL)
        return error_memory(yaml->reterr, yaml->path);
    bool ok = check_rule(&walk, grammar->story, &nothing, grammar->rules[grammar->story].line) &&
              check_all_said(&walk);
    free(walk.is_said);
    return ok;
}

/* ---- grammar ---- */

static const char *const mark_names[MARK_COUNT] = {
    [MARK_PRONOUN] = "pronoun", [MARK_CUE] = "cue", [MARK_ATTRACTOR] = "attractor"};

static const char *const token_names[TOKEN_FIRST_WORD] = {[TOKEN_PAD] = "<pad>",
                                                          [TOKEN_MASK] = "<mask>",
                                                          [TOKEN_START] = "<start>",
                                                          [TOKEN_END] = "<end>"};

struct reader {
    struct yaml *yaml;
    struct grammar_file file;
    struct grammar grammar;
    unsigned line; /* that is being read, for faults */
};

/* ---- names ---- */

/* A piece of a line: not ended by a zero byte. */
struct piece {
    const char *text;
    size_t size;
};

static struct piece piece_of(const char *text)
{
    return (struct piece){text, strlen(text)};
}

/* The name at the beginning of item i of an array. */
static const char *name_at(const void *items, size_t item_size, unsigned i)
{
    char *name;
    memcpy(&name, (const char *)items + i * item_size, sizeof name);
    return name;
}

static int find_name(const void *items, unsigned n, size_t item_size, struct piece name)
{
    for (unsigned i = 0; i < n; i++)
        if (text_equals(name.text, name.size, name_at(items, item_size, i)))
            return (int)i;
    return -1;
}

/* "no rule is called X; Y is spelt most like it" */
static bool fault_unknown(struct reader *reader, const char *what, const void *items, unsigned n,
                          size_t item_size, struct piece name)
{
    char shown[48];
    struct suggestion suggestion;
    error_quote(shown, sizeof shown, name.text, name.size);
    suggestion_init(&suggestion, name.text, name.size);
    for (unsigned i = 0; i < n; i++)
        suggestion_try(&suggestion, name_at(items, item_size, i));
    if (suggestion.best[0] != '\0')
        return yaml_fault(reader->yaml, reader->line,
                          "no %s is called '%s'; %s is spelt most like it", what, shown,
                          suggestion.best);
    return yaml_fault(reader->yaml, reader->line, "no %s is called '%s'", what, shown);
}

static bool look_up(struct reader *reader, const char *what, const void *items, unsigned n,
                    size_t item_size, struct piece name, unsigned *ret)
{
    int found = find_name(items, n, item_size, name);
    if (found < 0)
        return fault_unknown(reader, what, items, n, item_size, name);
    *ret = (unsigned)found;
    return true;
}

/* Names that are collected: (*names)[*n], with room for most. */
static bool add_name(struct reader *reader, const char *what, char **names, unsigned *n,
                     unsigned most, struct piece name, unsigned *ret)
{
    int found = find_name(names, *n, sizeof *names, name);
    if (found < 0 && *n == most)
        return yaml_fault(reader->yaml, reader->line, "there are more than %u %s", most, what);
    if (found < 0) {
        names[*n] = arena_copy(reader->yaml->arena, name.text, name.size);
        if (names[*n] == NULL)
            return error_memory(reader->yaml->reterr, reader->yaml->path);
        found = (int)(*n)++;
    }
    *ret = (unsigned)found;
    return true;
}

/* n items in the arena, zeroed. NULL without memory, which is reported. */
static void *room_for(struct reader *reader, size_t n, size_t item_size)
{
    void *items = arena_take(reader->yaml->arena, (n + 1) * item_size);
    if (items == NULL)
        error_memory(reader->yaml->reterr, reader->yaml->path);
    return items;
}

/* ---- words ---- */

static bool add_word(struct reader *reader, struct piece word, int32_t *ret)
{
    struct grammar *grammar = &reader->grammar;
    unsigned token = 0;
    for (size_t i = 0; i < word.size; i++)
        if (isspace((unsigned char)word.text[i]) || isupper((unsigned char)word.text[i]) ||
            iscntrl((unsigned char)word.text[i]) || strchr("$<>@!", word.text[i]) != NULL) {
            char shown[48];
            error_quote(shown, sizeof shown, word.text, word.size);
            return yaml_fault(
                reader->yaml, reader->line,
                "'%s': a word is written in small letters, without blanks and without "
                "$ < > @ and !",
                shown);
        }
    bool ok = add_name(reader, "words", grammar->words, &grammar->n_tokens, GRAMMAR_MOST_WORDS,
                       word, &token);
    *ret = (int32_t)token;
    return ok;
}

static bool begin_words(struct reader *reader)
{
    unsigned token;
    struct grammar *grammar = &reader->grammar;
    grammar->words = room_for(reader, GRAMMAR_MOST_WORDS, sizeof *grammar->words);
    if (grammar->words == NULL)
        return false;
    for (unsigned i = 0; i < TOKEN_FIRST_WORD; i++)
        if (!add_name(reader, "words", grammar->words, &grammar->n_tokens, GRAMMAR_MOST_WORDS,
                      piece_of(token_names[i]), &token))
            return false;
    return true;
}

/* ---- classes ---- */

static bool make_columns(struct reader *reader, const struct file_class *from,
                         struct word_class *class)
{
    struct grammar *grammar = &reader->grammar;
    for (unsigned i = 0; i < GRAMMAR_MOST_COLUMNS; i++)
        class->column_of[i] = -1;
    class->n_columns = from->columns.n > 0 ? from->columns.n : 1;
    class->column_of[0] = 0;
    for (unsigned i = 1; i < class->n_columns; i++) {
        unsigned column;
        if (!add_name(reader, "names of forms", grammar->columns, &grammar->n_columns,
                      GRAMMAR_MOST_COLUMNS, piece_of(from->columns.items[i]), &column))
            return false;
        if (class->column_of[column] >= 0)
            return yaml_fault(reader->yaml, reader->line, "columns: %s stands twice",
                              from->columns.items[i]);
        class->column_of[column] = (int)i;
    }
    return true;
}

/* The word itself is of one class, so that a token says who or what is meant. */
static bool check_other_classes(struct reader *reader, const struct word_class *class, unsigned row)
{
    const struct grammar *grammar = &reader->grammar;
    int32_t token = class->tokens[row * class->n_columns];
    for (const struct word_class *other = grammar->classes; other <= class; other++)
        for (unsigned i = 0; i < (other == class ? row : other->n_rows); i++)
            if (other->tokens[i * other->n_columns] == token)
                return yaml_fault(reader->yaml, reader->line, "%s stands in class %s already",
                                  grammar->words[token], other->name);
    return true;
}

static bool make_words(struct reader *reader, const struct file_class *from,
                       struct word_class *class)
{
    for (unsigned row = 0; row < from->n_words; row++) {
        const struct file_texts *forms = &from->words[row].forms;
        reader->line = from->words[row].line;
        if (forms->n != class->n_columns)
            return yaml_fault(reader->yaml, reader->line,
                              "class %s: each word has %u form%s, not %u", class->name,
                              class->n_columns, class->n_columns == 1 ? "" : "s", forms->n);
        for (unsigned i = 0; i < forms->n; i++)
            if (!add_word(reader, piece_of(forms->items[i]),
                          &class->tokens[row * class->n_columns + i]))
                return false;
        class->n_rows = row + 1;
        if (!check_other_classes(reader, class, row))
            return false;
    }
    return true;
}

static bool make_class(struct reader *reader, const struct file_class *from,
                       struct word_class *class)
{
    struct grammar *grammar = &reader->grammar;
    reader->line = from->line;
    *class = (struct word_class){
        .name = from->name, .again = from->again, .line = from->line, .first_row = grammar->n_rows};
    if (grammar->n_rows + from->n_words > GRAMMAR_MOST_WORDS)
        return yaml_fault(reader->yaml, reader->line, "the classes have more than %d words",
                          GRAMMAR_MOST_WORDS);
    grammar->n_rows += from->n_words;
    if (!make_columns(reader, from, class))
        return false;
    class->tokens =
        room_for(reader, (size_t)from->n_words * class->n_columns, sizeof *class->tokens);
    return class->tokens != NULL && make_words(reader, from, class);
}

static bool make_classes(struct reader *reader)
{
    struct grammar *grammar = &reader->grammar;
    const struct grammar_file *file = &reader->file;
    unsigned itself;
    if (file->n_classes > GRAMMAR_MOST_CLASSES)
        return yaml_fault(reader->yaml, file->classes[GRAMMAR_MOST_CLASSES].line,
                          "there are more than %d classes", GRAMMAR_MOST_CLASSES);
    grammar->classes = room_for(reader, file->n_classes, sizeof *grammar->classes);
    grammar->columns = room_for(reader, GRAMMAR_MOST_COLUMNS, sizeof *grammar->columns);
    if (grammar->classes == NULL || grammar->columns == NULL ||
        !add_name(reader, "names of forms", grammar->columns, &grammar->n_columns,
                  GRAMMAR_MOST_COLUMNS, piece_of("word"), &itself))
        return false;
    for (; grammar->n_classes < file->n_classes; grammar->n_classes++)
        if (!make_class(reader, &file->classes[grammar->n_classes],
                        &grammar->classes[grammar->n_classes]))
            return false;
    return true;
}

static bool make_held(struct reader *reader)
{
    struct grammar *grammar = &reader->grammar;
    const struct grammar_file *file = &reader->file;
    grammar->n_held = file->n_held;
    grammar->held = room_for(reader, file->n_held, sizeof *grammar->held);
    if (grammar->held == NULL)
        return false;
    for (unsigned i = 0; i < file->n_held; i++) {
        reader->line = file->held[i].line;
        grammar->held[i].one_in = file->held[i].one_in;
        for (unsigned k = 0; k < 2; k++)
            if (!look_up(reader, "class", grammar->classes, grammar->n_classes,
                         sizeof *grammar->classes, piece_of(file->held[i].words.items[k]),
                         &grammar->held[i].classes[k]))
                return false;
    }
    return true;
}

/* ---- what is bound ---- */

/* All names of the file are known before any of them is looked up. */
static bool collect_names(struct reader *reader)
{
    struct grammar *grammar = &reader->grammar;
    const struct grammar_file *file = &reader->file;
    unsigned ignored;
    grammar->names = room_for(reader, GRAMMAR_MOST_NAMES, sizeof *grammar->names);
    if (grammar->names == NULL)
        return false;
    for (unsigned r = 0; r < file->n_rules; r++)
        for (unsigned c = 0; c < file->rules[r].n_choices; c++) {
            const struct file_choice *choice = &file->rules[r].choices[c];
            reader->line = choice->line;
            for (unsigned i = 0; i < choice->n_bindings; i++)
                if (!add_name(reader, "names", grammar->names, &grammar->n_names,
                              GRAMMAR_MOST_NAMES, piece_of(choice->bindings[i].name), &ignored))
                    return false;
        }
    return true;
}

static bool find_bound(struct reader *reader, struct piece name, unsigned *ret)
{
    const struct grammar *grammar = &reader->grammar;
    return look_up(reader, "name", grammar->names, grammar->n_names, sizeof *grammar->names, name,
                   ret);
}

/* NAME or NAME.column */
static bool read_form(struct reader *reader, struct piece text, struct word_form *ret)
{
    const struct grammar *grammar = &reader->grammar;
    const char *dot = memchr(text.text, '.', text.size);
    struct piece name = {text.text, dot != NULL ? (size_t)(dot - text.text) : text.size};
    *ret = (struct word_form){0};
    if (!find_bound(reader, name, &ret->name))
        return false;
    if (dot == NULL)
        return true;
    struct piece column = {dot + 1, text.size - name.size - 1};
    return look_up(reader, "form of a word", grammar->columns, grammar->n_columns,
                   sizeof *grammar->columns, column, &ret->column);
}

static bool make_bindings(struct reader *reader, const struct file_choice *from,
                          struct grammar_choice *choice)
{
    const struct grammar *grammar = &reader->grammar;
    choice->n_bindings = from->n_bindings;
    choice->bindings = room_for(reader, from->n_bindings, sizeof *choice->bindings);
    if (choice->bindings == NULL)
        return false;
    for (unsigned i = 0; i < from->n_bindings; i++) {
        struct word_binding *binding = &choice->bindings[i];
        struct piece source = piece_of(from->bindings[i].from);
        binding->is_same = source.text[0] == '$';
        if (!find_bound(reader, piece_of(from->bindings[i].name), &binding->name))
            return false;
        if (binding->is_same ? !find_bound(reader, (struct piece){source.text + 1, source.size - 1},
                                           &binding->from)
                             : !look_up(reader, "class", grammar->classes, grammar->n_classes,
                                        sizeof *grammar->classes, source, &binding->from))
            return false;
    }
    return true;
}

/* A.form = B.form, or != */
static bool read_condition(struct reader *reader, const char *text, struct word_condition *ret)
{
    size_t a = strcspn(text, " "), middle = a + strspn(text + a, " ");
    size_t sign = strcspn(text + middle, " "),
           b = middle + sign + strspn(text + middle + sign, " ");
    ret->wants_same = text_equals(text + middle, sign, "=");
    if ((!ret->wants_same && !text_equals(text + middle, sign, "!=")) ||
        strchr(text + b, ' ') != NULL || text[b] == '\0')
        return yaml_fault(reader->yaml, reader->line,
                          "%s: NAME.form = NAME.form is expected, or != in its middle", text);
    return read_form(reader, (struct piece){text, a}, &ret->a) &&
           read_form(reader, piece_of(text + b), &ret->b);
}

static bool make_conditions(struct reader *reader, const struct file_texts *from,
                            struct word_condition **ret, unsigned *ret_n)
{
    *ret = room_for(reader, from->n, sizeof **ret);
    if (*ret == NULL)
        return false;
    for (; *ret_n < from->n; (*ret_n)++)
        if (!read_condition(reader, from->items[*ret_n], &(*ret)[*ret_n]))
            return false;
    return true;
}

/* ---- what is said ---- */

static bool find_mark(struct reader *reader, struct piece name, unsigned *ret)
{
    return look_up(reader, "mark", mark_names, MARK_COUNT, sizeof *mark_names, name, ret);
}

/* Cuts "...<sign>name" off the end of text; an empty name if there is no sign. A sign at the
 * beginning doesn't count. */
static struct piece cut_at(struct piece *text, char sign)
{
    for (size_t i = text->size; i-- > 1;)
        if (text->text[i] == sign) {
            struct piece name = {text->text + i + 1, text->size - i - 1};
            text->size = i;
            return name;
        }
    return (struct piece){NULL, 0};
}

static bool read_rule_item(struct reader *reader, struct piece text, struct grammar_item *ret)
{
    struct piece name = {text.text + 1, text.size - 2};
    ret->kind = ITEM_RULE;
    return look_up(reader, "rule", reader->file.rules, reader->file.n_rules,
                   sizeof *reader->file.rules, name, &ret->rule);
}

static bool read_item(struct reader *reader, struct piece text, struct grammar_item *ret)
{
    const struct grammar *grammar = &reader->grammar;
    unsigned question = 0, mark = 0;
    *ret = (struct grammar_item){.kind = ITEM_WORD, .mark = -1, .question = -1};
    if (text.size > 2 && text.text[0] == '<' && text.text[text.size - 1] == '>')
        return read_rule_item(reader, text, ret);
    struct piece asked = cut_at(&text, '!'), marked = cut_at(&text, '@');
    if (asked.text != NULL && !look_up(reader, "question", grammar->questions, grammar->n_questions,
                                       sizeof *grammar->questions, asked, &question))
        return false;
    if (marked.text != NULL && !find_mark(reader, marked, &mark))
        return false;
    ret->question = asked.text != NULL ? (int)question : -1;
    ret->mark = marked.text != NULL ? (int)mark : -1;
    if (text.text[0] != '$')
        return add_word(reader, text, &ret->token);
    ret->kind = ITEM_FORM;
    return read_form(reader, (struct piece){text.text + 1, text.size - 1}, &ret->form);
}

static bool make_items(struct reader *reader, const char *say, struct grammar_choice *choice)
{
    size_t most = say != NULL ? strlen(say) / 2 + 1 : 0;
    choice->items = room_for(reader, most, sizeof *choice->items);
    if (choice->items == NULL)
        return false;
    while (say != NULL && *(say += strspn(say, " \n")) != '\0') {
        struct piece text = {say, strcspn(say, " \n")};
        if (!read_item(reader, text, &choice->items[choice->n_items++]))
            return false;
        say += text.size;
    }
    return true;
}

static bool make_choice(struct reader *reader, const struct file_choice *from,
                        struct grammar_choice *choice)
{
    reader->line = choice->line = from->line;
    choice->weight = from->weight;
    return make_bindings(reader, from, choice) &&
           make_conditions(reader, &from->where, &choice->where, &choice->n_where) &&
           make_conditions(reader, &from->when, &choice->when, &choice->n_when) &&
           make_items(reader, from->say, choice);
}

static bool make_rule(struct reader *reader, const struct file_rule *from,
                      struct grammar_rule *rule)
{
    *rule = (struct grammar_rule){.name = from->name, .line = from->line};
    rule->choices = room_for(reader, from->n_choices, sizeof *rule->choices);
    if (rule->choices == NULL)
        return false;
    for (; rule->n_choices < from->n_choices; rule->n_choices++)
        if (!make_choice(reader, &from->choices[rule->n_choices], &rule->choices[rule->n_choices]))
            return false;
    return true;
}

static bool find_rule(struct reader *reader, const char *name, unsigned *ret)
{
    const struct grammar *grammar = &reader->grammar;
    reader->line = 1;
    return look_up(reader, "rule", grammar->rules, grammar->n_rules, sizeof *grammar->rules,
                   piece_of(name), ret);
}

static bool make_rules(struct reader *reader)
{
    struct grammar *grammar = &reader->grammar;
    const struct grammar_file *file = &reader->file;
    unsigned twins = 0;
    grammar->rules = room_for(reader, file->n_rules, sizeof *grammar->rules);
    if (grammar->rules == NULL)
        return false;
    for (; grammar->n_rules < file->n_rules; grammar->n_rules++)
        if (!make_rule(reader, &file->rules[grammar->n_rules], &grammar->rules[grammar->n_rules]))
            return false;
    if (!find_rule(reader, "story", &grammar->story) ||
        (file->twins != NULL && !find_rule(reader, file->twins, &twins)))
        return false;
    grammar->twins = file->twins != NULL ? (int)twins : -1;
    return file->twins == NULL || grammar->rules[twins].n_choices == 2 ||
           yaml_fault(reader->yaml, grammar->rules[twins].line,
                      "<%s> has %u choices; twins need one of two", file->twins,
                      grammar->rules[twins].n_choices);
}

/* ---- questions ---- */

static bool make_question(struct reader *reader, const struct file_question *from,
                          struct grammar_question *question)
{
    struct grammar *grammar = &reader->grammar;
    unsigned other = 0, mark;
    const char *rival = from->rival != NULL ? from->rival : from->other;
    reader->line = from->line;
    *question = (struct grammar_question){.name = from->name, .line = from->line, .other = -1};
    if (rival == NULL)
        return yaml_fault(reader->yaml, from->line, "question %s needs the key other, or rival",
                          from->name);
    if (!add_name(reader, "kinds", grammar->kinds, &grammar->n_kinds, reader->file.n_questions,
                  piece_of(from->kind), &question->kind) ||
        !find_bound(reader, piece_of(from->about), &question->about) ||
        (from->other != NULL && !find_bound(reader, piece_of(from->other), &other)) ||
        !read_form(reader, piece_of(rival), &question->rival))
        return false;
    if (from->other != NULL)
        question->other = (int)other;
    for (unsigned i = 0; i < from->needs.n; i++) {
        if (!find_mark(reader, piece_of(from->needs.items[i]), &mark))
            return false;
        question->needs[mark] = true;
    }
    return true;
}

static bool make_questions(struct reader *reader)
{
    struct grammar *grammar = &reader->grammar;
    const struct grammar_file *file = &reader->file;
    grammar->questions = room_for(reader, file->n_questions, sizeof *grammar->questions);
    grammar->kinds = room_for(reader, file->n_questions, sizeof *grammar->kinds);
    if (grammar->questions == NULL || grammar->kinds == NULL)
        return false;
    for (; grammar->n_questions < file->n_questions; grammar->n_questions++)
        if (!make_question(reader, &file->questions[grammar->n_questions],
                           &grammar->questions[grammar->n_questions]))
            return false;
    return true;
}

/* ---- the whole ---- */

static bool check_longest(struct reader *reader)
{
    unsigned longest = reader->file.longest;
    reader->grammar.longest = longest;
    return (longest >= 4 && longest <= GRAMMAR_MOST_TOKENS) ||
           yaml_fault(reader->yaml, 1, "longest: 4 to %d tokens are expected, not %u",
                      GRAMMAR_MOST_TOKENS, longest);
}

static bool grammar_file_read(struct yaml *yaml, yaml_value root, struct grammar_file *file);

static bool read_all(struct reader *reader, yaml_value root)
{
    return grammar_file_read(reader->yaml, root, &reader->file) && check_longest(reader) &&
           begin_words(reader) && make_classes(reader) && make_held(reader) &&
           collect_names(reader) && make_questions(reader) && make_rules(reader) &&
           grammar_check(reader->yaml, &reader->grammar);
}

bool grammar_read(const char *path, const char *text, size_t size, struct grammar *ret,
                  struct error *reterr)
{
    struct yaml yaml;
    struct arena arena = {0};
    struct reader reader = {.yaml = &yaml};
    yaml_value root;
    bool opened = yaml_open(&yaml, path, text, size, &arena, &root, reterr);
    bool ok = opened && read_all(&reader, root);
    if (opened)
        yaml_close(&yaml);
    if (!ok) {
        arena_release(&arena);
        return false;
    }
    *ret = reader.grammar;
    ret->arena = arena;
    return true;
}

bool grammar_open(const char *data_dir, const char *name, struct grammar *ret, struct error *reterr)
{
    struct asset asset;
    char file[80];
    snprintf(file, sizeof file, "stories/%s.yaml", name);
    bool ok = asset_read(&asset, data_dir, file, reterr) &&
              grammar_read(asset.path, text_string(&asset.text), asset.text.size, ret, reterr);
    asset_release(&asset);
    return ok;
}

void grammar_release(struct grammar *grammar)
{
    arena_release(&grammar->arena);
    *grammar = (struct grammar){0};
}

/* ---- the vocabulary ---- */

int32_t grammar_token(const struct grammar *grammar, const char *word, size_t size)
{
    return find_name(grammar->words, grammar->n_tokens, sizeof *grammar->words,
                     (struct piece){word, size});
}

static bool unknown_word(const struct grammar *grammar, struct piece word, struct error *reterr)
{
    char shown[48];
    struct suggestion suggestion;
    error_quote(shown, sizeof shown, word.text, word.size);
    suggestion_init(&suggestion, word.text, word.size);
    for (unsigned i = TOKEN_FIRST_WORD; i < grammar->n_tokens; i++)
        suggestion_try(&suggestion, grammar->words[i]);
    if (suggestion.best[0] != '\0')
        return error_set(reterr, ERR_NAME,
                         "stories: there is no word '%s' in them; did you mean %s?", shown,
                         suggestion.best);
    return error_set(reterr, ERR_NAME,
                     "stories: there is no word '%s' in them; all %u words are in assets/stories",
                     shown, grammar->n_tokens - TOKEN_FIRST_WORD);
}

/* The longest word of letters at the beginning, in small letters, or one sign. */
static struct piece next_word(const char *text, char word[48])
{
    size_t size = 0;
    while (size < 47 && (isalnum((unsigned char)text[size]) || (unsigned char)text[size] >= 128)) {
        word[size] = (char)tolower((unsigned char)text[size]);
        size++;
    }
    if (size == 0)
        word[size++] = text[0];
    return (struct piece){word, size};
}

bool grammar_tokens(const struct grammar *grammar, const char *text, int32_t *tokens, size_t most,
                    size_t *ret_n, struct error *reterr)
{
    char letters[48];
    size_t n = 0;
    while (*(text += strspn(text, " \t\r\n")) != '\0') {
        struct piece word = next_word(text, letters);
        int32_t token = grammar_token(grammar, word.text, word.size);
        if (token < 0)
            return unknown_word(grammar, word, reterr);
        if (n == most)
            return error_set(reterr, ERR_LIMIT, "stories: the text has more than %zu words", most);
        tokens[n++] = token;
        text += word.size;
    }
    *ret_n = n;
    return true;
}

/* ---- grammar file ---- */

/* Reading a grammar's file into the structs of grammar_internal.h. */

/* One text, or a list of them. */
static bool read_texts(struct yaml *yaml, yaml_value value, void *ret)
{
    struct file_texts *texts = ret;
    void *items = NULL;
    if (value->type == YAML_SEQUENCE_NODE) {
        bool ok =
            yaml_read_list(yaml, value, yaml_read_text, sizeof *texts->items, &items, &texts->n);
        texts->items = items;
        return ok;
    }
    texts->items = arena_take(yaml->arena, sizeof *texts->items);
    texts->n = 1;
    return texts->items != NULL ? yaml_read_text(yaml, value, texts->items)
                                : error_memory(yaml->reterr, yaml->path);
}

/* ---- classes ---- */

static bool read_word(struct yaml *yaml, yaml_value value, void *ret)
{
    struct file_word *word = ret;
    word->line = yaml_line(value);
    return read_texts(yaml, value, &word->forms);
}

static bool read_words(struct yaml *yaml, yaml_value value, void *ret)
{
    struct file_class *class = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, read_word, sizeof *class->words, &items, &class->n_words);
    class->words = items;
    return ok;
}

static bool read_class(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct grammar_file *file = context;
    struct file_class *class = &file->classes[file->n_classes++];
    const struct yaml_field fields[] = {
        {"columns", read_texts, &class->columns, false},
        {"words", read_words, class, true},
        {"again", yaml_read_flag, &class->again, false},
    };
    class->line = yaml_line(key);
    return yaml_read_text(yaml, key, &class->name) &&
           yaml_read_fields(yaml, value, "a class", fields, COUNT_OF(fields));
}

/* Room for the items of a mapping, *ret_items; each(context) then fills them. */
static bool read_mapping(struct yaml *yaml, yaml_value value, size_t item_size, void **ret_items,
                         bool (*each)(struct yaml *yaml, yaml_value key, yaml_value value,
                                      void *context),
                         void *context)
{
    *ret_items = arena_take(yaml->arena, (yaml_count(value) + 1) * item_size);
    return *ret_items != NULL ? yaml_read_pairs(yaml, value, each, context)
                              : error_memory(yaml->reterr, yaml->path);
}

static bool read_classes(struct yaml *yaml, yaml_value value, void *ret)
{
    struct grammar_file *file = ret;
    return read_mapping(yaml, value, sizeof *file->classes, (void **)&file->classes, read_class,
                        file);
}

/* ---- rules ---- */

static bool read_binding(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct file_choice *choice = context;
    struct file_binding *binding = &choice->bindings[choice->n_bindings++];
    return yaml_read_text(yaml, key, &binding->name) && yaml_read_text(yaml, value, &binding->from);
}

static bool read_bindings(struct yaml *yaml, yaml_value value, void *ret)
{
    struct file_choice *choice = ret;
    return read_mapping(yaml, value, sizeof *choice->bindings, (void **)&choice->bindings,
                        read_binding, choice);
}

static bool read_choice(struct yaml *yaml, yaml_value value, void *ret)
{
    struct file_choice *choice = ret;
    const struct yaml_field fields[] = {
        {"weight", yaml_read_whole, &choice->weight, false},
        {"bind", read_bindings, choice, false},
        {"where", read_texts, &choice->where, false},
        {"when", read_texts, &choice->when, false},
        {"say", yaml_read_text, &choice->say, false},
    };
    choice->weight = 1;
    choice->line = yaml_line(value);
    if (value->type == YAML_SCALAR_NODE)
        return yaml_read_text(yaml, value, &choice->say);
    if (!yaml_read_fields(yaml, value, "a choice", fields, COUNT_OF(fields)))
        return false;
    return choice->weight > 0 ||
           yaml_fault(yaml, choice->line, "weight: 1 or more is expected; leave the choice out");
}

static bool read_rule(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct grammar_file *file = context;
    struct file_rule *rule = &file->rules[file->n_rules++];
    void *items = NULL;
    rule->line = yaml_line(key);
    bool ok =
        yaml_read_text(yaml, key, &rule->name) &&
        yaml_read_list(yaml, value, read_choice, sizeof *rule->choices, &items, &rule->n_choices);
    rule->choices = items;
    return ok;
}

static bool read_rules(struct yaml *yaml, yaml_value value, void *ret)
{
    struct grammar_file *file = ret;
    return read_mapping(yaml, value, sizeof *file->rules, (void **)&file->rules, read_rule, file);
}

/* ---- questions, and what is held out ---- */

static bool read_question(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct grammar_file *file = context;
    struct file_question *question = &file->questions[file->n_questions++];
    const struct yaml_field fields[] = {
        {"kind", yaml_read_text, &question->kind, true},
        {"about", yaml_read_text, &question->about, true},
        {"other", yaml_read_text, &question->other, false},
        {"rival", yaml_read_text, &question->rival, false},
        {"needs", read_texts, &question->needs, false},
    };
    question->line = yaml_line(key);
    return yaml_read_text(yaml, key, &question->name) &&
           yaml_read_fields(yaml, value, "a question", fields, COUNT_OF(fields));
}

static bool read_questions(struct yaml *yaml, yaml_value value, void *ret)
{
    struct grammar_file *file = ret;
    return read_mapping(yaml, value, sizeof *file->questions, (void **)&file->questions,
                        read_question, file);
}

static bool read_held(struct yaml *yaml, yaml_value value, void *ret)
{
    struct file_held *held = ret;
    const struct yaml_field fields[] = {
        {"words", read_texts, &held->words, true},
        {"one_in", yaml_read_whole, &held->one_in, true},
    };
    held->line = yaml_line(value);
    if (!yaml_read_fields(yaml, value, "what is held out", fields, COUNT_OF(fields)))
        return false;
    return (held->words.n == 2 && held->one_in >= 2) ||
           yaml_fault(yaml, held->line, "words: two classes are expected, and one_in: 2 or more");
}

static bool read_all_held(struct yaml *yaml, yaml_value value, void *ret)
{
    struct grammar_file *file = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, read_held, sizeof *file->held, &items, &file->n_held);
    file->held = items;
    return ok;
}

/* What the file says, each value of the right kind. */
static bool grammar_file_read(struct yaml *yaml, yaml_value root, struct grammar_file *file)
{
    const struct yaml_field fields[] = {
        {"longest", yaml_read_whole, &file->longest, true},
        {"twins", yaml_read_text, &file->twins, false},
        {"classes", read_classes, file, true},
        {"held_out", read_all_held, file, false},
        {"questions", read_questions, file, false},
        {"rules", read_rules, file, true},
    };
    return yaml_read_fields(yaml, root, "the file", fields, COUNT_OF(fields));
}
