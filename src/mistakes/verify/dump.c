/* Dumps: packed matrices, the report, and layers: see verify.h and dump_internal.h. */
#include "verify/dump_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "verify/difference_internal.h"
#include "verify/verify_internal.h"

/* Multiplications that the search for a mistake may take in all readings. */
static const double SEARCH_MAX_WORK = 5e9;

/* ---- matrices that are kept as one ---- */

/* Names of the query's, key's and value's matrices in one, one below or beside the other. */
static const struct packed {
    const char *name;
    const char *parts[3];
} packed[] = {
    {"in_proj_weight", {"w_q", "w_k", "w_v"}},  {"in_proj_bias", {"b_q", "b_k", "b_v"}},
    {"c_attn_weight", {"w_q", "w_k", "w_v"}},   {"c_attn_bias", {"b_q", "b_k", "b_v"}},
    {"qkv_weight", {"w_q", "w_k", "w_v"}},      {"qkv_bias", {"b_q", "b_k", "b_v"}},
    {"qkv_proj_weight", {"w_q", "w_k", "w_v"}}, {"qkv_proj_bias", {"b_q", "b_k", "b_v"}},
    {"w_qkv", {"w_q", "w_k", "w_v"}},           {"b_qkv", {"b_q", "b_k", "b_v"}},
    {"w_qkv_weight", {"w_q", "w_k", "w_v"}},    {"to_qkv_weight", {"w_q", "w_k", "w_v"}},
};

/* The axis along which three parts lie; x->n_axes: none. */
static unsigned packed_axis(const struct tensor *x)
{
    if (x->n_axes == 1 && x->shape[0] % 3 == 0)
        return 0;
    if (x->n_axes != 2)
        return x->n_axes;
    return x->shape[0] == 3 * x->shape[1]   ? 0
           : x->shape[1] == 3 * x->shape[0] ? 1
           : x->shape[0] % 3 == 0           ? 0
           : x->shape[1] % 3 == 0           ? 1
                                            : x->n_axes;
}

/* Adds the three parts of an array to *ret. */
static bool add_parts(const struct named_array *array, const struct packed *names, unsigned axis,
                      struct arrays *ret, struct error *reterr)
{
    size_t n = array->numbers.shape[axis] / 3;
    for (size_t i = 0; i < 3; i++) {
        struct text name = {0};
        struct named_array *part = &ret->items[ret->n];
        text_format(&name, "%s_%s", array->name, names->parts[i]);
        part->name = strdup(text_string(&name));
        part->bits = array->bits;
        bool ok = !name.failed && part->name != NULL;
        text_release(&name);
        if (!ok)
            return error_memory(reterr, "an array");
        ret->n++;
        if (!tensor_slice(&array->numbers, axis, i * n, n, 1, &part->numbers, reterr))
            return false;
    }
    return true;
}

/* The arrays that hold numbers, with packed matrices taken apart: NAME_w_q and so on. Release
 * *ret. */
static bool unpack(const struct arrays *arrays, struct arrays *ret, struct error *reterr)
{
    enum { PARTS = 3 };
    ret->n = 0;
    ret->items = calloc(PARTS * arrays->n + 1, sizeof *ret->items);
    if (ret->items == NULL)
        return error_memory(reterr, "arrays");
    for (size_t i = 0; i < arrays->n; i++) {
        const struct named_array *array = &arrays->items[i];
        if (tensor_size(&array->numbers) == 0)
            continue;
        const struct packed *found = NULL;
        char plain[ROLES_NAME_BYTES];
        unsigned axis = packed_axis(&array->numbers);
        roles_plain_name(array->name, plain);
        for (size_t k = 0; k < COUNT_OF(packed) && found == NULL; k++) {
            char *one = (char *)(uintptr_t)packed[k].name;
            const struct reference_names names = {&one, 1};
            found = roles_name_fits(&names, plain) ? &packed[k] : NULL;
        }
        if (found != NULL && axis < array->numbers.n_axes) {
            if (!add_parts(array, found, axis, ret, reterr))
                return false;
            continue;
        }
        struct named_array *copy = &ret->items[ret->n];
        copy->name = strdup(array->name);
        if (copy->name == NULL)
            return error_memory(reterr, "an array");
        copy->numbers = tensor_share(&array->numbers);
        copy->bits = array->bits;
        ret->n++;
    }
    return true;
}

/* ---- the report ---- */

static const char *array_name(const struct dump *dump, size_t array)
{
    return dump->arrays->items[array].name;
}

/* "multi-head attention: x is hidden, w_q is q_proj.weight (out, in), ..." */
static void report_reading(struct verify_report *report, const struct dump *dump,
                           const struct reading *reading)
{
    const struct casting *casting = reading->casting;
    const struct reference *reference = casting->reference;
    struct text text = {0};
    bool turns = false;
    unsigned n = 0;
    text_put(&text, reference->title);
    for (unsigned i = 0; i < reference->n_roles; i++) {
        if (casting->array_of[i] < 0)
            continue;
        if (strcmp(reference->roles[i].name, array_name(dump, (size_t)casting->array_of[i])) != 0)
            text_format(&text, "%s%s is %s", n++ > 0 ? ", " : ": ", reference->roles[i].name,
                        array_name(dump, (size_t)casting->array_of[i]));
        turns = turns || (reference->roles[i].turns &&
                          dump->arrays->items[casting->array_of[i]].numbers.n_axes == 2);
    }
    text_put(&text, ".");
    if (turns)
        text_format(&text, " The matrices are %s.",
                    casting->turned ? "(out, in), as torch keeps them" : "(in, out)");
    if (reading->n_heads > 0 && (reading->n_right > 0 || !reading->guessed_heads))
        text_format(&text, " There %s %zu head%s%s.", reading->n_heads == 1 ? "is" : "are",
                    reading->n_heads, reading->n_heads == 1 ? "" : "s",
                    reading->guessed_heads ? ", which was found by trying" : "");
    if (reference_names_have(&reference->flags, "causal"))
        text_put(&text, reading_has_flag(reading, "causal")   ? " It is causal."
                        : reading_role(dump, reading, "mask") ? ""
                                                              : " Nothing is hidden.");
    if (reference_names_have(&reference->flags, "interleaved"))
        text_put(&text, reading_has_flag(reading, "interleaved")
                            ? " Neighbours are turned as pairs."
                            : " The two halves are turned as pairs, as Llama does.");
    if (reading_has_flag(reading, "shifted"))
        text_put(&text, " Position i is compared with the label of position i + 1.");
    if (reading_has_flag(reading, "rotated"))
        text_format(&text, " Queries and keys are turned (RoPE), %s.",
                    reading_has_flag(reading, "pairs") ? "neighbours as pairs"
                                                       : "the two halves as pairs");
    if (reading->mask_turned)
        text_put(&text, " True in the mask hides a key.");
    verify_remark(report, "%s", text_string(&text));
    verify_end_text(report, &text);
}

/* "weights (attn)" */
static void name_result(const struct dump *dump, const struct reading *reading,
                        const struct dump_result *result, struct text *out)
{
    const char *step = reading->casting->reference->results[result->row].step;
    const char *array = array_name(dump, result->array);
    if (strcmp(step, array) == 0)
        text_put(out, step);
    else
        text_format(out, "%s (%s)", array, step);
}

/* Names of the axes of a result, in the singular. */
static void name_axes(const struct reading *reading, const struct dump_result *result,
                      const char *axes[TENSOR_MAX_AXES])
{
    unsigned n = result->got.n_axes;
    const char *step = reading->casting->reference->results[result->row].step;
    bool of_keys = strcmp(step, "scores") == 0 || strcmp(step, "scaled") == 0 ||
                   strcmp(step, "masked") == 0 || strcmp(step, "weights") == 0;
    bool is_attention = casting_size(reading->casting, "n_q") > 0;
    for (unsigned i = 0; i < n; i++)
        axes[i] = i + 1 == n   ? (of_keys ? "key" : "column")
                  : i + 2 == n ? (is_attention ? (of_keys ? "query" : "row") : "row")
                  : i + 3 == n && is_attention && n > 3                           ? "head"
                  : i + 3 == n && is_attention && reading->n_heads > 0 && of_keys ? "head"
                                                                                  : "batch";
}

static void write_index(const struct tensor *x, size_t position, struct text *out)
{
    size_t index[TENSOR_MAX_AXES];
    if (x->n_axes == 0)
        return;
    tensor_index_of(x, position, index);
    for (unsigned i = 0; i < x->n_axes; i++)
        text_format(out, "%s%zu", i == 0 ? "[" : ", ", index[i]);
    text_put(out, "]");
}

static void report_numbers(struct verify_report *report, const struct dump *dump,
                           const struct reading *reading, const struct dump_result *result)
{
    struct difference off = difference_of(&result->got, &result->want, result->tolerance);
    struct text text = {0};
    name_result(dump, reading, result, &text);
    if (off.n_wrong == 0) {
        verify_passed(report, "%s%s: the largest difference is %.2g (allowed: %.2g)",
                      text_string(&text),
                      result->is_from_wrong ? ", given what stands before it" : "", off.largest,
                      result->tolerance);
    } else {
        write_index(&result->got, off.first, &text);
        verify_failed(report, "%s is %.6g, and must be %.6g; %zu of %zu numbers differ",
                      text_string(&text), (double)tensor_at_position(&result->got, off.first),
                      (double)tensor_at_position(&result->want, off.first), off.n_wrong, off.n);
    }
    verify_end_text(report, &text);
}

/* Arrays that no line speaks of. */
static void report_rest(struct verify_report *report, const struct dump *dump,
                        const struct reading *reading, const struct dump_results *results)
{
    struct text text = {0};
    unsigned n = 0;
    for (size_t i = 0; i < dump->arrays->n; i++) {
        char shape[TENSOR_SHAPE_TEXT];
        bool used = reading_casts(reading->casting, i);
        for (unsigned k = 0; k < results->n; k++)
            used = used || results->items[k].array == i;
        if (!used)
            text_format(&text, "%s%s (%s)", n++ > 0 ? ", " : "", array_name(dump, i),
                        tensor_shape_text(&dump->arrays->items[i].numbers, shape));
    }
    if (n > 0)
        verify_remark(report,
                      "Not compared, as nothing in the formula has this name and shape: %s.",
                      text_string(&text));
    verify_end_text(report, &text);
}

static void report_lines(struct verify_report *report, const char *lines)
{
    while (*lines != '\0') {
        size_t size = strcspn(lines, "\n");
        verify_advise(report, "%.*s", (int)size, lines);
        lines += size + (lines[size] == '\n');
    }
}

static void report_finding(struct verify_report *report, const struct question_finding *finding)
{
    verify_advise(report, "This is what comes out when %s%s", text_string(&finding->when),
                  finding->steps.size > 0 ? ":" : ".");
    report_lines(report, text_string(&finding->steps));
    for (const char *at = text_string(&finding->also); *at != '\0';) {
        size_t size = strcspn(at, "\n");
        verify_advise(
            report,
            "The same numbers come out when %.*s. With these sizes nothing tells the two "
            "apart; give a file in which no two sizes are equal, nor a size another's root.",
            (int)size, at);
        at += size + (at[size] == '\n');
    }
}

static bool report_difference(struct verify_report *report, const struct dump *dump,
                              const struct reading *reading, const struct dump_result *result)
{
    const char *axes[TENSOR_MAX_AXES];
    struct text text = {0};
    name_axes(reading, result, axes);
    bool ok = difference_describe(&result->got, &result->want, result->tolerance, axes, &text,
                                  dump->reterr);
    if (ok)
        verify_advise(report, "No known mistake gives just these numbers.%s%s",
                      text.size > 0 ? " " : "", text_string(&text));
    verify_end_text(report, &text);
    return ok;
}

/* What a result must be if the wrong ones before it are taken as they stand. */
static bool compare_again(const struct dump *dump, const struct reading *reading,
                          const struct given_step *given, size_t n_given,
                          struct dump_result *result)
{
    struct question question;
    struct error error = {.kind = ERR_NONE};
    struct text target = {0};
    struct dump_result again;
    bool ok = true;
    dump_result_write_target(reading->casting->reference, result, &target);
    question_init(&question, dump->options->stop, &error);
    if ((!target.failed || error_memory(&error, "a step")) &&
        reading_build(dump, reading, text_string(&target), given, n_given, &question)) {
        ok = dump_result_compare_again(dump, reading, &question, result, &again);
        if (ok && again.fits) {
            dump_result_release(result);
            *result = again;
            result->is_from_wrong = true;
        } else if (ok) {
            dump_result_release(&again);
        }
    } else if (error_is_stop(&error)) {
        *dump->reterr = error;
        ok = false;
    }
    question_release(&question);
    text_release(&target);
    return ok;
}

/* The reason why a result after the first wrong one differs. */
static bool report_reason(struct verify_report *report, struct dump *dump,
                          const struct reading *reading, const struct dump_result *result,
                          const struct given_step *given, size_t n_given)
{
    struct question_finding finding = {.when = {0}};
    bool ok = reason_find(dump, reading, result, given, n_given, false, &finding);
    if (ok && finding.when.size > 0)
        report_finding(report, &finding);
    else if (ok)
        ok = report_difference(report, dump, reading, result);
    question_finding_release(&finding);
    return ok;
}

static bool report_results(struct verify_report *report, struct dump *dump,
                           const struct reading *reading, struct dump_results *results,
                           const struct question_finding *finding)
{
    struct given_step given[DUMP_MOST_RESULTS];
    size_t n_given = 0;
    bool ok = true, told = false;
    for (unsigned i = 0; ok && i < results->n; i++) {
        struct dump_result *result = &results->items[i];
        if (told && n_given > 0)
            ok = compare_again(dump, reading, given, n_given, result);
        if (!ok)
            break;
        report_numbers(report, dump, reading, result);
        if (!result->is_right && !told && finding->when.size > 0)
            report_finding(report, finding);
        else if (!result->is_right)
            ok = report_reason(report, dump, reading, result, given, n_given);
        told = told || !result->is_right;
        if (result->is_plain)
            given[n_given++] = (struct given_step){
                reading->casting->reference->results[result->row].step, &result->got};
    }
    return ok;
}

static void report_headline(struct doc *out, const struct dump *dump, const struct reading *reading,
                            const struct dump_results *results,
                            const struct question_finding *finding)
{
    struct text text = {0};
    unsigned i = 0;
    while (i < results->n && results->items[i].is_right)
        i++;
    if (i == results->n) {
        doc_line(out, STYLE_GOOD, "%s: right; %s", dump->given->name,
                 reading->casting->reference->title);
    } else {
        name_result(dump, reading, &results->items[i], &text);
        doc_line(out, STYLE_BAD, "%s: %s is the first that differs%s%s", dump->given->name,
                 text_string(&text), finding->when.size > 0 ? ": " : "",
                 text_string(&finding->when));
        if (finding->also.size > 0)
            doc_line(out, STYLE_BAD, "other mistakes give the same numbers here: see below");
    }
    out->failed = out->failed || text.failed;
    text_release(&text);
}

static void report_unknown(struct verify_report *report, const struct dump *dump)
{
    struct text text = {0};
    char shape[TENSOR_SHAPE_TEXT];
    doc_line(report->out, STYLE_BAD, "%s: could not be judged: no formula fits these arrays",
             dump->given->name);
    for (size_t i = 0; i < dump->arrays->n; i++)
        text_format(&text, "%s%s %s", i > 0 ? ", " : "", array_name(dump, i),
                    tensor_shape_text(&dump->arrays->items[i].numbers, shape));
    verify_remark(report, "In the file: %s.", text_string(&text));
    verify_remark(report,
                  "attn looks for inputs and at least one result of a formula, such as query, "
                  "key, value and weights. attn verify --print torch shows how to write "
                  "them; --like names the formula, and --as ROLE=ARRAY an array.");
    verify_end_text(report, &text);
}

/* Does an array whose name a formula knows have no part in the reading? Vectors are weights of a
 * layer beside this one. */
static bool leaves_known(const struct dump *dump, const struct reading *reading,
                         const struct dump_results *results)
{
    for (size_t i = 0; i < dump->arrays->n; i++) {
        char plain[ROLES_NAME_BYTES];
        roles_plain_name(dump->arrays->items[i].name, plain);
        bool used = !dump->known[i] || reading_casts(reading->casting, i) ||
                    dump->arrays->items[i].numbers.n_axes == 1;
        for (unsigned k = 0; k < results->n; k++)
            used = used || results->items[k].array == i;
        if (!used && !roles_name_is_input(reading->casting->reference, plain))
            return true;
    }
    return false;
}

/* A result that no mistake explains says little if the file holds more than the formula has. */
static void report_misfit(struct verify_report *report, const struct dump *dump,
                          const struct reading *reading)
{
    doc_line(report->out, STYLE_BAD, "%s: could not be judged: no formula fits all of its arrays",
             dump->given->name);
    verify_remark(report,
                  "The closest one is %s, in which some of the arrays have no part and a "
                  "result differs. --like names another formula, --as ROLE=ARRAY an array.",
                  reading->casting->reference->title);
}

static bool report_all(struct verify_report *report, struct dump *dump, struct reading *reading,
                       enum verify_verdict *ret)
{
    struct question_finding finding = {.when = {0}};
    struct dump_results results = {.n = 0};
    bool ok = true;
    *ret = reading->n_right == reading->n_results ? VERIFY_RIGHT : VERIFY_DIFFERS;
    dump->work_left = SEARCH_MAX_WORK;
    if (*ret == VERIFY_DIFFERS)
        ok = edits_open(dump->options->data_dir, &dump->edits, dump->reterr) &&
             reason_search(dump, &reading, &finding);
    ok = ok && reading_find_results(dump, reading, &results);
    if (ok && *ret == VERIFY_DIFFERS && finding.when.size == 0 && dump->given->like == NULL &&
        leaves_known(dump, reading, &results)) {
        *ret = VERIFY_UNKNOWN;
        report_misfit(report, dump, reading);
        report_reading(report, dump, reading);
        report_rest(report, dump, reading, &results);
    } else if (ok) {
        report_headline(report->out, dump, reading, &results, &finding);
        report_reading(report, dump, reading);
        ok = report_results(report, dump, reading, &results, &finding);
        report_rest(report, dump, reading, &results);
    }
    dump_results_release(&results);
    question_finding_release(&finding);
    return ok && doc_check(report->out, report->reterr);
}

/* The arrays of one layer, or all of them. */
static bool verify_arrays(const struct references *references, const struct arrays *arrays,
                          const struct verify_dump *given, const struct verify_options *options,
                          struct doc *out, enum verify_verdict *ret_verdict, bool *ret_causal,
                          struct error *reterr)
{
    struct arrays apart = {.n = 0};
    struct dump dump = {.references = references,
                        .arrays = &apart,
                        .given = given,
                        .options = options,
                        .reterr = reterr};
    struct verify_report report = {
        .what = "verify", .options = options, .out = out, .reterr = reterr};
    struct reading *reading = NULL;
    *ret_verdict = VERIFY_UNKNOWN;
    bool ok =
        unpack(arrays, &apart, reterr) && readings_list(&dump) && readings_choose(&dump, &reading);
    if (ok && reading == NULL)
        report_unknown(&report, &dump);
    else if (ok)
        ok = report_all(&report, &dump, reading, ret_verdict);
    *ret_causal = ok && reading != NULL && reading_has_flag(reading, "causal");
    for (unsigned i = 0; dump.castings != NULL && i < references->n; i++)
        castings_release(&dump.castings[i]);
    free(dump.castings);
    free(dump.roles);
    free(dump.known);
    free(dump.readings);
    edits_release(&dump.edits);
    arrays_release(&apart);
    return ok;
}

/* ---- layers ---- */

static bool ends_in(const char *name, size_t size, const char *word)
{
    size_t n = strlen(word);
    return size >= n && memcmp(name + size - n, word, n) == 0;
}

/* The part of a name that says which layer it belongs to: "h.3." of "h.3.attn.out"; 0: none. */
static size_t layer_size(const char *name)
{
    size_t digits = strcspn(name, "0123456789");
    size_t end = digits + strspn(name + digits, "0123456789");
    size_t stem = digits > 0 ? digits - 1 : 0;
    bool begins =
        stem > 0 && end > digits &&
        (strchr("./", name[stem]) != NULL ||
         (name[stem] == '_' && (ends_in(name, stem, "layer") || ends_in(name, stem, "layers") ||
                                ends_in(name, stem, "block") || ends_in(name, stem, "blocks"))));
    return begins && name[end] != '\0' && strchr("._/", name[end]) != NULL ? end + 1 : 0;
}

static bool is_of_layer(const char *name, const char *layer, size_t size)
{
    return layer_size(name) == size && memcmp(name, layer, size) == 0;
}

/* Is it the first array of its layer? */
static bool begins_layer(const struct arrays *arrays, size_t at)
{
    size_t size = layer_size(arrays->items[at].name);
    for (size_t i = 0; size > 0 && i < at; i++)
        if (is_of_layer(arrays->items[i].name, arrays->items[at].name, size))
            return false;
    return size > 0;
}

/* The arrays of the layer of array `at`, whose names lose its own, and those of no layer. What they
 * hold is borrowed. */
static bool take_layer(const struct arrays *arrays, size_t at, struct arrays *ret,
                       struct error *reterr)
{
    const char *layer = arrays->items[at].name;
    size_t size = layer_size(layer);
    *ret = (struct arrays){.items = calloc(arrays->n, sizeof *ret->items)};
    if (ret->items == NULL)
        return error_memory(reterr, "a layer");
    for (size_t i = 0; i < arrays->n; i++) {
        bool is_of = is_of_layer(arrays->items[i].name, layer, size);
        if (!is_of && layer_size(arrays->items[i].name) > 0)
            continue;
        ret->items[ret->n] = arrays->items[i];
        ret->items[ret->n++].name += is_of ? size : 0;
    }
    return true;
}

/* What became of the layers. */
struct layers {
    unsigned n_of[VERIFY_UNKNOWN + 1];
    unsigned n_causal;    /* of the right ones */
    struct text other[2]; /* names of the right layers that are not causal, and of those that are */
    struct doc lines;     /* a line each */
    struct doc first;     /* the report of the first that differs */
};

static bool verify_layer(const struct references *references, const struct arrays *arrays,
                         size_t at, const struct verify_dump *given,
                         const struct verify_options *options, struct layers *layers,
                         struct error *reterr)
{
    struct arrays layer = {.n = 0};
    struct verify_dump of_layer = *given;
    enum verify_verdict verdict;
    struct text name = {0};
    struct doc report;
    bool is_causal = false;
    doc_init(&report);
    text_format(&name, "%.*s", (int)layer_size(arrays->items[at].name) - 1, arrays->items[at].name);
    of_layer.name = text_string(&name);
    bool ok = (!name.failed || error_memory(reterr, "a layer")) &&
              take_layer(arrays, at, &layer, reterr) &&
              verify_arrays(references, &layer, &of_layer, options, &report, &verdict, &is_causal,
                            reterr);
    if (ok && verdict == VERIFY_DIFFERS && layers->n_of[VERIFY_DIFFERS] == 0)
        doc_append(&layers->first, &report, 0);
    if (ok) {
        layers->n_of[verdict]++;
        if (verdict == VERIFY_RIGHT) {
            struct text *names = &layers->other[is_causal];
            text_format(names, "%s%s", names->size > 0 ? ", " : "", text_string(&name));
            layers->n_causal += is_causal;
        }
        doc_append_lines(&layers->lines, &report, 1, 0);
    }
    free(layer.items);
    text_release(&name);
    doc_release(&report);
    return ok;
}

static bool verify_layers(const struct references *references, const struct arrays *arrays,
                          const struct verify_dump *given, const struct verify_options *options,
                          struct doc *out, enum verify_verdict *ret_verdict, struct error *reterr)
{
    struct layers layers = {.n_of = {0}};
    bool ok = true;
    doc_init(&layers.lines);
    doc_init(&layers.first);
    for (size_t i = 0; ok && i < arrays->n; i++)
        if (begins_layer(arrays, i))
            ok = verify_layer(references, arrays, i, given, options, &layers, reterr);
    unsigned n_others = layers.n_of[VERIFY_RIGHT] - layers.n_causal;
    bool causal_differs = layers.n_causal > 0 && n_others > 0;
    *ret_verdict = layers.n_of[VERIFY_DIFFERS] > 0 || causal_differs ? VERIFY_DIFFERS
                   : layers.n_of[VERIFY_RIGHT] > 0                   ? VERIFY_RIGHT
                                                                     : VERIFY_UNKNOWN;
    if (ok) {
        doc_line(
            out, *ret_verdict == VERIFY_RIGHT ? STYLE_GOOD : STYLE_BAD,
            "%s: of %u layers %u are right, %u differ, %u could not be judged", given->name,
            layers.n_of[VERIFY_RIGHT] + layers.n_of[VERIFY_DIFFERS] + layers.n_of[VERIFY_UNKNOWN],
            layers.n_of[VERIFY_RIGHT], layers.n_of[VERIFY_DIFFERS], layers.n_of[VERIFY_UNKNOWN]);
        if (causal_differs)
            doc_line(out, STYLE_BAD, "%s: %s",
                     text_string(&layers.other[n_others > layers.n_causal]),
                     n_others > layers.n_causal
                         ? "causal, while the other layers hide nothing"
                         : "nothing is hidden, while the other layers are causal");
        doc_append(out, &layers.lines, 0);
        doc_append(out, &layers.first, 0);
    }
    out->failed = out->failed || layers.other[0].failed || layers.other[1].failed;
    text_release(&layers.other[0]);
    text_release(&layers.other[1]);
    doc_release(&layers.lines);
    doc_release(&layers.first);
    return ok && doc_check(out, reterr);
}

bool verify_dump(const struct arrays *arrays, const struct verify_dump *given,
                 const struct verify_options *options, struct doc *out,
                 enum verify_verdict *ret_verdict, struct error *reterr)
{
    struct references references;
    size_t n_layers = 0;
    bool is_causal;
    *ret_verdict = VERIFY_UNKNOWN;
    if (!references_open(options->data_dir, &references, reterr))
        return false;
    for (size_t i = 0; i < arrays->n; i++)
        n_layers += begins_layer(arrays, i);
    bool ok = n_layers > 1
                  ? verify_layers(&references, arrays, given, options, out, ret_verdict, reterr)
                  : verify_arrays(&references, arrays, given, options, out, ret_verdict, &is_causal,
                                  reterr);
    references_release(&references);
    return ok;
}
