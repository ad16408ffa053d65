/* Reads a JSON object (RFC 8259) from a file piece by piece: no more of it is held at once than one
 * of its members or, of a member that is a list, one element. */
#ifndef ATTN_REPORT_JSON_READER_H
#define ATTN_REPORT_JSON_READER_H

#include <jansson.h>
#include <stdio.h>

#include "base/text.h"

struct json_reader {
    FILE *file; /* borrowed */
    char bytes[1 << 16];
    size_t at, n;      /* of bytes: what is read next, and the end of what there is */
    struct text piece; /* the member or the element that is being read */
    size_t piece_at;   /* and of it what begins there in bytes is still to be added */
    bool in_piece;
    int line; /* from 1, of what is read next */
    bool has_begun, is_in_list;
    /* Where a step is JSON_FAULT: */
    bool no_memory;
    char why[200]; /* else what is wrong, and its line */
};

enum json_step { JSON_ENDED, JSON_THERE, JSON_FAULT };

void json_reader_init(struct json_reader *reader, FILE *file);
void json_reader_release(struct json_reader *reader);
/* Goes to the object's next member, whose key is *ret_key, to be freed. After the last one nothing
 * may follow. Its value is to be taken, by one of the next two, before there is another. */
enum json_step json_reader_member(struct json_reader *reader, char **ret_key);
/* The member's value, a new reference; NULL is a fault. */
json_t *json_reader_value(struct json_reader *reader);
/* Is it a list? Then its elements can be taken one by one, to the end. */
bool json_reader_is_list(struct json_reader *reader);
/* Is nothing more to be read? */
bool json_reader_is_at_end(struct json_reader *reader);
/* The next element, a new reference. */
enum json_step json_reader_element(struct json_reader *reader, json_t **ret);

#endif
