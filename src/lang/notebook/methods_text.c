/* The methods of str. */
#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

#include "lang/notebook/machine_internal.h"

#define METHOD(name) static bool name(struct native_call *c, struct value *ret)

/* The str that a method is called on, also of a class derived from str. */
static const struct string *self_of(const struct native_call *c)
{
    struct value v = value_payload(c->args[0]);
    return v.kind == VALUE_STRING ? v.as.string : NULL;
}

static const struct string *text_argument(struct native_call *c, size_t i)
{
    if (c->args[i].kind == VALUE_STRING)
        return c->args[i].as.string;
    raise_error(c->m, ERROR_TYPE, "%s() argument must be str, not %s", c->native->name,
                value_class_name(c->m, c->args[i]));
    return NULL;
}

/* ---- letters ---- */

enum change { TO_LOWER, TO_UPPER, TO_TITLE, TO_CAPITAL, TO_SWAPPED };

static bool change_case(struct native_call *c, enum change change, struct value *ret)
{
    const struct string *s = self_of(c);
    struct text out = {0};
    bool in_word = false;
    for (size_t i = 0; i < s->size;) {
        utf8proc_int32_t code;
        utf8proc_uint8_t bytes[4];
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s->bytes + i,
                                              (utf8proc_ssize_t)(s->size - i), &code);
        if (n <= 0)
            break;
        utf8proc_category_t category = utf8proc_category(code);
        bool is_letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
        bool upper = change == TO_UPPER || (change == TO_TITLE && !in_word) ||
                     (change == TO_CAPITAL && i == 0) ||
                     (change == TO_SWAPPED && utf8proc_toupper(code) != code);
        bool is_sharp_s = upper && code == 0xDF;
        code = upper ? utf8proc_toupper(code) : utf8proc_tolower(code);
        in_word = is_letter;
        i += (size_t)n;
        if (is_sharp_s) {
            text_put(&out, change == TO_UPPER || change == TO_SWAPPED ? "SS" : "Ss");
            continue;
        }
        n = utf8proc_encode_char(code, bytes);
        text_add(&out, (const char *)bytes, (size_t)n);
    }
    return text_to_str(c->m, &out, ret);
}
METHOD(str_lower)
{
    return change_case(c, TO_LOWER, ret);
}
METHOD(str_upper)
{
    return change_case(c, TO_UPPER, ret);
}
METHOD(str_title)
{
    return change_case(c, TO_TITLE, ret);
}
METHOD(str_capitalize)
{
    return change_case(c, TO_CAPITAL, ret);
}
METHOD(str_swapcase)
{
    return change_case(c, TO_SWAPPED, ret);
}

/* ---- questions ---- */

static bool all_are(struct native_call *c, int kind, struct value *ret)
{
    const struct string *s = self_of(c);
    bool all = s->size > 0, cased = false;
    for (size_t i = 0; i < s->size && all;) {
        utf8proc_int32_t code;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s->bytes + i,
                                              (utf8proc_ssize_t)(s->size - i), &code);
        if (n <= 0)
            break;
        i += (size_t)n;
        utf8proc_category_t category = utf8proc_category(code);
        bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
        bool digit = category == UTF8PROC_CATEGORY_ND;
        bool space = category == UTF8PROC_CATEGORY_ZS || (code >= 9 && code <= 13);
        switch (kind) {
        case 'd':
            all = digit;
            break;
        case 'a':
            all = letter;
            break;
        case 'n':
            all = letter || digit || category == UTF8PROC_CATEGORY_NO ||
                  category == UTF8PROC_CATEGORY_NL;
            break;
        case 's':
            all = space;
            break;
        case 'i':
            all = letter || code == '_' || (digit && i > (size_t)n);
            break;
        default:
            cased = cased || utf8proc_toupper(code) != code || utf8proc_tolower(code) != code;
            all = kind == 'u' ? utf8proc_toupper(code) == code : utf8proc_tolower(code) == code;
            break;
        }
    }
    *ret = value_bool(all && (cased || (kind != 'u' && kind != 'l')));
    return true;
}
METHOD(str_isdigit)
{
    return all_are(c, 'd', ret);
}
METHOD(str_isalpha)
{
    return all_are(c, 'a', ret);
}
METHOD(str_isalnum)
{
    return all_are(c, 'n', ret);
}
METHOD(str_isspace)
{
    return all_are(c, 's', ret);
}
METHOD(str_isupper)
{
    return all_are(c, 'u', ret);
}
METHOD(str_islower)
{
    return all_are(c, 'l', ret);
}
METHOD(str_isidentifier)
{
    return all_are(c, 'i', ret);
}

static bool has_end(const struct string *s, struct value end, bool at_start)
{
    size_t n = end.as.string->size;
    return n <= s->size &&
           memcmp(at_start ? s->bytes : s->bytes + s->size - n, end.as.string->bytes, n) == 0;
}

static bool has_one_end(struct native_call *c, bool at_start, struct value *ret)
{
    struct value end = c->args[1];
    bool is = false;
    if (value_is(end, THING_TUPLE)) {
        const struct tuple *all = THING_AS(tuple, end);
        for (size_t i = 0; i < all->n && !is; i++)
            is = all->items[i].kind == VALUE_STRING && has_end(self_of(c), all->items[i], at_start);
    } else if (text_argument(c, 1) == NULL) {
        return false;
    } else {
        is = has_end(self_of(c), end, at_start);
    }
    *ret = value_bool(is);
    return true;
}
METHOD(str_startswith)
{
    return has_one_end(c, true, ret);
}
METHOD(str_endswith)
{
    return has_one_end(c, false, ret);
}

static bool find(struct native_call *c, bool last, bool must, struct value *ret)
{
    const struct string *s = self_of(c), *needle = text_argument(c, 1);
    int64_t start = 0;
    if (needle == NULL || (c->args[2].kind != VALUE_ABSENT && c->args[2].kind != VALUE_NONE &&
                           !value_whole(c->m, c->args[2], &start)))
        return false;
    if (start < 0) {
        start += (int64_t)str_length(s);
        start = start < 0 ? 0 : start;
    }
    size_t at =
        text_find(s->bytes, s->size, needle->bytes, needle->size, str_offset(s, (size_t)start));
    if (last)
        for (size_t next = at; next != SIZE_MAX;) {
            at = next;
            next = text_find(s->bytes, s->size, needle->bytes, needle->size, next + 1);
        }
    if (at == SIZE_MAX && must)
        return raise_error(c->m, ERROR_VALUE, "substring not found");
    struct string *whole = self_of(c) == s ? (struct string *)(uintptr_t)s : NULL;
    size_t n = 0;
    for (size_t i = 0; at != SIZE_MAX && i < at; i++)
        n += ((unsigned char)whole->bytes[i] & 0xC0) != 0x80;
    *ret = value_int(at == SIZE_MAX ? -1 : (int64_t)n);
    return true;
}
METHOD(str_find)
{
    return find(c, false, false, ret);
}
METHOD(str_rfind)
{
    return find(c, true, false, ret);
}
METHOD(str_index)
{
    return find(c, false, true, ret);
}

METHOD(str_count)
{
    const struct string *s = self_of(c), *needle = text_argument(c, 1);
    int64_t n = 0;
    if (needle == NULL)
        return false;
    if (needle->size == 0) {
        *ret = value_int((int64_t)str_length(s) + 1);
        return true;
    }
    for (size_t at = 0;
         (at = text_find(s->bytes, s->size, needle->bytes, needle->size, at)) != SIZE_MAX;
         at += needle->size)
        n++;
    *ret = value_int(n);
    return true;
}

/* ---- cutting ---- */

static size_t space_at(const char *s, size_t size)
{
    unsigned char c = (unsigned char)*s;
    if (c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F))
        return 1;
    return size >= 2 && c == 0xC2 && (unsigned char)s[1] == 0xA0 ? 2 : 0;
}

static bool is_one_of(const char *s, size_t n, const struct string *set)
{
    for (size_t at = 0; at < set->size;) {
        size_t end = at + 1;
        while (end < set->size && ((unsigned char)set->bytes[end] & 0xC0) == 0x80)
            end++;
        if (end - at == n && memcmp(set->bytes + at, s, n) == 0)
            return true;
        at = end;
    }
    return false;
}

static bool strip(struct native_call *c, bool left, bool right, struct value *ret)
{
    const struct string *s = self_of(c);
    const struct string *set = c->args[1].kind == VALUE_STRING ? c->args[1].as.string : NULL;
    size_t begin = 0, end = s->size;
    while (left && begin < end) {
        size_t n = 1;
        while (begin + n < end && ((unsigned char)s->bytes[begin + n] & 0xC0) == 0x80)
            n++;
        if (set ? !is_one_of(s->bytes + begin, n, set) : space_at(s->bytes + begin, n) == 0)
            break;
        begin += n;
    }
    while (right && end > begin) {
        size_t n = 1;
        while (n < end - begin && ((unsigned char)s->bytes[end - n] & 0xC0) == 0x80)
            n++;
        if (set ? !is_one_of(s->bytes + end - n, n, set) : space_at(s->bytes + end - n, n) == 0)
            break;
        end -= n;
    }
    return make_str(c->m, s->bytes + begin, end - begin, ret);
}
METHOD(str_strip)
{
    return strip(c, true, true, ret);
}
METHOD(str_lstrip)
{
    return strip(c, true, false, ret);
}
METHOD(str_rstrip)
{
    return strip(c, false, true, ret);
}

static bool add_piece(struct machine *m, struct array *array, const char *s, size_t size)
{
    struct value piece;
    return make_str(m, s, size, &piece) && (array_add(array, piece) || raise_memory(m));
}

static bool split_spaces(struct machine *m, const struct string *s, int64_t most,
                         struct array *array)
{
    size_t at = 0, n;
    while (at < s->size) {
        while (at < s->size && (n = space_at(s->bytes + at, s->size - at)) > 0)
            at += n;
        if (at >= s->size)
            break;
        size_t begin = at, end;
        while (at < s->size && space_at(s->bytes + at, s->size - at) == 0)
            at++;
        end = at;
        if (most >= 0 && most-- == 0) {
            end = at = s->size;
            while (end > begin && space_at(s->bytes + end - 1, 1) > 0)
                end--;
        }
        if (!add_piece(m, array, s->bytes + begin, end - begin))
            return false;
    }
    return true;
}

METHOD(str_split)
{
    const struct string *s = self_of(c);
    struct array *array = array_new(&c->m->things, 0);
    int64_t most = -1;
    bool ok = array != NULL || raise_memory(c->m);
    ok = ok && (c->args[2].kind == VALUE_ABSENT || value_whole(c->m, c->args[2], &most));
    if (ok && (c->args[1].kind == VALUE_ABSENT || c->args[1].kind == VALUE_NONE)) {
        ok = split_spaces(c->m, s, most, array);
    } else if (ok) {
        const struct string *by = text_argument(c, 1);
        ok = by != NULL && (by->size > 0 || raise_error(c->m, ERROR_VALUE, "empty separator"));
        for (size_t at = 0; ok;) {
            size_t next =
                most == 0 ? SIZE_MAX : text_find(s->bytes, s->size, by->bytes, by->size, at);
            ok = add_piece(c->m, array, s->bytes + at, (next == SIZE_MAX ? s->size : next) - at);
            if (next == SIZE_MAX)
                break;
            at = next + by->size;
            most -= most > 0;
        }
    }
    if (!ok) {
        value_drop(value_thing(array));
        return false;
    }
    *ret = value_thing(array);
    return true;
}

METHOD(str_rsplit)
{
    const struct string *s = self_of(c),
                        *by = c->args[1].kind == VALUE_STRING ? c->args[1].as.string : NULL;
    int64_t most = -1;
    if (c->args[2].kind != VALUE_ABSENT && !value_whole(c->m, c->args[2], &most))
        return false;
    if (most < 0 || by == NULL || by->size == 0)
        return str_split(c, ret);
    /* The last `most` places are those of a split from the left after the others. */
    int64_t n = 0;
    for (size_t at = 0; (at = text_find(s->bytes, s->size, by->bytes, by->size, at)) != SIZE_MAX;
         at += by->size)
        n++;
    struct array *array = array_new(&c->m->things, 0);
    bool ok = array != NULL || raise_memory(c->m);
    for (size_t at = 0, begin = 0; ok;) {
        size_t next = text_find(s->bytes, s->size, by->bytes, by->size, at);
        if (next != SIZE_MAX && n-- > most) {
            at = next + by->size;
            continue;
        }
        ok = add_piece(c->m, array, s->bytes + begin, (next == SIZE_MAX ? s->size : next) - begin);
        if (next == SIZE_MAX)
            break;
        begin = at = next + by->size;
    }
    *ret = ok ? value_thing(array) : value_none();
    return ok;
}

METHOD(str_splitlines)
{
    const struct string *s = self_of(c);
    struct array *array = array_new(&c->m->things, 0);
    bool ok = array != NULL || raise_memory(c->m), keeps = false;
    if (c->args[1].kind != VALUE_ABSENT)
        ok = ok && value_truth(c->m, c->args[1], &keeps);
    for (size_t at = 0; ok && at < s->size;) {
        size_t end = at;
        while (end < s->size && s->bytes[end] != '\n' && s->bytes[end] != '\r')
            end++;
        size_t next = end < s->size ? end + 1 : end;
        next += next < s->size && s->bytes[end] == '\r' && s->bytes[next] == '\n';
        ok = add_piece(c->m, array, s->bytes + at, (keeps ? next : end) - at);
        at = next;
    }
    *ret = ok ? value_thing(array) : value_none();
    return ok;
}

static bool partition(struct native_call *c, bool last, struct value *ret)
{
    const struct string *s = self_of(c), *by = text_argument(c, 1);
    if (by == NULL)
        return false;
    size_t at = text_find(s->bytes, s->size, by->bytes, by->size, 0);
    for (size_t next = at; last && next != SIZE_MAX;) {
        at = next;
        next = text_find(s->bytes, s->size, by->bytes, by->size, next + 1);
    }
    struct value parts[3] = {value_absent(), value_absent(), value_absent()};
    bool found = at != SIZE_MAX;
    size_t first = found  ? at
                   : last ? 0
                          : s->size,
           rest = found  ? at + by->size
                  : last ? 0
                         : s->size;
    bool ok = make_str(c->m, s->bytes, first, &parts[0]) &&
              make_str(c->m, by->bytes, found ? by->size : 0, &parts[1]) &&
              make_str(c->m, s->bytes + rest, s->size - rest, &parts[2]) &&
              make_tuple(c->m, parts, 3, ret);
    for (size_t i = 0; i < 3; i++)
        value_drop(parts[i]);
    return ok;
}
METHOD(str_partition)
{
    return partition(c, false, ret);
}
METHOD(str_rpartition)
{
    return partition(c, true, ret);
}

/* ---- making ---- */

METHOD(str_join)
{
    struct array *items;
    struct text out = {0};
    bool ok = true;
    const struct string *s = self_of(c);
    if (!value_to_array(c->m, c->args[1], &items))
        return false;
    for (size_t i = 0; ok && i < items->n; i++) {
        struct value item = value_payload(items->items[i]);
        if (item.kind != VALUE_STRING) {
            ok = raise_error(c->m, ERROR_TYPE, "sequence item %zu: expected str instance, %s found",
                             i, value_class_name(c->m, item));
            break;
        }
        if (i > 0)
            text_add(&out, s->bytes, s->size);
        text_add(&out, item.as.string->bytes, item.as.string->size);
    }
    value_drop(value_thing(items));
    if (ok)
        return text_to_str(c->m, &out, ret);
    text_release(&out);
    return false;
}

METHOD(str_replace)
{
    const struct string *s = self_of(c), *from = text_argument(c, 1), *to = text_argument(c, 2);
    struct text out = {0};
    int64_t most = -1;
    if (from == NULL || to == NULL ||
        (c->args[3].kind != VALUE_ABSENT && !value_whole(c->m, c->args[3], &most)))
        return false;
    size_t at = 0;
    if (from->size == 0) {
        for (; at <= s->size; at++) {
            if (most != 0 && (at == s->size || ((unsigned char)s->bytes[at] & 0xC0) != 0x80)) {
                text_add(&out, to->bytes, to->size);
                most -= most > 0;
            }
            if (at < s->size)
                text_char(&out, s->bytes[at]);
        }
        return text_to_str(c->m, &out, ret);
    }
    for (; most != 0; most -= most > 0) {
        size_t next = text_find(s->bytes, s->size, from->bytes, from->size, at);
        if (next == SIZE_MAX)
            break;
        text_add(&out, s->bytes + at, next - at);
        text_add(&out, to->bytes, to->size);
        at = next + from->size;
    }
    text_add(&out, s->bytes + at, s->size - at);
    return text_to_str(c->m, &out, ret);
}

static bool justify(struct native_call *c, char align, struct value *ret)
{
    const struct string *s = self_of(c);
    int64_t width;
    if (!value_whole(c->m, c->args[1], &width))
        return false;
    const char *fill = c->args[2].kind == VALUE_STRING ? c->args[2].as.string->bytes : " ";
    size_t n = str_length(s);
    if (width > MACHINE_MAX_TEXT)
        return raise_error(c->m, ERROR_MEMORY, "a text of more than 64 MB");
    size_t more = width > (int64_t)n ? (size_t)width - n : 0;
    size_t left = align == '>' ? more : align == '^' ? more / 2 + (more & (size_t)width & 1) : 0;
    struct text out = {0};
    text_repeat(&out, fill, left);
    text_add(&out, s->bytes, s->size);
    text_repeat(&out, fill, more - left);
    return text_to_str(c->m, &out, ret);
}
METHOD(str_ljust)
{
    return justify(c, '<', ret);
}
METHOD(str_rjust)
{
    return justify(c, '>', ret);
}
METHOD(str_center)
{
    return justify(c, '^', ret);
}

METHOD(str_zfill)
{
    const struct string *s = self_of(c);
    int64_t width;
    if (!value_whole(c->m, c->args[1], &width))
        return false;
    size_t n = str_length(s), sign = s->size > 0 && (s->bytes[0] == '-' || s->bytes[0] == '+');
    struct text out = {0};
    text_add(&out, s->bytes, sign);
    if (width > (int64_t)n && width < MACHINE_MAX_TEXT)
        text_repeat(&out, "0", (size_t)width - n);
    text_add(&out, s->bytes + sign, s->size - sign);
    return text_to_str(c->m, &out, ret);
}

METHOD(str_format)
{
    return text_brace_format(c->m, self_of(c), c->rest, c->n_rest, c->named_names, c->named_values,
                             c->n_named, ret);
}

static bool without(struct native_call *c, bool at_start, struct value *ret)
{
    const struct string *s = self_of(c), *end = text_argument(c, 1);
    if (end == NULL)
        return false;
    size_t n = has_end(s, c->args[1], at_start) ? end->size : 0;
    return make_str(c->m, s->bytes + (at_start ? n : 0), s->size - n, ret);
}
METHOD(str_removeprefix)
{
    return without(c, true, ret);
}
METHOD(str_removesuffix)
{
    return without(c, false, ret);
}

/* The code point of the character at byte *at, which moves behind it. */
static int64_t next_point(const struct string *s, size_t *at)
{
    utf8proc_int32_t point;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s->bytes + *at,
                                          (utf8proc_ssize_t)(s->size - *at), &point);
    *at += n > 0 ? (size_t)n : 1;
    return point;
}

/* maketrans(dict): its keys are characters or code points. */
static bool table_of_dict(struct native_call *c, struct table *table)
{
    if (!value_is(c->args[0], THING_DICT))
        return raise_error(c->m, ERROR_TYPE,
                           "if you give only one argument to maketrans it must be a dict");
    const struct table *from = THING_AS(table, c->args[0]);
    for (size_t i = 0; i < from->n_entries; i++) {
        struct value key = from->entries[i].key;
        size_t at = 0;
        if (key.kind == VALUE_ABSENT)
            continue;
        if (key.kind == VALUE_STRING) {
            if (str_length(key.as.string) != 1)
                return raise_error(c->m, ERROR_VALUE,
                                   "string keys in translate table must be of length 1");
            key = value_int(next_point(key.as.string, &at));
        }
        if (!dict_put(c->m, table, key, value_take(from->entries[i].value)))
            return false;
    }
    return true;
}

METHOD(str_maketrans)
{
    struct table *table = table_new(&c->m->things, THING_DICT);
    *ret = value_thing(table);
    if (table == NULL)
        return raise_memory(c->m);
    if (c->args[1].kind == VALUE_ABSENT)
        return table_of_dict(c, table);
    const struct string *from = text_argument(c, 0), *to = text_argument(c, 1);
    if (from == NULL || to == NULL)
        return false;
    if (str_length(from) != str_length(to))
        return raise_error(c->m, ERROR_VALUE,
                           "the first two maketrans arguments must have equal length");
    for (size_t i = 0, k = 0; i < from->size;)
        if (!dict_put(c->m, table, value_int(next_point(from, &i)), value_int(next_point(to, &k))))
            return false;
    if (c->args[2].kind == VALUE_ABSENT)
        return true;
    const struct string *dropped = text_argument(c, 2);
    for (size_t i = 0; dropped != NULL && i < dropped->size;)
        if (!dict_put(c->m, table, value_int(next_point(dropped, &i)), value_none()))
            return false;
    return dropped != NULL;
}

METHOD(str_translate)
{
    const struct string *s = self_of(c);
    struct text out = {0};
    for (size_t i = 0; i < s->size;) {
        size_t end = i;
        struct value key = value_int(next_point(s, &end)), with;
        if (!index_get(c->m, c->args[1], key, &with)) {
            if (!raised_is(c->m, ERROR_LOOKUP)) {
                text_release(&out);
                return false;
            }
            raised_clear(c->m);
            text_add(&out, s->bytes + i, end - i);
        } else if (with.kind == VALUE_INT || with.kind == VALUE_STRING) {
            char bytes[4];
            if (with.kind == VALUE_STRING)
                text_add(&out, with.as.string->bytes, with.as.string->size);
            else
                text_add(&out, bytes,
                         (size_t)utf8proc_encode_char((utf8proc_int32_t)(with.as.whole & 0x1FFFFF),
                                                      (utf8proc_uint8_t *)bytes));
            value_drop(with);
        } else if (with.kind != VALUE_NONE) {
            text_release(&out);
            value_drop(with);
            return raise_error(c->m, ERROR_TYPE,
                               "character mapping must return integer, None or str");
        }
        i = end;
    }
    return text_to_str(c->m, &out, ret);
}

/* encode(encoding, errors): python/builtins.py */
METHOD(str_encode)
{
    struct string *name = intern(c->m, "_encode", 7);
    const struct value *function = name ? builtin_in_python(c->m, name) : NULL;
    size_t n = 1;
    while (n < 3 && c->args[n].kind != VALUE_ABSENT)
        n++;
    return function != NULL && machine_call(c->m, *function, c->args, n, NULL, ret);
}

static const struct native rows[] = {
    {"encode", {"self", "encoding=", "errors="}, str_encode},
    {"lower", {"self"}, str_lower},
    {"upper", {"self"}, str_upper},
    {"title", {"self"}, str_title},
    {"capitalize", {"self"}, str_capitalize},
    {"swapcase", {"self"}, str_swapcase},
    {"casefold", {"self"}, str_lower},
    {"isdigit", {"self"}, str_isdigit},
    {"isdecimal", {"self"}, str_isdigit},
    {"isnumeric", {"self"}, str_isdigit},
    {"isalpha", {"self"}, str_isalpha},
    {"isalnum", {"self"}, str_isalnum},
    {"isspace", {"self"}, str_isspace},
    {"isupper", {"self"}, str_isupper},
    {"islower", {"self"}, str_islower},
    {"isidentifier", {"self"}, str_isidentifier},
    {"startswith", {"self", "prefix"}, str_startswith},
    {"endswith", {"self", "suffix"}, str_endswith},
    {"find", {"self", "sub", "start=0"}, str_find},
    {"rfind", {"self", "sub", "start=0"}, str_rfind},
    {"index", {"self", "sub", "start=0"}, str_index},
    {"count", {"self", "sub"}, str_count},
    {"strip", {"self", "chars=None"}, str_strip},
    {"lstrip", {"self", "chars=None"}, str_lstrip},
    {"rstrip", {"self", "chars=None"}, str_rstrip},
    {"split", {"self", "sep=None", "maxsplit=-1"}, str_split},
    {"rsplit", {"self", "sep=None", "maxsplit=-1"}, str_rsplit},
    {"splitlines", {"self", "keepends=False"}, str_splitlines},
    {"partition", {"self", "sep"}, str_partition},
    {"rpartition", {"self", "sep"}, str_rpartition},
    {"join", {"self", "iterable"}, str_join},
    {"replace", {"self", "old", "new", "count=-1"}, str_replace},
    {"ljust", {"self", "width", "fillchar= "}, str_ljust},
    {"rjust", {"self", "width", "fillchar= "}, str_rjust},
    {"center", {"self", "width", "fillchar= "}, str_center},
    {"zfill", {"self", "width"}, str_zfill},
    {"format", {"self", "*args", "**kwargs"}, str_format},
    {"removeprefix", {"self", "prefix"}, str_removeprefix},
    {"removesuffix", {"self", "suffix"}, str_removesuffix},
    {"maketrans", {"x", "y=", "z="}, str_maketrans},
    {"translate", {"self", "table"}, str_translate},
};
const struct native_table methods_of_str = {rows, sizeof rows / sizeof *rows};
