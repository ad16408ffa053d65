/* Reading and writing numpy's .npy files: see npy.h.
 *
 * A file is a magic word, a version, the size of a header, the header (a Python dict in ASCII that
 * tells dtype, order and shape) and the plain numbers. All sizes are checked against each other
 * before memory is asked for, so a file of a few bytes can't make attn allocate gigabytes.
 * Source: numpy/lib/format.py, "NPY format". */
#include "files/npy.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "files/file.h"
#include "files/float_bits_internal.h"
#include "tensor/tensor.h"

#define MAGIC "\x93NUMPY"

enum {
    MAGIC_SIZE = sizeof MAGIC - 1,
    HEADER_MAX = 10000,   /* numpy refuses longer ones too: only records of many fields need them */
    HEADER_ALIGN = 64,    /* numpy starts the numbers at a multiple of this */
    CHUNK_SIZE = 8192,    /* bytes read at once; a multiple of every dtype's width */
    NAME_MAX_SHOWN = 160, /* of a file's name in a message */
};

/* The numbers of a file. */
struct dtype {
    char code[3];   /* numpy's kind and width, such as f4 */
    unsigned width; /* bytes */
    /* Makes a float of a number's bytes, which come as a little-endian whole number. False when
     * float32 can't hold it. */
    bool (*convert)(uint64_t bits, unsigned width, float *ret);
};

struct npy_header {
    const struct dtype *dtype;
    bool big_endian;
    bool fortran_order; /* the first axis runs fastest */
    unsigned n_axes;
    size_t shape[TENSOR_MAX_AXES];
};

/* Where bytes come from: memory, or an open file. */
struct npy_input {
    const char *name;           /* for messages, printable */
    const unsigned char *bytes; /* NULL when they come from fd */
    int fd;
    size_t size; /* bytes in all */
    size_t at;   /* of them read so far */
};

/* ---- numbers ---- */

/* Whole numbers fit when at most 24 bits lie between their first and their last 1. */
static bool convert_whole(uint64_t magnitude, bool negative, float *ret)
{
    uint64_t digits = magnitude;
    while (digits > 0 && digits % 2 == 0)
        digits /= 2;
    if (digits >> 24)
        return false;
    *ret = negative ? -(float)magnitude : (float)magnitude;
    return true;
}

static bool is_negative(uint64_t bits, unsigned width)
{
    return bits >> (8 * width - 1) & 1;
}

/* |x| of a number in two's complement. */
static uint64_t magnitude_of(uint64_t bits, unsigned width)
{
    uint64_t mask = UINT64_MAX >> (64 - 8 * width);
    return is_negative(bits, width) ? (0 - bits) & mask : bits;
}

static bool convert_signed(uint64_t bits, unsigned width, float *ret)
{
    return convert_whole(magnitude_of(bits, width), is_negative(bits, width), ret);
}

static bool convert_unsigned(uint64_t bits, unsigned width, float *ret)
{
    (void)width;
    return convert_whole(bits, false, ret);
}

static bool convert_bool(uint64_t bits, unsigned width, float *ret)
{
    (void)width;
    *ret = bits != 0;
    return true;
}

static bool convert_half(uint64_t bits, unsigned width, float *ret)
{
    (void)width;
    *ret = float_from_half((uint16_t)bits);
    return true;
}

static bool convert_float(uint64_t bits, unsigned width, float *ret)
{
    (void)width;
    uint32_t word = (uint32_t)bits;
    memcpy(ret, &word, sizeof *ret);
    return true;
}

static bool convert_double(uint64_t bits, unsigned width, float *ret)
{
    (void)width;
    return float_from_double(double_of(bits), ret);
}

static const struct dtype dtypes[] = {
    {"b1", 1, convert_bool},     {"i1", 1, convert_signed},   {"i2", 2, convert_signed},
    {"i4", 4, convert_signed},   {"i8", 8, convert_signed},   {"u1", 1, convert_unsigned},
    {"u2", 2, convert_unsigned}, {"u4", 4, convert_unsigned}, {"u8", 8, convert_unsigned},
    {"f2", 2, convert_half},     {"f4", 4, convert_float},    {"f8", 8, convert_double},
};

/* numpy's other kinds, by their letter, in words for the message that refuses them. */
static const struct {
    char letter;
    const char *holds;
} refused_kinds[] = {
    {'c', "complex numbers"}, {'S', "text"},    {'a', "text"},  {'U', "text"},
    {'O', "Python objects"},  {'V', "records"}, {'M', "dates"}, {'m', "time spans"},
};

/* ---- the header's text ---- */

struct npy_reader {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    struct error *reterr;
};

static bool bad_header(const struct npy_reader *reader, const char *why)
{
    return error_set(reader->reterr, ERR_FILE,
                     "%s: its header does not parse: %s; write the file again with numpy.save",
                     reader->name, why);
}

static void skip_blanks(struct npy_reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at != '\0')
        reader->at++;
}

/* Takes the word if it comes next, after blanks. */
static bool accept(struct npy_reader *reader, const char *word)
{
    skip_blanks(reader);
    size_t size = strlen(word);
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0)
        return false;
    reader->at += size;
    return true;
}

/* A Python string without escapes: names and dtypes never need one. */
static bool read_string(struct npy_reader *reader, const char **ret, size_t *ret_size)
{
    char quote[2] = "'";
    if (!accept(reader, quote)) {
        quote[0] = '"';
        if (!accept(reader, quote))
            return bad_header(reader, "a quoted text is missing");
    }
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at != quote[0])
        reader->at++;
    if (reader->at == reader->end)
        return bad_header(reader, "a quotation mark is not closed");
    *ret = start;
    *ret_size = (size_t)(reader->at++ - start);
    return true;
}

static bool refuse_dtype(const struct npy_reader *reader, const char *text, size_t size)
{
    const char *holds = "numbers of a kind attn does not know";
    for (size_t i = 0; size > 1 && i < COUNT_OF(refused_kinds); i++)
        if (text[1] == refused_kinds[i].letter)
            holds = refused_kinds[i].holds;
    char shown[32];
    return error_set(reader->reterr, ERR_FILE,
                     "%s: it holds %s (dtype '%s'), and attn reads bool, whole numbers and floats "
                     "of up to 64 bits; in numpy, save x.astype('float32')",
                     reader->name, holds, error_quote(shown, sizeof shown, text, size));
}

/* descr: the byte order, then kind and width, such as <f4. */
static bool read_dtype(struct npy_reader *reader, struct npy_header *header)
{
    if (accept(reader, "["))
        return error_set(reader->reterr, ERR_FILE,
                         "%s: it holds records (a dtype with named fields), not plain numbers; in "
                         "numpy, save one field: x['name']",
                         reader->name);
    const char *text;
    size_t size;
    if (!read_string(reader, &text, &size))
        return false;
    for (size_t i = 0; size == 3 && i < COUNT_OF(dtypes); i++) {
        const struct dtype *dtype = &dtypes[i];
        bool ordered = text[0] == '<' || text[0] == '>' || (text[0] == '|' && dtype->width == 1);
        if (!ordered || memcmp(text + 1, dtype->code, 2) != 0)
            continue;
        header->dtype = dtype;
        header->big_endian = text[0] == '>';
        return true;
    }
    return refuse_dtype(reader, text, size);
}

static bool read_order(struct npy_reader *reader, struct npy_header *header)
{
    header->fortran_order = accept(reader, "True");
    return header->fortran_order || accept(reader, "False") ||
           bad_header(reader, "fortran_order is neither True nor False");
}

static bool too_large(const char *name, const char *why, struct error *reterr)
{
    return error_set(reterr, ERR_LIMIT,
                     "%s: %s; attn holds at most %d axes and %zu numbers in one tensor: save a "
                     "part of it",
                     name, why, TENSOR_MAX_AXES, (size_t)TENSOR_MAX_SIZE);
}

static bool is_digit(const struct npy_reader *reader)
{
    return reader->at < reader->end && text_is_digit(*reader->at);
}

static bool read_length(struct npy_reader *reader, size_t *ret)
{
    skip_blanks(reader);
    if (!is_digit(reader))
        return bad_header(reader, "the shape has something other than whole numbers");
    size_t length = 0;
    for (; is_digit(reader); reader->at++) {
        size_t digit = (size_t)(*reader->at - '0');
        if (length > (SIZE_MAX - digit) / 10)
            return too_large(reader->name, "an axis is longer than any memory", reader->reterr);
        length = length * 10 + digit;
    }
    if (reader->at < reader->end && *reader->at == 'L')
        reader->at++; /* numpy on Python 2 wrote (3L, 3L) */
    *ret = length;
    return true;
}

/* shape: a tuple, (), (5,) or (3, 3). */
static bool read_shape(struct npy_reader *reader, struct npy_header *header)
{
    if (!accept(reader, "("))
        return bad_header(reader, "the shape is not a tuple");
    header->n_axes = 0;
    bool comma = true;
    while (!accept(reader, ")")) {
        size_t length = 0;
        if (!comma)
            return bad_header(reader, "a comma or ) is missing in the shape");
        if (!read_length(reader, &length))
            return false;
        if (header->n_axes == TENSOR_MAX_AXES)
            return too_large(reader->name, "it has too many axes", reader->reterr);
        header->shape[header->n_axes++] = length;
        comma = accept(reader, ",");
    }
    if (header->n_axes == 1 && !comma)
        return bad_header(reader, "the shape is a number in brackets, not a tuple");
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct npy_reader *reader, struct npy_header *header);
} keys[] = {{"descr", read_dtype}, {"fortran_order", read_order}, {"shape", read_shape}};

enum { N_KEYS = COUNT_OF(keys) };

/* One key: value of the dict. *seen has a bit for each key read so far. */
static bool read_entry(struct npy_reader *reader, struct npy_header *header, unsigned *seen)
{
    const char *text;
    size_t size;
    if (!read_string(reader, &text, &size))
        return false;
    unsigned key = 0;
    while (key < N_KEYS && (strlen(keys[key].name) != size || memcmp(keys[key].name, text, size)))
        key++;
    if (key == N_KEYS)
        return bad_header(reader, "a key other than descr, fortran_order and shape");
    if (*seen >> key & 1U)
        return bad_header(reader, "a key appears twice");
    *seen |= 1U << key;
    if (!accept(reader, ":"))
        return bad_header(reader, "a colon is missing");
    return keys[key].read(reader, header);
}

static bool read_dict(struct npy_reader *reader, struct npy_header *header)
{
    if (!accept(reader, "{"))
        return bad_header(reader, "it does not begin with {");
    unsigned seen = 0;
    bool comma = true;
    while (!accept(reader, "}")) {
        if (!comma)
            return bad_header(reader, "a comma or } is missing");
        if (!read_entry(reader, header, &seen))
            return false;
        comma = accept(reader, ",");
    }
    skip_blanks(reader);
    if (reader->at != reader->end)
        return bad_header(reader, "there is more after the closing }");
    if (seen != (1U << N_KEYS) - 1)
        return bad_header(reader, "descr, fortran_order or shape is missing");
    return true;
}

/* ---- bytes ---- */

static bool input_cut_short(const struct npy_input *input, const char *what, struct error *reterr)
{
    return error_set(reterr, ERR_FILE,
                     "%s: truncated: it ends inside its %s, after %zu bytes; copy or save it again",
                     input->name, what, input->size);
}

/* Reads the next bytes, which belong to the file's `what`. */
static bool input_read(struct npy_input *input, void *dst, size_t size, const char *what,
                       struct error *reterr)
{
    if (size > input->size - input->at)
        return input_cut_short(input, what, reterr);
    if (input->bytes != NULL)
        memcpy(dst, input->bytes + input->at, size);
    else if (file_read_at(input->fd, input->at, dst, size) < size)
        return errno == 0 ? input_cut_short(input, what, reterr) /* it shrank meanwhile */
                          : error_set(reterr, ERR_FILE, "%s: can't be read: %s", input->name,
                                      strerror(errno));
    input->at += size;
    return true;
}

static bool check_magic(const struct npy_input *input, const unsigned char *start, size_t size,
                        struct error *reterr)
{
    if (size == 0)
        return error_set(reterr, ERR_FILE, "%s: the file is empty; save it again", input->name);
    if (memcmp(start, MAGIC, size < MAGIC_SIZE ? size : MAGIC_SIZE) == 0)
        return true;
    if (size >= 4 && memcmp(start, "PK\3\4", 4) == 0)
        return error_set(reterr, ERR_FILE,
                         "%s: this is a zip archive, perhaps an .npz file; unzip it and load one "
                         "of its .npy files",
                         input->name);
    return error_set(reterr, ERR_FILE,
                     "%s: not a .npy file: it does not begin with \\x93NUMPY; numpy.save writes "
                     "such files",
                     input->name);
}

/* Magic, version, and the size of the header: 2 bytes of it in version 1.0, 4 in 2.0 and 3.0. */
static bool read_preamble(struct npy_input *input, size_t *ret_header_size, struct error *reterr)
{
    unsigned char start[MAGIC_SIZE + 2], size[4] = {0};
    size_t n = input->size < MAGIC_SIZE ? input->size : MAGIC_SIZE;
    if (!input_read(input, start, n, "first bytes", reterr) ||
        !check_magic(input, start, n, reterr) ||
        !input_read(input, start + n, sizeof start - n, "first bytes", reterr))
        return false;
    unsigned major = start[MAGIC_SIZE], minor = start[MAGIC_SIZE + 1];
    if (major < 1 || major > 3 || minor != 0)
        return error_set(reterr, ERR_FILE,
                         "%s: .npy format version %u.%u; attn reads 1.0, 2.0 and 3.0", input->name,
                         major, minor);
    if (!input_read(input, size, major == 1 ? 2 : 4, "first bytes", reterr))
        return false;
    *ret_header_size =
        size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
    return true;
}

static bool read_header(struct npy_input *input, struct npy_header *header, struct error *reterr)
{
    char text[HEADER_MAX];
    size_t size = 0;
    if (!read_preamble(input, &size, reterr))
        return false;
    if (size > sizeof text)
        return error_set(reterr, ERR_FILE,
                         "%s: its header claims %zu bytes, and attn reads at most %zu; plain "
                         "numbers need about 118",
                         input->name, size, sizeof text);
    if (!input_read(input, text, size, "header", reterr))
        return false;
    struct npy_reader reader = {input->name, text, text + size, reterr};
    return read_dict(&reader, header);
}

/* How many numbers the header promises, when a tensor can hold them. An axis of 0 does not excuse
 * the others. */
static bool count_numbers(const struct npy_input *input, const struct npy_header *header,
                          size_t *ret, struct error *reterr)
{
    size_t count = 1;
    bool empty = false;
    for (unsigned axis = 0; axis < header->n_axes; axis++) {
        size_t length = header->shape[axis];
        empty = empty || length == 0;
        if (length > 0 && count > TENSOR_MAX_SIZE / length)
            return too_large(input->name, "it has too many numbers", reterr);
        count *= length > 0 ? length : 1;
    }
    *ret = empty ? 0 : count;
    return true;
}

/* The numbers fill the rest of the file, neither more nor less. */
static bool check_rest(const struct npy_input *input, const struct npy_header *header, size_t count,
                       struct error *reterr)
{
    size_t promised = count * header->dtype->width; /* at most TENSOR_MAX_SIZE numbers of 8 */
    size_t rest = input->size - input->at;
    if (rest == promised)
        return true;
    return error_set(reterr, ERR_FILE,
                     "%s: %s: the header promises %zu bytes of numbers, and there are %zu; copy or "
                     "save it again",
                     input->name, rest < promised ? "truncated" : "longer than its header says",
                     promised, rest);
}

/* ---- reading and converting the numbers ---- */

static uint64_t bits_of(const unsigned char *bytes, unsigned width, bool big_endian)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < width; i++)
        bits = bits << 8 | bytes[big_endian ? i : width - 1 - i];
    return bits;
}

/* `raw` has its axes in the file's order, so a Fortran file's are turned around. */
static bool does_not_fit(const struct npy_input *input, const struct npy_header *header,
                         const struct tensor *raw, size_t position, uint64_t bits,
                         struct error *reterr)
{
    char number[32], place[TENSOR_MAX_AXES * 24] = "";
    size_t index[TENSOR_MAX_AXES], used = 0;
    tensor_index_of(raw, position, index);
    for (unsigned axis = 0; axis < raw->n_axes; axis++)
        used += (size_t)snprintf(place + used, sizeof place - used, axis ? ", %zu" : "%zu",
                                 index[header->fortran_order ? raw->n_axes - 1 - axis : axis]);
    if (header->dtype->code[0] == 'f')
        snprintf(number, sizeof number, "%g", double_of(bits));
    else if (header->dtype->code[0] == 'i' && is_negative(bits, header->dtype->width))
        snprintf(number, sizeof number, "-%" PRIu64, magnitude_of(bits, header->dtype->width));
    else
        snprintf(number, sizeof number, "%" PRIu64, bits);
    return error_set(reterr, ERR_RANGE,
                     "%s: the number at [%s] is %s, which float32 can't hold%s; scale the numbers "
                     "before saving them",
                     input->name, place, number, header->dtype->code[0] == 'f' ? "" : " exactly");
}

static bool read_numbers(struct npy_input *input, const struct npy_header *header,
                         struct tensor *raw, struct error *reterr)
{
    unsigned char chunk[CHUNK_SIZE];
    unsigned width = header->dtype->width;
    size_t count = tensor_size(raw);
    for (size_t done = 0; done < count;) {
        size_t n = count - done < CHUNK_SIZE / width ? count - done : CHUNK_SIZE / width;
        if (!input_read(input, chunk, n * width, "numbers", reterr))
            return false;
        for (size_t i = 0; i < n; i++) {
            uint64_t bits = bits_of(chunk + i * width, width, header->big_endian);
            if (!header->dtype->convert(bits, width, &raw->data[done + i]))
                return does_not_fit(input, header, raw, done + i, bits, reterr);
        }
        done += n;
    }
    return true;
}

/* A dense tensor whose axes are those of raw, turned around. */
static bool turn_axes(const struct tensor *raw, struct tensor *ret, struct error *reterr)
{
    unsigned order[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < raw->n_axes; axis++)
        order[axis] = raw->n_axes - 1 - axis;
    struct tensor view = {0};
    bool ok = tensor_permute(raw, order, &view, reterr) && tensor_dense(&view, ret, reterr);
    tensor_release(&view);
    return ok;
}

static bool read_tensor(struct npy_input *input, struct tensor *ret, struct error *reterr)
{
    struct npy_header header = {0};
    struct tensor raw = {0};
    size_t count = 0, shape[TENSOR_MAX_AXES];
    if (!read_header(input, &header, reterr) || !count_numbers(input, &header, &count, reterr) ||
        !check_rest(input, &header, count, reterr))
        return false;
    for (unsigned axis = 0; axis < header.n_axes; axis++)
        shape[axis] = header.shape[header.fortran_order ? header.n_axes - 1 - axis : axis];
    bool ok = tensor_zeros(header.n_axes, shape, &raw, reterr);
    raw.is_bool = header.dtype->code[0] == 'b';
    ok = ok && read_numbers(input, &header, &raw, reterr);
    if (ok && header.fortran_order)
        ok = turn_axes(&raw, ret, reterr);
    else if (ok)
        *ret = tensor_share(&raw);
    tensor_release(&raw);
    return ok;
}

/* ---- writing ---- */

/* The header's text, padded so that the numbers start at a multiple of HEADER_ALIGN. Six axes of
 * 20 digits need 206 bytes. Returns how many bytes come before the numbers. */
static size_t write_header(const struct tensor *x, unsigned char start[4 * HEADER_ALIGN])
{
    enum { PREAMBLE_SIZE = MAGIC_SIZE + 4 };
    char *text = (char *)start + PREAMBLE_SIZE;
    size_t capacity = 4 * HEADER_ALIGN - PREAMBLE_SIZE;
    size_t used =
        (size_t)snprintf(text, capacity, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                         x->is_bool ? "|b1" : "<f4");
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        used +=
            (size_t)snprintf(text + used, capacity - used, axis ? ", %zu" : "%zu", x->shape[axis]);
    used += (size_t)snprintf(text + used, capacity - used, x->n_axes == 1 ? ",), }" : "), }");
    size_t size = (PREAMBLE_SIZE + used + 1 + HEADER_ALIGN - 1) / HEADER_ALIGN * HEADER_ALIGN;
    memset(text + used, ' ', size - PREAMBLE_SIZE - used);
    start[size - 1] = '\n';
    memcpy(start, MAGIC "\1", MAGIC_SIZE + 2); /* and the 0 of version 1.0 */
    start[MAGIC_SIZE + 2] = (unsigned char)((size - PREAMBLE_SIZE) & 0xFF);
    start[MAGIC_SIZE + 3] = (unsigned char)((size - PREAMBLE_SIZE) >> 8);
    return size;
}

static void write_numbers(const struct tensor *dense, unsigned char *bytes)
{
    size_t count = tensor_size(dense);
    for (size_t i = 0; i < count; i++) {
        if (dense->is_bool) {
            bytes[i] = dense->data[i] != 0;
            continue;
        }
        uint32_t word;
        memcpy(&word, &dense->data[i], sizeof word);
        for (unsigned byte = 0; byte < 4; byte++)
            bytes[4 * i + byte] = (unsigned char)(word >> 8 * byte);
    }
}

/* ---- the public functions ---- */

bool npy_load(const char *path, struct tensor *ret, struct error *reterr)
{
    char name[NAME_MAX_SHOWN];
    error_quote(name, sizeof name, path, strlen(path));
    int fd;
    size_t size;
    if (!file_open_regular(path, name, &fd, &size, reterr))
        return false;
    struct npy_input input = {.name = name, .fd = fd, .size = size};
    bool ok = read_tensor(&input, ret, reterr);
    close(fd);
    return ok;
}

bool npy_parse(const unsigned char *bytes, size_t size, const char *name, struct tensor *ret,
               struct error *reterr)
{
    char shown[NAME_MAX_SHOWN];
    error_quote(shown, sizeof shown, name, strlen(name));
    static const unsigned char none[1];
    struct npy_input input = {
        .name = shown, .bytes = size > 0 ? bytes : none, .fd = -1, .size = size};
    return read_tensor(&input, ret, reterr);
}

bool npy_format(const struct tensor *x, unsigned char **ret_bytes, size_t *ret_size,
                struct error *reterr)
{
    unsigned char start[4 * HEADER_ALIGN];
    size_t header_size = write_header(x, start);
    size_t size = header_size + tensor_size(x) * (x->is_bool ? 1 : 4);
    struct tensor dense;
    if (!tensor_dense(x, &dense, reterr))
        return false;
    unsigned char *bytes = malloc(size);
    if (bytes != NULL) {
        memcpy(bytes, start, header_size);
        write_numbers(&dense, bytes + header_size);
        *ret_bytes = bytes;
        *ret_size = size;
    }
    tensor_release(&dense);
    return bytes != NULL || error_memory(reterr, "writing a .npy file");
}

bool npy_save(const char *path, const struct tensor *x, struct error *reterr)
{
    char name[NAME_MAX_SHOWN];
    error_quote(name, sizeof name, path, strlen(path));
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!file_may_be_replaced(path, name, reterr) || !npy_format(x, &bytes, &size, reterr))
        return false;
    bool ok = file_replace(path, bytes, size, 0666);
    if (!ok)
        error_set(reterr, ERR_FILE, "%s: can't be saved: %s", name, strerror(errno));
    free(bytes);
    return ok;
}
