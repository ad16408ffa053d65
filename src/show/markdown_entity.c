/* Characters that are written as names or numbers: see markdown_parts.h. */
#include "show/markdown_internal.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/array.h"

void entity_add_code_point(struct text *text, unsigned long code)
{
    utf8proc_uint8_t bytes[4];
    bool known = code >= 0x20 && code <= 0x10FFFF && utf8proc_codepoint_valid((int32_t)code);
    utf8proc_ssize_t size = utf8proc_encode_char(known ? (int32_t)code : 0xFFFD, bytes);
    text_add(text, (const char *)bytes, (size_t)size);
}

/* The entities that prose about numbers needs; all others can be written as numbers or as
 * themselves. */
static const struct {
    const char *name;
    unsigned long code;
} entities[] = {
    {"&amp;", '&'},      {"&lt;", '<'},       {"&gt;", '>'},        {"&quot;", '"'},
    {"&apos;", '\''},    {"&nbsp;", 0xA0},    {"&copy;", 0xA9},     {"&middot;", 0xB7},
    {"&times;", 0xD7},   {"&alpha;", 0x3B1},  {"&beta;", 0x3B2},    {"&gamma;", 0x3B3},
    {"&lambda;", 0x3BB}, {"&mu;", 0x3BC},     {"&pi;", 0x3C0},      {"&sigma;", 0x3C3},
    {"&ndash;", 0x2013}, {"&mdash;", 0x2014}, {"&hellip;", 0x2026}, {"&larr;", 0x2190},
    {"&rarr;", 0x2192},  {"&sum;", 0x2211},   {"&minus;", 0x2212},  {"&radic;", 0x221A},
    {"&infin;", 0x221E}, {"&asymp;", 0x2248}, {"&ne;", 0x2260},     {"&le;", 0x2264},
    {"&ge;", 0x2265},
};

/* "&#955;" or "&#x3bb;": its number, 0xFFFD where it is none. md4c lets through up to 7 digits. */
static unsigned long entity_number(const char *entity, size_t size)
{
    char digits[16] = "";
    bool is_hex = entity[2] == 'x' || entity[2] == 'X';
    size_t begin = is_hex ? 3 : 2;
    if (size < begin + 2 || size - begin - 1 >= sizeof digits)
        return 0xFFFD;
    memcpy(digits, entity + begin, size - begin - 1);
    return strtoul(digits, NULL, is_hex ? 16 : 10);
}

void entity_add(struct text *text, const char *entity, size_t size)
{
    if (size > 2 && entity[1] == '#') {
        entity_add_code_point(text, entity_number(entity, size));
        return;
    }
    for (size_t i = 0; i < COUNT_OF(entities); i++) {
        if (strlen(entities[i].name) == size && memcmp(entities[i].name, entity, size) == 0) {
            entity_add_code_point(text, entities[i].code);
            return;
        }
    }
    text_add(text, entity, size); /* as it stands */
}

void entity_add_attribute(struct text *text, const MD_ATTRIBUTE *attribute)
{
    for (size_t i = 0; attribute->size > 0 && attribute->substr_offsets[i] < attribute->size; i++) {
        const char *part = attribute->text + attribute->substr_offsets[i];
        size_t size = attribute->substr_offsets[i + 1] - attribute->substr_offsets[i];
        if (attribute->substr_types[i] == MD_TEXT_ENTITY)
            entity_add(text, part, size);
        else if (attribute->substr_types[i] == MD_TEXT_NULLCHAR)
            entity_add_code_point(text, 0);
        else
            text_add(text, part, size);
    }
}
