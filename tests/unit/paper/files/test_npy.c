/* files/npy.h: numpy's .npy files. */
#include "testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "files/npy.h"
#include "tensor/tensor.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

/* A file put together by hand. */
struct file {
    unsigned char bytes[32768];
    size_t size;
};

/* Magic, version, the size of the header, the header, the numbers. */
static void make_file(struct file *file, unsigned major, const char *header, const void *numbers,
                      size_t numbers_size)
{
    size_t header_size = strlen(header), size_bytes = major == 1 ? 2 : 4;
    assert_true(12 + header_size + numbers_size <= sizeof file->bytes);
    memcpy(file->bytes, "\x93NUMPY", 6);
    file->bytes[6] = (unsigned char)major;
    file->bytes[7] = 0;
    for (size_t i = 0; i < size_bytes; i++)
        file->bytes[8 + i] = (unsigned char)(header_size >> 8 * i);
    file->size = 8 + size_bytes;
    memcpy(file->bytes + file->size, header, header_size);
    file->size += header_size;
    memcpy(file->bytes + file->size, numbers, numbers_size);
    file->size += numbers_size;
}

/* Parses a copy in a block of exactly its size, so that a tool sees reads past its end. */
static bool parse(const struct file *file, struct tensor *ret, struct error *reterr)
{
    unsigned char *bytes = test_malloc(file->size + 1);
    unsigned char *start = bytes + 1; /* nothing is aligned for anybody */
    memcpy(start, file->bytes, file->size);
    bool ok = npy_parse(start, file->size, "x.npy", ret, reterr);
    test_free(bytes);
    return ok;
}

/* A file of dtype descr and shape parses to the wanted numbers. */
static void check_numbers(const char *descr, const void *numbers, size_t numbers_size,
                          unsigned n_axes, const size_t *shape, const char *shape_text,
                          const float *want)
{
    char header[200];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n",
             descr, shape_text);
    struct file file;
    struct tensor x;
    struct error error;
    make_file(&file, 1, header, numbers, numbers_size);
    if (!parse(&file, &x, &error))
        fail_msg("%s", error.text);
    assert_tensor_close(&x, n_axes, shape, want, 0);
    assert_true(tensor_is_dense(&x));
    assert_int_equal(x.is_bool, strcmp(descr, "|b1") == 0);
    tensor_release(&x);
}

/* A header that is refused, before a single number 1.0. */
static void check_refused(const char *header, enum error_kind kind, const char *says)
{
    struct file file;
    struct tensor x = {.n_axes = 77};
    struct error error;
    make_file(&file, 1, header, "\0\0\x80\x3F", 4);
    assert_error(parse(&file, &x, &error), error, kind);
    assert_says(error, "x.npy: ");
    assert_says(error, says);
    assert_int_equal(x.n_axes, 77);
}

/* The same header with descr in place of %s. */
static void check_descr_refused(const char *descr, const char *says)
{
    char header[300];
    snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (1,), }\n",
             descr);
    check_refused(header, ERR_FILE, says);
}

static void check_shape_refused(const char *shape, enum error_kind kind, const char *says)
{
    char header[300];
    snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n",
             shape);
    check_refused(header, kind, says);
}

static const char HEADER_3[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n";
/* 1.0, -2.0 and 0.15625, as IEEE 754 has them: 3F800000, C0000000, 3E200000. */
static const unsigned char NUMBERS_3[] = "\0\0\x80\x3F\0\0\0\xC0\0\0\x20\x3E";
static const float FLOATS_3[3] = {1, -2, 0.15625f};

/* dtypes and shapes. */

static void test_npy__float32_in_either_byte_order(void **state)
{
    (void)state;
    check_numbers("<f4", NUMBERS_3, 12, 1, SHAPE(3), "(3,)", FLOATS_3);
    check_numbers(">f4", "\x3F\x80\0\0\xC0\0\0\0\x3E\x20\0\0", 12, 1, SHAPE(3), "(3,)", FLOATS_3);
}

static void test_npy__float16_with_its_subnormals(void **state)
{
    (void)state;
    /* 3C00 is 1, C000 -2, 7BFF the largest (65504), 0400 the smallest normal (2^-14), 03FF the
     * largest subnormal (1023 * 2^-24), 8001 the smallest below 0 (-2^-24), 7C00 and FC00 infinite:
     * IEEE 754 binary16. */
    const float want[8] = {1, -2, 65504, 0x1p-14f, 0x3FFp-24f, -0x1p-24f, INFINITY, -INFINITY};
    check_numbers("<f2", "\0\x3C\0\xC0\xFF\x7B\0\4\xFF\3\1\x80\0\x7C\0\xFC", 16, 1, SHAPE(8),
                  "(8,)", want);
    check_numbers(">f2", "\x3C\0\xC0\0\x7B\xFF\4\0\3\xFF\x80\1\x7C\0\xFC\0", 16, 1, SHAPE(8),
                  "(8,)", want);
}

static void test_npy__float64_is_rounded(void **state)
{
    (void)state;
    /* 0.1 and -1/3 rounded to nearest, as the compiler does for the literals; 1e-300 is below all
     * of float32. The largest double that still rounds to FLT_MAX is just below FLT_MAX + 2^103. */
    const double numbers[6] = {0.1,      -1.0 / 3,        1e-300,
                               0x1p-149, (double)FLT_MAX, 0x1.fffffefffffffp127};
    const float want[6] = {0.1f, -1.0f / 3, 0, 0x1p-149f, FLT_MAX, FLT_MAX};
    check_numbers("<f8", numbers, sizeof numbers, 1, SHAPE(6), "(6,)", want);
    /* 1.5 is 3FF8000000000000. */
    check_numbers(">f8", "\x3F\xF8\0\0\0\0\0\0", 8, 1, SHAPE(1), "(1,)", (float[]){1.5f});
}

static void test_npy__infinities_and_nan_survive(void **state)
{
    (void)state;
    struct file file;
    struct tensor x;
    static const char *const descr[] = {"<f2", "<f4", "<f8"};
    static const char *const numbers[] = {
        "\0\x7C\0\xFC\0\x7E", "\0\0\x80\x7F\0\0\x80\xFF\0\0\xC0\x7F",
        "\0\0\0\0\0\0\xF0\x7F\0\0\0\0\0\0\xF0\xFF\0\0\0\0\0\0\xF8\x7F"};
    for (size_t i = 0; i < 3; i++) {
        char header[100];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }",
                 descr[i]);
        make_file(&file, 1, header, numbers[i], (size_t)6 << i);
        assert_true(parse(&file, &x, NULL));
        assert_close(x.data[0], INFINITY, 0);
        assert_close(x.data[1], -INFINITY, 0);
        assert_true(isnan(x.data[2]));
        tensor_release(&x);
    }
}

static void test_npy__whole_numbers_of_every_width(void **state)
{
    (void)state;
    check_numbers("|i1", "\x80\xFF\x7F", 3, 1, SHAPE(3), "(3,)", (float[]){-128, -1, 127});
    check_numbers("|u1", "\x80\xFF\0", 3, 1, SHAPE(3), "(3,)", (float[]){128, 255, 0});
    check_numbers("<i2", "\0\x80\xFE\xFF", 4, 1, SHAPE(2), "(2,)", (float[]){-32768, -2});
    check_numbers(">u2", "\x80\0\0\2", 4, 1, SHAPE(2), "(2,)", (float[]){32768, 2});
    check_numbers("<i4", "\0\0\0\x80\xFD\xFF\xFF\xFF", 8, 1, SHAPE(2), "(2,)",
                  (float[]){-0x1p31f, -3});
    check_numbers("<u4", "\0\0\0\x80", 4, 1, SHAPE(1), "(1,)", (float[]){0x1p31f});
    check_numbers("<i8", "\0\0\0\0\0\0\0\x80\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 16, 1, SHAPE(2),
                  "(2,)", (float[]){-0x1p63f, -1});
    check_numbers(">u8", "\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\7", 16, 1, SHAPE(2), "(2,)",
                  (float[]){0x1p63f, 7});
}

static void test_npy__bool_gives_a_bool_tensor(void **state)
{
    (void)state;
    check_numbers("|b1", "\0\1\1\0", 4, 2, SHAPE(2, 2), "(2, 2)", (float[]){0, 1, 1, 0});
    check_numbers("|b1", "\xFF\2", 2, 1, SHAPE(2), "(2,)", (float[]){1, 1}); /* as numpy: not 0 */
}

static void test_npy__shapes_of_all_ranks(void **state)
{
    (void)state;
    check_numbers("<f4", NUMBERS_3, 4, 0, NULL, "()", FLOATS_3);
    check_numbers("<f4", NUMBERS_3, 4, 1, SHAPE(1), "(1,)", FLOATS_3);
    check_numbers("<f4", NUMBERS_3, 12, 2, SHAPE(3, 1), "(3, 1)", FLOATS_3);
    check_numbers("<f4", NUMBERS_3, 8, 6, SHAPE(1, 1, 1, 1, 2, 1), "(1, 1, 1, 1, 2, 1)", FLOATS_3);
    check_numbers("<f4", NUMBERS_3, 0, 2, SHAPE(0, 5), "(0, 5)", FLOATS_3);
    check_numbers("<f4", NUMBERS_3, 8, 2, SHAPE(2, 1), "(2L, 1L)", FLOATS_3); /* Python 2 */
}

static void test_npy__fortran_order_is_turned(void **state)
{
    (void)state;
    /* numpy: asfortranarray(arange(24).reshape(2, 3, 4)) stores 0 12 4 16 8 20 1 13 ...: the first
     * axis runs fastest. */
    unsigned char numbers[24];
    float want[24];
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 3; j++)
            for (unsigned k = 0; k < 4; k++) {
                numbers[i + 2 * j + 6 * k] = (unsigned char)(12 * i + 4 * j + k);
                want[12 * i + 4 * j + k] = (float)(12 * i + 4 * j + k);
            }
    struct file file;
    struct tensor x;
    make_file(&file, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }\n", numbers,
              sizeof numbers);
    assert_true(parse(&file, &x, NULL));
    assert_tensor_close(&x, 3, SHAPE(2, 3, 4), want, 0);
    assert_true(tensor_is_dense(&x));
    tensor_release(&x);
    make_file(&file, 1, "{'descr': '|b1', 'fortran_order': True, 'shape': (2, 2), }\n", "\0\1\0\1",
              4);
    assert_true(parse(&file, &x, NULL));
    assert_tensor_close(&x, 2, SHAPE(2, 2), (float[]){0, 0, 1, 1}, 0);
    assert_true(x.is_bool);
    tensor_release(&x);
}

static void test_npy__versions_2_and_3(void **state)
{
    (void)state;
    struct file file;
    struct tensor x;
    for (unsigned major = 1; major <= 3; major++) {
        make_file(&file, major, HEADER_3, NUMBERS_3, 12);
        assert_true(parse(&file, &x, NULL));
        assert_tensor_close(&x, 1, SHAPE(3), FLOATS_3, 0);
        tensor_release(&x);
    }
}

static void test_npy__many_numbers_in_several_reads(void **state)
{
    (void)state;
    unsigned char numbers[3 * 2001 * 4];
    for (size_t i = 0; i < 3 * 2001; i++) { /* big-endian i */
        numbers[4 * i] = numbers[4 * i + 1] = 0;
        numbers[4 * i + 2] = (unsigned char)(i >> 8);
        numbers[4 * i + 3] = (unsigned char)(i & 0xFF);
    }
    struct file file;
    struct tensor x;
    make_file(&file, 1, "{'descr': '>u4', 'fortran_order': False, 'shape': (3, 2001)}", numbers,
              sizeof numbers);
    assert_true(parse(&file, &x, NULL));
    for (size_t i = 0; i < 3 * 2001; i++)
        assert_close(x.data[i], i, 0);
    tensor_release(&x);
}

/* ---- numbers that float32 can't hold ---- */

static void check_number_refused(const char *descr, const char *order, const char *shape,
                                 const void *numbers, size_t size, const char *says)
{
    char header[200];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr,
             order, shape);
    struct file file;
    struct tensor x = {.n_axes = 77};
    struct error error;
    make_file(&file, 1, header, numbers, size);
    assert_error(parse(&file, &x, &error), error, ERR_RANGE);
    assert_says(error, says);
    assert_int_equal(x.n_axes, 77);
}

static void test_npy__whole_numbers_must_survive_exactly(void **state)
{
    (void)state;
    /* 2^24 = 16777216, 2^24 + 2 and 2^25 are floats, 2^24 + 1 is none: it needs 25 digits. */
    check_numbers("<i8", "\0\0\0\1\0\0\0\0\2\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0", 24, 1, SHAPE(3),
                  "(3,)", (float[]){0x1p24f, 0x1.000002p24f, 0x1p25f});
    check_number_refused("<i8", "False", "(1,)", "\1\0\0\1\0\0\0\0", 8, "16777217");
    check_number_refused("<i4", "False", "(1,)", "\xFF\xFF\xFF\xFE", 4, "-16777217");
    check_number_refused("<u4", "False", "(1,)", "\xFF\xFF\xFF\xFF", 4, "4294967295");
    check_number_refused("<i8", "False", "(1,)", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 8,
                         "9223372036854775807");
    check_number_refused("<i8", "False", "()", "\1\0\0\0\0\0\0\x80", 8, "-9223372036854775807");
    check_number_refused("<u8", "False", "(1,)", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8,
                         "18446744073709551615");
}

static void test_npy__float64_beyond_float32_is_refused(void **state)
{
    (void)state;
    check_number_refused("<f8", "False", "(2,)", (double[]){1, 1e300}, 16, "1e+300");
    check_number_refused("<f8", "False", "(1,)", (double[]){-1e39}, 8, "-1e+39");
    /* Half a step above FLT_MAX: rounding to even would give infinity. */
    check_number_refused("<f8", "False", "(1,)", (double[]){0x1.ffffffp127}, 8, "3.40282e+38");
}

static void test_npy__the_place_of_a_number_is_named(void **state)
{
    (void)state;
    /* 2x3; number 4 of the file is [1, 1] in C order, and [0, 2] when the first axis runs fastest.
     */
    const double numbers[6] = {0, 0, 0, 0, 1e300, 0};
    check_number_refused("<f8", "False", "(2, 3)", numbers, sizeof numbers, "[1, 1]");
    check_number_refused("<f8", "True", "(2, 3)", numbers, sizeof numbers, "[0, 2]");
}

/* ---- headers ---- */

static void check_header_accepted(const char *header)
{
    struct file file;
    struct tensor x;
    struct error error;
    make_file(&file, 1, header, NUMBERS_3, 12);
    if (!parse(&file, &x, &error))
        fail_msg("%s", error.text);
    assert_tensor_close(&x, 1, SHAPE(3), FLOATS_3, 0);
    tensor_release(&x);
}

static void test_npy__keys_in_any_order_and_spacing(void **state)
{
    (void)state;
    check_header_accepted("{'shape': (3,), 'fortran_order': False, 'descr': '<f4', }\n");
    check_header_accepted("{'fortran_order': False, 'shape': (3,), 'descr': '<f4'}");
    check_header_accepted("{'descr':'<f4','fortran_order':False,'shape':(3,)}");
    check_header_accepted(
        " { \"descr\" : \"<f4\" ,\t'fortran_order' : False, 'shape' : ( 3 , ) , } "
        "   \r\n");
}

static void test_npy__other_dtypes_are_named(void **state)
{
    (void)state;
    check_descr_refused("'<c8'", "complex");
    check_descr_refused("'|S5'", "text");
    check_descr_refused("'<U7'", "text");
    check_descr_refused("'|O'", "objects");
    check_descr_refused("'|V8'", "records");
    check_descr_refused("'<M8[ns]'", "dates");
    check_descr_refused("'<m8[s]'", "time");
    check_descr_refused("[('a', '<f4'), ('b', '<i4')]", "records");
    check_descr_refused("'<f16'", "<f16");
    check_descr_refused("'=f4'", "=f4");
    check_descr_refused("'|f4'", "|f4"); /* four bytes have an order */
    check_descr_refused("'f4'", "f4");
    check_descr_refused("'<f3'", "<f3");
    check_descr_refused("''", "''");
    check_descr_refused("'<'", "'<'");
    check_descr_refused("'<f4\\n'", "<f4");
    check_descr_refused("'\x1B[2J'", "?[2J"); /* what is shown can't steer the terminal */
    check_descr_refused("('<f4', (2,))", "quoted");
    check_descr_refused("None", "quoted");
}

static void test_npy__headers_that_do_not_parse_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *says;
    } cases[] = {
        {"", "{"},
        {"\n", "{"},
        {"['descr']", "{"},
        {"{}", "missing"},
        {"{", "quoted"},
        {"{,}", "quoted"},
        {"{'descr': '<f4', 'shape': (1,)}", "missing"},
        {"{'descr': '<f4', 'fortran_order': False}", "missing"},
        {"{'fortran_order': False, 'shape': (1,)}", "missing"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "twice"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "key other"},
        {"{'Descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "key other"},
        {"{'desc': '<f4', 'fortran_order': False, 'shape': (1,)}", "key other"},
        {"{'descr' '<f4', 'fortran_order': False, 'shape': (1,)}", "colon"},
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", "comma"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", "comma"},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "not"},
        {"{'descr': '<f4", "not closed"},
        {"{'descr", "not closed"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "True nor False"},
        {"{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (1,)}", "comma"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "after the closing"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}}", "after the closing"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_refused(cases[i].header, ERR_FILE, cases[i].says);
}

static void test_npy__nul_bytes_after_the_header_are_refused(void **state)
{
    (void)state;
    struct file file;
    struct tensor x;
    struct error error;
    make_file(&file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}#", NUMBERS_3, 4);
    *(unsigned char *)memchr(file.bytes, '#', file.size) = '\0';
    assert_error(parse(&file, &x, &error), error, ERR_FILE);
    assert_says(error, "after the closing");
}

static void test_npy__shapes_that_are_none_are_refused(void **state)
{
    (void)state;
    check_shape_refused("1", ERR_FILE, "tuple");
    check_shape_refused("(1)", ERR_FILE, "tuple");
    check_shape_refused("[1]", ERR_FILE, "tuple");
    check_shape_refused("(,)", ERR_FILE, "whole");
    check_shape_refused("(1,,)", ERR_FILE, "whole");
    check_shape_refused("(-1,)", ERR_FILE, "whole");
    check_shape_refused("(1.0,)", ERR_FILE, "comma");
    check_shape_refused("(1 1)", ERR_FILE, "comma");
    check_shape_refused("('1',)", ERR_FILE, "whole");
    check_shape_refused("(1,", ERR_FILE, "whole");
    check_shape_refused("(0x1,)", ERR_FILE, "comma");
}

static void test_npy__shapes_over_the_limits_are_refused(void **state)
{
    (void)state;
    check_shape_refused("(1, 1, 1, 1, 1, 1, 1)", ERR_LIMIT, "6 axes");
    check_shape_refused("(1000000000, 1000000000)", ERR_LIMIT, "too many numbers");
    check_shape_refused("(4294967296, 4294967296)", ERR_LIMIT, "too many"); /* 2^64 wraps to 0 */
    check_shape_refused("(3, 6148914691236517206)", ERR_LIMIT, "too many"); /* wraps to 2 */
    check_shape_refused("(18446744073709551616,)", ERR_LIMIT, "longer");    /* 2^64 */
    check_shape_refused("(99999999999999999999999999999,)", ERR_LIMIT, "longer");
    check_shape_refused("(0, 4611686018427387904, 4611686018427387904)", ERR_LIMIT, "too many");
}

static void test_npy__promises_are_checked_before_memory_is_taken(void **state)
{
    (void)state;
    testing_fail_allocation(0);
    check_shape_refused("(16384, 16384)", ERR_FILE, "promises 1073741824 bytes");
    assert_int_equal(testing_allocations(), 0);
}

/* ---- files that are cut, stretched or something else ---- */

static void test_npy__truncation_at_every_byte_is_noticed(void **state)
{
    (void)state;
    struct file whole, cut;
    struct tensor x;
    struct error error;
    for (unsigned major = 1; major <= 3; major++) {
        make_file(&whole, major, HEADER_3, NUMBERS_3, 12);
        for (size_t size = 0; size < whole.size; size++) {
            memcpy(cut.bytes, whole.bytes, size);
            cut.size = size;
            assert_error(parse(&cut, &x, &error), error, ERR_FILE);
            assert_says(error, size == 0 ? "empty" : "truncated");
        }
    }
}

static void test_npy__bytes_after_the_numbers_are_refused(void **state)
{
    (void)state;
    struct file file;
    struct tensor x;
    struct error error;
    make_file(&file, 1, HEADER_3, "\0\0\x80\x3F\0\0\0\xC0\0\0\x20\x3E\0", 13);
    assert_error(parse(&file, &x, &error), error, ERR_FILE);
    assert_says(error, "longer than its header says");
}

static void check_bytes_refused(const void *bytes, size_t size, const char *says)
{
    struct file file = {.size = size};
    struct tensor x;
    struct error error;
    memcpy(file.bytes, bytes, size);
    assert_error(parse(&file, &x, &error), error, ERR_FILE);
    assert_says(error, says);
}

static void test_npy__other_files_are_recognised(void **state)
{
    (void)state;
    check_bytes_refused("hello", 5, "not a .npy file");
    check_bytes_refused("\x93NUMPX\1\0\0\0", 10, "not a .npy file");
    check_bytes_refused("\x94NUMPY\1\0\0\0", 10, "not a .npy file");
    check_bytes_refused("PK\3\4xxxxxxxxxxxxx", 17, ".npz");
    check_bytes_refused("\x93NUMPY\4\0\0\0\0\0", 12, "version 4.0");
    check_bytes_refused("\x93NUMPY\0\0\0\0\0\0", 12, "version 0.0");
    check_bytes_refused("\x93NUMPY\1\1\0\0\0\0", 12, "version 1.1");
    check_bytes_refused("\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12, "4294967295");
    assert_false(npy_parse(NULL, 0, "x.npy", &(struct tensor){0}, NULL));
}

static void test_npy__names_in_messages_are_printable(void **state)
{
    (void)state;
    struct tensor x;
    struct error error;
    assert_false(npy_parse((const unsigned char *)"", 0, "a\nb\x1B.npy", &x, &error));
    assert_says(error, "a?b?.npy: ");
    char name[2000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_false(npy_parse((const unsigned char *)"", 0, name, &x, &error));
    assert_says(error, "nnn...: the file is empty");
}

/* ---- real files, in a directory of the test's own ---- */

static char directory[200];

static int make_directory(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/attn-npy-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(directory) == NULL;
}

/* Counts what is in the directory; with clear, removes it. */
static int entries_of(const char *path, bool clear)
{
    DIR *dir = opendir(path);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        char full[600];
        snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
        if (clear && unlink(full) != 0)
            rmdir(full);
    }
    closedir(dir);
    return count;
}

static int clear_directory(void **state)
{
    (void)state;
    entries_of(directory, true);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

/* "directory/name"; the buffer is the caller's. */
static const char *in_directory(char path[300], const char *name)
{
    snprintf(path, 300, "%s/%s", directory, name);
    return path;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(const char *path, unsigned char *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, capacity, file);
    assert_int_equal(fclose(file), 0);
    return size;
}

static void check_load_refused(const char *path, const char *says)
{
    struct tensor x = {.n_axes = 77};
    struct error error;
    assert_error(npy_load(path, &x, &error), error, ERR_FILE);
    assert_says(error, path);
    assert_says(error, says);
    assert_int_equal(x.n_axes, 77);
}

static void test_npy__loads_a_file_and_notices_truncation(void **state)
{
    (void)state;
    char path[300];
    in_directory(path, "x.npy");
    struct file file;
    struct tensor x;
    make_file(&file, 1, HEADER_3, NUMBERS_3, 12);
    write_file(path, file.bytes, file.size);
    assert_true(npy_load(path, &x, NULL));
    assert_tensor_close(&x, 1, SHAPE(3), FLOATS_3, 0);
    tensor_release(&x);
    while (file.size-- > 1) {
        assert_int_equal(truncate(path, (off_t)file.size), 0);
        check_load_refused(path, "truncated");
    }
    assert_int_equal(truncate(path, 0), 0);
    check_load_refused(path, "empty");
}

static void test_npy__load_refuses_what_is_no_regular_file(void **state)
{
    (void)state;
    char path[300];
    check_load_refused(in_directory(path, "missing.npy"), "no such file");
    check_load_refused(directory, "is a directory");
    check_load_refused("/dev/null", "device");
    assert_int_equal(mkfifo(in_directory(path, "pipe"), 0600), 0);
    alarm(20); /* waiting for a writer would take for ever */
    check_load_refused(path, "a pipe or a device");
    alarm(0);
    write_file(in_directory(path, "file"), "x", 1);
    check_load_refused(in_directory(path, "file/x.npy"), "Not a directory");
}

static void test_npy__saved_files_load_again(void **state)
{
    (void)state;
    char path[300];
    in_directory(path, "x.npy");
    static const size_t shapes[][6] = {{1}, {5}, {0}, {2, 3}, {3, 0, 2}, {1, 2, 1, 3, 1, 2}};
    static const unsigned n_axes[] = {0, 1, 1, 2, 3, 6};
    uint64_t seed = 1;
    for (size_t i = 0; i < COUNT_OF(n_axes); i++) {
        struct tensor x = testing_random_tensor(&seed, n_axes[i], shapes[i]), back;
        if (tensor_size(&x) > 4) {
            x.data[0] = NAN;
            x.data[1] = -INFINITY;
            x.data[2] = -0.0f;
            x.data[3] = 0x1p-149f;
        }
        assert_true(npy_save(path, &x, NULL));
        assert_true(npy_load(path, &back, NULL));
        assert_true(tensor_same_shape(&x, &back));
        assert_false(back.is_bool);
        assert_memory_equal(back.data, x.data, tensor_size(&x) * sizeof(float)); /* every bit */
        tensor_release(&back);
        tensor_release(&x);
        assert_int_equal(entries_of(directory, false), 1); /* nothing but x.npy */
    }
}

static void test_npy__views_and_bools_are_saved_as_they_are_seen(void **state)
{
    (void)state;
    char path[300];
    in_directory(path, "x.npy");
    struct tensor x = testing_tensor(2, SHAPE(2, 3), (float[]){0, 1, 1, 0, 0, 1}), back;
    struct tensor turned = tensor_transpose(&x, 0, 1);
    for (int is_bool = 0; is_bool < 2; is_bool++) {
        turned.is_bool = is_bool;
        assert_true(npy_save(path, &turned, NULL));
        assert_true(npy_load(path, &back, NULL));
        assert_int_equal(back.is_bool, is_bool);
        assert_tensor_close(&back, 2, SHAPE(3, 2), (float[]){0, 0, 1, 0, 1, 1}, 0);
        tensor_release(&back);
    }
    tensor_release(&turned);
    tensor_release(&x);
}

static void test_npy__saved_bytes_are_numpys(void **state)
{
    (void)state;
    /* By the format's description: 10 bytes, then the dict, blanks and a newline up to a multiple
     * of
     * 64. The dict for (3,) is 57 characters long, so there are 128 bytes before the numbers. */
    char want[140] = "\x93NUMPY\1\0\x76\0"
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
    memset(want + 67, ' ', 60);
    want[127] = '\n';
    memcpy(want + 128, NUMBERS_3, 12);
    struct tensor x = testing_tensor(1, SHAPE(3), FLOATS_3);
    unsigned char *bytes;
    size_t size;
    assert_true(npy_format(&x, &bytes, &size, NULL));
    assert_int_equal(size, sizeof want);
    assert_memory_equal(bytes, want, sizeof want);
    free(bytes);
    tensor_release(&x);
}

static void test_npy__numpys_own_files_come_out_again_byte_for_byte(void **state)
{
    (void)state;
    /* Written by numpy 1.24: float32 of two axes, bool of two, float32 of four. */
    static const char *const names[] = {
        "torch/multihead/six_tokens_v1_seed123/x.npy",
        "torch/multihead/six_tokens_v1_seed123/W_query.weight.npy",
        "onnx/test_attention_4d_attn_mask_bool/attn_mask.npy",
        "onnx/test_attention_4d_attn_mask_bool/Q.npy",
    };
    const char *golden = getenv("ATTN_TEST_GOLDEN");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[600];
        static unsigned char want[65536];
        snprintf(path, sizeof path, "%s/%s", golden ? golden : "tests/golden", names[i]);
        size_t want_size = read_file(path, want, sizeof want), size;
        struct tensor x;
        struct error error;
        unsigned char *bytes;
        if (!npy_load(path, &x, &error))
            fail_msg("%s", error.text);
        assert_true(npy_format(&x, &bytes, &size, NULL));
        assert_int_equal(size, want_size);
        assert_memory_equal(bytes, want, size);
        free(bytes);
        tensor_release(&x);
    }
}

static void test_npy__a_file_keeps_its_permissions(void **state)
{
    (void)state;
    char path[300];
    struct stat status;
    struct tensor x = testing_tensor(1, SHAPE(3), FLOATS_3);
    mode_t mask = umask(027);
    assert_true(npy_save(in_directory(path, "x.npy"), &x, NULL));
    umask(mask);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640); /* as any new file */
    assert_int_equal(chmod(path, 0604), 0);
    assert_true(npy_save(path, &x, NULL));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0604);
    tensor_release(&x);
}

static void check_save_refused(const char *path, const char *says)
{
    struct tensor x = testing_tensor(1, SHAPE(3), FLOATS_3);
    struct error error;
    bool saved = npy_save(path, &x, &error);
    tensor_release(&x);
    assert_error(saved, error, ERR_FILE);
    assert_says(error, path);
    assert_says(error, says);
}

static void test_npy__save_replaces_only_regular_files(void **state)
{
    (void)state;
    char path[300], target[300];
    struct stat status;
    check_save_refused(directory, "is a directory");
    check_save_refused("", "No such file");
    check_save_refused(in_directory(path, "missing/x.npy"), "No such file");
    check_save_refused("/dev/null", "device");
    assert_int_equal(mkfifo(in_directory(path, "pipe"), 0600), 0);
    check_save_refused(path, "a pipe or a device");
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    in_directory(target, "target.npy");
    assert_int_equal(symlink(target, in_directory(path, "link.npy")), 0);
    check_save_refused(path, "symbolic link");
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(entries_of(directory, false), 2);
}

/* root may write anywhere; the test then goes on as somebody else for a while. */
static void become_ordinary(void)
{
    if (geteuid() == 0)
        assert_int_equal(seteuid(65534), 0);
}

static void become_root_again(void)
{
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
}

static void test_npy__unwritable_places_are_refused(void **state)
{
    (void)state;
    char path[300];
    struct error folder_error, file_error;
    struct tensor x = testing_tensor(1, SHAPE(3), FLOATS_3);
    assert_true(npy_save(in_directory(path, "kept.npy"), &x, NULL));
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(directory, 0777), 0);
    become_ordinary();
    bool file_saved = npy_save(path, &x, &file_error);
    become_root_again();
    assert_int_equal(chmod(directory, 0555), 0);
    become_ordinary();
    bool folder_saved = npy_save(in_directory(path, "new.npy"), &x, &folder_error);
    become_root_again();
    assert_int_equal(chmod(directory, 0700), 0);
    tensor_release(&x);
    assert_error(file_saved, file_error, ERR_FILE);
    assert_says(file_error, "may not be written");
    assert_error(folder_saved, folder_error, ERR_FILE);
    assert_says(folder_error, "Permission denied");
    assert_int_equal(entries_of(directory, false), 1);
}

static void test_npy__unreadable_files_are_refused(void **state)
{
    (void)state;
    char path[300];
    struct error error;
    struct tensor x;
    write_file(in_directory(path, "secret.npy"), "x", 1);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(chmod(directory, 0755), 0);
    become_ordinary();
    bool loaded = npy_load(path, &x, &error);
    become_root_again();
    assert_error(loaded, error, ERR_FILE);
    assert_says(error, "Permission denied");
}

static void test_npy__an_existing_file_survives_a_failed_save(void **state)
{
    (void)state;
    char path[300];
    struct rlimit limit;
    struct error error;
    unsigned char before[1000], after[1000];
    struct tensor x = testing_tensor(1, SHAPE(3), FLOATS_3);
    assert_true(npy_save(in_directory(path, "x.npy"), &x, NULL));
    size_t size = read_file(path, before, sizeof before);
    /* The disk is full after 130 bytes: behind the header, inside the numbers. */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){130, limit.rlim_max}), 0);
    x.data[0] = 7;
    bool saved = npy_save(path, &x, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    tensor_release(&x);
    assert_error(saved, error, ERR_FILE);
    assert_says(error, "File too large");
    assert_int_equal(read_file(path, after, sizeof after), size);
    assert_memory_equal(after, before, size);
    assert_int_equal(entries_of(directory, false), 1);
}

static void test_npy__failed_allocations_are_reported(void **state)
{
    (void)state;
    char path[300];
    struct error error;
    struct file file;
    struct tensor x, y;
    unsigned char *bytes;
    size_t size;
    make_file(&file, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2)}", "\0\1\2\3", 4);
    write_file(in_directory(path, "x.npy"), file.bytes, file.size);
    assert_reports_failed_allocations(npy_parse(file.bytes, file.size, "x", &x, &error), error);
    tensor_release(&x);
    assert_reports_failed_allocations(npy_load(path, &x, &error), error);
    y = tensor_transpose(&x, 0, 1); /* has to be copied */
    assert_reports_failed_allocations(npy_format(&y, &bytes, &size, &error), error);
    free(bytes);
    assert_reports_failed_allocations(npy_save(path, &y, &error), error);
    assert_int_equal(entries_of(directory, false), 1);
    tensor_release(&y);
    tensor_release(&x);
}

#define WITH_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, NULL, clear_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npy__float32_in_either_byte_order),
        cmocka_unit_test(test_npy__float16_with_its_subnormals),
        cmocka_unit_test(test_npy__float64_is_rounded),
        cmocka_unit_test(test_npy__infinities_and_nan_survive),
        cmocka_unit_test(test_npy__whole_numbers_of_every_width),
        cmocka_unit_test(test_npy__bool_gives_a_bool_tensor),
        cmocka_unit_test(test_npy__shapes_of_all_ranks),
        cmocka_unit_test(test_npy__fortran_order_is_turned),
        cmocka_unit_test(test_npy__versions_2_and_3),
        cmocka_unit_test(test_npy__many_numbers_in_several_reads),
        cmocka_unit_test(test_npy__whole_numbers_must_survive_exactly),
        cmocka_unit_test(test_npy__float64_beyond_float32_is_refused),
        cmocka_unit_test(test_npy__the_place_of_a_number_is_named),
        cmocka_unit_test(test_npy__keys_in_any_order_and_spacing),
        cmocka_unit_test(test_npy__other_dtypes_are_named),
        cmocka_unit_test(test_npy__headers_that_do_not_parse_are_refused),
        cmocka_unit_test(test_npy__nul_bytes_after_the_header_are_refused),
        cmocka_unit_test(test_npy__shapes_that_are_none_are_refused),
        cmocka_unit_test(test_npy__shapes_over_the_limits_are_refused),
        cmocka_unit_test(test_npy__promises_are_checked_before_memory_is_taken),
        cmocka_unit_test(test_npy__truncation_at_every_byte_is_noticed),
        cmocka_unit_test(test_npy__bytes_after_the_numbers_are_refused),
        cmocka_unit_test(test_npy__other_files_are_recognised),
        cmocka_unit_test(test_npy__names_in_messages_are_printable),
        WITH_DIRECTORY(test_npy__loads_a_file_and_notices_truncation),
        WITH_DIRECTORY(test_npy__load_refuses_what_is_no_regular_file),
        WITH_DIRECTORY(test_npy__saved_files_load_again),
        WITH_DIRECTORY(test_npy__views_and_bools_are_saved_as_they_are_seen),
        cmocka_unit_test(test_npy__saved_bytes_are_numpys),
        cmocka_unit_test(test_npy__numpys_own_files_come_out_again_byte_for_byte),
        WITH_DIRECTORY(test_npy__a_file_keeps_its_permissions),
        WITH_DIRECTORY(test_npy__save_replaces_only_regular_files),
        WITH_DIRECTORY(test_npy__unwritable_places_are_refused),
        WITH_DIRECTORY(test_npy__unreadable_files_are_refused),
        WITH_DIRECTORY(test_npy__an_existing_file_survives_a_failed_save),
        WITH_DIRECTORY(test_npy__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("npy", tests, make_directory, remove_directory);
}
