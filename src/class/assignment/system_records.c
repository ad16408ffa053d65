/* Gradescope's records: see system_records.h. The file is YAML with Ruby's symbols for keys:
 *
 *     submission_100:
 *       :submitters:
 *       - :name: Ann Sample
 *         :sid: '17'
 *         :email: ann@example.org
 *       :created_at: 2026-03-01 21:15:00.123456000 Z
 *
 * and more, which is of no use here. */
#include "assignment/system_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/clock.h"
#include "files/file.h"
#include "files/yaml.h"

enum { MAX_BYTES = 64 << 20 };

/* A scalar as text, "" for anything else. In the arena; NULL without memory. */
static char *copy_scalar(struct yaml *yaml, yaml_value value)
{
    bool is_scalar = value != NULL && value->type == YAML_SCALAR_NODE;
    return arena_copy(yaml->arena, is_scalar ? (const char *)value->data.scalar.value : "",
                      is_scalar ? value->data.scalar.length : 0);
}

/* Is it this key, with or without Ruby's colon? */
static bool is_key(yaml_value key, const char *name)
{
    if (key->type != YAML_SCALAR_NODE)
        return false;
    const char *word = (const char *)key->data.scalar.value;
    return strcmp(word + (word[0] == ':'), name) == 0;
}

/* "2026-03-01 21:15:00.123456000 Z", without the parts of a second; 0 for another text. */
static int64_t read_moment(const char *text)
{
    char plain[64];
    int64_t time_s;
    const char *point = strchr(text, '.');
    size_t size = point != NULL ? (size_t)(point - text) : strlen(text);
    const char *rest = point != NULL ? point + 1 + strspn(point + 1, "0123456789") : "";
    if (size + strlen(rest) >= sizeof plain)
        return 0;
    memcpy(plain, text, size);
    memcpy(plain + size, rest, strlen(rest) + 1);
    if (text_ends_with(plain, " UTC"))
        memcpy(plain + strlen(plain) - 4, " Z", 3);
    return date_read(plain, &time_s) ? time_s : 0;
}

static bool read_submitter(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct caller *caller = context;
    char **words[] = {&caller->name, &caller->number, &caller->email};
    static const char *const keys[] = {"name", "sid", "email"};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (is_key(key, keys[i]) && (*words[i] = copy_scalar(yaml, value)) == NULL)
            return error_memory(yaml->reterr, yaml->path);
    return true;
}

static bool read_field(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct system_record *record = context;
    if (is_key(key, "created_at")) {
        char *moment = copy_scalar(yaml, value);
        record->submitted_s = moment != NULL ? read_moment(moment) : 0;
        return moment != NULL || error_memory(yaml->reterr, yaml->path);
    }
    if (!is_key(key, "submitters") || value->type != YAML_SEQUENCE_NODE || yaml_count(value) == 0)
        return true;
    yaml_value first = yaml_document_get_node(&yaml->document, value->data.sequence.items.start[0]);
    return first == NULL || first->type != YAML_MAPPING_NODE ||
           yaml_read_pairs(yaml, first, read_submitter, &record->caller);
}

static bool read_record(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct system_records *records = context;
    struct system_record *items =
        array_grow(records->items, records->n, &records->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(yaml->reterr, yaml->path);
    records->items = items;
    struct system_record *record = &items[records->n];
    *record = (struct system_record){.caller = {.folder = copy_scalar(yaml, key),
                                                .name = copy_scalar(yaml, NULL),
                                                .number = copy_scalar(yaml, NULL),
                                                .email = copy_scalar(yaml, NULL)}};
    if (record->caller.folder == NULL || record->caller.name == NULL ||
        record->caller.number == NULL || record->caller.email == NULL)
        return error_memory(yaml->reterr, yaml->path);
    if (value == NULL || value->type != YAML_MAPPING_NODE)
        return true;
    records->n++;
    return yaml_read_pairs(yaml, value, read_field, record);
}

bool system_records_read(const char *path, const char *bytes, size_t size,
                         struct system_records *ret, struct error *reterr)
{
    struct yaml yaml;
    yaml_value root;
    if (!yaml_open(&yaml, path, bytes, size, &ret->arena, &root, reterr))
        return false;
    bool ok = yaml_read_pairs(&yaml, root, read_record, ret);
    yaml_close(&yaml);
    return ok;
}

bool system_records_load(const char *path, struct system_records *ret, struct error *reterr)
{
    struct text text = {0};
    bool ok = file_read_text(path, MAX_BYTES, &text, reterr) &&
              system_records_read(path, text_string(&text), text.size, ret, reterr);
    text_release(&text);
    return ok;
}

const struct system_record *system_records_find(const struct system_records *records,
                                                const char *folder)
{
    for (size_t i = 0; i < records->n; i++)
        if (strcmp(records->items[i].caller.folder, folder) == 0)
            return &records->items[i];
    return NULL;
}

void system_records_release(struct system_records *records)
{
    free(records->items);
    arena_release(&records->arena);
    *records = (struct system_records){0};
}
