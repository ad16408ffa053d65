/* See value_show.h. */
#include "lang/session/value_show.h"

#include "graph/hidden.h"
#include "graph/node.h"
#include "lang/value/value.h"
#include "show/number.h"

/* (3, 3) or ("Hello", "sun"): an item on its line. Tensors are shown by their shapes. */
static void write_item(const struct value *value, int digits, struct text *line)
{
    char text[120];
    if (value->kind == VALUE_NODE && value->as.node->value.n_axes == 0) {
        struct number_style style = number_style_of(&value->as.node->value, digits);
        text_put(line, number_write(value->as.node->value.data[0], style, text));
    } else if (value->kind == VALUE_STRING) {
        text_format(
            line, "\"%s\"",
            error_quote(text, sizeof text, value->as.string->bytes, value->as.string->size));
    } else if (value->kind == VALUE_LIST) {
        text_char(line, '(');
        for (size_t i = 0; i < value->as.list->n; i++) {
            text_put(line, i ? ", " : "");
            write_item(&value->as.list->items[i], digits, line);
        }
        text_put(line, value->as.list->n == 1 ? ",)" : ")");
    } else {
        text_put(line, value_describe(value, text, sizeof text));
    }
}

static bool holds_tensors(const struct list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind == VALUE_NODE && list->items[i].as.node->value.n_axes > 0)
            return true;
    return false;
}

bool value_show(const struct settings *settings, const struct value *value, struct doc *out,
                struct error *reterr)
{
    bool ok = true;
    if (value->kind == VALUE_NODE) {
        struct show_options options = settings_show_options(settings);
        ok = node_show(value->as.node, settings->echo, &options, out, reterr);
    } else if (value->kind == VALUE_LIST && holds_tensors(value->as.list)) {
        for (size_t i = 0; ok && i < value->as.list->n; i++)
            ok = value_show(settings, &value->as.list->items[i], out, reterr);
    } else if (value->kind == VALUE_FUNCTION) {
        doc_line(out, STYLE_PLAIN, "%s", value->as.function->source);
    } else if (value->kind == VALUE_OBJECT) {
        value->as.object->class->show(value->as.object, out);
    } else if (value->kind == VALUE_STRING) {
        doc_put(out, STYLE_PLAIN, value->as.string->bytes, value->as.string->size);
        doc_end_line(out);
    } else if (value->kind == VALUE_LIST) {
        struct text line = {0};
        write_item(value, settings->digits, &line);
        doc_put(out, STYLE_PLAIN, text_string(&line), line.size);
        doc_end_line(out);
        ok = !line.failed || error_memory(reterr, "showing a value");
        text_release(&line);
    }
    return ok && doc_check(out, reterr);
}
