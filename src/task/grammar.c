/* Looking up the names of a grammar's file: see grammar.h. */
#include "task/grammar.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "base/text.h"
#include "files/asset.h"
#include "task/grammar_internal.h"

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

/* n items in the arena, zeroed. NULL without memory, which is told. */
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

/* Cuts "...<sign>name" off the end of text; an empty name where there is none. A sign at the
 * beginning is none. */
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
