/* lang/notebook/notebook.h: cells of Python. What they should print comes from CPython:
 * tools/notebook_goldens.py writes it. */
#include "testing.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/array.h"
#include "lang/notebook/ipynb.h"
#include "lang/notebook/notebook.h"
#include "files/file.h"

static void collect(void *context, const char *bytes, size_t size)
{
    text_add(context, bytes, size);
}

/* What a new notebook prints for a cell, and its traceback. */
struct ran {
    enum notebook_end end;
    int code;
    struct text out, trace;
};

static void ran_release(struct ran *ran)
{
    text_release(&ran->out);
    text_release(&ran->trace);
}

static struct ran run_cell(const char *source, const volatile sig_atomic_t *stop)
{
    struct ran ran = {0};
    struct notebook_options options = {.print = collect, .context = &ran.out, .stop = stop};
    struct notebook *notebook = notebook_new(&options);
    assert_non_null(notebook);
    ran.end = notebook_run(notebook, "cell.py", source, strlen(source), &ran.trace, &ran.code);
    notebook_free(notebook);
    return ran;
}

static char *read_golden(const char *folder, const char *name)
{
    char path[4096];
    struct text text = {0};
    int c;
    snprintf(path, sizeof path, "%s/notebook/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s can't be read", path);
    while ((c = getc(file)) != EOF)
        text_char(&text, (char)c);
    fclose(file);
    if (text.bytes == NULL)
        text_put(&text, "");
    return text.bytes;
}

static void test_notebook__prints_what_python_prints(void **state)
{
    (void)state;
    const char *folder = getenv("ATTN_TEST_GOLDEN");
    char path[4096];
    size_t n = 0;
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/notebook", folder);
    DIR *cells = opendir(path);
    assert_non_null(cells);
    for (struct dirent *entry; (entry = readdir(cells)) != NULL;) {
        char name[300];
        size_t size = strlen(entry->d_name);
        if (size < 4 || strcmp(entry->d_name + size - 3, ".py") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s.txt", (int)size - 3, entry->d_name);
        char *source = read_golden(folder, entry->d_name), *wanted = read_golden(folder, name);
        struct ran ran = run_cell(source, NULL);
        if (ran.end != NOTEBOOK_DONE || strcmp(text_string(&ran.out), wanted) != 0) {
            print_error("%s:\n%s%s", entry->d_name, text_string(&ran.out), text_string(&ran.trace));
            fail();
        }
        ran_release(&ran);
        free(source);
        free(wanted);
        n++;
    }
    closedir(cells);
    assert_true(n >= 4);
}

/* golden/notebook/shown.cells: what Jupyter shows below each cell. */
static void test_notebook__shows_the_value_of_a_cell(void **state)
{
    (void)state;
    static const char between[] = "# %%\n";
    const char *folder = getenv("ATTN_TEST_GOLDEN");
    char *cells = read_golden(folder, "shown.cells"), *wanted = read_golden(folder, "shown.out");
    struct text out = {0}, trace = {0};
    struct notebook_options options = {.print = collect, .context = &out, .shows_value = true};
    struct notebook *notebook = notebook_new(&options);
    int code;
    assert_non_null(notebook);
    for (const char *at = cells, *next; at != NULL; at = next ? next + strlen(between) : NULL) {
        next = strstr(at, between);
        size_t size = next ? (size_t)(next - at) : strlen(at);
        assert_int_equal(notebook_run(notebook, "cell", at, size, &trace, &code), NOTEBOOK_DONE);
    }
    assert_string_equal(text_string(&out), wanted);
    notebook_free(notebook);
    text_release(&out);
    text_release(&trace);
    free(cells);
    free(wanted);
}

/* The last line of the traceback is CPython's. */
static void test_notebook__says_what_python_says(void **state)
{
    static const struct {
        const char *cell, *error;
    } rows[] = {
        {"print(undefined)", "NameError: name 'undefined' is not defined"},
        {"1 / 0", "ZeroDivisionError: division by zero"},
        {"1 // 0", "ZeroDivisionError: integer division or modulo by zero"},
        {"1 + 'a'", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
        {"'a' + 1", "TypeError: can only concatenate str (not \"int\") to str"},
        {"[1] + (2,)", "TypeError: can only concatenate list (not \"tuple\") to list"},
        {"1 < 'a'", "TypeError: '<' not supported between instances of 'int' and 'str'"},
        {"[1, 2][5]", "IndexError: list index out of range"},
        {"(1,)[1]", "IndexError: tuple index out of range"},
        {"'abc'[9]", "IndexError: string index out of range"},
        {"{'a': 1}['b']", "KeyError: 'b'"},
        {"None.x", "AttributeError: 'NoneType' object has no attribute 'x'"},
        {"[].push(1)", "AttributeError: 'list' object has no attribute 'push'"},
        {"def f(a, b): pass\nf(1)", "TypeError: f() missing 1 required positional argument: 'b'"},
        {"def f(a, b, c): pass\nf()",
         "TypeError: f() missing 3 required positional arguments: 'a', 'b', and 'c'"},
        {"def f(a): pass\nf(1, 2)", "TypeError: f() takes 1 positional argument but 2 were given"},
        {"def f(a): pass\nf(b=1)", "TypeError: f() got an unexpected keyword argument 'b'"},
        {"def f(a): pass\nf(1, a=1)", "TypeError: f() got multiple values for argument 'a'"},
        {"def f(*, k): pass\nf()", "TypeError: f() missing 1 required keyword-only argument: 'k'"},
        {"a, b = 1, 2, 3", "ValueError: too many values to unpack (expected 2)"},
        {"a, b = [1]", "ValueError: not enough values to unpack (expected 2, got 1)"},
        {"a, b = 5", "TypeError: cannot unpack non-iterable int object"},
        {"for x in 5: pass", "TypeError: 'int' object is not iterable"},
        {"len(5)", "TypeError: object of type 'int' has no len()"},
        {"5()", "TypeError: 'int' object is not callable"},
        {"5[0]", "TypeError: 'int' object is not subscriptable"},
        {"{[]: 1}", "TypeError: unhashable type: 'list'"},
        {"int('x')", "ValueError: invalid literal for int() with base 10: 'x'"},
        {"float('x')", "ValueError: could not convert string to float: 'x'"},
        {"assert False, 'no'", "AssertionError: no"},
        {"assert False", "AssertionError"},
        {"raise ValueError('bad', 1)", "ValueError: ('bad', 1)"},
        {"raise 5", "TypeError: exceptions must derive from BaseException"},
        {"def f():\n    x += 1\nf()",
         "UnboundLocalError: cannot access local variable 'x' where it "
         "is not associated with a value"},
        {"def f(n): return f(n + 1)\nf(0)", "RecursionError: maximum recursion depth exceeded"},
        {"max([])", "ValueError: max() arg is an empty sequence"},
        {"[].pop()", "IndexError: pop from empty list"},
        {"[1].remove(2)", "ValueError: list.remove(x): x not in list"},
        {"(1,)[0] = 2", "TypeError: 'tuple' object does not support item assignment"},
        {"import math; math.sqrt(-1)", "ValueError: math domain error"},
        {"next(iter([]))", "StopIteration"},
        {"'%d' % 'x'", "TypeError: %d format: a real number is required, not str"},
        {"f'{1:q}'", "ValueError: Unknown format code 'q' for object of type 'int'"},
        {"x = {1: 2}\nfor k in x: x[k + 1] = 1",
         "RuntimeError: dictionary changed size during iteration"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct ran ran = run_cell(rows[i].cell, NULL);
        char wanted[256];
        snprintf(wanted, sizeof wanted, "\n%s\n", rows[i].error);
        const char *found = strstr(text_string(&ran.trace), wanted);
        if (ran.end != NOTEBOOK_FAILED || found == NULL || strcmp(found, wanted) != 0)
            fail_msg("%s: %s", rows[i].cell, text_string(&ran.trace));
        ran_release(&ran);
    }
}

static void test_notebook__tells_the_line_and_who_called(void **state)
{
    (void)state;
    struct ran ran = run_cell("def inner(x):\n"
                              "    return 1 / x\n"
                              "\n"
                              "def outer():\n"
                              "    return inner(0)\n"
                              "print('before')\n"
                              "outer()\n"
                              "print('never')\n",
                              NULL);
    assert_string_equal(text_string(&ran.out), "before\n");
    assert_string_equal(text_string(&ran.trace), "Traceback (most recent call last):\n"
                                                 "  File \"cell.py\", line 7, in <module>\n"
                                                 "    outer()\n"
                                                 "  File \"cell.py\", line 5, in outer\n"
                                                 "    return inner(0)\n"
                                                 "  File \"cell.py\", line 2, in inner\n"
                                                 "    return 1 / x\n"
                                                 "ZeroDivisionError: division by zero\n");
    ran_release(&ran);
}

/* A name that attn does not have stops no other name of its line, nor the file. */
static void test_notebook__refuses_an_imported_name_where_it_is_used(void **state)
{
    (void)state;
    struct ran ran = run_cell("from math import pi, nope, floor\n"
                              "print(floor(pi))\n"
                              "nope(1)\n"
                              "try:\n"
                              "    from math import nope as other\n"
                              "except ImportError:\n"
                              "    print('without it')\n",
                              NULL);
    assert_string_equal(text_string(&ran.out), "3\nwithout it\n");
    assert_int_equal(ran.end, NOTEBOOK_LACKED);
    assert_string_equal(text_string(&ran.trace),
                        "attn: cell.py: 6 of 7 lines ran; line 3: attn has no 'nope' in its module "
                        "'math'; the lines that do not use it run without it\n");
    ran_release(&ran);
}

/* What can't be read fails when it is reached; the rest runs. */
static void test_notebook__refuses_late(void **state)
{
    (void)state;
    struct ran ran = run_cell("print('one')\n"
                              "def f():\n"
                              "    x = = 1\n"
                              "    return 2\n"
                              "print('two')\n"
                              "try:\n"
                              "    f()\n"
                              "except SyntaxError as e:\n"
                              "    print('caught', e)\n"
                              "import einops_of_nobody as e\n"
                              "print('three')\n"
                              "print('é$')\n"
                              "y = e.rearrange(1)\n"
                              "\n"
                              "# a comment is no line\n"
                              "print(y + 1)\n"
                              "z = f = = 3\n"
                              "print(z)\n"
                              "print('four')\n",
                              NULL);
    assert_string_equal(text_string(&ran.out),
                        "one\ntwo\ncaught invalid syntax\nthree\né$\nfour\n");
    assert_int_equal(ran.end, NOTEBOOK_LACKED);
    assert_string_equal(text_string(&ran.trace),
                        "attn: cell.py: 13 of 17 lines ran; line 13: No module named "
                        "'einops_of_nobody' in attn; the lines that do not use it run without it; "
                        "line 16 needs it; line 17: invalid syntax; line 18 needs it\n");
    ran_release(&ran);
    /* An error of the cell's own ends it, as in Python. */
    ran = run_cell("import nobody\nnobody.x\nprint(1 / 0)\nprint('not reached')\n", NULL);
    assert_string_equal(text_string(&ran.out), "");
    assert_int_equal(ran.end, NOTEBOOK_FAILED);
    assert_non_null(strstr(text_string(&ran.trace), "ZeroDivisionError: division by zero\n"
                                                    "attn: cell.py: 1 of 4 lines ran; line 2: "));
    ran_release(&ran);
    /* A character without a meaning fails its own line, and neither the one before nor the next. */
    ran = run_cell("y = 1\nx $ 2\n?\nif y:\n    y = 2\n    $\nprint(y)\n)\nz\x1E\nprint('end')\n",
                   NULL);
    assert_string_equal(text_string(&ran.out), "2\nend\n");
    assert_string_equal(
        text_string(&ran.trace),
        "attn: cell.py: 3 of 10 lines ran; line 2: $: this character has no meaning "
        "here; leave it out; line 3: ?: this character has no meaning here; for "
        "help write help, or help NAME; line 6: $: this character has no meaning "
        "here; leave it out; line 8: invalid syntax; 1 more line did not run\n");
    ran_release(&ran);
}

static void test_notebook__ends_as_the_cell_says(void **state)
{
    (void)state;
    struct ran ran = run_cell("import sys\nprint(1)\nsys.exit(3)\n", NULL);
    assert_int_equal(ran.end, NOTEBOOK_EXIT);
    assert_int_equal(ran.code, 3);
    ran_release(&ran);
    volatile sig_atomic_t stop = 1;
    ran = run_cell("while True: pass\n", &stop);
    assert_int_equal(ran.end, NOTEBOOK_FAILED);
    assert_non_null(strstr(text_string(&ran.trace), "KeyboardInterrupt\n"));
    ran_release(&ran);
}

/* Names live from cell to cell, and a cell that fails leaves those of its statements that ran. */
static void test_notebook__keeps_names(void **state)
{
    (void)state;
    struct text out = {0}, trace = {0};
    int code;
    struct notebook_options options = {.print = collect, .context = &out};
    struct notebook *notebook = notebook_new(&options);
    static const char *const cells[] = {"x = 1\ndef f(): return x + 1\n", "x = 5\ny = z\n",
                                        "print(f())\n"};
    assert_non_null(notebook);
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        (void)notebook_run(notebook, "cell", cells[i], strlen(cells[i]), &trace, &code);
    assert_string_equal(text_string(&out), "6\n");
    notebook_free(notebook);
    text_release(&out);
    text_release(&trace);
}

/* A text that many copies of a piece make. */
static char *repeated(const char *before, const char *piece, size_t n, const char *after)
{
    struct text text = {0};
    text_put(&text, before);
    text_repeat(&text, piece, n);
    text_put(&text, after);
    assert_false(text.failed);
    return text.bytes;
}

/* However a cell is built, it is refused or run: no crash, no hang. */
static void test_notebook__is_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *before, *piece;
        size_t n;
        const char *after;
    } rows[] = {
        {"x = ", "(", 100000, "1"},
        {"x = ", "[", 5000, ""},
        {"x = ", "-", 100000, "1"},
        {"x = 1", " + 1", 100000, ""},
        {"x = ", "not ", 50000, "1"},
        {"x = ", "1 if 1 else ", 50000, "1"},
        {"x = ", "lambda: ", 50000, "1"},
        {"", "if 1:\n", 500, "pass"},
        {"x = f'", "{f\"{", 2000, ""},
        {"x = 'a' ", "'b' ", 50000, ""},
        {"x", "[0]", 50000, " = 1"},
        {"", "(a, ", 3000, ") = 1"},
        {"x = [", "1, ", 200000, "]"},
        {"f(", "f(", 5000, ")"},
        {"x = 'a' * 10 ** 15", "", 0, ""},
        {"x = [0] * 10 ** 12", "", 0, ""},
        {"x = 10 ** 100", "", 0, ""},
        {"x = '{:1000000000}'.format(1)", "", 0, ""},
        {"x = 1 << 1000000", "", 0, ""},
        {"a = []\nfor i in range(10 ** 5): a = [a]", "", 0, ""},
        {"a = []\na.append(a)\nprint(a)", "", 0, ""},
        {"class A: pass\nA.__class__.__base__.__subclasses__()", "", 0, ""},
        {"# ", "x", 5000000, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *source = repeated(rows[i].before, rows[i].piece, rows[i].n, rows[i].after);
        struct ran ran = run_cell(source, NULL);
        ran_release(&ran);
        free(source);
    }
}

/* A text that is too large is refused before it is copied: at most a few milliseconds, of which the
 * test allows 200. */
/* Methods of operators take more of the program's own stack than functions do. */
static void test_notebook__ends_calls_before_the_stack_does(void **state)
{
    (void)state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
    small = before;
    small.rlim_cur = 1 << 20;
    assert_int_equal(setrlimit(RLIMIT_STACK, &small), 0);
    struct ran ran = run_cell("class A:\n"
                              "    def __add__(self, other): return self + other\n"
                              "try: A() + A()\n"
                              "except RecursionError as e: print(e)\n",
                              NULL);
    assert_string_equal(text_string(&ran.out), "maximum recursion depth exceeded\n");
    ran_release(&ran);
    setrlimit(RLIMIT_STACK, &before);
}

static void test_notebook__refuses_ten_megabytes_at_once(void **state)
{
    (void)state;
    char *source = repeated("x = 1", " + 1", 2500000, "\n");
    clock_t begin = clock();
    struct ran ran = run_cell(source, NULL);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_int_equal(ran.end, NOTEBOOK_FAILED);
    assert_non_null(strstr(text_string(&ran.trace), "a cell may have 4194304 bytes"));
    assert_true(seconds < 0.2);
    ran_release(&ran);
    free(source);
}

/* einops, argparse, tqdm and matplotlib, of which CPython has no copy to ask: what einops does is
 * said by permute() and reshape(). */
static void test_notebook__has_what_cells_import(void **state)
{
    (void)state;
    struct ran ran = run_cell(
        "import torch, argparse\n"
        "import numpy as np\n"
        "from einops import rearrange, reduce, repeat, einsum\n"
        "import matplotlib.pyplot as plt\n"
        "from tqdm import tqdm, trange\n"
        "x = torch.arange(24.0).reshape(2, 3, 4)\n"
        "same = torch.equal\n"
        "assert same(rearrange(x, 'b t c -> b c t'), x.permute(0, 2, 1))\n"
        "assert same(rearrange(x, 'b t (h d) -> b h t d', h=2),\n"
        "            x.reshape(2, 3, 2, 2).permute(0, 2, 1, 3))\n"
        "assert same(rearrange(x, 'b t (h d) -> (b h) t d', d=2),\n"
        "            x.reshape(2, 3, 2, 2).permute(0, 2, 1, 3).reshape(4, 3, 2))\n"
        "assert same(rearrange(x, '... c -> c ...'), x.permute(2, 0, 1))\n"
        "assert same(rearrange(x, 'b t c -> b 1 (t c)'), x.reshape(2, 1, 12))\n"
        "assert same(reduce(x, 'b t c -> b c', 'mean'), x.mean(1))\n"
        "assert same(reduce(x, 'b t (c k) -> b t c', 'max', k=2), x.reshape(2, 3, 2, 2).amax(3))\n"
        "assert same(repeat(x, 'b t c -> b t c n', n=2), torch.stack([x, x], -1))\n"
        "assert same(repeat(x, 'b t c -> b (k t) c', k=2), torch.cat([x, x], 1))\n"
        "assert same(einsum(x, x, 'b i c, b j c -> b i j'), x @ x.transpose(1, 2))\n"
        "a = np.arange(6).reshape(2, 3)\n"
        "assert (rearrange(a, 'i j -> j i') == a.T).all()\n"
        "for p in ('b t (h d) -> b h t d', 'b t -> t b', 'b t c -> b t', 'b b c -> c', 'b (t c'):\n"
        "    try:\n"
        "        rearrange(x, p, h=3)\n"
        "        print('no error', p)\n"
        "    except RuntimeError as e:\n"
        "        print(type(e).__name__)\n"
        "fig, axes = plt.subplots(2, 3)\n"
        "axes[1, 2].imshow(x[0]); [ax.plot([1]) for ax in axes.flat]; plt.show()\n"
        "try: plt.savefig('a.png')\n"
        "except PermissionError as e: print(e)\n"
        "bar = tqdm(range(3))\n"
        "for i in bar: bar.set_postfix(i=i)\n"
        "p = argparse.ArgumentParser()\n"
        "p.add_argument('--lr', type=float, default=0.5)\n"
        "p.add_argument('--on', action='store_true')\n"
        "print(p.parse_args([]), p.parse_args(['--lr=2', '--on']).lr)\n",
        NULL);
    assert_string_equal(text_string(&ran.trace), "");
    assert_string_equal(text_string(&ran.out),
                        "EinopsError\nEinopsError\nEinopsError\nEinopsError\nEinopsError\n"
                        "a cell writes no file in attn: leave out savefig()\n"
                        "Namespace(lr=0.5, on=False) 2.0\n");
    ran_release(&ran);
}

static void test_ipynb__reads_code_cells(void **state)
{
    (void)state;
    static const char json[] =
        "{\"nbformat\": 4, \"cells\": ["
        "{\"cell_type\": \"markdown\", \"source\": \"# Title\"},"
        "{\"cell_type\": \"code\", \"source\": [\"%matplotlib inline\\n\", \"x = 1\\n\","
        " \"if x:\\n\", \"    !pip install y\"]},"
        "{\"cell_type\": \"code\", \"source\": \"%%time\\nprint(x)\\n%time y = 7 % 4\\nx?\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%bash\\nrm -r x\"},"
        "{\"cell_type\": \"code\", \"source\": \"s = '''\\n%d\\n'''\"}]}";
    static const struct {
        const char *source, *skipped;
    } wanted[] = {
        {"pass\nx = 1\nif x:\n    pass", "line 1: %matplotlib inline\nline 4: !pip install y\n"},
        {"pass\nprint(x)\ny = 7 % 4\npass", "line 1: %%time\nline 4: x?\n"},
        {"\n", "line 1: %%bash\n"},
        {"s = '''\n%d\n'''", ""},
    };
    struct ipynb ipynb;
    struct error error = {0};
    assert_true(ipynb_read(json, strlen(json), &ipynb, &error));
    assert_int_equal(ipynb.n, COUNT_OF(wanted));
    for (size_t i = 0; i < ipynb.n; i++) {
        assert_string_equal(text_string(&ipynb.cells[i].source), wanted[i].source);
        assert_string_equal(text_string(&ipynb.cells[i].skipped), wanted[i].skipped);
    }
    ipynb_release(&ipynb);
    static const char *const broken[] = {
        "",
        "[]",
        "{",
        "{\"cells\": 3}",
        "\xff",
        "{\"cells\": [{\"cell_type\": \"code\"}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [1]}]}"};
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        assert_false(ipynb_read(broken[i], strlen(broken[i]), &ipynb, &error));
        assert_true(error.text[0] != '\0');
        assert_int_equal(ipynb.n, 0);
    }
}

/* numpy's own messages. */
static void test_notebook__says_what_numpy_says(void **state)
{
    (void)state;
    static const struct {
        const char *cell, *error;
    } rows[] = {
        {"np.ones((2, 3)) + np.ones(4)",
         "ValueError: operands could not be broadcast together with shapes (2,3) (4,) "},
        {"np.ones((2, 3)) @ np.ones((2, 3))",
         "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
         "signature (n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)"},
        {"np.dot(np.ones((2, 3)), np.ones((2, 3)))",
         "ValueError: shapes (2,3) and (2,3) not aligned: 3 (dim 1) != 2 (dim 0)"},
        {"np.ones(6).reshape(4, 2)", "ValueError: cannot reshape array of size 6 into shape (4,2)"},
        {"np.ones(6).reshape(-1, -1)", "ValueError: can only specify one unknown dimension"},
        {"np.ones(3)[3]", "IndexError: index 3 is out of bounds for axis 0 with size 3"},
        {"np.ones((2, 2))[0, 0, 0]",
         "IndexError: too many indices for array: array is 2-dimensional, but 3 were indexed"},
        {"np.ones(3)[1.0]",
         "IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
         "integer or boolean arrays are valid indices"},
        {"np.ones(3)[np.array([True, False])]",
         "IndexError: boolean index did not match indexed array along dimension 0; dimension is 3 "
         "but corresponding boolean dimension is 2"},
        {"x = np.ones(3)\nx[:2] = [1, 2, 3]",
         "ValueError: could not broadcast input array from shape (3,) into shape (2,)"},
        {"x = np.ones(3)\nx[0] = [1, 2]", "ValueError: setting an array element with a sequence."},
        {"if np.ones(3): pass",
         "ValueError: The truth value of an array with more than one element is ambiguous. Use "
         "a.any() or a.all()"},
        {"np.concatenate([np.ones((2, 3)), np.ones((2, 2))])",
         "ValueError: all the input array dimensions except for the concatenation axis must match "
         "exactly, but along dimension 1, the array at index 0 has size 3 and the array at index 1 "
         "has size 2"},
        {"np.concatenate([])", "ValueError: need at least one array to concatenate"},
        {"np.stack([np.ones(2), np.ones(3)])",
         "ValueError: all input arrays must have the same shape"},
        {"np.arange(3) ** -1", "ValueError: Integers to negative integer powers are not allowed."},
        {"-np.array([True])",
         "TypeError: The numpy boolean negative, the `-` operator, is not supported, use the `~` "
         "operator or the logical_not function instead."},
        {"float(np.ones(2))", "TypeError: only size-1 arrays can be converted to Python scalars"},
        {"np.ones(2).item()", "ValueError: can only convert an array of size 1 to a Python scalar"},
        {"np.max([])",
         "ValueError: zero-size array to reduction operation maximum which has no identity"},
        {"np.argmax([])", "ValueError: attempt to get argmax of an empty sequence"},
        {"np.ones(2).foo", "AttributeError: 'numpy.ndarray' object has no attribute 'foo'"},
        {"len(np.float64(1))", "TypeError: object of type 'numpy.float64' has no len()"},
        {"{np.ones(1): 2}", "TypeError: unhashable type: 'numpy.ndarray'"},
        {"f'{np.ones(2):.2f}'",
         "TypeError: unsupported format string passed to numpy.ndarray.__format__"},
        {"np.random.choice(3, 5, replace=False)",
         "ValueError: Cannot take a larger sample than population when 'replace=False'"},
        {"np.random.choice(3, p=[0.5, 0.5])", "ValueError: 'a' and 'p' must have same size"},
        {"np.random.choice(2, p=[0.5, 0.6])", "ValueError: probabilities do not sum to 1"},
        {"np.random.randint(3, 3)", "ValueError: low >= high"},
        {"np.random.seed(-1)", "ValueError: Seed must be between 0 and 2**32 - 1"},
        {"np.ones((2, 3)).transpose(0)", "ValueError: axes don't match array"},
        {"np.squeeze(np.ones((2, 3)), 0)",
         "ValueError: cannot select an axis to squeeze out which has size not equal to one"},
        {"np.zeros(-1)", "ValueError: negative dimensions are not allowed"},
        {"np.array([1, [2]])",
         "ValueError: setting an array element with a sequence. The requested array has an "
         "inhomogeneous shape after 1 dimensions. The detected shape was (2,) + inhomogeneous "
         "part."},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct text cell = {0}, wanted = {0};
        text_format(&cell, "import numpy as np\n%s\n", rows[i].cell);
        text_format(&wanted, "\n%s\n", rows[i].error);
        struct ran ran = run_cell(text_string(&cell), NULL);
        const char *trace = text_string(&ran.trace);
        size_t size = strlen(trace), end = wanted.size;
        if (ran.end != NOTEBOOK_FAILED || size < end ||
            strcmp(trace + size - end, text_string(&wanted)) != 0) {
            print_error("%s:\n%s", rows[i].cell, trace);
            fail();
        }
        ran_release(&ran);
        text_release(&cell);
        text_release(&wanted);
    }
}

/* A cell about arrays whose allocations fail one after the other ends with MemoryError, and the
 * next one runs as if nothing had been. */
/* golden/notebook/torch.broken: a cell, and below it "! " and what PyTorch says of it at last. */
static void test_notebook__says_what_pytorch_says(void **state)
{
    (void)state;
    char *cells = read_golden(getenv("ATTN_TEST_GOLDEN"), "torch.broken"), *cell = cells;
    size_t n = 0;
    for (char *mark; (mark = strstr(cell, "\n! ")) != NULL; n++) {
        char *wanted = mark + 3, *end = strchr(wanted, '\n');
        *mark = *end = '\0';
        struct ran ran = run_cell(cell, NULL);
        const char *trace = text_string(&ran.trace);
        size_t size = strlen(trace), least = strlen(wanted);
        if (ran.end != NOTEBOOK_FAILED || size < least ||
            strncmp(trace + size - least - 1, wanted, least) != 0) {
            print_error("%s\nwanted: %s\n%s", cell, wanted, trace);
            fail();
        }
        ran_release(&ran);
        cell = end + 1;
    }
    assert_true(n >= 60);
    free(cells);
}

/* docs/from-pytorch.md is what tools/from_pytorch.py prints. */
static void test_notebook__page_from_pytorch_is_made(void **state)
{
    (void)state;
    const char *folder = getenv("ATTN_TEST_GOLDEN"); /* tests/golden */
    struct text source = {0}, page = {0};
    struct error error;
    char path[4096];
    snprintf(path, sizeof path, "%s/../../tools/from_pytorch.py", folder);
    assert_true(file_read_text(path, 1 << 20, &source, &error));
    snprintf(path, sizeof path, "%s/../../docs/from-pytorch.md", folder);
    assert_true(file_read_text(path, 1 << 20, &page, &error));
    struct ran ran = run_cell(text_string(&source), NULL);
    if (ran.end != NOTEBOOK_DONE || strcmp(text_string(&ran.out), text_string(&page)) != 0)
        fail_msg("attn run tools/from_pytorch.py > docs/from-pytorch.md\n%s",
                 text_string(&ran.trace));
    ran_release(&ran);
    text_release(&source);
    text_release(&page);
}

static char *read_page(void)
{
    struct text page = {0};
    struct error error;
    char path[4096];
    snprintf(path, sizeof path, "%s/../../docs/from-pytorch.md", getenv("ATTN_TEST_GOLDEN"));
    assert_true(file_read_text(path, 1 << 20, &page, &error));
    (void)text_string(&page);
    return page.bytes;
}

/* "SENTENCE: `CODE` gives `SAID`.": the last statement of the code, printed, says so, or the error
 * that it ends with. */
static void run_example(char *row)
{
    char *gives = strstr(row, "` gives `"), *code = strstr(row, ": `"), *last = NULL;
    if (gives == NULL || code == NULL || code > gives)
        fail_msg("this row has no example: %s", row);
    *gives = '\0';
    code += strlen(": `");
    char *said = gives + strlen("` gives `"), *end = said + strlen(said);
    if (end - said < 2 || strcmp(end - 2, "`.") != 0)
        fail_msg("this row does not end with what it says: %s", said);
    end[-2] = '\0';
    for (char *next = code; (next = strstr(next, "; ")) != NULL; next += 2)
        last = next;
    struct text cell = {0};
    text_put(&cell, "import torch\nimport numpy as np\n");
    if (last != NULL)
        text_format(&cell, "%.*s\n", (int)(last - code), code);
    text_format(&cell, "print(%s)\n", last != NULL ? last + 2 : code);
    struct ran ran = run_cell(text_string(&cell), NULL);
    const struct text *printed = ran.end == NOTEBOOK_DONE ? &ran.out : &ran.trace;
    struct text wanted = {0};
    text_format(&wanted, "%s%s\n", ran.end == NOTEBOOK_DONE ? "" : "\n", said);
    size_t size = printed->size, least = wanted.size;
    if (size < least || (ran.end == NOTEBOOK_DONE && size != least) ||
        strcmp(text_string(printed) + size - least, text_string(&wanted)) != 0)
        fail_msg("%s\nis said to give: %s\ngave: %s", code, said, text_string(printed));
    ran_release(&ran);
    text_release(&wanted);
    text_release(&cell);
}

/* Each row of docs/from-pytorch.md runs, and prints what it says. */
static void test_notebook__page_from_pytorch_runs(void **state)
{
    (void)state;
    char *page = read_page(), *next;
    size_t n = 0;
    for (char *row = strstr(page, "## What is the same");
         row != NULL && strncmp(row, "## Functions", 12) != 0; row = next) {
        next = strchr(row, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (strncmp(row, "- ", 2) != 0)
            continue;
        run_example(row);
        n++;
    }
    assert_true(n >= 20);
    free(page);
}

/* Each name of the page is there. */
static void test_notebook__page_from_pytorch_names_what_is_there(void **state)
{
    static const struct {
        const char *title, *of;
    } sections[] = {
        {"## Functions of torch (", "torch"},
        {"## Methods and properties of tensors (", "torch.Tensor"},
        {"## Modules of torch.nn (", "torch.nn"},
        {"## torch.nn.functional (", "torch.nn.functional"},
        {"## torch.optim (", "torch.optim"},
        {"## torch.optim.lr_scheduler (", "torch.optim.lr_scheduler"},
        {"## torch.linalg (", "torch.linalg"},
        {"## numpy (", "np"},
        {"## numpy.random (", "np.random"},
        {"## numpy.linalg (", "np.linalg"},
    };
    (void)state;
    char *page = read_page();
    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        struct text cell = {0};
        char *begin = strstr(page, sections[i].title), *end = begin ? strstr(begin, "\n## ") : NULL;
        if (end == NULL)
            fail_msg("the page has no section %s", sections[i].title);
        begin += strlen(sections[i].title);
        int n = atoi(begin);
        text_format(&cell,
                    "import torch\nimport numpy as np\n"
                    "words = [w.strip('`') for w in '''%.*s'''.split() if w[0] == '`']\n"
                    "print(len(words), [w for w in words if not hasattr(%s, w)])\n",
                    (int)(end - begin), begin, sections[i].of);
        struct ran ran = run_cell(text_string(&cell), NULL);
        char wanted[40];
        snprintf(wanted, sizeof wanted, "%d []\n", n);
        if (n == 0 || strcmp(text_string(&ran.out), wanted) != 0)
            fail_msg("%s%d): %s%s", sections[i].title, n, text_string(&ran.out),
                     text_string(&ran.trace));
        ran_release(&ran);
        text_release(&cell);
    }
    free(page);
}

static void test_notebook__survives_failed_allocations(void **state)
{
    (void)state;
    static const char begin[] =
        "import numpy as np\nimport torch\nx = np.arange(6.0).reshape(2, 3)\n";
    static const char cell[] =
        "y = np.concatenate([x, x * 2])[::2, [0, 2]]\n"
        "y[y > 3] = 0\n"
        "y += np.where(x[:, :2] > 1, x[:, 1:], 1)\n"
        "z = (y @ x).sum(axis=1, keepdims=True).tolist()\n"
        "s = f'{np.sort(y, 0)} {np.exp(x)!r} {x.T.shape} {x.dtype}'\n"
        "t = torch.tensor(x.astype(np.float32)).numpy().max()\n"
        "w = np.array([[1, 2], [3, 4]])[np.array([True, False])]\n"
        "q, r = np.linalg.qr(x)\n"
        "u, v, w = np.linalg.svd(x.T), np.linalg.eigh(x @ x.T), np.add.outer(x, x)\n"
        "k = np.array(['a', 'b'])[np.array([1, 0])]\n"
        "np.log(x); torch.zeros(1).log().long().clamp(min=0)\n"
        "try: x @ x\n"
        "except ValueError as e: s = str(e)\n";
    struct text out = {0}, trace = {0};
    int code;
    struct notebook_options options = {.print = collect, .context = &out};
    struct notebook *notebook = notebook_new(&options);
    assert_non_null(notebook);
    assert_int_equal(notebook_run(notebook, "cell", begin, strlen(begin), &trace, &code),
                     NOTEBOOK_DONE);
    bool done = false;
    for (long nth = 1; !done; nth++) {
        text_release(&trace);
        testing_fail_allocation(nth);
        enum notebook_end end = notebook_run(notebook, "cell", cell, strlen(cell), &trace, &code);
        done = testing_allocations() < nth;
        testing_fail_allocation(0);
        if (done)
            assert_int_equal(end, NOTEBOOK_DONE);
        else if (end != NOTEBOOK_DONE && trace.size > 0 && !trace.failed &&
                 strstr(text_string(&trace), "MemoryError") == NULL &&
                 strstr(text_string(&trace), "not enough memory") == NULL)
            fail_msg("allocation %ld: %s", nth, text_string(&trace));
    }
    notebook_free(notebook);
    text_release(&out);
    text_release(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notebook__prints_what_python_prints),
        cmocka_unit_test(test_notebook__shows_the_value_of_a_cell),
        cmocka_unit_test(test_notebook__says_what_python_says),
        cmocka_unit_test(test_notebook__tells_the_line_and_who_called),
        cmocka_unit_test(test_notebook__refuses_an_imported_name_where_it_is_used),
        cmocka_unit_test(test_notebook__refuses_late),
        cmocka_unit_test(test_notebook__ends_as_the_cell_says),
        cmocka_unit_test(test_notebook__keeps_names),
        cmocka_unit_test(test_notebook__is_bounded),
        cmocka_unit_test(test_notebook__ends_calls_before_the_stack_does),
        cmocka_unit_test(test_notebook__refuses_ten_megabytes_at_once),
        cmocka_unit_test(test_notebook__has_what_cells_import),
        cmocka_unit_test(test_notebook__says_what_pytorch_says),
        cmocka_unit_test(test_notebook__page_from_pytorch_is_made),
        cmocka_unit_test(test_notebook__page_from_pytorch_runs),
        cmocka_unit_test(test_notebook__page_from_pytorch_names_what_is_there),
        cmocka_unit_test(test_notebook__says_what_numpy_says),
        cmocka_unit_test(test_ipynb__reads_code_cells),
        cmocka_unit_test(test_notebook__survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
