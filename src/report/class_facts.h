/* What a report holds of a class beside its results: the order of its exercises, and which works
 * look alike. */
#ifndef ATTN_REPORT_CLASS_FACTS_H
#define ATTN_REPORT_CLASS_FACTS_H

#include <jansson.h>

#include "base/error.h"

/* Ids of exercises, each once, as the assignment or the catalogue orders them. */
struct exercise_order {
    char **ids;
    size_t n, capacity;
};

void exercise_order_release(struct exercise_order *order);
/* Adds an id at the end, unless it is there. ERR_MEMORY. */
bool exercise_order_add(struct exercise_order *order, const char *id, struct error *reterr);
bool exercise_order_add_all(struct exercise_order *order, const struct exercise_order *from,
                            struct error *reterr);
/* "exercises" of the json format. A new reference; NULL without memory. */
json_t *exercise_order_to_json(const struct exercise_order *order);
/* ERR_FILE when it is no such list. */
bool exercise_order_from_json(const json_t *json, struct exercise_order *ret, struct error *reterr);

/* Two works for one exercise that share far more than others do: a hint to look, no proof. */
struct likeness {
    char *exercise;
    char *a, *b;  /* the students; or the files, where nobody is named */
    double share; /* of what both have that is theirs, over 0 and up to 1: the same */
};

enum { MAX_LIKENESSES = 500 };

struct likenesses {
    struct likeness *items;
    size_t n, capacity;
};

void likenesses_release(struct likenesses *likenesses);
/* Copies the words. What is there already, and all over MAX_LIKENESSES, is left out. ERR_MEMORY. */
bool likenesses_add(struct likenesses *likenesses, const char *exercise, const char *a,
                    const char *b, double share, struct error *reterr);
bool likenesses_add_all(struct likenesses *likenesses, const struct likenesses *from,
                        struct error *reterr);
/* Calls the students as called() does, which returns NULL for those it does not know. ERR_MEMORY.
 */
bool likenesses_call(struct likenesses *likenesses,
                     const char *(*called)(void *context, const char *name), void *context,
                     struct error *reterr);
/* "similar" of the json format. A new reference; NULL without memory. */
json_t *likenesses_to_json(const struct likenesses *likenesses);
/* ERR_FILE when it is no such list. */
bool likenesses_from_json(const json_t *json, struct likenesses *ret, struct error *reterr);

#endif
