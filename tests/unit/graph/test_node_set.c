#include "testing.h"

#include "graph/builder.h"
#include "graph/node.h"
#include "graph/node_set.h"

/* Random nodes: single numbers, each made of one or two earlier ones. */
enum { N_NODES = 300, N_LEAVES = 4 };

struct bench {
    struct graph graph;
    struct error error;
    struct builder builder;
    struct node *nodes[N_NODES];
};

static void bench_init(struct bench *bench, uint64_t seed)
{
    *bench = (struct bench){.graph = {.last_id = 0}};
    struct builder *b = &bench->builder;
    builder_init(b, &bench->graph, &bench->error);
    for (size_t i = 0; i < N_NODES; i++) {
        size_t left = i ? testing_between(&seed, 0, i - 1) : 0;
        size_t right = i ? testing_between(&seed, 0, i - 1) : 0;
        bench->nodes[i] = i < N_LEAVES ? build_number(b, (double)i)
                          : i % 3 == 0 ? build1(b, OP_SIN, bench->nodes[left])
                                       : build2(b, OP_ADD, bench->nodes[left], bench->nodes[right]);
        assert_non_null(bench->nodes[i]);
    }
}

static void bench_release(struct bench *bench)
{
    builder_release(&bench->builder);
}

/* Whether node was made from `from`, or is it: by recursion, as the definition reads. */
static bool is_made_from(const struct node *node, const struct node *from)
{
    if (node == from)
        return true;
    for (unsigned p = 0; node->id > from->id && p < node->n_parents; p++)
        if (is_made_from(node->parents[p], from))
            return true;
    return false;
}

/* Exactly the nodes that a root was made from, each once, in the order of their ids. */
static void check_set(const struct bench *bench, const struct node_set *set,
                      struct node *const *roots, size_t n_roots)
{
    size_t next = 0;
    for (size_t i = 0; i < N_NODES; i++) {
        bool belongs = false;
        for (size_t root = 0; root < n_roots; root++)
            belongs = belongs || is_made_from(roots[root], bench->nodes[i]);
        struct node_entry *found = node_set_find(set, bench->nodes[i]);
        assert_true((found != NULL) == belongs);
        if (!belongs)
            continue;
        assert_ptr_equal(found, &set->entries[next]);
        assert_ptr_equal(set->entries[next].node, bench->nodes[i]);
        assert_null(set->entries[next].other);
        assert_false(set->entries[next].marked);
        next++;
    }
    assert_int_equal(next, set->n_entries);
}

static void test_node_set__holds_what_the_roots_were_made_from(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t n_roots = 1; n_roots <= 4; n_roots++) {
        struct bench bench;
        struct node_set set;
        struct node *roots[4];
        bench_init(&bench, n_roots);
        for (size_t i = 0; i < n_roots; i++)
            roots[i] = bench.nodes[testing_between(&seed, 0, N_NODES - 1)];
        roots[n_roots - 1] = roots[0]; /* one twice */
        assert_true(node_set_init(&set, roots, n_roots, NULL));
        check_set(&bench, &set, roots, n_roots);
        node_set_release(&set);
        bench_release(&bench);
    }
}

static void test_node_set__of_nothing(void **state)
{
    (void)state;
    struct bench bench;
    struct node_set set;
    bench_init(&bench, 7);
    assert_true(node_set_init(&set, NULL, 0, NULL));
    assert_int_equal(set.n_entries, 0);
    assert_null(node_set_find(&set, bench.nodes[0]));
    node_set_mark_dependents(&set, &bench.nodes[0], 1);
    node_set_release(&set);
    bench_release(&bench);
}

static void test_node_set__marks_dependents(void **state)
{
    (void)state;
    struct bench bench;
    struct node_set set;
    bench_init(&bench, 9);
    struct node *root = bench.nodes[N_NODES - 1], *first = NULL, *second = NULL;
    assert_true(node_set_init(&set, &root, 1, NULL));
    for (size_t i = 0; i < 2; i++) {
        struct node *from = set.entries[i].node;
        *(i ? &second : &first) = from;
        node_set_mark_dependents(&set, &from, 1);
        for (size_t at = 0; at < set.n_entries; at++) {
            const struct node *node = set.entries[at].node;
            bool made = is_made_from(node, first) || (second && is_made_from(node, second));
            assert_true(set.entries[at].marked == made);
        }
    }
    node_set_release(&set);
    bench_release(&bench);
}

static void test_node_set__marking_a_stranger_marks_nothing(void **state)
{
    (void)state;
    struct bench bench;
    struct node_set set;
    bench_init(&bench, 3);
    assert_true(node_set_init(&set, &bench.nodes[0], 1, NULL));
    node_set_mark_dependents(&set, &bench.nodes[1], 1);
    assert_false(set.entries[0].marked);
    node_set_release(&set);
    bench_release(&bench);
}

static void test_node_set__frees_what_was_kept_beside(void **state)
{
    (void)state;
    struct bench bench;
    struct node_set set;
    bench_init(&bench, 3);
    assert_true(node_set_init(&set, &bench.nodes[2], 1, NULL));
    size_t n_owners = bench.nodes[1]->n_owners;
    set.entries[0].other = node_share(bench.nodes[1]);
    node_set_release(&set);
    assert_int_equal(bench.nodes[1]->n_owners, n_owners);
    assert_int_equal(set.n_entries, 0);
    node_set_release(&set);
    bench_release(&bench);
}

/* Deeper than recursion could go. */
static void test_node_set__of_a_deep_chain(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    struct graph graph = {.last_id = 0};
    struct error error;
    struct builder builder;
    struct node_set set;
    builder_init(&builder, &graph, &error);
    struct node *first = build_number(&builder, 1), *chain = first;
    for (int i = 0; i < DEPTH; i++)
        chain = build1(&builder, OP_DETACH, chain);
    assert_non_null(chain);
    assert_true(node_set_init(&set, &chain, 1, NULL));
    assert_int_equal(set.n_entries, DEPTH + 1);
    node_set_mark_dependents(&set, &first, 1);
    assert_true(node_set_find(&set, chain)->marked);
    node_set_release(&set);
    builder_release(&builder);
}

static void test_node_set__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct node_set set;
    struct error error;
    bench_init(&bench, 5);
    assert_reports_failed_allocations(node_set_init(&set, bench.nodes, N_NODES, &error), error);
    check_set(&bench, &set, bench.nodes, N_NODES);
    node_set_release(&set);
    bench_release(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_node_set__holds_what_the_roots_were_made_from),
        cmocka_unit_test(test_node_set__of_nothing),
        cmocka_unit_test(test_node_set__marks_dependents),
        cmocka_unit_test(test_node_set__marking_a_stranger_marks_nothing),
        cmocka_unit_test(test_node_set__frees_what_was_kept_beside),
        cmocka_unit_test(test_node_set__of_a_deep_chain),
        cmocka_unit_test(test_node_set__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
