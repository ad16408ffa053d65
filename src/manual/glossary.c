/* See glossary.h. */
#include "manual/glossary.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "files/asset.h"
#include "files/yaml.h"

static bool read_entry(struct yaml *yaml, yaml_value value, void *ret)
{
    struct glossary_entry *entry = ret;
    const struct yaml_field fields[] = {
        {"name", yaml_read_text, &entry->name, true},
        {"also", yaml_read_text, &entry->also, false},
        {"text", yaml_read_text, &entry->text, true},
        {"example", yaml_read_text, &entry->example, false},
        {"lesson", yaml_read_text, &entry->lesson, false},
    };
    entry->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "an entry", fields, COUNT_OF(fields));
}

static bool read_list(struct yaml *yaml, yaml_value value, void *ret)
{
    struct glossary_list *list = ret;
    void *entries = NULL;
    if (!yaml_read_list(yaml, value, read_entry, sizeof *list->entries, &entries, &list->n))
        return false;
    list->entries = entries;
    return true;
}

static bool read_terms(struct yaml *yaml, yaml_value value, void *ret)
{
    struct glossary_list *list = ret;
    if (!read_list(yaml, value, ret))
        return false;
    for (unsigned i = 1; i < list->n; i++) {
        const struct glossary_entry *entry = &list->entries[i];
        int order = strcasecmp(list->entries[i - 1].name, entry->name);
        if (order >= 0)
            return yaml_fault(yaml, entry->line, "%s %s %s", entry->name,
                              order == 0 ? "stands twice:" : "belongs before",
                              list->entries[i - 1].name);
    }
    return true;
}

bool glossary_read(const char *path, const char *text, size_t size, struct glossary *ret,
                   struct error *reterr)
{
    struct glossary read = {.terms = {NULL, 0}};
    const struct yaml_field fields[] = {
        {"terms", read_terms, &read.terms, true},
        {"operators", read_list, &read.operators, true},
        {"topics", read_list, &read.topics, true},
    };
    struct yaml yaml;
    yaml_value root;
    bool ok = yaml_open(&yaml, path, text, size, &read.arena, &root, reterr);
    if (ok) {
        ok = yaml_read_fields(&yaml, root, "the glossary", fields, COUNT_OF(fields));
        yaml_close(&yaml);
    }
    if (!ok) {
        glossary_release(&read);
        return false;
    }
    *ret = read;
    return true;
}

bool glossary_open(const char *data_dir, struct glossary *ret, struct error *reterr)
{
    struct asset file;
    bool ok = asset_read(&file, data_dir, "glossary.yaml", reterr) &&
              glossary_read(file.path, text_string(&file.text), file.text.size, ret, reterr);
    asset_release(&file);
    return ok;
}

void glossary_release(struct glossary *glossary)
{
    arena_release(&glossary->arena);
    *glossary = (struct glossary){.terms = {NULL, 0}};
}
