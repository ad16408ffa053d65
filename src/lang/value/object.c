/* See object.h. */
#include "lang/value/object.h"

#include "base/text.h"

struct value value_object(struct object *object)
{
    if (object == NULL)
        return (struct value){.kind = VALUE_ABSENT};
    return (struct value){VALUE_OBJECT, {.object = object}};
}

struct object *value_as_object(const struct value *value, const struct object_class *class)
{
    return value->kind == VALUE_OBJECT && value->as.object->class == class ? value->as.object
                                                                           : NULL;
}

bool object_find_attribute(const struct object_class *class, const char *name, size_t size,
                           size_t *ret)
{
    for (size_t i = 0; class->attributes[i] != NULL; i++)
        if (text_equals(name, size, class->attributes[i])) {
            *ret = i;
            return true;
        }
    return false;
}
