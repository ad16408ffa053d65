/* Facts of a class that a report holds besides its results: the order of its exercises, and works
 * that look alike. */
#ifndef ATTN_REPORT_CLASS_FACTS_INTERNAL_H
#define ATTN_REPORT_CLASS_FACTS_INTERNAL_H

#include <jansson.h>

#include "base/error.h"

/* Ids of exercises, each once, as the assignment or the catalogue orders them. */
struct exercise_order {
    char **ids;
    size_t n, capacity;
};

void exercise_order_release(struct exercise_order *order);
/* Adds an id at the end, unless the list has it. ERR_MEMORY. */
bool exercise_order_add(struct exercise_order *order, const char *id, struct error *reterr);
bool exercise_order_add_all(struct exercise_order *order, const struct exercise_order *from,
                            struct error *reterr);
/* "exercises" of the json format. A new reference; NULL without memory. */
json_t *exercise_order_to_json(const struct exercise_order *order);
/* ERR_FILE if it is not such a list. */
bool exercise_order_from_json(const json_t *json, struct exercise_order *ret, struct error *reterr);

/* Two works for one exercise that share far more than others do: a hint to look, not a proof. */
struct likeness {
    char *exercise;
    char *a, *b;  /* the students; or the files, if no student is named */
    double share; /* the shared part of their own work (without what others share, too), over 0 and
                   * up to 1: the same */
};

enum { MAX_LIKENESSES = 500 };

struct likenesses {
    struct likeness *items;
    size_t n, capacity;
};

void likenesses_release(struct likenesses *likenesses);
/* Copies the words. Leaves out pairs that are already in the list, and all beyond MAX_LIKENESSES.
 * ERR_MEMORY. */
bool likenesses_add(struct likenesses *likenesses, const char *exercise, const char *a,
                    const char *b, double share, struct error *reterr);
bool likenesses_add_all(struct likenesses *likenesses, const struct likenesses *from,
                        struct error *reterr);
/* Renames the students by called(), which returns NULL for those it does not know. ERR_MEMORY. */
bool likenesses_call(struct likenesses *likenesses,
                     const char *(*called)(void *context, const char *name), void *context,
                     struct error *reterr);
/* Leaves out the pairs for which is_wanted() returns false. */
void likenesses_filter(struct likenesses *likenesses,
                       bool (*is_wanted)(const void *context, const char *a, const char *b),
                       const void *context);
/* "similar" of the json format. A new reference; NULL without memory. */
json_t *likenesses_to_json(const struct likenesses *likenesses);
/* ERR_FILE if it is not such a list. */
bool likenesses_from_json(const json_t *json, struct likenesses *ret, struct error *reterr);

#endif
