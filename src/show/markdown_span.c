/* Emphasis, code and links within words: see markdown_parts.h. */
#include "show/markdown_internal.h"

#include <string.h>

static void put_words(struct shower *shower, const char *words, enum style style)
{
    text_put(&shower->flow.text, words);
    flow_close_run(shower, style);
}

/* What is said by style alone would be lost where there is none. */
static void put_sign(struct shower *shower, const char *sign)
{
    if (!shower->options->colour)
        put_words(shower, sign, flow_style(shower));
}

void span_enter_emphasis(struct shower *shower)
{
    shower->n_strong++;
    if (!shower->in_title)
        put_sign(shower, "*");
}

void span_leave_emphasis(struct shower *shower)
{
    if (!shower->in_title)
        put_sign(shower, "*");
    shower->n_strong--;
}

void span_enter_code(struct shower *shower)
{
    shower->n_code++;
    put_sign(shower, "`");
    shower->code_begin = shower->flow.text.size;
}

/* A short piece of code stays in one line. */
void span_leave_code(struct shower *shower)
{
    struct text *text = &shower->flow.text;
    if (!text->failed &&
        line_cols(text, shower->code_begin, text->size) <= line_cols_left(shower) / 2)
        for (size_t i = shower->code_begin; i < text->size; i++)
            if (text->bytes[i] == ' ')
                text->bytes[i] = KEPT_BLANK;
    put_sign(shower, "`");
    shower->n_code--;
}

void span_enter_link(struct shower *shower)
{
    shower->link_begin = shower->flow.text.size;
}

/* Worth telling: no place in the same folder, and not what the link's words say already. */
static bool is_news(const struct shower *shower, const struct text *address)
{
    const struct text *words = &shower->flow.text;
    bool said = words->size - shower->link_begin == address->size &&
                (address->size == 0 ||
                 memcmp(words->bytes + shower->link_begin, address->bytes, address->size) == 0);
    return !said && strpbrk(text_string(address), ":/") != NULL;
}

void span_leave_link(struct shower *shower, const MD_ATTRIBUTE *attribute)
{
    struct text address = {0};
    struct text *words = &shower->flow.text;
    entity_add_attribute(&address, attribute);
    if (!address.failed && !words->failed && is_news(shower, &address)) {
        flow_add_words(shower, " ", 1);
        flow_close_run(shower, flow_style(shower));
        text_char(words, '(');
        flow_add_words(shower, address.bytes, address.size);
        put_words(shower, ")", STYLE_QUIET);
    }
    shower->doc->failed = shower->doc->failed || address.failed;
    text_release(&address);
}
