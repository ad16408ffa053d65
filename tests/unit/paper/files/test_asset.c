/* files/asset.h: a file of assets/, read whole. */
#include "lang_testing.h"

#include <string.h>

#include "files/asset.h"

static void test_asset__a_file_is_read_with_its_path(void **state)
{
    (void)state;
    struct asset asset;
    struct error error;
    assert_true(asset_read(&asset, testing_data_dir(), "search.yaml", &error));
    assert_non_null(strstr(asset.path, "/assets/search.yaml"));
    assert_non_null(strstr(text_string(&asset.text), "\ndrop:"));
    asset_release(&asset);
    assert_reports_failed_allocations(asset_read(&asset, testing_data_dir(), "search.yaml", &error),
                                      error);
    asset_release(&asset);
}

static void test_asset__what_is_not_there(void **state)
{
    (void)state;
    char longest[ASSET_PATH_BYTES];
    struct asset asset;
    struct error error;
    assert_error(asset_read(&asset, NULL, "search.yaml", &error), error, ERR_FILE);
    assert_says(error, "attn's assets are not found");
    assert_error(asset_read(&asset, testing_data_dir(), "none.yaml", &error), error, ERR_FILE);
    assert_says(error, "/assets/none.yaml: can't be read");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_error(asset_read(&asset, longest, "search.yaml", &error), error, ERR_FILE);
    assert_says(error, "assets/search.yaml: the path to it is too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asset__a_file_is_read_with_its_path),
        cmocka_unit_test(test_asset__what_is_not_there),
    };
    return cmocka_run_group_tests_name("asset", tests, NULL, NULL);
}
