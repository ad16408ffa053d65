/* files/safetensors.h: named tensors in a mapped file. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "files/safetensors.h"
#include "files_testing.h"
#include "tensor/tensor.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

/* ---- files put together by hand ---- */

/* Writes x.safetensors: a header of `claimed` bytes (or of its own length, for 0) and the numbers.
 */
static void write_claiming(uint64_t claimed, const char *header, size_t header_size,
                           const void *numbers, size_t size)
{
    unsigned char bytes[70000];
    assert_true(8 + header_size + size <= sizeof bytes);
    if (claimed == 0)
        claimed = header_size;
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(claimed >> 8 * i);
    memcpy(bytes + 8, header, header_size);
    if (size > 0)
        memcpy(bytes + 8 + header_size, numbers, size);
    testing_write("x.safetensors", bytes, 8 + header_size + size);
}

static void write_file(const char *header, const void *numbers, size_t size)
{
    write_claiming(0, header, strlen(header), numbers, size);
}

static struct safetensors *open_file(void)
{
    char path[TESTING_PATH];
    struct safetensors *file;
    struct error error;
    if (!safetensors_open(testing_path(path, "x.safetensors"), &file, &error))
        fail_msg("%s", error.text);
    return file;
}

static void check_open_refused(enum error_kind kind, const char *says)
{
    char path[TESTING_PATH];
    struct safetensors *file = NULL;
    struct error error;
    assert_error(safetensors_open(testing_path(path, "x.safetensors"), &file, &error), error, kind);
    assert_says(error, "x.safetensors: ");
    assert_says(error, says);
    assert_null(file);
}

/* A header that is refused, before `size` zero bytes. */
static void check_refused(const char *header, size_t size, enum error_kind kind, const char *says)
{
    static const unsigned char zeros[4096];
    write_file(header, zeros, size);
    check_open_refused(kind, says);
}

/* One tensor called w, of this dtype and shape and so many bytes. */
static void check_numbers(const char *dtype, const char *shape_text, const void *numbers,
                          size_t size, unsigned n_axes, const size_t *shape, const float *want)
{
    char header[200];
    struct tensor x;
    struct error error;
    snprintf(header, sizeof header,
             "{\"w\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[0,%zu]}}", dtype, shape_text,
             size);
    write_file(header, numbers, size);
    struct safetensors *file = open_file();
    const struct safetensors_entry *entry = safetensors_find(file, "w");
    assert_non_null(entry);
    assert_string_equal(entry->dtype, dtype);
    if (!safetensors_tensor(file, entry, &x, &error))
        fail_msg("%s", error.text);
    safetensors_close(file);
    assert_tensor_close(&x, n_axes, shape, want, 0);
    tensor_release(&x);
}

/* ---- what is read ---- */

static void test_safetensors__float32_is_seen_in_the_file_itself(void **state)
{
    (void)state;
    static const float numbers[] = {1, -2, 3.5f, 0, INFINITY, -INFINITY, 1e-45f};
    const char header[] =
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
        "\"one\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[24,28]},"
        "\"none\":{\"dtype\":\"F32\",\"shape\":[0,5],\"data_offsets\":[28,28]}}   ";
    struct tensor a, one, none;
    assert_int_equal((sizeof header - 1) % 4, 0);
    write_file(header, numbers, 28);
    struct safetensors *file = open_file();
    assert_int_equal(safetensors_count(file), 3);
    assert_true(safetensors_tensor(file, safetensors_find(file, "none"), &none, NULL));
    testing_fail_allocation(0);
    assert_true(safetensors_tensor(file, safetensors_find(file, "a"), &a, NULL));
    assert_int_equal(testing_allocations(), 1); /* the storage, and no numbers */
    assert_true(safetensors_tensor(file, safetensors_find(file, "one"), &one, NULL));
    safetensors_close(file); /* the tensors stay */
    assert_tensor_close(&a, 2, SHAPE(2, 3), numbers, 0);
    assert_tensor_close(&one, 0, NULL, numbers + 6, 0);
    assert_int_equal(tensor_size(&none), 0);
    tensor_release(&a);
    tensor_release(&one);
    tensor_release(&none);
}

static void test_safetensors__float32_off_its_place_is_copied(void **state)
{
    (void)state;
    static const float numbers[] = {1, 2, 3};
    for (unsigned blanks = 0; blanks < 4; blanks++) {
        char header[100];
        struct tensor x;
        snprintf(header, sizeof header,
                 "{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12]}}%.*s",
                 (int)blanks, "   ");
        write_file(header, numbers, 12);
        struct safetensors *file = open_file();
        assert_true(safetensors_tensor(file, safetensors_entry_at(file, 0), &x, NULL));
        assert_int_equal((uintptr_t)x.data % sizeof(float), 0);
        assert_tensor_close(&x, 1, SHAPE(3), numbers, 0);
        tensor_release(&x);
        safetensors_close(file);
    }
}

static void test_safetensors__other_floats_become_float32(void **state)
{
    (void)state;
    /* bfloat16 is float32 without its lower half. */
    static const unsigned char bfloats[] = {0x80, 0x3F, 0x00, 0xC0, 0x80, 0x7F, 0x01, 0x00};
    check_numbers("BF16", "[4]", bfloats, sizeof bfloats, 1, SHAPE(4),
                  (float[]){1, -2, INFINITY, 0x1p-133f});
    /* 1, -2, largest, smallest, infinity: IEEE 754 binary16 by its definition. */
    static const unsigned char halves[] = {0x00, 0x3C, 0x00, 0xC0, 0xFF, 0x7B,
                                           0x01, 0x00, 0x00, 0x7C, 0x00, 0x80};
    check_numbers("F16", "[2,3]", halves, sizeof halves, 2, SHAPE(2, 3),
                  (float[]){1, -2, 65504, 0x1p-24f, INFINITY, 0});
    const double doubles[] = {1.5, -1e300 * 1e300, 0.1};
    unsigned char bytes[sizeof doubles];
    memcpy(bytes, doubles, sizeof bytes); /* on a machine that is little-endian */
    check_numbers("F64", "[3]", bytes, sizeof bytes, 1, SHAPE(3), (float[]){1.5f, -INFINITY, 0.1f});
}

/* Every half and every bfloat16, against their definitions. */
static void test_safetensors__every_half_is_right(void **state)
{
    (void)state;
    enum { N = 16384 }; /* at a time */
    unsigned char bytes[2 * N];
    for (unsigned part = 0; part < 65536 / N; part++) {
        struct tensor x;
        for (unsigned i = 0; i < N; i++) {
            bytes[2 * i] = (unsigned char)(part * N + i);
            bytes[2 * i + 1] = (unsigned char)((part * N + i) >> 8);
        }
        write_file("{\"a\":{\"dtype\":\"F16\",\"shape\":[16384],\"data_offsets\":[0,32768]}}",
                   bytes, sizeof bytes);
        struct safetensors *file = open_file();
        assert_true(safetensors_tensor(file, safetensors_find(file, "a"), &x, NULL));
        for (unsigned i = 0; i < N; i++) {
            unsigned half = part * N + i, exponent = half >> 10 & 31, fraction = half & 1023;
            double want = exponent == 31  ? (double)(fraction ? NAN : INFINITY)
                          : exponent == 0 ? ldexp(fraction, -24)
                                          : ldexp(1024 + fraction, (int)exponent - 25);
            want = half >> 15 ? -want : want;
            if (isnan(want) ? !isnan(x.data[i]) : (double)x.data[i] != want)
                fail_msg("half %x is %g, and not %g", half, (double)x.data[i], want);
            assert_int_equal(signbit(x.data[i]) != 0, half >> 15);
        }
        tensor_release(&x);
        safetensors_close(file);
    }
}

static void test_safetensors__entries_are_listed_by_name(void **state)
{
    (void)state;
    static const unsigned char numbers[12];
    write_file("{\"__metadata__\":{\"format\":\"pt\",\"x\":\"\"},"
               "\"b\":{\"dtype\":\"U8\",\"shape\":[2,2],\"data_offsets\":[8,12]},"
               "\"a\":{\"data_offsets\":[0,8],\"shape\":[2],\"dtype\":\"F32\"}}",
               numbers, sizeof numbers);
    struct safetensors *file = open_file();
    assert_int_equal(safetensors_count(file), 2);
    assert_string_equal(safetensors_entry_at(file, 0)->name, "a");
    const struct safetensors_entry *b = safetensors_entry_at(file, 1);
    assert_string_equal(b->name, "b");
    assert_string_equal(b->dtype, "U8");
    assert_int_equal(b->n_axes, 2);
    assert_int_equal(b->shape[1], 2);
    assert_int_equal(b->begin, 8);
    assert_int_equal(b->end, 12);
    assert_null(safetensors_find(file, "c"));
    assert_null(safetensors_find(file, "__metadata__"));
    assert_string_equal(safetensors_metadata(file, "format"), "pt");
    assert_null(safetensors_metadata(file, "none"));
    safetensors_close(file);
    write_file("{}", numbers, 0);
    file = open_file();
    assert_int_equal(safetensors_count(file), 0);
    assert_null(safetensors_find(file, "a"));
    assert_null(safetensors_metadata(file, "format"));
    safetensors_close(file);
}

/* ---- the rules: shared models.md, B2, whose numbers these have ---- */

static void test_safetensors__rule_1_a_regular_file_of_some_size(void **state)
{
    (void)state;
    char path[TESTING_PATH];
    struct safetensors *file;
    struct error error;
    for (size_t size = 0; size <= 8; size++) {
        testing_write("x.safetensors", "\2\0\0\0\0\0\0\0", size);
        check_open_refused(ERR_FILE, "the size of the header alone takes 8");
    }
    assert_error(safetensors_open(testing_path(path, "none"), &file, &error), error, ERR_FILE);
    assert_says(error, "no such file");
    assert_error(safetensors_open(testing_path(path, "."), &file, &error), error, ERR_FILE);
    assert_says(error, "directory");
    assert_int_equal(mkfifo(testing_path(path, "pipe"), 0600), 0);
    assert_error(safetensors_open(path, &file, &error), error, ERR_FILE);
    assert_says(error, "pipe");
    assert_error(safetensors_open("/dev/zero", &file, &error), error, ERR_FILE);
    assert_says(error, "device");
}

static void test_safetensors__rule_2_a_lying_size_takes_no_memory(void **state)
{
    (void)state;
    static const uint64_t claims[] = {3, 1 << 20, 99999999, 1ULL << 40, 1ULL << 63, UINT64_MAX};
    char path[TESTING_PATH];
    struct safetensors *file;
    struct error error;
    testing_path(path, "x.safetensors");
    for (size_t i = 0; i < COUNT_OF(claims); i++) {
        write_claiming(claims[i], "{}", 2, NULL, 0);
        testing_fail_allocation(0);
        assert_error(safetensors_open(path, &file, &error), error, ERR_FILE);
        assert_says(error, "claims a header of");
        assert_true(testing_allocations() <= 2); /* what stands for the file and its map */
    }
    /* A header that is there, with holes for its bytes, and over the format's limit. */
    write_claiming(100000001, "{}", 2, NULL, 0);
    assert_int_equal(truncate(path, 100000009), 0);
    check_open_refused(ERR_LIMIT, "claims 100000001 bytes");
    write_claiming(100000000, "{}", 2, NULL, 0);
    assert_int_equal(truncate(path, 100000008), 0);
    check_open_refused(ERR_FILE, "padded with zero bytes, at byte 10");
}

static void test_safetensors__rule_3_an_object_and_blanks(void **state)
{
    (void)state;
    check_refused(" {}", 0, ERR_FILE, "does not begin with {");
    check_refused("[]", 0, ERR_FILE, "does not begin with {");
    check_refused("{\"\xFF\":{}}", 0, ERR_FILE, "not JSON");
    check_refused("{\"a\xC0\x80\":{}}", 0, ERR_FILE, "not JSON");
    check_refused("{} \n", 0, ERR_FILE, "padded with something, at byte 11");
    check_refused("{}{}", 0, ERR_FILE, "padded with something");
    write_claiming(0, "{}  \0\0", 6, NULL, 0);
    check_open_refused(ERR_FILE, "overwrite bytes 12 to 13 with blanks");
    write_file("{}      ", NULL, 0);
    safetensors_close(open_file());
    check_refused("{\"a\":", 0, ERR_FILE, "not JSON");
    check_refused("{", 0, ERR_FILE, "does not begin with {");
}

static void test_safetensors__rule_4_depth_and_duplicates(void **state)
{
    (void)state;
    static char deep[60000];
    memset(deep, '[', sizeof deep - 1);
    memcpy(deep, "{\"a\":", 5);
    check_refused(deep, 0, ERR_FILE, "not JSON: maximum parsing depth");
    check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[[1]],\"data_offsets\":[0,4]}}", 4, ERR_FILE,
                  "whole numbers");
    check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                  "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                  4, ERR_FILE, "duplicate");
    check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"shape\":[1],\"data_offsets\":[0,4]}}",
                  4, ERR_FILE, "duplicate");
    check_refused("{\"a\\u0000b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
                  ERR_FILE, "NUL");
    check_refused("{\"a\":3}", 0, ERR_FILE, "not an object with dtype");
    check_refused("{\"__metadata__\":{\"a\":1}}", 0, ERR_FILE, "not an object of texts");
    check_refused("{\"__metadata__\":[]}", 0, ERR_FILE, "not an object of texts");
    check_refused("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, ERR_FILE, "no shape");
    check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, ERR_FILE, "no data_offsets");
}

static void test_safetensors__rule_5_a_limit_of_tensors(void **state)
{
    (void)state;
    enum { N = SAFETENSORS_MAX_TENSORS + 1 };
    const char one[] = "\"%06d\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},";
    char *bytes = test_malloc(N * (sizeof one + 8)), *at = bytes + 8;
    for (int n = 0; n <= N; n += N) { /* one, then too many */
        at = bytes + 8;
        *at++ = '{';
        for (int i = 0; i < (n > 0 ? N : N - 1); i++)
            at += sprintf(at, one, i);
        at[-1] = '}';
        uint64_t size = (uint64_t)(at - bytes - 8);
        for (unsigned i = 0; i < 8; i++)
            bytes[i] = (char)(size >> 8 * i);
        testing_write("x.safetensors", bytes, (size_t)(at - bytes));
        if (n > 0) {
            check_open_refused(ERR_LIMIT, "more than 65536 tensors");
        } else {
            struct safetensors *file = open_file();
            assert_int_equal(safetensors_count(file), N - 1);
            assert_string_equal(safetensors_find(file, "012345")->name, "012345");
            safetensors_close(file);
        }
    }
    test_free(bytes);
}

static void test_safetensors__rule_6_a_limit_of_axes(void **state)
{
    (void)state;
    static const unsigned char zeros[4];
    struct error error;
    struct tensor x;
    check_refused(
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}", 4,
        ERR_LIMIT, "more than 8 axes");
    /* Listed, but more than a tensor has. */
    write_file("{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}",
               zeros, 4);
    struct safetensors *file = open_file();
    assert_error(safetensors_tensor(file, safetensors_find(file, "a"), &x, &error), error,
                 ERR_LIMIT);
    assert_says(error, "8 axes");
    safetensors_close(file);
}

static void test_safetensors__rule_7_whole_numbers(void **state)
{
    (void)state;
    static const char *const wrong[] = {"-1", "1.0", "1e0", "\"1\"", "null", "true"};
    char header[200];
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        snprintf(header, sizeof header,
                 "{\"a\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[0,4]}}", wrong[i]);
        check_refused(header, 4, ERR_FILE, "whole numbers");
        snprintf(header, sizeof header,
                 "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,%s]}}", wrong[i]);
        check_refused(header, 4, ERR_FILE, "data_offsets");
    }
    check_refused(
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[9223372036854775808],\"data_offsets\":[0,4]}}", 4,
        ERR_FILE, "not JSON: too big integer");
    check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}", 4, ERR_FILE,
                  "data_offsets");
    check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,4]}}", 4, ERR_FILE,
                  "data_offsets");
}

static void test_safetensors__rule_8_a_product_that_wraps(void **state)
{
    (void)state;
    /* 2^32 x 2^32 is 0 modulo 2^64, 2^62 x 4 too; and an axis of 0 excuses none. */
    static const char *const shapes[] = {"4294967296,4294967296", "4611686018427387904,4",
                                         "0,4294967296,4294967296", "4294967296,4294967296,0",
                                         "2305843009213693952"};
    char header[200];
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        snprintf(header, sizeof header,
                 "{\"a\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[0,0]}}", shapes[i]);
        check_refused(header, 0, ERR_LIMIT, "more bytes than any memory");
    }
}

static void test_safetensors__rule_9_the_span_is_what_the_shape_needs(void **state)
{
    (void)state;
    check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4, ERR_FILE,
                  "needs 8 bytes by its dtype and shape, and its data_offsets span 4");
    check_refused("{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8, ERR_FILE,
                  "needs 4 bytes");
    check_refused("{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,2]}}", 2, ERR_LIMIT,
                  "no whole bytes");
    write_file("{\"a\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[0,2]}}", "ab", 2);
    safetensors_close(open_file());
}

static void test_safetensors__rule_10_no_gap_no_overlap_no_rest(void **state)
{
    (void)state;
#define TWO(a, b)                                                     \
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" a "}," \
    "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" b "}}"
    check_refused(TWO("[0,4]", "[5,9]"), 9, ERR_FILE,
                  "'b' begins at 5, and the one before ends at 4");
    check_refused(TWO("[0,4]", "[3,7]"), 7, ERR_FILE, "'b' begins at 3, inside the one before");
    check_refused(TWO("[0,4]", "[0,4]"), 4, ERR_FILE, "begins at 0, inside the one before");
    check_refused(TWO("[1,5]", "[5,9]"), 9, ERR_FILE, "'a' begins at 1");
    check_refused(TWO("[0,4]", "[4,8]"), 7, ERR_FILE,
                  "truncated: its tensors take 8 bytes, and there are 7");
    const char whole[] = TWO("[4,8]", "[0,4]");
    char says[100];
    snprintf(says, sizeof says,
             "4 bytes follow its last tensor; if the rest is whole, truncate -s %zu cuts them off",
             8 + strlen(whole) + 8);
    check_refused(whole, 12, ERR_FILE, says);
    check_refused("{}", 1, ERR_FILE, "1 bytes follow");
    write_file(whole, "01234567", 8);
    safetensors_close(open_file());
    check_refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],"
                  "\"data_offsets\":[9223372036854775800,9223372036854775804]}}",
                  4, ERR_FILE, "begins at 9223372036854775800");
}

static void test_safetensors__rule_11_other_dtypes_are_listed_and_not_read(void **state)
{
    (void)state;
    struct error error;
    struct tensor x;
    check_refused("{\"a\":{\"dtype\":\"F31\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, ERR_FILE,
                  "a dtype that the format does not know");
    check_refused("{\"a\":{\"dtype\":4,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, ERR_FILE,
                  "dtype");
    write_file("{\"attn.bias\":{\"dtype\":\"BOOL\",\"shape\":[4],\"data_offsets\":[0,4]},"
               "\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
               "\0\0\0\0\0\0\x80\x3F", 8);
    struct safetensors *file = open_file();
    assert_error(safetensors_tensor(file, safetensors_find(file, "attn.bias"), &x, &error), error,
                 ERR_TYPE);
    assert_says(error, "holds BOOL numbers");
    assert_true(safetensors_tensor(file, safetensors_find(file, "w"), &x, NULL));
    assert_tensor_close(&x, 1, SHAPE(1), (float[]){1}, 0);
    tensor_release(&x);
    safetensors_close(file);
    const double large[] = {1, 1e39};
    write_file("{\"a\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}}", large, 16);
    file = open_file();
    assert_error(safetensors_tensor(file, safetensors_find(file, "a"), &x, &error), error,
                 ERR_RANGE);
    assert_says(error, "number 1 from 0");
    safetensors_close(file);
}

/* Rule 12 is float32_off_its_place_is_copied. */

static void test_safetensors__rule_13_a_file_that_shrinks(void **state)
{
    (void)state;
    static const unsigned char zeros[8192];
    char path[TESTING_PATH];
    struct error error;
    struct tensor x;
    write_file("{\"a\":{\"dtype\":\"F32\",\"shape\":[1024],\"data_offsets\":[0,4096]},"
               "\"b\":{\"dtype\":\"F16\",\"shape\":[2048],\"data_offsets\":[4096,8192]}}",
               zeros, sizeof zeros);
    struct safetensors *file = open_file();
    assert_int_equal(truncate(testing_path(path, "x.safetensors"), 5000), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_error(safetensors_tensor(file, safetensors_entry_at(file, i), &x, &error), error,
                     ERR_FILE);
        assert_says(error, "became shorter");
    }
    safetensors_close(file);
}

static void test_safetensors__rule_14_names_are_shown_safely(void **state)
{
    (void)state;
    check_refused("{\"a\\u001b[2J\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4,
                  ERR_FILE, "the tensor 'a?[2J' needs 8 bytes");
}

static void test_safetensors__what_is_taken_for_it_is_named(void **state)
{
    (void)state;
    static const char *const others[][2] = {
        {"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git lfs pull"},
        {"PK\3\4aaaaaaaaaaaaaa", "zip archive"},
        {"GGUF\3aaaaaaaaaaaaaaaaaaaaaa", "GGUF"},
        {"<!DOCTYPE html><html></html>", "a page of the web"},
    };
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        testing_write("x.safetensors", others[i][0], strlen(others[i][0]));
        check_open_refused(ERR_FILE, others[i][1]);
    }
}

/* Each prefix of a file is refused, and none is read over its end. */
static void test_safetensors__every_truncation_is_noticed(void **state)
{
    (void)state;
    char path[TESTING_PATH];
    write_file("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", "abcdefgh", 8);
    testing_path(path, "x.safetensors");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    safetensors_close(open_file());
    for (off_t size = info.st_size; size-- > 0;) {
        assert_int_equal(truncate(path, size), 0);
        check_open_refused(ERR_FILE, "");
    }
}

/* ---- writing ---- */

static void test_safetensors__what_is_written_is_read_again(void **state)
{
    (void)state;
    uint64_t seed = 5;
    char path[TESTING_PATH];
    struct error error;
    testing_path(path, "x.safetensors");
    for (unsigned trial = 0; trial < 50; trial++) {
        size_t rows = testing_between(&seed, 0, 9), cols = testing_between(&seed, 1, 2000);
        struct tensor a = testing_random_tensor(&seed, 2, SHAPE(rows, cols)), read;
        struct tensor turned = tensor_transpose(&a, 0, 1);
        struct tensor one = testing_tensor(0, NULL, (float[]){NAN});
        const struct safetensors_tensor tensors[] = {
            {"z", &a}, {"turned \"\xC3\xA9", &turned}, {"one", &one}};
        if (!safetensors_write(path, tensors, 3,
                               (struct safetensors_text[]){{"format", "pt"}, {"seed", "5"}}, 2,
                               &error))
            fail_msg("%s", error.text);
        struct safetensors *file = open_file();
        assert_int_equal(safetensors_count(file), 3);
        assert_string_equal(safetensors_metadata(file, "seed"), "5");
        for (size_t i = 0; i < 2; i++) {
            struct tensor dense;
            assert_true(
                safetensors_tensor(file, safetensors_find(file, tensors[i].name), &read, &error));
            assert_true(tensor_dense(tensors[i].numbers, &dense, NULL));
            assert_tensor_close(&read, 2, dense.shape, dense.data, 0);
            tensor_release(&dense);
            tensor_release(&read);
        }
        assert_true(safetensors_tensor(file, safetensors_find(file, "one"), &read, &error));
        assert_true(isnan(read.data[0]));
        tensor_release(&read);
        safetensors_close(file);
        size_t size;
        char *bytes = testing_read(path, &size);
        assert_int_equal((size - (2 * rows * cols + 1) * 4) % 8, 0); /* where the numbers begin */
        assert_int_equal(bytes[8], '{');
        test_free(bytes);
        tensor_release(&one);
        tensor_release(&turned);
        tensor_release(&a);
    }
    assert_int_equal(testing_count_files(), 1);
}

static void test_safetensors__names_that_can_not_be_written(void **state)
{
    (void)state;
    char path[TESTING_PATH];
    struct error error;
    struct tensor x = testing_tensor(1, SHAPE(1), (float[]){1});
    testing_path(path, "y.safetensors");
    static const char *const wrong[] = {"a", "__metadata__", "\xFF"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        const struct safetensors_tensor tensors[] = {{"a", &x}, {wrong[i], &x}};
        assert_error(safetensors_write(path, tensors, 2, NULL, 0, &error), error, ERR_NAME);
        assert_int_equal(testing_count_files(), 0);
    }
    assert_error(safetensors_write(testing_path(path, "."), NULL, 0, NULL, 0, &error), error,
                 ERR_FILE);
    assert_says(error, "directory");
    assert_error(safetensors_write(testing_path(path, "none/x"), NULL, 0, NULL, 0, &error), error,
                 ERR_FILE);
    tensor_release(&x);
}

static void test_safetensors__failed_allocations_are_reported(void **state)
{
    (void)state;
    char path[TESTING_PATH];
    struct error error;
    struct safetensors *file;
    struct tensor x, y = testing_tensor(2, SHAPE(2, 2), (float[]){1, 2, 3, 4});
    struct tensor turned = tensor_transpose(&y, 0, 1);
    testing_path(path, "x.safetensors");
    const struct safetensors_tensor tensors[] = {{"a", &turned}};
    assert_reports_failed_allocations(safetensors_write(path, tensors, 1, NULL, 0, &error), error);
    assert_int_equal(testing_count_files(), 1);
    assert_reports_failed_allocations(safetensors_open(path, &file, &error), error);
    assert_reports_failed_allocations(
        safetensors_tensor(file, safetensors_find(file, "a"), &x, &error), error);
    tensor_release(&x);
    safetensors_close(file);
    write_file("{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}", "abcd", 4);
    file = open_file();
    assert_reports_failed_allocations(
        safetensors_tensor(file, safetensors_find(file, "a"), &x, &error), error);
    tensor_release(&x);
    safetensors_close(file);
    tensor_release(&turned);
    tensor_release(&y);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, NULL, testing_clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_safetensors__float32_is_seen_in_the_file_itself),
        IN_FOLDER(test_safetensors__float32_off_its_place_is_copied),
        IN_FOLDER(test_safetensors__other_floats_become_float32),
        IN_FOLDER(test_safetensors__every_half_is_right),
        IN_FOLDER(test_safetensors__entries_are_listed_by_name),
        IN_FOLDER(test_safetensors__rule_1_a_regular_file_of_some_size),
        IN_FOLDER(test_safetensors__rule_2_a_lying_size_takes_no_memory),
        IN_FOLDER(test_safetensors__rule_3_an_object_and_blanks),
        IN_FOLDER(test_safetensors__rule_4_depth_and_duplicates),
        IN_FOLDER(test_safetensors__rule_5_a_limit_of_tensors),
        IN_FOLDER(test_safetensors__rule_6_a_limit_of_axes),
        IN_FOLDER(test_safetensors__rule_7_whole_numbers),
        IN_FOLDER(test_safetensors__rule_8_a_product_that_wraps),
        IN_FOLDER(test_safetensors__rule_9_the_span_is_what_the_shape_needs),
        IN_FOLDER(test_safetensors__rule_10_no_gap_no_overlap_no_rest),
        IN_FOLDER(test_safetensors__rule_11_other_dtypes_are_listed_and_not_read),
        IN_FOLDER(test_safetensors__rule_13_a_file_that_shrinks),
        IN_FOLDER(test_safetensors__rule_14_names_are_shown_safely),
        IN_FOLDER(test_safetensors__what_is_taken_for_it_is_named),
        IN_FOLDER(test_safetensors__every_truncation_is_noticed),
        IN_FOLDER(test_safetensors__what_is_written_is_read_again),
        IN_FOLDER(test_safetensors__names_that_can_not_be_written),
        IN_FOLDER(test_safetensors__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("safetensors", tests, testing_make_folder,
                                       testing_remove_folder);
}
