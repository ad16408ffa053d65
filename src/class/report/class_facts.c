/* The order of exercises, and works that look alike: see class_facts_internal.h. */
#include "report/class_facts_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "result/safe_text.h"

/* ---- the order of the exercises ---- */

void exercise_order_release(struct exercise_order *order)
{
    for (size_t i = 0; i < order->n; i++)
        free(order->ids[i]);
    free(order->ids);
    *order = (struct exercise_order){0};
}

static bool holds_id(const struct exercise_order *order, const char *id)
{
    for (size_t i = 0; i < order->n; i++)
        if (strcmp(order->ids[i], id) == 0)
            return true;
    return false;
}

bool exercise_order_add(struct exercise_order *order, const char *id, struct error *reterr)
{
    if (holds_id(order, id))
        return true;
    char **ids = array_grow(order->ids, order->n, &order->capacity, sizeof(char *));
    if (ids == NULL)
        return error_memory(reterr, "the exercises");
    order->ids = ids;
    if ((ids[order->n] = result_safe_copy(id)) == NULL)
        return error_memory(reterr, "the exercises");
    order->n++;
    return true;
}

bool exercise_order_add_all(struct exercise_order *order, const struct exercise_order *from,
                            struct error *reterr)
{
    for (size_t i = 0; i < from->n; i++)
        if (!exercise_order_add(order, from->ids[i], reterr))
            return false;
    return true;
}

json_t *exercise_order_to_json(const struct exercise_order *order)
{
    json_t *array = json_array();
    for (size_t i = 0; i < order->n; i++) {
        if (json_array_append_new(array, json_string(order->ids[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

bool exercise_order_from_json(const json_t *json, struct exercise_order *ret, struct error *reterr)
{
    bool ok = json_is_array(json);
    for (size_t i = 0; ok && i < json_array_size(json); i++) {
        const char *id = json_string_value(json_array_get(json, i));
        ok = id != NULL;
        if (ok && !exercise_order_add(ret, id, reterr))
            return false;
    }
    return ok || error_set(reterr, ERR_FILE, "exercises must be a list of texts");
}

/* ---- works that look alike ---- */

void likenesses_release(struct likenesses *likenesses)
{
    for (size_t i = 0; i < likenesses->n; i++) {
        free(likenesses->items[i].exercise);
        free(likenesses->items[i].a);
        free(likenesses->items[i].b);
    }
    free(likenesses->items);
    *likenesses = (struct likenesses){0};
}

static bool is_known(const struct likenesses *likenesses, const char *exercise, const char *a,
                     const char *b)
{
    for (size_t i = 0; i < likenesses->n; i++) {
        const struct likeness *one = &likenesses->items[i];
        if (strcmp(one->exercise, exercise) == 0 && strcmp(one->a, a) == 0 &&
            strcmp(one->b, b) == 0)
            return true;
    }
    return false;
}

bool likenesses_add(struct likenesses *likenesses, const char *exercise, const char *a,
                    const char *b, double share, struct error *reterr)
{
    if (likenesses->n == MAX_LIKENESSES || is_known(likenesses, exercise, a, b))
        return true;
    struct likeness *items =
        array_grow(likenesses->items, likenesses->n, &likenesses->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "the results");
    likenesses->items = items;
    struct likeness *added = &items[likenesses->n++];
    *added = (struct likeness){.exercise = result_safe_copy(exercise),
                               .a = result_safe_copy(a),
                               .b = result_safe_copy(b),
                               .share = share};
    return (added->exercise != NULL && added->a != NULL && added->b != NULL) ||
           error_memory(reterr, "the results");
}

void likenesses_filter(struct likenesses *likenesses,
                       bool (*is_wanted)(const void *context, const char *a, const char *b),
                       const void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < likenesses->n; i++) {
        struct likeness *one = &likenesses->items[i];
        if (is_wanted(context, one->a, one->b)) {
            likenesses->items[kept++] = *one;
            continue;
        }
        free(one->exercise);
        free(one->a);
        free(one->b);
    }
    likenesses->n = kept;
}

bool likenesses_add_all(struct likenesses *likenesses, const struct likenesses *from,
                        struct error *reterr)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct likeness *one = &from->items[i];
        if (!likenesses_add(likenesses, one->exercise, one->a, one->b, one->share, reterr))
            return false;
    }
    return true;
}

static bool call(char **who, const char *name)
{
    char *copy = name != NULL ? strdup(name) : NULL;
    if (copy != NULL) {
        free(*who);
        *who = copy;
    }
    return name == NULL || copy != NULL;
}

bool likenesses_call(struct likenesses *likenesses,
                     const char *(*called)(void *context, const char *name), void *context,
                     struct error *reterr)
{
    for (size_t i = 0; i < likenesses->n; i++) {
        struct likeness *one = &likenesses->items[i];
        if (!call(&one->a, called(context, one->a)) || !call(&one->b, called(context, one->b)))
            return error_memory(reterr, "the results");
    }
    return true;
}

json_t *likenesses_to_json(const struct likenesses *likenesses)
{
    json_t *array = json_array();
    for (size_t i = 0; i < likenesses->n; i++) {
        const struct likeness *one = &likenesses->items[i];
        json_t *item = json_pack("{s:s, s:s, s:s, s:f}", "exercise", one->exercise, "a", one->a,
                                 "b", one->b, "share", one->share);
        if (json_array_append_new(array, item) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

bool likenesses_from_json(const json_t *json, struct likenesses *ret, struct error *reterr)
{
    bool ok = json_is_array(json);
    for (size_t i = 0; ok && i < json_array_size(json); i++) {
        const char *exercise, *a, *b;
        double share;
        ok = json_unpack(json_array_get(json, i), "{s:s, s:s, s:s, s:F}", "exercise", &exercise,
                         "a", &a, "b", &b, "share", &share) == 0 &&
             share > 0 && share <= 1;
        if (ok && !likenesses_add(ret, exercise, a, b, share, reterr))
            return false;
    }
    return ok || error_set(reterr, ERR_FILE, "similar must be a list of {exercise, a, b, share}");
}
