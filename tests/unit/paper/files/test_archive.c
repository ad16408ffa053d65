/* files/archive.h: ZIP files that students hand in, and those that somebody made to do
 * harm. The archives are stored, not packed; tests/script/test_grade.py has packed ones. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/archive.h"
#include "base/array.h"
#include "base/text.h"

static const struct archive_limits student_limits = {.file_bytes = 16 << 20,
                                                     .n_entries = 2000,
                                                     .entry_bytes = 4 << 20,
                                                     .total_bytes = 32 << 20,
                                                     .ratio = 250};

/* A ZIP file while it is made. */
struct made {
    struct text files, directory;
    unsigned n;
};

static void put(struct text *text, uint32_t number, int n_bytes)
{
    for (int i = 0; i < n_bytes; i++)
        text_char(text, (char)(number >> (8 * i) & 0xFF));
}

static uint32_t sum_of(const char *bytes, size_t size)
{
    uint32_t sum = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        sum ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
    }
    return ~sum;
}

/* What may be wrong with a file in it. */
struct trick {
    unsigned flags, method, mode;
    uint32_t unpacked; /* 0: its size */
    uint32_t local;    /* 0: where it is */
};

static void add(struct made *made, const char *name, size_t name_size, const char *text,
                struct trick trick)
{
    uint32_t at = trick.local != 0 ? trick.local : (uint32_t)made->files.size;
    uint32_t size = (uint32_t)strlen(text), unpacked = trick.unpacked != 0 ? trick.unpacked : size;
    struct text *both[] = {&made->files, &made->directory};
    text_put(&made->files, "PK\3\4");
    put(&made->files, 20, 2);
    text_put(&made->directory, "PK\1\2");
    put(&made->directory, 20 | 3 << 8, 2); /* made on Unix */
    put(&made->directory, 20, 2);
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        put(both[i], trick.flags, 2);
        put(both[i], trick.method, 2);
        put(both[i], 12 << 11, 2);
        put(both[i], 46 << 9 | 3 << 5 | 1, 2); /* 2026-03-01 12:00 */
        put(both[i], sum_of(text, size), 4);
        put(both[i], size, 4);
        put(both[i], unpacked, 4);
        put(both[i], (uint32_t)name_size, 2);
        put(both[i], 0, 2);
    }
    text_add(&made->files, name, name_size);
    text_put(&made->files, text);
    put(&made->directory, 0, 4); /* no comment, the first disk */
    put(&made->directory, 0, 2); /* no attributes */
    put(&made->directory, (uint32_t)trick.mode << 16, 4);
    put(&made->directory, at, 4);
    text_add(&made->directory, name, name_size);
    made->n++;
}

/* To be released. */
static struct text finish(struct made *made)
{
    struct text all = {0};
    text_add(&all, text_string(&made->files), made->files.size);
    text_add(&all, text_string(&made->directory), made->directory.size);
    text_put(&all, "PK\5\6");
    put(&all, 0, 4);
    put(&all, made->n, 2);
    put(&all, made->n, 2);
    put(&all, (uint32_t)made->directory.size, 4);
    put(&all, (uint32_t)made->files.size, 4);
    put(&all, 0, 2);
    text_release(&made->files);
    text_release(&made->directory);
    return all;
}

static bool wants_c(const char *name)
{
    return text_ends_with(name, ".c");
}

static const char *why_refused(const struct text *bytes, const struct archive_limits *limits)
{
    struct archive archive;
    const char *why = "";
    if (archive_read_bytes(text_string(bytes), bytes->size, limits, wants_c, &archive, &why))
        archive_release(&archive);
    return why;
}

static void test_archive__wanted_files_are_read(void **state)
{
    (void)state;
    struct made made = {.n = 0};
    struct archive archive;
    const char *why;
    add(&made, "hw/", 3, "", (struct trick){.mode = 0040755});
    add(&made, "hw/dot.c", 8, "int x;\n", (struct trick){.mode = 0100644});
    add(&made, "hw\\notes.txt", 12, "notes", (struct trick){0});
    struct text bytes = finish(&made);
    assert_true(archive_read_bytes(text_string(&bytes), bytes.size, &student_limits, wants_c,
                                   &archive, &why));
    assert_int_equal(archive.n, 2);
    assert_string_equal(archive.entries[0].name, "hw/dot.c");
    assert_int_equal(archive.entries[0].size, 7);
    assert_memory_equal(archive.entries[0].bytes, "int x;\n", 7);
    assert_true(archive.entries[0].time_s > 1772000000 && archive.entries[0].time_s < 1773000000);
    assert_string_equal(archive.entries[1].name, "hw/notes.txt");
    assert_null(archive.entries[1].bytes);
    archive_release(&archive);
    text_release(&bytes);
}

static void test_archive__harm_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *why;
        struct trick trick;
    } files[] = {
        {"../dot.c", "x", "a name outside of it", {0}},
        {"a/../../dot.c", "x", "a name outside of it", {0}},
        {"..\\dot.c", "x", "a name outside of it", {0}},
        {"/etc/dot.c", "x", "a name outside of it", {0}},
        {"\\\\server\\dot.c", "x", "a name outside of it", {0}},
        {"C:\\dot.c", "x", "a name outside of it", {0}},
        {"", "x", "a name outside of it", {0}},
        {"dot.c", "/etc/passwd", "a link in it", {.mode = 0120777}},
        {"dot.c", "x", "a link in it", {.mode = 0010644}},
        {"dot.c", "x", "encrypted", {.flags = 1}},
        {"dot.c", "x", "packed in an unknown way", {.method = 12}},
        {"dot.c", "x", "damaged", {.unpacked = 5}},
        {"dot.c", "x", "damaged", {.local = 0x7FFFFFFF}},
        {"dot.c", "x", "damaged", {.local = 3}},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct made made = {.n = 0};
        add(&made, "good.c", 6, "int x;", (struct trick){0});
        add(&made, files[i].name, strlen(files[i].name), files[i].text, files[i].trick);
        struct text bytes = finish(&made);
        const char *why = why_refused(&bytes, &student_limits);
        if (strcmp(why, files[i].why) != 0)
            fail_msg("%zu %s: %s, not %s", i, files[i].name, why, files[i].why);
        text_release(&bytes);
    }
    struct made nul = {.n = 0}, twice = {.n = 0};
    add(&nul, "dot.c\0.txt", 10, "x", (struct trick){0});
    struct text bytes = finish(&nul);
    assert_string_equal(why_refused(&bytes, &student_limits), "a name outside of it");
    text_release(&bytes);
    add(&twice, "dot.c", 5, "x", (struct trick){0});
    add(&twice, "dot.c", 5, "y", (struct trick){0});
    bytes = finish(&twice);
    assert_string_equal(why_refused(&bytes, &student_limits), "a name twice in it");
    text_release(&bytes);
    text_put(&bytes, "no archive");
    assert_string_equal(why_refused(&bytes, &student_limits), "not a ZIP file");
    text_release(&bytes);
}

static void test_archive__limits_hold(void **state)
{
    (void)state;
    static const struct {
        struct archive_limits limits;
        const char *why;
    } cases[] = {
        {{.n_entries = 3, .entry_bytes = 9, .total_bytes = 30, .ratio = 9}, ""},
        {{.n_entries = 2, .entry_bytes = 9, .total_bytes = 30, .ratio = 9}, "too many files in it"},
        {{.n_entries = 3, .entry_bytes = 8, .total_bytes = 30, .ratio = 9},
         "too large when unpacked"},
        {{.n_entries = 3, .entry_bytes = 9, .total_bytes = 26, .ratio = 9},
         "too large when unpacked"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct made made = {.n = 0};
        for (int file = 0; file < 3; file++)
            add(&made, (char[]){(char)('a' + file), '.', 'c', '\0'}, 3, "123456789",
                (struct trick){0});
        struct text bytes = finish(&made);
        assert_string_equal(why_refused(&bytes, &cases[i].limits), cases[i].why);
        text_release(&bytes);
    }
    /* More than it can hold is said of what is packed: a bomb. */
    struct made bomb = {.n = 0};
    add(&bomb, "dot.c", 5, "x", (struct trick){.method = 8, .unpacked = 1 << 20});
    struct text bytes = finish(&bomb);
    const char *why = why_refused(&bytes, &student_limits);
    assert_true(strcmp(why, "too large when unpacked") == 0 || strcmp(why, ARCHIVE_NO_ZLIB) == 0);
    text_release(&bytes);
}

/* Any bytes: each prefix, and each byte replaced. Sanitizers watch. */
static void test_archive__any_bytes(void **state)
{
    (void)state;
    struct made made = {.n = 0};
    add(&made, "a/dot.c", 7, "int x;\n", (struct trick){0});
    add(&made, "b.c", 3, "int y;\n", (struct trick){0});
    struct text bytes = finish(&made);
    for (size_t size = 0; size <= bytes.size; size++) {
        char *copy = malloc(size + 1); /* of just this size, so that a read past it is seen */
        assert_non_null(copy);
        memcpy(copy, bytes.bytes, size);
        struct archive archive;
        const char *why;
        if (archive_read_bytes(copy, size, &student_limits, wants_c, &archive, &why))
            archive_release(&archive);
        free(copy);
    }
    for (size_t at = 0; at < bytes.size; at++) {
        static const unsigned char others[] = {0, 1, 0x7F, 0x80, 0xFF};
        char old = bytes.bytes[at];
        for (size_t i = 0; i < COUNT_OF(others); i++) {
            bytes.bytes[at] = (char)others[i];
            why_refused(&bytes, &student_limits);
        }
        bytes.bytes[at] = old;
    }
    text_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archive__wanted_files_are_read),
        cmocka_unit_test(test_archive__harm_is_refused),
        cmocka_unit_test(test_archive__limits_hold),
        cmocka_unit_test(test_archive__any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
