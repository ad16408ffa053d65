/* Pieces of HTML pages: see html_internal.h. */
#include "report/html_internal.h"

#include <string.h>

#include "class_page_script.h"
#include "class_page_style.h"
#include "result/result.h"

static const char *entity(char c)
{
    return c == '\'' ? "&#39;" : text_entity(c);
}

void html_words(struct text *text, const char *words)
{
    struct text safe = {0};
    result_safe_text(&safe, words, strlen(words), true);
    for (const char *at = text_string(&safe); *at != '\0';) {
        size_t plain = strcspn(at, "&<>\"'");
        text_add(text, at, plain);
        at += plain;
        if (*at != '\0')
            text_put(text, entity(*at++));
    }
    text->failed = text->failed || safe.failed;
    text_release(&safe);
}

static void add_lines(struct text *text, const char *const *lines)
{
    for (size_t i = 0; lines[i] != NULL; i++)
        text_put(text, lines[i]);
}

void html_begin(struct text *text, const char *title, bool with_script)
{
    text_put(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'; ");
    text_put(text, with_script ? "script-src 'unsafe-inline'; " : "");
    text_put(text, "base-uri 'none'; form-action 'none'\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    html_words(text, title);
    text_put(text, "</title>\n<style>\n");
    add_lines(text, class_page_style);
    text_put(text, "</style>\n</head>\n<body>\n<h1>");
    html_words(text, title);
    text_put(text, "</h1>\n");
}

void html_end(struct text *text, bool with_script)
{
    if (with_script) {
        text_put(text, "<script>\n");
        add_lines(text, class_page_script);
        text_put(text, "</script>\n");
    }
    text_put(text, "</body>\n</html>\n");
}
