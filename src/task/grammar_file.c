/* Reading a grammar's file into the structs of grammar_internal.h. */
#include "task/grammar_internal.h"

#include "base/array.h"

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

bool grammar_file_read(struct yaml *yaml, yaml_value root, struct grammar_file *file)
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
