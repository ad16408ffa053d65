/* See clipboard.h. */
#include "ui/terminal/clipboard.h"

#include <stdint.h>

/* RFC 4648, section 4: three bytes as four characters, the last ones filled up with '='. */
static void put_base64(const char *bytes, size_t size, struct text *ret)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < size; at += 3) {
        size_t n_left = size - at;
        uint32_t bits = 0;
        for (size_t i = 0; i < 3 && i < n_left; i++)
            bits |= (uint32_t)(unsigned char)bytes[at + i] << (16 - 8 * i);
        for (size_t i = 0; i < 4; i++)
            text_char(ret, i <= n_left ? digits[bits >> (18 - 6 * i) & 63] : '=');
    }
}

bool clipboard_write(const char *bytes, size_t size, struct text *ret, struct error *reterr)
{
    if (size > CLIPBOARD_MAX_BYTES)
        return error_set(
            reterr, ERR_LIMIT,
            "copy: that is %zu kB, and terminals take up to %d; show a smaller part, or "
            "write the matrix with save(\"x.npy\", X) at the prompt",
            size / 1000 + 1, CLIPBOARD_MAX_BYTES / 1000);
    text_put(ret, "\x1b]52;c;");
    put_base64(bytes, size, ret);
    text_char(ret, '\a');
    return !ret->failed || error_memory(reterr, "copy");
}
