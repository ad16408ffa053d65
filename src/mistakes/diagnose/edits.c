/* Reading the table of mistakes: see edits.h. */
#include "diagnose/edits.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "files/asset.h"
#include "files/yaml.h"

/* ---- values ---- */

/* One text, or a list of them. */
static bool read_texts(struct yaml *yaml, yaml_value value, void *ret)
{
    struct texts *texts = ret;
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

static bool read_hole(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    static const char *const kinds[] = {
        [HOLE_ANY] = "any", [HOLE_SIZE] = "size", [HOLE_NAME] = "name", [HOLE_NUMBER] = "number"};
    struct edit *edit = context;
    struct hole *hole = &edit->holes[edit->n_holes++];
    char *kind;
    if (!yaml_read_text(yaml, key, &hole->name) || !yaml_read_text(yaml, value, &kind))
        return false;
    if (hole->name[0] != '_')
        return yaml_fault(yaml, yaml_line(key), "%s: the name of a hole begins with _", hole->name);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kind, kinds[i]) == 0) {
            hole->kind = (enum hole_kind)i;
            return true;
        }
    return yaml_fault(yaml, yaml_line(value), "%s: size, name or number is expected", kind);
}

static bool read_holes(struct yaml *yaml, yaml_value value, void *ret)
{
    struct edit *edit = ret;
    edit->holes = arena_take(yaml->arena, (yaml_count(value) + 1) * sizeof *edit->holes);
    return edit->holes != NULL ? yaml_read_pairs(yaml, value, read_hole, edit)
                               : error_memory(yaml->reterr, yaml->path);
}

static bool read_form(struct yaml *yaml, yaml_value value, void *ret)
{
    struct edit_form *form = ret;
    const struct yaml_field fields[] = {
        {"match", read_texts, &form->match, true},
        {"put", read_texts, &form->put, true},
    };
    return yaml_read_fields(yaml, value, "a form", fields, COUNT_OF(fields));
}

static bool read_forms(struct yaml *yaml, yaml_value value, void *ret)
{
    struct edit *edit = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, read_form, sizeof *edit->forms, &items, &edit->n_forms);
    edit->forms = items;
    return ok;
}

/* Where match and put stand beside the id, they are the only form. */
static bool set_only_form(struct yaml *yaml, struct edit *edit, const struct edit_form *only)
{
    if ((only->match.n > 0) != (only->put.n > 0) || (only->match.n > 0) == (edit->n_forms > 0))
        return yaml_fault(yaml, edit->line, "match and put are expected, or forms");
    if (edit->n_forms > 0)
        return true;
    edit->forms = arena_take(yaml->arena, sizeof *edit->forms);
    if (edit->forms == NULL)
        return error_memory(yaml->reterr, yaml->path);
    edit->forms[0] = *only;
    edit->n_forms = 1;
    return true;
}

static bool read_patterns(struct yaml *yaml, const struct edit *edit, struct edit_form *form)
{
    struct error error = {0};
    form->patterns = arena_take(yaml->arena, form->match.n * sizeof *form->patterns);
    if (form->patterns == NULL)
        return error_memory(yaml->reterr, yaml->path);
    for (unsigned i = 0; i < form->match.n; i++)
        if (!pattern_read(yaml->arena, form->match.items[i], edit->holes, edit->n_holes,
                          &form->patterns[i], &error))
            return error_is_stop(&error)
                       ? error_memory(yaml->reterr, yaml->path)
                       : yaml_fault(yaml, edit->line, "%s: %s", edit->id, error.text);
    return true;
}

static bool read_edit(struct yaml *yaml, yaml_value value, void *ret)
{
    struct edit *edit = ret;
    struct edit_form only = {.patterns = NULL};
    const struct yaml_field fields[] = {
        {"id", yaml_read_text, &edit->id, true},
        {"match", read_texts, &only.match, false},
        {"put", read_texts, &only.put, false},
        {"forms", read_forms, edit, false},
        {"where", read_holes, edit, false},
        {"whole", yaml_read_flag, &edit->is_whole, false},
        {"only_lessons", yaml_read_flag, &edit->only_lessons, false},
        {"only_formulas", yaml_read_flag, &edit->only_formulas, false},
        {"when", yaml_read_text, &edit->when, true},
        {"ask", yaml_read_text, &edit->ask, true},
        {"math", yaml_read_text, &edit->math, false},
        {"lesson", yaml_read_text, &edit->lesson, false},
    };
    edit->line = yaml_line(value);
    if (!yaml_read_fields(yaml, value, "an edit", fields, COUNT_OF(fields)) ||
        !set_only_form(yaml, edit, &only))
        return false;
    for (unsigned i = 0; i < edit->n_forms; i++)
        if (!read_patterns(yaml, edit, &edit->forms[i]))
            return false;
    return true;
}

static bool read_edits(struct yaml *yaml, yaml_value value, void *ret)
{
    struct edits *edits = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, read_edit, sizeof *edits->items, &items, &edits->n);
    edits->items = items;
    return ok;
}

static bool read_combination(struct yaml *yaml, yaml_value value, void *ret)
{
    struct combination *combination = ret;
    const struct yaml_field fields[] = {
        {"id", yaml_read_text, &combination->id, true},
        {"of", read_texts, &combination->of, true},
        {"when", yaml_read_text, &combination->when, true},
        {"ask", yaml_read_text, &combination->ask, true},
        {"math", yaml_read_text, &combination->math, true},
        {"lesson", yaml_read_text, &combination->lesson, false},
    };
    combination->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "a combination", fields, COUNT_OF(fields)) &&
           (combination->of.n == 2 ||
            yaml_fault(yaml, combination->line, "of: two ids are expected"));
}

static bool read_combinations(struct yaml *yaml, yaml_value value, void *ret)
{
    struct edits *edits = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, read_combination, sizeof *edits->combinations, &items,
                             &edits->n_combinations);
    edits->combinations = items;
    return ok;
}

/* ---- what must hold of all together ---- */

static bool has_hole(const char *text, const char *name, size_t size)
{
    const char *found;
    size_t found_size, at = 0;
    while ((found_size = hole_next(text, &at, &found)) > 0)
        if (found_size == size && memcmp(found, name, size) == 0)
            return true;
    return false;
}

/* Does every hole of put stand for something, whichever pattern matched? */
static bool check_put(struct yaml *yaml, const struct edit *edit, const struct edit_form *form,
                      const char *put)
{
    const char *name;
    size_t size, at = 0;
    while ((size = hole_next(put, &at, &name)) > 0) {
        enum hole_kind kind = hole_kind_of(edit->holes, edit->n_holes, name, size);
        bool stands = kind == HOLE_SIZE || kind == HOLE_NAME || text_equals(name, size, "_rest");
        bool in_all = true;
        for (unsigned i = 0; i < form->match.n; i++)
            in_all = in_all && has_hole(form->match.items[i], name, size);
        if (!stands && !in_all)
            return yaml_fault(yaml, edit->line, "%s: %.*s has no meaning in \"%s\"", edit->id,
                              (int)size, name, put);
    }
    return true;
}

static bool check_holes(struct yaml *yaml, const struct edits *edits)
{
    for (unsigned i = 0; i < edits->n; i++)
        for (unsigned k = 0; k < edits->items[i].n_forms; k++) {
            const struct edit_form *form = &edits->items[i].forms[k];
            for (unsigned put = 0; put < form->put.n; put++)
                if (!check_put(yaml, &edits->items[i], form, form->put.items[put]))
                    return false;
        }
    return true;
}

static bool has_id(const struct edits *edits, const char *id, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (strcmp(edits->items[i].id, id) == 0)
            return true;
    return false;
}

static bool check_ids(struct yaml *yaml, const struct edits *edits)
{
    for (unsigned i = 0; i < edits->n; i++)
        if (!edits->items[i].only_lessons && has_id(edits, edits->items[i].id, i))
            return yaml_fault(yaml, edits->items[i].line, "%s stands twice", edits->items[i].id);
    for (unsigned i = 0; i < edits->n_combinations; i++) {
        const struct combination *combination = &edits->combinations[i];
        for (unsigned k = 0; k < combination->of.n; k++)
            if (!has_id(edits, combination->of.items[k], edits->n))
                return yaml_fault(yaml, combination->line, "%s: there is no such edit",
                                  combination->of.items[k]);
    }
    return true;
}

/* Marks the edits with this id; false if no edit has it. */
static bool mark_edit(struct edits *edits, const char *id, unsigned in_numbers)
{
    bool found = false;
    for (unsigned i = 0; i < edits->n; i++) {
        struct edit *edit = &edits->items[i];
        if (strcmp(edit->id, id) != 0)
            continue;
        found = true;
        if (in_numbers == EDIT_UNLIKELY)
            edit->only_programs = !edit->only_lessons;
        else
            edit->in_numbers = in_numbers;
    }
    return found;
}

static bool check_functions(struct yaml *yaml, const struct edits *edits)
{
    return edits->functions.n <= EDITS_MAX_FUNCTIONS ||
           yaml_fault(yaml, 1, "functions: %d is the most", EDITS_MAX_FUNCTIONS);
}

static bool mark_edits(struct yaml *yaml, struct edits *edits)
{
    const struct texts *lists[] = {[EDIT_UNLIKELY] = &edits->only_programs,
                                   [EDIT_REMOTE] = &edits->remote,
                                   [EDIT_POSSIBLE] = &edits->possible,
                                   [EDIT_LIKELY] = &edits->likely};
    for (unsigned list = 0; list < COUNT_OF(lists); list++)
        for (unsigned i = 0; i < lists[list]->n; i++)
            if (!mark_edit(edits, lists[list]->items[i], list))
                return yaml_fault(yaml, 1, "%s: there is no such edit", lists[list]->items[i]);
    return true;
}

bool edits_read(const char *path, const char *text, size_t size, struct edits *ret,
                struct error *reterr)
{
    struct edits edits = {0};
    struct yaml yaml;
    yaml_value root;
    const struct yaml_field fields[] = {
        {"functions", read_texts, &edits.functions, false},
        {"edits", read_edits, &edits, true},
        {"combinations", read_combinations, &edits, false},
        {"only_programs", read_texts, &edits.only_programs, false},
        {"likely", read_texts, &edits.likely, false},
        {"remote", read_texts, &edits.remote, false},
        {"possible", read_texts, &edits.possible, false},
    };
    if (!yaml_open(&yaml, path, text, size, &edits.arena, &root, reterr)) {
        edits_release(&edits);
        return false;
    }
    bool ok = yaml_read_fields(&yaml, root, "the file", fields, COUNT_OF(fields)) &&
              check_ids(&yaml, &edits) && check_functions(&yaml, &edits) &&
              mark_edits(&yaml, &edits) && check_holes(&yaml, &edits);
    yaml_close(&yaml);
    if (!ok) {
        edits_release(&edits);
        return false;
    }
    *ret = edits;
    return true;
}

bool edits_open(const char *data_dir, struct edits *ret, struct error *reterr)
{
    struct asset asset;
    bool ok = asset_read(&asset, data_dir, "edits.yaml", reterr) &&
              edits_read(asset.path, text_string(&asset.text), asset.text.size, ret, reterr);
    asset_release(&asset);
    return ok;
}

void edits_release(struct edits *edits)
{
    arena_release(&edits->arena);
    *edits = (struct edits){0};
}

/* ---- questions ---- */

static bool is_of(const struct combination *combination, const struct edit *a, const struct edit *b)
{
    return strcmp(combination->of.items[0], a->id) == 0 &&
           strcmp(combination->of.items[1], b->id) == 0;
}

const struct combination *edits_combination(const struct edits *edits, const struct edit *a,
                                            const struct edit *b)
{
    for (unsigned i = 0; i < edits->n_combinations; i++)
        if (is_of(&edits->combinations[i], a, b) || is_of(&edits->combinations[i], b, a))
            return &edits->combinations[i];
    return NULL;
}

/* The functions of the table that are called in an expression, a bit each. */
static uint64_t called_in(const struct edits *edits, const char *expression)
{
    uint64_t called = 0;
    for (const char *at = expression; (at = strchr(at, '(')) != NULL; at++) {
        const char *name = at;
        while (name > expression && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
            name--;
        size_t size = (size_t)(at - name) + 1; /* with the bracket, which ends the name there */
        for (unsigned i = 0; size > 1 && i < edits->functions.n; i++)
            if (*edits->functions.items[i] == *name &&
                strncmp(edits->functions.items[i], name, size) == 0)
                called |= UINT64_C(1) << i;
    }
    return called;
}

/* A function may call those before it. */
void edits_functions_in(const struct edits *edits, const char *expression, struct text *out)
{
    uint64_t called = called_in(edits, expression);
    for (unsigned i = edits->functions.n; called != 0 && i-- > 0;)
        if (called >> i & 1)
            called |= called_in(edits, edits->functions.items[i]);
    for (unsigned i = 0; called != 0 && i < edits->functions.n; i++)
        if (called >> i & 1) {
            text_put(out, edits->functions.items[i]);
            text_char(out, '\n');
        }
}
