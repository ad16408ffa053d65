/* What the explorer shows: a sentence, or a tensor of the session that the prompt works in. It is
 * asked for in a field in which names are completed. */
#include "ui/panes/explorer/explorer_internal.h"

#include <stdio.h>
#include <string.h>

#include "graph/node.h"

void explorer_use_variables(struct explorer *explorer, const struct session *variables)
{
    explorer->variables = variables;
}

/* What a name means at the prompt; NULL: nothing. */
static const struct value *find_variable(const struct explorer *explorer, const char *name,
                                         size_t size)
{
    return explorer->variables != NULL ? names_get(&explorer->variables->names, name, size) : NULL;
}

/* The tensor shown has been given another value at the prompt since, or none. */
static bool is_outdated(const struct explorer *explorer)
{
    const char *name = explorer->variable;
    const struct value *value = find_variable(explorer, name, strlen(name));
    if (name[0] == '\0' || explorer->variables == NULL)
        return false;
    return value == NULL || value->kind != VALUE_NODE || value->as.node->id != explorer->source_id;
}

void explorer_write_source(const struct explorer *explorer, struct text *text)
{
    if (explorer->sentence[0] != '\0')
        text_format(text, "\"%s\"", explorer->sentence);
    else if (explorer->variable[0] != '\0')
        text_format(text, "%s of the prompt%s", explorer->variable,
                    is_outdated(explorer) ? ", as it was" : "");
    else
        text_put(text, "a tensor of the prompt");
}

void explorer_ask(struct explorer *explorer)
{
    bool is_sentence = explorer->sentence[0] != '\0';
    struct field *typed = &explorer->typed;
    *typed = (struct field){.size = 0};
    snprintf(typed->text, sizeof typed->text, "%s",
             is_sentence ? explorer->sentence : explorer->variable);
    typed->size = typed->cursor = strlen(typed->text);
    explorer->edits = explorer->asks = true;
}

static bool show_variable(struct explorer *explorer, const char *name, const struct value *value,
                          struct error *reterr)
{
    if (value->kind != VALUE_NODE) {
        char kind[80];
        return error_set(reterr, ERR_NAME, "%s: it is %s; only tensors can be shown", name,
                         value_describe(value, kind, sizeof kind));
    }
    if (!explorer_show_node(explorer, value->as.node, reterr))
        return false;
    if (strlen(name) < sizeof explorer->variable)
        memcpy(explorer->variable, name, strlen(name) + 1);
    return true;
}

bool explorer_show(struct explorer *explorer, const char *line, struct error *reterr)
{
    char text[FIELD_BYTES];
    const char *begin = line + strspn(line, " ");
    size_t size = strlen(begin);
    while (size > 0 && begin[size - 1] == ' ')
        size--;
    bool is_quoted = size > 1 && begin[0] == '"' && begin[size - 1] == '"';
    const struct value *value = find_variable(explorer, begin, size);
    if (size >= sizeof text) /* too long for a sentence too, which says so */
        return explorer_set_sentence(explorer, line, reterr);
    snprintf(text, sizeof text, "%.*s", (int)(is_quoted ? size - 2 : size), begin + is_quoted);
    if (value != NULL && value->kind != VALUE_ABSENT)
        return show_variable(explorer, text, value, reterr);
    return explorer_set_sentence(explorer, text, reterr);
}

void explorer_answer(struct explorer *explorer)
{
    struct error error;
    const char *typed = explorer->typed.text;
    explorer->edits = false;
    /* The sentence that is there: its edits stay. */
    if (explorer->sentence[0] != '\0' && strcmp(typed, explorer->sentence) == 0 &&
        find_variable(explorer, typed, explorer->typed.size) == NULL)
        return;
    if (explorer_show(explorer, typed, &error))
        return;
    explorer->edits = true;
    explorer_say(explorer, "%s", error.text);
}

/* Names. */

const struct variable *explorer_fitting(const struct explorer *explorer, size_t *at)
{
    const struct field *typed = &explorer->typed;
    size_t n = explorer->variables != NULL ? explorer->variables->names.n_variables : 0;
    while (*at < n) {
        const struct variable *variable = &explorer->variables->names.variables[(*at)++];
        if (variable->value.kind == VALUE_NODE && variable->size >= typed->size &&
            memcmp(variable->name, typed->text, typed->size) == 0)
            return variable;
    }
    return NULL;
}

void explorer_complete(struct explorer *explorer)
{
    struct field *typed = &explorer->typed;
    size_t at = 0;
    const struct variable *first = explorer_fitting(explorer, &at), *other;
    if (first == NULL) {
        explorer_say(explorer, "no tensor of the prompt has a name that begins so");
        return;
    }
    size_t same = first->size < sizeof typed->text ? first->size : sizeof typed->text - 1;
    while ((other = explorer_fitting(explorer, &at)) != NULL) {
        size_t size = 0;
        while (size < same && size < other->size && other->name[size] == first->name[size])
            size++;
        same = size;
    }
    memcpy(typed->text, first->name, same);
    typed->text[same] = '\0';
    typed->size = typed->cursor = same;
}
