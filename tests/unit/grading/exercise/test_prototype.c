/* exercise/prototype.h: C prototypes. */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "exercise/prototype.h"

static void test_prototype__reads_every_kind_of_parameter(void **state)
{
    (void)state;
    struct prototype p;
    struct error error;
    assert_true(prototype_parse("void f ( size_t n,float p,bool causal , const float*a, float *b,\n"
                                " const bool * may_attend ) ;",
                                &p, &error));
    assert_string_equal(p.function, "f");
    assert_false(p.returns_float);
    static const struct {
        const char *name;
        enum param_kind kind;
        bool constant;
    } wanted[] = {{"n", PARAM_SIZE, false},      {"p", PARAM_FLOAT, false},
                  {"causal", PARAM_BOOL, false}, {"a", PARAM_FLOATS, true},
                  {"b", PARAM_FLOATS, false},    {"may_attend", PARAM_BOOLS, true}};
    assert_int_equal(p.n_params, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_string_equal(p.params[i].name, wanted[i].name);
        assert_int_equal(p.params[i].kind, wanted[i].kind);
        assert_int_equal(p.params[i].constant, wanted[i].constant);
        assert_int_equal(param_is_pointer(&p.params[i]), i >= 3);
        assert_int_equal(prototype_param(&p, wanted[i].name, strlen(wanted[i].name)), i);
    }
    assert_int_equal(prototype_param(&p, "may", 3), -1);
}

static void test_prototype__reads_the_returned_type(void **state)
{
    (void)state;
    struct prototype p;
    struct error error;
    assert_true(prototype_parse("float dot(size_t n);", &p, &error));
    assert_true(p.returns_float);
    assert_int_equal(p.n_params, 1);
}

static void test_prototype__says_what_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "float or void is expected at its end"},
        {"int f(size_t n);", "float or void is expected where it says int"},
        {"double f(size_t n);", "float or void is expected where it says double"},
        {"float *f(size_t n);", "the function's name is expected where it says *"},
        {"void f(size_t n)", "; is expected at its end"},
        {"void f(size_t n); int x;", "nothing more is expected where it says int"},
        {"void f();", "is expected where it says )"},
        {"void f(void);", "is expected where it says void"},
        {"void f(int n);", "is expected where it says int"},
        {"void f(unsigned n);", "is expected where it says unsigned"},
        {"void f(double *x);", "is expected where it says double"},
        {"void f(size_t *n);", "a parameter's name is expected where it says *"},
        {"void f(float **x);", "a parameter's name is expected where it says *"},
        {"void f(float x[3]);", ") is expected where it says ["},
        {"void f(size_t);", "a parameter's name is expected where it says )"},
        {"void f(size_t 2n);", "a parameter's name is expected where it says 2n"},
        {"void f(size_t for);", "a parameter's name is expected where it says for"},
        {"void f(size_t n,);", "is expected where it says )"},
        {"void f(size_t n, float n);", "two parameters are called n"},
        {"void f(bool *mask);", "an array of bool can only be read"},
        {"void f(const size_t n);", "const is for arrays"},
        {"void f(const float x);", "const is for arrays"},
        {"void f(size_t result);", "can't be called result"},
        {"void f(size_t f);", "can't be called f"},
        {"void f(size_t a2345678901234567890123456789012345678901234567890);",
         "at most 47 letters"},
        {"void f(size_t a, size_t b, size_t c, size_t d, size_t e, size_t g, size_t h, size_t i, "
         "size_t j, size_t k, size_t l, size_t m, size_t n, size_t o, size_t p, size_t q, size_t "
         "r);",
         "at most 16 parameters"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct prototype p = {.n_params = 99};
        struct error error;
        if (prototype_parse(bad[i].text, &p, &error))
            fail_msg("'%s' was read", bad[i].text);
        assert_int_equal(error.kind, ERR_SYNTAX);
        assert_says(error, "prototype: ");
        assert_says(error, bad[i].says);
        assert_int_equal(p.n_params, 99); /* untouched */
    }
}

static void test_prototype__its_header_says_it(void **state)
{
    (void)state;
    static const char every_kind[] =
        "float all(size_t n, bool on, float p, const float *a, float *b, const bool *c);";
    struct prototype prototype;
    struct error error;
    struct text text = {0};
    assert_true(prototype_parse(every_kind, &prototype, &error));
    prototype_header(&prototype, &text);
    assert_non_null(strstr(text_string(&text), every_kind));
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prototype__reads_every_kind_of_parameter),
        cmocka_unit_test(test_prototype__reads_the_returned_type),
        cmocka_unit_test(test_prototype__says_what_does_not_fit),
        cmocka_unit_test(test_prototype__its_header_says_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
