/* Whether every story of a grammar can be told: see grammar_internal.h. All choices are walked
 * through from the first rule on, with the classes that the word of each name may be of. */
#include "task/grammar_internal.h"

#include <stdlib.h>
#include <string.h>

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

bool grammar_check(struct yaml *yaml, const struct grammar *grammar)
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
