/* Reading assets/references.yaml: see reference_internal.h. */
#include "verify/reference_internal.h"

#include <string.h>

#include "base/array.h"
#include "files/asset.h"
#include "files/yaml.h"

static bool read_names(struct yaml *yaml, yaml_value value, void *ret)
{
    struct reference_names *names = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, yaml_read_text, sizeof *names->items, &items, &names->n);
    names->items = items;
    return ok;
}

static bool read_kind(struct yaml *yaml, yaml_value value, void *ret)
{
    static const char *const kinds[] = {[ROLE_ARRAY] = "array",
                                        [ROLE_MASK] = "mask",
                                        [ROLE_SIZE] = "size",
                                        [ROLE_NUMBER] = "number",
                                        [ROLE_WHOLE] = "whole"};
    char *word;
    if (!yaml_read_text(yaml, value, &word))
        return false;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(word, kinds[i]) == 0) {
            *(enum role_kind *)ret = (enum role_kind)i;
            return true;
        }
    return yaml_fault(yaml, yaml_line(value), "array, mask, size, number or whole is expected");
}

static bool read_role(struct yaml *yaml, yaml_value value, void *ret)
{
    static char single[] = "";
    struct reference_role *role = ret;
    const struct yaml_field fields[] = {
        {"name", yaml_read_text, &role->name, true},
        {"shape", yaml_read_text, &role->shape, false},
        {"names", read_names, &role->names, true},
        {"kind", read_kind, &role->kind, false},
        {"optional", yaml_read_flag, &role->optional, false},
        {"turns", yaml_read_flag, &role->turns, false},
    };
    role->shape = single;
    return yaml_read_fields(yaml, value, "a role", fields, COUNT_OF(fields));
}

static bool read_step(struct yaml *yaml, yaml_value value, void *ret)
{
    struct reference_step *step = ret;
    const struct yaml_field fields[] = {
        {"step", yaml_read_text, &step->step, true},
        {"with", read_names, &step->with, false},
        {"without", read_names, &step->without, false},
        {"size", yaml_read_flag, &step->is_size, false},
    };
    return yaml_read_fields(yaml, value, "a step", fields, COUNT_OF(fields));
}

static bool read_result(struct yaml *yaml, yaml_value value, void *ret)
{
    struct reference_result *result = ret;
    const struct yaml_field fields[] = {
        {"step", yaml_read_text, &result->step, true},
        {"names", read_names, &result->names, true},
    };
    return yaml_read_fields(yaml, value, "a result", fields, COUNT_OF(fields));
}

static bool read_mistake(struct yaml *yaml, yaml_value value, void *ret)
{
    struct reference_mistake *mistake = ret;
    const struct yaml_field fields[] = {
        {"step", yaml_read_text, &mistake->step, true},
        {"when", yaml_read_text, &mistake->when, true},
    };
    return yaml_read_fields(yaml, value, "a mistake", fields, COUNT_OF(fields));
}

/* A reader of a list of rows and of their count, reference->ROWS and reference->n_ROWS. */
#define LIST_READER(reader, read_row, rows)                                              \
    static bool reader(struct yaml *yaml, yaml_value value, void *ret)                   \
    {                                                                                    \
        struct reference *reference = ret;                                               \
        void *items = NULL;                                                              \
        bool ok = yaml_read_list(yaml, value, read_row, sizeof *reference->rows, &items, \
                                 &reference->n_##rows);                                  \
        reference->rows = items;                                                         \
        return ok;                                                                       \
    }

LIST_READER(read_roles, read_role, roles)
LIST_READER(read_steps, read_step, steps)
LIST_READER(read_results, read_result, results)
LIST_READER(read_mistakes, read_mistake, mistakes)

static bool read_reference(struct yaml *yaml, yaml_value value, void *ret)
{
    struct reference *reference = ret;
    const struct yaml_field fields[] = {
        {"id", yaml_read_text, &reference->id, true},
        {"title", yaml_read_text, &reference->title, true},
        {"flags", read_names, &reference->flags, false},
        {"same", read_names, &reference->same, false},
        {"tolerance", yaml_read_number, &reference->tolerance, false},
        {"roles", read_roles, reference, true},
        {"steps", read_steps, reference, true},
        {"results", read_results, reference, true},
        {"mistakes", read_mistakes, reference, false},
    };
    return yaml_read_fields(yaml, value, "a reference", fields, COUNT_OF(fields));
}

static bool read_references(struct yaml *yaml, yaml_value value, void *ret)
{
    struct references *references = ret;
    void *items = NULL;
    bool ok = yaml_read_list(yaml, value, read_reference, sizeof *references->items, &items,
                             &references->n);
    references->items = items;
    return ok;
}

static bool read_file(const struct asset *asset, struct references *ret, struct error *reterr)
{
    struct yaml yaml;
    yaml_value root;
    const struct yaml_field fields[] = {{"references", read_references, ret, true}};
    if (!yaml_open(&yaml, asset->path, text_string(&asset->text), asset->text.size, &ret->arena,
                   &root, reterr))
        return false;
    bool ok = yaml_read_fields(&yaml, root, "the file", fields, COUNT_OF(fields));
    yaml_close(&yaml);
    return ok;
}

bool references_open(const char *data_dir, struct references *ret, struct error *reterr)
{
    struct asset asset;
    *ret = (struct references){.n = 0};
    bool ok =
        asset_read(&asset, data_dir, "references.yaml", reterr) && read_file(&asset, ret, reterr);
    asset_release(&asset);
    if (!ok)
        references_release(ret);
    return ok;
}

void references_release(struct references *references)
{
    arena_release(&references->arena);
    *references = (struct references){.n = 0};
}

bool reference_names_have(const struct reference_names *names, const char *name)
{
    for (unsigned i = 0; i < names->n; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}
