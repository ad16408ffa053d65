/* files/weights.h: a model's weights, in one file or in shards. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/weights.h"
#include "files_testing.h"
#include "tensor/tensor.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define INDEX "model.safetensors.index.json"

/* Writes a shard that holds tensors of one number each, named by the letters of names. */
static void write_shard(const char *file, const char *names, float number)
{
    char path[TESTING_PATH], name[8][2];
    struct safetensors_tensor tensors[8];
    struct tensor x = testing_tensor(1, SHAPE(1), &number);
    struct error error;
    size_t n = strlen(names);
    for (size_t i = 0; i < n; i++) {
        snprintf(name[i], sizeof name[i], "%c", names[i]);
        tensors[i] = (struct safetensors_tensor){name[i], &x};
    }
    testing_write(file, "", 0); /* and its folder */
    if (!safetensors_write(testing_path(path, file), tensors, n, NULL, 0, &error))
        fail_msg("%s", error.text);
    tensor_release(&x);
}

static void write_text(const char *file, const char *text)
{
    testing_write(file, text, strlen(text));
}

static struct weights *open_weights(const char *name)
{
    char path[TESTING_PATH];
    struct weights *weights;
    struct error error;
    if (!weights_open(testing_path(path, name), &weights, &error))
        fail_msg("%s", error.text);
    return weights;
}

static void check_refused(const char *name, enum error_kind kind, const char *says)
{
    char path[TESTING_PATH];
    struct weights *weights = NULL;
    struct error error;
    assert_error(weights_open(testing_path(path, name), &weights, &error), error, kind);
    assert_says(error, says);
    assert_null(weights);
}

static void check_number(const struct weights *weights, const char *name, float want)
{
    struct tensor x;
    struct error error;
    if (!weights_tensor(weights, name, &x, &error))
        fail_msg("%s", error.text);
    assert_tensor_close(&x, 1, SHAPE(1), &want, 0);
    tensor_release(&x);
}

static void test_weights__one_file_in_a_folder_or_by_its_path(void **state)
{
    (void)state;
    struct tensor x;
    struct error error;
    write_shard("m/model.safetensors", "ab", 3);
    write_text("m/" INDEX, "not looked at, as in transformers");
    for (int by_path = 0; by_path < 2; by_path++) {
        struct weights *weights = open_weights(by_path ? "m/model.safetensors" : "m");
        assert_int_equal(weights_count(weights), 2);
        assert_string_equal(weights_entry_at(weights, 1)->name, "b");
        check_number(weights, "a", 3);
        assert_null(weights_find(weights, "c"));
        assert_error(weights_tensor(weights, "c", &x, &error), error, ERR_NAME);
        assert_says(error, "there is no tensor 'c'");
        weights_close(weights);
    }
}

static void test_weights__shards_are_one(void **state)
{
    (void)state;
    write_shard("m/1.safetensors", "xc", 1);
    write_shard("m/2.safetensors", "ab", 2);
    write_text("m/" INDEX,
               "{\"metadata\": {\"total_size\": 16}, \"weight_map\": {\"a\": \"2.safetensors\", "
               "\"b\": \"2.safetensors\", \"c\": \"1.safetensors\", \"x\": \"1.safetensors\"}}");
    struct weights *weights = open_weights("m");
    assert_int_equal(weights_count(weights), 4);
    check_number(weights, "a", 2);
    check_number(weights, "c", 1);
    check_number(weights, "x", 1);
    size_t n_seen = 0;
    for (size_t i = 0; i < 4; i++)
        n_seen += weights_find(weights, weights_entry_at(weights, i)->name) ==
                  weights_entry_at(weights, i);
    assert_int_equal(n_seen, 4);
    weights_close(weights);
}

static void test_weights__paths_stay_in_the_folder(void **state)
{
    (void)state;
    static const char *const wrong[] = {"../1.safetensors", "/etc/passwd", "a/../../1.safetensors",
                                        "..", ""};
    char index[200];
    write_shard("1.safetensors", "a", 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(index, sizeof index, "{\"weight_map\": {\"a\": \"%s\"}}", wrong[i]);
        write_text("m/" INDEX, index);
        check_refused("m", ERR_FILE, "is not a file of this folder");
    }
}

/* The hub's cache has links out of the folder, which its owner made. */
static void test_weights__links_are_followed(void **state)
{
    (void)state;
    char from[TESTING_PATH], to[TESTING_PATH];
    write_shard("blob", "a", 1);
    write_text("m/" INDEX, "{\"weight_map\": {\"a\": \"..1.safetensors\"}}");
    assert_int_equal(symlink(testing_path(from, "blob"), testing_path(to, "m/..1.safetensors")), 0);
    weights_close(open_weights("m"));
}

static void test_weights__tensors_that_are_not_where_they_should_be(void **state)
{
    (void)state;
    write_shard("m/1", "ab", 1);
    write_shard("m/2", "c", 2);
#define MAP(a, b, c) "{\"weight_map\": {\"a\": \"" a "\", \"b\": \"" b "\", \"" c "\": \"2\"}}"
    write_text("m/" INDEX, MAP("1", "1", "c"));
    weights_close(open_weights("m"));
    write_text("m/" INDEX, MAP("1", "2", "c"));
    check_refused("m", ERR_FILE,
                  "the tensor 'b' is not in 2, where the index says it is, but in another");
    write_text("m/" INDEX, MAP("1", "1", "d"));
    check_refused("m", ERR_FILE,
                  "the tensor 'd' is not in 2, where the index says it is, and in no shard");
    write_text("m/" INDEX, MAP("1", "3", "c"));
    check_refused("m", ERR_FILE, "1 of its 3 shards is missing: 3; download it too");
    write_text("m/" INDEX, MAP("4", "3", "c"));
    check_refused("m", ERR_FILE, "2 of its 3 shards are missing: 4, 3; download them too");
    write_shard("m/2", "cb", 2);
    write_text("m/" INDEX, MAP("1", "1", "c"));
    check_refused("m", ERR_FILE, "the tensor 'b' is in two shards, 1 and 2");
    write_text("m/2", "");
    check_refused("m", ERR_FILE, "m/2: not a safetensors file");
}

static void test_weights__an_index_that_is_none(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "not JSON"},
        {"{", "not JSON"},
        {"[]", "must be a JSON object"},
        {"{}", "no weight_map"},
        {"{\"weight_map\": []}", "no weight_map"},
        {"{\"weight_map\": {\"a\": 1}}", "must name a file for each"},
        {"{\"weight_map\": {\"a\": \"1\", \"a\": \"2\"}}", "duplicate"},
        {"{} {}", "something follows"},
        {"{}\n \t\r\n", "no weight_map"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_text("m/" INDEX, wrong[i][0]);
        check_refused("m", ERR_FILE, wrong[i][1]);
    }
}

static void test_weights__other_forms_are_named(void **state)
{
    (void)state;
    check_refused("none", ERR_FILE, "no such file");
    check_refused(".", ERR_FILE, "there is no model.safetensors in it, and no " INDEX);
    write_text("m/pytorch_model.bin", "x");
    check_refused("m", ERR_FILE, "pytorch_model.bin is PyTorch's own form");
    write_text("g/model-q4.gguf", "x");
    check_refused("g", ERR_FILE, "model-q4.gguf is GGUF");
    write_text("r/tiny.safetensors", "x");
    check_refused("r", ERR_FILE, "tiny.safetensors is not called model.safetensors; rename it");
    write_text("s/model-00001-of-00002.safetensors", "x");
    check_refused("s", ERR_FILE, "is a shard, whose " INDEX " is missing; download that too");
    write_text("model.safetensors/x", "x");
    check_refused(".", ERR_FILE, "model.safetensors is not a file; download it again");
}

static void test_weights__failed_allocations_are_reported(void **state)
{
    (void)state;
    char path[TESTING_PATH];
    struct weights *weights;
    struct error error;
    write_shard("m/1", "a", 1);
    write_shard("m/2", "b", 1);
    write_text("m/" INDEX, "{\"weight_map\": {\"a\": \"1\", \"b\": \"2\"}}");
    testing_path(path, "m");
    assert_reports_failed_allocations(weights_open(path, &weights, &error), error);
    weights_close(weights);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, NULL, testing_clear_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_weights__one_file_in_a_folder_or_by_its_path),
        IN_FOLDER(test_weights__shards_are_one),
        IN_FOLDER(test_weights__paths_stay_in_the_folder),
        IN_FOLDER(test_weights__links_are_followed),
        IN_FOLDER(test_weights__tensors_that_are_not_where_they_should_be),
        IN_FOLDER(test_weights__an_index_that_is_none),
        IN_FOLDER(test_weights__other_forms_are_named),
        IN_FOLDER(test_weights__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("weights", tests, testing_make_folder,
                                       testing_remove_folder);
}
