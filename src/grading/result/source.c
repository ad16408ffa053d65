/* The bytes of a learner's file: see source.h. */
#include "result/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why lstat() refuses the path, before anything is opened: opening a device can have effects. */
static const char *why_not_regular(const char *path)
{
    struct stat here;
    if (lstat(path, &here) != 0)
        return errno == ENOENT || errno == ENOTDIR ? "missing" : "unreadable";
    if (S_ISLNK(here.st_mode))
        return "symlink";
    return S_ISREG(here.st_mode) ? NULL : "not a regular file";
}

static bool read_all(int fd, size_t max_bytes, struct text *text)
{
    char bytes[16384];
    while (text->size <= max_bytes) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        text_add(text, bytes, (size_t)n);
        if (text->failed)
            return true;
    }
    return true;
}

/* Why a file's text can't be graded; "" if it can. */
static const char *why_no_text(const struct text *text, size_t max_bytes)
{
    if (text->size > max_bytes)
        return "too large";
    if (memchr(text_string(text), '\0', text->size) == NULL)
        return "";
    return text_is_utf16(text_string(text), text->size) ? "UTF-16: save it as UTF-8" : "NUL byte";
}

/* Why an open file can't be graded; "" if it can. */
static const char *read_file(int fd, size_t max_bytes, struct text *text)
{
    struct stat here;
    if (fstat(fd, &here) != 0)
        return "unreadable";
    if (!S_ISREG(here.st_mode))
        return "not a regular file";
    if (here.st_size > 0 && (uintmax_t)here.st_size > max_bytes)
        return "too large";
    if (!read_all(fd, max_bytes, text))
        return "unreadable";
    if (text->failed)
        return SOURCE_NO_MEMORY;
    return why_no_text(text, max_bytes);
}

bool source_read(const char *path, size_t max_bytes, struct text *ret, const char **ret_why)
{
    struct text text = {0};
    const char *why = why_not_regular(path);
    if (why == NULL) {
        int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        why = fd >= 0 ? read_file(fd, max_bytes, &text) : errno == ELOOP ? "symlink" : "unreadable";
        if (fd >= 0)
            close(fd);
    }
    if (why != NULL && why[0] == '\0') {
        text_release(ret);
        *ret = text;
        return true;
    }
    text_release(&text);
    *ret_why = why;
    return false;
}

bool source_take(const char *bytes, size_t size, size_t max_bytes, struct text *ret,
                 const char **ret_why)
{
    struct text text = {0};
    text_add(&text, bytes, size);
    const char *why = text.failed ? SOURCE_NO_MEMORY : why_no_text(&text, max_bytes);
    if (why[0] != '\0') {
        text_release(&text);
        *ret_why = why;
        return false;
    }
    text_release(ret);
    *ret = text;
    return true;
}
