/* A YAML file, read value by value into structs; every value knows its line.
 *
 * libyaml reads the file; a table of fields says which keys a mapping may have. (libcyaml, which
 * has such tables too, does not know mappings with free keys, and keeps no lines for messages about
 * a value that turns out wrong later.) Values are copied to an arena and live as long as it does.
 * All messages read "FILE:LINE: KEY: what was expected". */
#ifndef ATTN_FILES_YAML_H
#define ATTN_FILES_YAML_H

#include <yaml.h>

#include "base/arena.h"
#include "base/error.h"

struct yaml {
    const char *path;    /* for messages; borrowed */
    struct arena *arena; /* borrowed */
    struct error *reterr;
    yaml_document_t document;
    const char *key;      /* of the value that is being read, for messages; or NULL */
    unsigned lines_above; /* in the file, above the text that was opened */
};

/* A value of the file; NULL if it is missing. Borrowed. */
typedef const yaml_node_t *yaml_value;

/* Parses text[0..size), which is all of the file at path. *ret_root is its one mapping. ERR_SYNTAX
 * with the line that is not YAML. On success yaml_close() it. */
bool yaml_open(struct yaml *yaml, const char *path, const char *text, size_t size,
               struct arena *arena, yaml_value *ret_root, struct error *reterr);
/* The same for a text that begins after lines_above lines of the file. */
bool yaml_open_part(struct yaml *yaml, const char *path, unsigned lines_above, const char *text,
                    size_t size, struct arena *arena, yaml_value *ret_root, struct error *reterr);
void yaml_close(struct yaml *yaml);

unsigned yaml_line(yaml_value value); /* from 1, in the text that was opened */
/* ERR_SYNTAX "FILE:LINE: KEY: ...", without KEY when no key is being read. Returns false.
 */
bool yaml_fault(struct yaml *yaml, unsigned line, const char *format, ...) ERROR_FORMAT(3, 4);

/* Readers: each checks the kind of value and fills what ret points to. */
typedef bool yaml_reader(struct yaml *yaml, yaml_value value, void *ret);
yaml_reader yaml_read_text;   /* char **, in the arena, never empty */
yaml_reader yaml_read_whole;  /* unsigned *, 0 and above */
yaml_reader yaml_read_number; /* double *, finite and not negative */
yaml_reader yaml_read_flag;   /* bool *: true or false */

struct yaml_field {
    const char *key;
    yaml_reader *read;
    void *ret; /* left unchanged if the key is missing */
    bool needed;
};

/* A mapping with these keys and no others, each at most once. what names the mapping in messages:
 * "a case". */
bool yaml_read_fields(struct yaml *yaml, yaml_value map, const char *what,
                      const struct yaml_field *fields, size_t n_fields);

/* A mapping with free keys: calls each(context, ...) in the order of the file. No key may appear
 * twice. */
bool yaml_read_pairs(struct yaml *yaml, yaml_value map,
                     bool (*each)(struct yaml *yaml, yaml_value key, yaml_value value,
                                  void *context),
                     void *context);
size_t yaml_count(yaml_value value); /* items of a list, pairs of a mapping, else 0 */

/* A list: *ret_n items of item_size bytes each in the arena, zeroed, then filled by read. An empty
 * list is a fault. */
bool yaml_read_list(struct yaml *yaml, yaml_value list, yaml_reader *read, size_t item_size,
                    void **ret_items, unsigned *ret_n);

#endif
