/* From the tree of a cell to instructions: one function per kind of statement and expression.
 *
 * What an expression compiles to leaves one value on the stack. A statement leaves the stack as it
 * was; while a loop runs, its iterator lies there. */
#include <string.h>

#include "base/text.h"
#include "lang/notebook/machine_internal.h"
#include "lang/notebook/scope_internal.h"

enum { MAX_CONSTANTS = 60000, MAX_INSTRUCTIONS = 2000000, LIST_AT_ONCE = 64 };

/* What a jump out of a loop or a function passes on its way. */
enum block_kind { BLOCK_LOOP, BLOCK_FINALLY, BLOCK_WITH };
struct block {
    enum block_kind kind;
    struct block *outer;
    /* loop */
    size_t start;             /* where continue goes */
    size_t *breaks, n_breaks; /* jumps to its end */
    size_t break_capacity;
    bool has_iterator;
    /* finally and with */
    const struct statement *final;
    unsigned exit_slot;
    size_t range; /* where what it guards begins, or goes on */
    unsigned level, n_values;
    size_t *ranges, n_ranges; /* catchers that wait for their target */
    size_t range_capacity;
};

struct emitter {
    struct machine *m;
    struct unit *unit;
    struct code *code;
    const struct scope *scope;
    struct block *block;
    size_t capacity, constant_capacity, catcher_capacity, inner_capacity;
    unsigned n_values; /* on the stack */
    unsigned level;    /* of try within try */
    unsigned depth;
    unsigned n_tries;     /* whose errors are caught: an import that fails there fails at once */
    unsigned error_slot;  /* of the error that is being handled, + 1 */
    uint32_t at;          /* place in the source of the part that is compiled */
    struct origin origin; /* that part itself */
    bool failed;
};

static void compile_expr(struct emitter *e, const struct expr *expr);
static void compile_rows(struct emitter *e, const struct statement *first);
static const struct code *compile_inner(struct emitter *e, const struct scope *scope,
                                        const char *name, const struct formals *formals,
                                        const struct statement *body, const struct expr *expr);

/* ---- instructions ---- */

static void fail(struct emitter *e, const char *why)
{
    if (!e->failed && e->m->raised.kind == VALUE_ABSENT)
        raise_error(e->m, ERROR_SYNTAX, "%s", why);
    e->failed = true;
}

static void *grow(struct emitter *e, void *at, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return at;
    size_t more = *capacity ? *capacity * 2 : 16;
    void *wider = arena_take(&e->unit->arena, more * size);
    if (wider == NULL) {
        fail(e, "not enough memory");
        return NULL;
    }
    if (n > 0)
        memcpy(wider, at, n * size);
    *capacity = more;
    return wider;
}

/* effect: by how many values the stack grows. */
static size_t emit(struct emitter *e, enum opcode op, size_t a, size_t b, int effect)
{
    struct code *code = e->code;
    size_t capacity = e->capacity, origin_capacity = e->capacity;
    if (code->n >= MAX_INSTRUCTIONS || b > UINT16_MAX)
        fail(e, "this cell is too large; split it");
    if (e->failed)
        return 0;
    struct instruction *at = grow(e, code->at, code->n, &e->capacity, sizeof *at);
    uint32_t *begins = grow(e, code->begins, code->n, &capacity, sizeof *begins);
    struct origin *origins = grow(e, code->origins, code->n, &origin_capacity, sizeof *origins);
    if (at == NULL || begins == NULL || origins == NULL)
        return 0;
    code->at = at;
    code->begins = begins;
    code->origins = origins;
    at[code->n] = (struct instruction){(uint16_t)op, (uint16_t)b, (int32_t)a};
    begins[code->n] = e->at;
    origins[code->n] = e->origin;
    e->n_values = (unsigned)((int)e->n_values + effect);
    if (e->n_values > code->n_values)
        code->n_values = e->n_values;
    return code->n++;
}

/* Jumps to the instruction that comes next. */
static void land(struct emitter *e, size_t jump)
{
    if (!e->failed)
        e->code->at[jump].a = (int32_t)e->code->n;
}

/* Takes the value over. */
static size_t constant(struct emitter *e, struct value v)
{
    struct code *code = e->code;
    size_t from = code->n_constants > 64 ? code->n_constants - 64 : 0;
    for (size_t i = from; i < code->n_constants; i++)
        if (value_identical(code->constants[i], v) && v.kind != VALUE_FLOAT) {
            value_drop(v);
            return i;
        }
    struct value *constants =
        grow(e, code->constants, code->n_constants, &e->constant_capacity, sizeof *constants);
    if (constants == NULL || code->n_constants >= MAX_CONSTANTS || v.kind == VALUE_ABSENT) {
        fail(e, "this cell has too many constants; split it");
        value_drop(v);
        return 0;
    }
    code->constants = constants;
    constants[code->n_constants] = v;
    return code->n_constants++;
}

static size_t name_constant(struct emitter *e, const char *bytes, size_t size)
{
    struct string *name = intern(e->m, bytes, size);
    if (name == NULL) {
        e->failed = true;
        return 0;
    }
    return constant(e, value_take((struct value){.kind = VALUE_STRING, .as.string = name}));
}

static size_t text_constant(struct emitter *e, const char *bytes, size_t size)
{
    struct value v = value_absent();
    if (size < 40)
        return name_constant(e, bytes, size);
    if (!make_str(e->m, bytes, size, &v)) {
        e->failed = true;
        return 0;
    }
    return constant(e, v);
}

static void push(struct emitter *e, struct value v)
{
    emit(e, CODE_CONST, constant(e, v), 0, 1);
}

static void push_none(struct emitter *e)
{
    push(e, value_none());
}

static unsigned hidden_slot(struct emitter *e)
{
    return e->code->n_slots++;
}

/* ---- names ---- */

static size_t global_place(struct emitter *e, const char *bytes, size_t size)
{
    struct machine *m = e->m;
    struct string *name = name_of_global(m, e->unit, bytes, size);
    struct entry *entry = name ? table_find_name(m->global_places, name) : NULL;
    if (entry != NULL)
        return (size_t)entry->value.as.whole;
    if (name == NULL || !machine_add_global(m, name)) {
        e->failed = true;
        return 0;
    }
    return m->n_globals - 1;
}

/* A name as an attribute or in the body of a class: within class Account, __balance is
 * _Account__balance. */
static size_t private_constant(struct emitter *e, const char *bytes, size_t size)
{
    bool is_private = size > 2 && bytes[0] == '_' && bytes[1] == '_' &&
                      !(bytes[size - 1] == '_' && bytes[size - 2] == '_');
    const struct scope *scope = is_private ? e->scope : NULL;
    while (scope != NULL && scope->kind != SCOPE_CLASS)
        scope = scope->outer;
    if (scope == NULL)
        return name_constant(e, bytes, size);
    const struct statement *class_ = scope->key;
    const char *name = class_->targets[0]->as.text.bytes;
    size_t name_size = class_->targets[0]->as.text.size;
    for (; name_size > 0 && *name == '_'; name++)
        name_size--;
    if (name_size == 0)
        return name_constant(e, bytes, size);
    struct text full = {0};
    text_char(&full, '_');
    text_add(&full, name, name_size);
    text_add(&full, bytes, size);
    size_t i = full.failed ? 0 : name_constant(e, full.bytes, full.size);
    e->failed = e->failed || full.failed;
    text_release(&full);
    return i;
}

enum name_use { NAME_LOAD, NAME_STORE, NAME_DELETE };

static void use_bytes(struct emitter *e, const char *bytes, size_t size, enum name_use use)
{
    static const enum opcode locals[] = {CODE_LOCAL, CODE_STORE_LOCAL, CODE_DELETE_LOCAL};
    static const enum opcode variables[] = {CODE_VARIABLE, CODE_STORE_VARIABLE,
                                            CODE_DELETE_VARIABLE};
    static const enum opcode globals[] = {CODE_GLOBAL, CODE_STORE_GLOBAL, CODE_DELETE_GLOBAL};
    static const enum opcode names[] = {CODE_NAME, CODE_STORE_NAME, CODE_DELETE_NAME};
    static const int effects[] = {1, -1, 0};
    const struct symbol *symbol =
        e->scope->kind == SCOPE_MODULE ? NULL : scope_find(e->scope, bytes, size);
    if (symbol == NULL || symbol->is_global)
        emit(e, globals[use], global_place(e, bytes, size), 0, effects[use]);
    else if (e->scope->kind == SCOPE_CLASS && !symbol->is_nonlocal)
        emit(e, names[use], private_constant(e, bytes, size),
             symbol->is_outer ? symbol->slot + 1U : 0, effects[use]);
    else
        emit(e, symbol->is_captured || symbol->is_outer ? variables[use] : locals[use],
             symbol->slot, 0, effects[use]);
}

static void use_name(struct emitter *e, const struct expr *name, enum name_use use)
{
    use_bytes(e, name->as.text.bytes, name->as.text.size, use);
}

/* The slot of a variable that only this function uses; false for other names. */
static bool plain_slot(const struct emitter *e, const struct expr *expr, unsigned *ret)
{
    if (expr->kind != EXPR_NAME ||
        (e->scope->kind != SCOPE_FUNCTION && e->scope->kind != SCOPE_COMPREHENSION))
        return false;
    const struct symbol *symbol = scope_find(e->scope, expr->as.text.bytes, expr->as.text.size);
    if (symbol == NULL || symbol->is_global || symbol->is_captured || symbol->is_outer)
        return false;
    *ret = symbol->slot;
    return true;
}

/* ---- operators ---- */

static enum sign sign_of(enum operator meaning, enum op_kind op)
{
    switch (meaning) {
    case OPERATOR_FLOOR_DIVIDE:
        return SIGN_FLOOR;
    case OPERATOR_REMAINDER:
        return SIGN_MOD;
    case OPERATOR_SHIFT_LEFT:
        return SIGN_LEFT;
    case OPERATOR_SHIFT_RIGHT:
        return SIGN_RIGHT;
    case OPERATOR_BIT_XOR:
        return SIGN_XOR;
    case OPERATOR_IN:
        return SIGN_IN;
    case OPERATOR_NOT_IN:
        return SIGN_NOT_IN;
    case OPERATOR_IS:
        return SIGN_IS;
    case OPERATOR_IS_NOT:
        return SIGN_IS_NOT;
    default:
        break;
    }
    switch (op) {
    case OP_SUB:
        return SIGN_SUB;
    case OP_MUL:
        return SIGN_MUL;
    case OP_DIV:
        return SIGN_DIV;
    case OP_POW:
        return SIGN_POW;
    case OP_MATMUL:
        return SIGN_MATMUL;
    case OP_AND:
        return SIGN_AND;
    case OP_OR:
        return SIGN_OR;
    case OP_EQ:
        return SIGN_EQ;
    case OP_NE:
        return SIGN_NE;
    case OP_LT:
        return SIGN_LT;
    case OP_LE:
        return SIGN_LE;
    case OP_GT:
        return SIGN_GT;
    case OP_GE:
        return SIGN_GE;
    default:
        return SIGN_ADD;
    }
}

/* The left side lies on the stack; compiles the right side and the operator. */
static void compile_right(struct emitter *e, enum sign sign, bool in_place,
                          const struct expr *right)
{
    size_t a = (size_t)sign | (in_place ? 256U : 0);
    unsigned slot;
    if (plain_slot(e, right, &slot) && slot <= UINT16_MAX)
        emit(e, CODE_BINARY_LOCAL, a, slot, 0);
    else if (right->kind == EXPR_WHOLE)
        emit(e, CODE_BINARY_CONST, a, constant(e, value_int(right->as.whole)), 0);
    else if (right->kind == EXPR_NUMBER)
        emit(e, CODE_BINARY_CONST, a, constant(e, value_float(right->as.number)), 0);
    else {
        compile_expr(e, right);
        emit(e, CODE_BINARY, a, 0, -1);
    }
}

static void compile_logic(struct emitter *e, const struct expr *expr)
{
    bool is_and = expr->as.operation.meaning == OPERATOR_LOGICAL_AND;
    compile_expr(e, expr->as.operation.left);
    size_t jump = emit(e, is_and ? CODE_JUMP_IF_FALSE_KEEP : CODE_JUMP_IF_TRUE_KEEP, 0, 0, -1);
    compile_expr(e, expr->as.operation.right);
    land(e, jump);
}

static void compile_unary(struct emitter *e, const struct expr *expr)
{
    const struct expr *left = expr->as.operation.left;
    bool is_minus = expr->as.operation.meaning == OPERATOR_PLAIN && expr->as.operation.op == OP_NEG;
    if (is_minus && left->kind == EXPR_WHOLE) {
        push(e, value_int(-left->as.whole));
        return;
    }
    if (is_minus && left->kind == EXPR_NUMBER) {
        push(e, value_float(-left->as.number));
        return;
    }
    compile_expr(e, left);
    if (expr->as.operation.meaning == OPERATOR_LOGICAL_NOT)
        emit(e, CODE_NOT, 0, 0, 0);
    else
        emit(e, CODE_UNARY,
             is_minus                                          ? SIGN_NEG
             : expr->as.operation.meaning == OPERATOR_POSITIVE ? SIGN_POS
                                                               : SIGN_INVERT,
             0, 0);
}

/* a < b < c holds where both do, and b is computed once. */
static void compile_comparisons(struct emitter *e, const struct expr *expr)
{
    const struct comparison_link *rest = expr->as.comparisons.rest;
    size_t n = expr->as.comparisons.n, jumps[64], n_jumps = 0;
    compile_expr(e, expr->as.comparisons.first);
    if (n > 64)
        fail(e, "more than 64 comparisons in a row");
    for (size_t i = 0; i + 1 < n && !e->failed; i++) {
        compile_expr(e, rest[i].right);
        emit(e, CODE_COPY, 0, 0, 1);
        emit(e, CODE_LIFT, 2, 0, 0);
        emit(e, CODE_LIFT, 1, 0, 0); /* b, a, b */
        emit(e, CODE_BINARY, sign_of(rest[i].meaning, rest[i].op), 0, -1);
        jumps[n_jumps++] = emit(e, CODE_JUMP_IF_FALSE_KEEP, 0, 0, -1);
    }
    compile_right(e, sign_of(rest[n - 1].meaning, rest[n - 1].op), false, rest[n - 1].right);
    if (n_jumps == 0)
        return;
    size_t end = emit(e, CODE_JUMP, 0, 0, 0);
    for (size_t i = 0; i < n_jumps; i++)
        land(e, jumps[i]);
    emit(e, CODE_LIFT, 1, 0, 1); /* false, b */
    emit(e, CODE_POP, 0, 0, -1);
    land(e, end);
}

/* ---- collections ---- */

static bool has_stars(struct expr *const *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (items[i] == NULL || items[i]->kind == EXPR_STAR)
            return true;
    return false;
}

static void compile_items(struct emitter *e, const struct expr *expr, enum opcode make)
{
    struct expr *const *items = expr->as.list.items;
    size_t n = expr->as.list.n;
    if (!has_stars(items, n) && n <= LIST_AT_ONCE) {
        for (size_t i = 0; i < n; i++)
            compile_expr(e, items[i]);
        emit(e, make, n, 0, 1 - (int)n);
        return;
    }
    bool is_set = make == CODE_SET;
    emit(e, is_set ? CODE_SET : CODE_LIST, 0, 0, 1);
    for (size_t i = 0; i < n; i++) {
        bool star = items[i]->kind == EXPR_STAR;
        compile_expr(e, star ? items[i]->as.operation.left : items[i]);
        if (is_set)
            emit(e, star ? CODE_SET_EXTEND : CODE_SET_ADD, 0, 0, -1);
        else
            emit(e, star ? CODE_LIST_EXTEND : CODE_LIST_ADD, 0, 0, -1);
    }
    if (make == CODE_TUPLE)
        emit(e, CODE_LIST_TO_TUPLE, 0, 0, 0);
}

static void compile_dict(struct emitter *e, const struct expr *expr)
{
    struct expr *const *items = expr->as.list.items;
    emit(e, CODE_DICT, 0, 0, 1);
    for (size_t i = 0; i + 1 < expr->as.list.n; i += 2) {
        if (items[i] != NULL)
            compile_expr(e, items[i]);
        compile_expr(e, items[i + 1]);
        if (items[i] != NULL)
            emit(e, CODE_DICT_ADD, 0, 0, -2);
        else
            emit(e, CODE_DICT_UPDATE, 0, 0, -1);
    }
}

static void compile_joined(struct emitter *e, const struct expr *expr)
{
    for (size_t i = 0; i < expr->as.list.n; i++) {
        const struct expr *part = expr->as.list.items[i];
        if (part->kind == EXPR_STRING) {
            emit(e, CODE_CONST, text_constant(e, part->as.text.bytes, part->as.text.size), 0, 1);
            continue;
        }
        bool has_spec = part->as.formatted.spec != NULL;
        char conversion = part->as.formatted.conversion;
        if (conversion == '\0' && part->as.formatted.shows_source && !has_spec)
            conversion = 'r';
        compile_expr(e, part->as.formatted.value);
        if (has_spec)
            compile_joined(e, part->as.formatted.spec);
        emit(e, CODE_FORMAT, (size_t)conversion, has_spec, has_spec ? -1 : 0);
    }
    emit(e, CODE_JOIN, expr->as.list.n, 0, 1 - (int)expr->as.list.n);
}

/* ---- calls ---- */

static void compile_spread_arguments(struct emitter *e, const struct argument *arguments, size_t n)
{
    emit(e, CODE_LIST, 0, 0, 1);
    for (size_t i = 0; i < n; i++) {
        if (arguments[i].keyword != NULL || arguments[i].n_stars == 2)
            continue;
        compile_expr(e, arguments[i].value);
        emit(e, arguments[i].n_stars == 1 ? CODE_LIST_EXTEND : CODE_LIST_ADD, 0, 0, -1);
    }
    emit(e, CODE_DICT, 0, 0, 1);
    for (size_t i = 0; i < n; i++) {
        if (arguments[i].keyword != NULL) {
            emit(e, CODE_CONST, name_constant(e, arguments[i].keyword, arguments[i].keyword_size),
                 0, 1);
            compile_expr(e, arguments[i].value);
            emit(e, CODE_DICT_ADD, 0, 0, -2);
        } else if (arguments[i].n_stars == 2) {
            compile_expr(e, arguments[i].value);
            emit(e, CODE_DICT_UPDATE, 0, 1, -1);
        }
    }
}

/* The tuple of the keywords; they come after all other arguments. */
static size_t keywords_constant(struct emitter *e, const struct argument *arguments, size_t n,
                                size_t n_named)
{
    struct tuple *names = tuple_new(&e->m->things, n_named);
    size_t at = 0;
    if (names == NULL) {
        fail(e, "not enough memory");
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (arguments[i].keyword == NULL)
            continue;
        struct string *name = intern(e->m, arguments[i].keyword, arguments[i].keyword_size);
        if (name != NULL)
            names->items[at++] =
                value_take((struct value){.kind = VALUE_STRING, .as.string = name});
    }
    return constant(e, value_thing(names));
}

static bool compile_super(struct emitter *e, const struct expr *expr)
{
    if (expr->object->kind != EXPR_NAME || !expr_is_word(expr->object, "super") ||
        expr->as.call.n > 0 || e->scope->kind != SCOPE_FUNCTION || e->scope->n_formals == 0)
        return false;
    const struct symbol *class = scope_find(e->scope, "__class__", 9);
    const struct symbol *self = &e->scope->symbols[0];
    if (class == NULL || !class->is_outer)
        return false;
    emit(e, CODE_VARIABLE, class->slot, 0, 1);
    emit(e, self->is_captured ? CODE_VARIABLE : CODE_LOCAL, self->slot, 0, 1);
    emit(e, CODE_SUPER, 0, 0, -1);
    return true;
}

static void compile_call(struct emitter *e, const struct expr *expr)
{
    const struct argument *arguments = expr->as.call.arguments;
    size_t n = expr->as.call.n, n_named = 0;
    bool spreads = false, is_method = expr->object->kind == EXPR_ATTRIBUTE;
    if (compile_super(e, expr))
        return;
    for (size_t i = 0; i < n; i++) {
        spreads = spreads || arguments[i].n_stars > 0;
        n_named += arguments[i].keyword != NULL;
        if (arguments[i].keyword == NULL && n_named > 0 && arguments[i].n_stars == 0)
            fail(e, "positional argument follows keyword argument");
    }
    uint32_t at = e->at;
    spreads = spreads || n > 200;
    if (is_method && !spreads) {
        compile_expr(e, expr->object->object);
        e->at = at;
        emit(e, CODE_METHOD,
             private_constant(e, expr->object->as.text.bytes, expr->object->as.text.size), 0, 1);
    } else {
        compile_expr(e, expr->object);
    }
    if (spreads) {
        compile_spread_arguments(e, arguments, n);
        e->at = at;
        emit(e, CODE_CALL_SPREAD, 0, 0, -2);
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (arguments[i].keyword == NULL)
            compile_expr(e, arguments[i].value);
    for (size_t i = 0; i < n; i++)
        if (arguments[i].keyword != NULL)
            compile_expr(e, arguments[i].value);
    e->at = at;
    size_t names = n_named > 0 ? keywords_constant(e, arguments, n, n_named) + 1 : 0;
    emit(e, is_method ? CODE_CALL_METHOD : CODE_CALL, n, names, -(int)n - is_method);
}

/* ---- functions ---- */

/* The variables of outer functions that an inner scope uses lie on the stack, in their order. */
static unsigned push_variables(struct emitter *e, const struct scope *inner)
{
    unsigned n = 0;
    for (size_t i = 0; i < inner->n; i++) {
        const struct symbol *symbol = &inner->symbols[i];
        if (!symbol->is_outer)
            continue;
        const struct symbol *mine = scope_find(e->scope, symbol->bytes, symbol->size);
        if (mine != NULL)
            emit(e, CODE_LOCAL, mine->slot, 1, 1); /* the variable itself */
        n++;
    }
    return n;
}

static size_t add_inner(struct emitter *e, const struct code *code)
{
    const struct code **inner =
        grow(e, e->code->inner, e->code->n_inner, &e->inner_capacity, sizeof(*inner));
    if (inner == NULL || code == NULL) {
        e->failed = true;
        return 0;
    }
    e->code->inner = inner;
    inner[e->code->n_inner] = code;
    return e->code->n_inner++;
}

/* Leaves a function on the stack. */
static void compile_function(struct emitter *e, const void *key, const char *name,
                             const struct formals *formals, const struct statement *body,
                             const struct expr *expr)
{
    const struct scope *inner = scope_inner(e->scope, key);
    size_t n_defaults = 0, n_named = 0;
    uint32_t at = e->at;
    if (inner == NULL) {
        fail(e, "a function without a scope");
        return;
    }
    for (size_t i = 0; formals != NULL && i < formals->n; i++)
        if (formals->at[i].kind == FORMAL_PLAIN && formals->at[i].otherwise != NULL) {
            compile_expr(e, formals->at[i].otherwise);
            n_defaults++;
        }
    if (n_defaults > 0)
        emit(e, CODE_TUPLE, n_defaults, 0, 1 - (int)n_defaults);
    else
        push_none(e);
    for (size_t i = 0; formals != NULL && i < formals->n; i++)
        if (formals->at[i].kind == FORMAL_KEYWORD && formals->at[i].otherwise != NULL) {
            const struct expr *called = formals->at[i].name;
            if (n_named++ == 0)
                emit(e, CODE_DICT, 0, 0, 1);
            emit(e, CODE_CONST, name_constant(e, called->as.text.bytes, called->as.text.size), 0,
                 1);
            compile_expr(e, formals->at[i].otherwise);
            emit(e, CODE_DICT_ADD, 0, 0, -2);
        }
    if (n_named == 0)
        push_none(e);
    unsigned n = push_variables(e, inner);
    const struct code *code = compile_inner(e, inner, name, formals, body, expr);
    e->at = at;
    emit(e, CODE_FUNCTION, add_inner(e, code), n, -1 - (int)n);
}

/* ---- comprehensions ---- */

static void compile_clauses(struct emitter *e, const struct expr *expr, size_t at, size_t n_loops);
static void store(struct emitter *e, const struct expr *target);

static void compile_comprehended(struct emitter *e, const struct expr *expr, size_t n_loops)
{
    compile_expr(e, expr->as.comprehension.item);
    switch (expr->as.comprehension.kind) {
    case COMPREHEND_LIST:
        emit(e, CODE_LIST_ADD, n_loops, 0, -1);
        break;
    case COMPREHEND_SET:
        emit(e, CODE_SET_ADD, n_loops, 0, -1);
        break;
    case COMPREHEND_DICT:
        compile_expr(e, expr->as.comprehension.value);
        emit(e, CODE_DICT_ADD, n_loops, 0, -2);
        break;
    case COMPREHEND_GENERATOR:
        emit(e, CODE_YIELD, 0, 0, 0);
        emit(e, CODE_POP, 0, 0, -1);
        break;
    }
}

/* The clauses from `at` on, and the item after the last. */
static void compile_clauses(struct emitter *e, const struct expr *expr, size_t at, size_t n_loops)
{
    const struct clause *clause = &expr->as.comprehension.clauses[at];
    if (at == expr->as.comprehension.n) {
        compile_comprehended(e, expr, n_loops);
        return;
    }
    if (clause->name == NULL) {
        compile_expr(e, clause->value);
        size_t jump = emit(e, CODE_JUMP_IF_FALSE, 0, 0, -1);
        compile_clauses(e, expr, at + 1, n_loops);
        land(e, jump);
        return;
    }
    if (at == 0) {
        emit(e, CODE_LOCAL, 0, 0, 1);
    } else {
        compile_expr(e, clause->value);
        emit(e, CODE_ITERATE, 0, 0, 0);
    }
    size_t next = emit(e, CODE_NEXT, 0, 0, 1);
    store(e, clause->name);
    compile_clauses(e, expr, at + 1, n_loops + 1);
    emit(e, CODE_JUMP, next, 0, 0);
    land(e, next);
    e->n_values--;
}

static void compile_comprehension(struct emitter *e, const struct expr *expr)
{
    static const char *const names[] = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"};
    uint32_t at = e->at;
    compile_function(e, expr, names[expr->as.comprehension.kind], NULL, NULL, expr);
    compile_expr(e, expr->as.comprehension.clauses[0].value);
    e->at = at;
    emit(e, CODE_ITERATE, 0, 0, 0);
    emit(e, CODE_CALL, 1, 0, -1);
}

static void compile_comprehension_body(struct emitter *e, const struct expr *expr)
{
    static const enum opcode makes[] = {CODE_LIST, CODE_SET, CODE_DICT, CODE_CONST};
    enum comprehension_kind kind = expr->as.comprehension.kind;
    if (kind == COMPREHEND_GENERATOR)
        push_none(e);
    else
        emit(e, makes[kind], 0, 0, 1);
    compile_clauses(e, expr, 0, 0);
    emit(e, CODE_RETURN, 0, 0, -1);
}

/* ---- expressions ---- */

static void compile_index(struct emitter *e, const struct expr *expr)
{
    struct expr *const *items = expr->as.list.items;
    size_t n = expr->as.list.n;
    if (n == 1 && items[0]->kind != EXPR_STAR)
        compile_expr(e, items[0]);
    else
        compile_items(e, expr, CODE_TUPLE);
}

static void compile_part_or_none(struct emitter *e, const struct expr *expr)
{
    if (expr != NULL)
        compile_expr(e, expr);
    else
        push_none(e);
}

static void compile_name(struct emitter *e, const struct expr *expr)
{
    if (expr_is_word(expr, "None"))
        push_none(e);
    else if (expr_is_word(expr, "True") || expr_is_word(expr, "False"))
        push(e, value_bool(expr_is_word(expr, "True")));
    else
        use_name(e, expr, NAME_LOAD);
}

static void compile_conditional(struct emitter *e, const struct expr *expr)
{
    compile_expr(e, expr->as.list.items[0]);
    size_t no = emit(e, CODE_JUMP_IF_FALSE, 0, 0, -1);
    compile_expr(e, expr->as.list.items[1]);
    size_t end = emit(e, CODE_JUMP, 0, 0, -1);
    land(e, no);
    compile_expr(e, expr->as.list.items[2]);
    land(e, end);
}

static void compile_yield(struct emitter *e, const struct expr *expr)
{
    if (e->scope->kind != SCOPE_FUNCTION)
        fail(e, "'yield' outside function");
    compile_part_or_none(e, expr->as.operation.left);
    if (expr->kind == EXPR_YIELD) {
        emit(e, CODE_YIELD, 0, 0, 0);
        return;
    }
    emit(e, CODE_ITERATE, 0, 0, 0);
    emit(e, CODE_YIELD_FROM, 0, 0, 0);
}

static void compile_kind(struct emitter *e, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_NUMBER:
        push(e, value_float(expr->as.number));
        break;
    case EXPR_WHOLE:
        push(e, value_int(expr->as.whole));
        break;
    case EXPR_STRING:
        emit(e, CODE_CONST, text_constant(e, expr->as.text.bytes, expr->as.text.size), 0, 1);
        break;
    case EXPR_NAME:
        compile_name(e, expr);
        break;
    case EXPR_LIST:
        compile_items(e, expr, CODE_LIST);
        break;
    case EXPR_TUPLE:
        compile_items(e, expr, CODE_TUPLE);
        break;
    case EXPR_SET:
        compile_items(e, expr, CODE_SET);
        break;
    case EXPR_DICT:
        compile_dict(e, expr);
        break;
    case EXPR_JOINED:
        compile_joined(e, expr);
        break;
    case EXPR_COMPREHENSION:
        compile_comprehension(e, expr);
        break;
    case EXPR_UNARY:
        compile_unary(e, expr);
        break;
    case EXPR_BINARY:
        if (expr->as.operation.meaning == OPERATOR_LOGICAL_AND ||
            expr->as.operation.meaning == OPERATOR_LOGICAL_OR) {
            compile_logic(e, expr);
            break;
        }
        compile_expr(e, expr->as.operation.left);
        e->at = (uint32_t)expr->begin;
        compile_right(e, sign_of(expr->as.operation.meaning, expr->as.operation.op), false,
                      expr->as.operation.right);
        break;
    case EXPR_COMPARISONS:
        compile_comparisons(e, expr);
        break;
    case EXPR_CONDITIONAL:
        compile_conditional(e, expr);
        break;
    case EXPR_CALL:
        compile_call(e, expr);
        break;
    case EXPR_ATTRIBUTE:
        compile_expr(e, expr->object);
        e->at = (uint32_t)expr->begin;
        emit(e, CODE_ATTRIBUTE, private_constant(e, expr->as.text.bytes, expr->as.text.size), 0, 0);
        break;
    case EXPR_INDEX:
        compile_expr(e, expr->object);
        compile_index(e, expr);
        e->at = (uint32_t)expr->begin;
        emit(e, CODE_INDEX, 0, 0, -1);
        break;
    case EXPR_SLICE:
        compile_part_or_none(e, expr->as.slice.start);
        compile_part_or_none(e, expr->as.slice.stop);
        compile_part_or_none(e, expr->as.slice.step);
        emit(e, CODE_SLICE, 0, 0, -2);
        break;
    case EXPR_ELLIPSIS:
        push(e, value_take(e->m->ellipsis));
        break;
    case EXPR_LAMBDA:
        compile_function(e, expr, "<lambda>", expr->as.lambda.formals, NULL, expr);
        break;
    case EXPR_WALRUS:
        compile_expr(e, expr->as.operation.right);
        emit(e, CODE_COPY, 0, 0, 1);
        use_name(e, expr->as.operation.left, NAME_STORE);
        break;
    case EXPR_YIELD:
    case EXPR_YIELD_FROM:
        compile_yield(e, expr);
        break;
    case EXPR_REFUSED:
        emit(e, CODE_REFUSE, text_constant(e, expr->as.text.bytes, expr->as.text.size), 0, 1);
        break;
    case EXPR_STAR:
        fail(e, "can't use starred expression here");
        break;
    case EXPR_FORMATTED:
        break;
    }
}

static void compile_expr(struct emitter *e, const struct expr *expr)
{
    uint32_t at = e->at;
    const struct expr *around = e->origin.expr;
    if (e->failed)
        return;
    e->at = (uint32_t)expr->begin;
    e->origin.expr = expr;
    e->depth++;
    compile_kind(e, expr);
    e->depth--;
    e->at = at;
    e->origin.expr = around;
}

/* ---- targets ---- */

static void store_several(struct emitter *e, const struct expr *target)
{
    struct expr *const *items = target->as.list.items;
    size_t n = target->as.list.n, star = n;
    for (size_t i = 0; i < n; i++)
        if (items[i]->kind == EXPR_STAR) {
            if (star < n)
                fail(e, "multiple starred expressions in assignment");
            star = i;
        }
    if (star < n)
        emit(e, CODE_UNPACK_STAR, star, n - star - 1, (int)n - 1);
    else
        emit(e, CODE_UNPACK, n, 0, (int)n - 1);
    for (size_t i = 0; i < n; i++)
        store(e, items[i]->kind == EXPR_STAR ? items[i]->as.operation.left : items[i]);
}

/* Takes the value on top of the stack. */
static void store(struct emitter *e, const struct expr *target)
{
    if (e->failed)
        return;
    e->at = (uint32_t)target->begin;
    e->origin.expr = target;
    switch (target->kind) {
    case EXPR_NAME:
        use_name(e, target, NAME_STORE);
        break;
    case EXPR_ATTRIBUTE:
        compile_expr(e, target->object);
        emit(e, CODE_STORE_ATTRIBUTE,
             private_constant(e, target->as.text.bytes, target->as.text.size), 0, -2);
        break;
    case EXPR_INDEX:
        compile_expr(e, target->object);
        compile_index(e, target);
        emit(e, CODE_STORE_INDEX, 0, 0, -3);
        break;
    case EXPR_TUPLE:
    case EXPR_LIST:
        store_several(e, target);
        break;
    default:
        fail(e, "cannot assign to expression");
        break;
    }
}

static void compile_augmented(struct emitter *e, const struct statement *s)
{
    const struct expr *target = s->targets[0];
    enum sign sign = sign_of(s->meaning, s->op);
    size_t name = 0;
    switch (target->kind) {
    case EXPR_ATTRIBUTE:
        compile_expr(e, target->object);
        name = private_constant(e, target->as.text.bytes, target->as.text.size);
        emit(e, CODE_COPY, 0, 0, 1);
        emit(e, CODE_ATTRIBUTE, name, 0, 0);
        compile_right(e, sign, true, s->value);
        emit(e, CODE_LIFT, 1, 0, 0);
        emit(e, CODE_STORE_ATTRIBUTE, name, 0, -2);
        break;
    case EXPR_INDEX:
        compile_expr(e, target->object);
        compile_index(e, target);
        emit(e, CODE_COPY, 1, 0, 1);
        emit(e, CODE_COPY, 1, 0, 1);
        emit(e, CODE_INDEX, 0, 0, -1);
        compile_right(e, sign, true, s->value);
        emit(e, CODE_LIFT, 2, 0, 0);
        emit(e, CODE_LIFT, 2, 0, 0);
        emit(e, CODE_STORE_INDEX, 0, 0, -3);
        break;
    default:
        use_name(e, target, NAME_LOAD);
        compile_right(e, sign, true, s->value);
        use_name(e, target, NAME_STORE);
        break;
    }
}

static void compile_delete(struct emitter *e, const struct expr *target)
{
    switch (target->kind) {
    case EXPR_NAME:
        use_name(e, target, NAME_DELETE);
        break;
    case EXPR_ATTRIBUTE:
        compile_expr(e, target->object);
        emit(e, CODE_DELETE_ATTRIBUTE,
             private_constant(e, target->as.text.bytes, target->as.text.size), 0, -1);
        break;
    case EXPR_INDEX:
        compile_expr(e, target->object);
        compile_index(e, target);
        emit(e, CODE_DELETE_INDEX, 0, 0, -2);
        break;
    default:
        for (size_t i = 0; i < target->as.list.n; i++)
            compile_delete(e, target->as.list.items[i]);
        break;
    }
}

/* ---- guarded ranges ---- */

/* From here on the block does not guard; its catchers so far wait for their target. */
static void close_range(struct emitter *e, struct block *block)
{
    struct code *code = e->code;
    if (e->failed || code->n == block->range)
        return;
    struct catcher *catchers =
        grow(e, code->catchers, code->n_catchers, &e->catcher_capacity, sizeof *catchers);
    size_t *ranges =
        grow(e, block->ranges, block->n_ranges, &block->range_capacity, sizeof *ranges);
    if (catchers == NULL || ranges == NULL)
        return;
    code->catchers = catchers;
    block->ranges = ranges;
    ranges[block->n_ranges++] = code->n_catchers;
    catchers[code->n_catchers++] = (struct catcher){
        .begin = (uint32_t)block->range,
        .end = (uint32_t)code->n,
        .n_values = block->n_values,
        .level = block->level,
    };
}

static void open_range(struct emitter *e, struct block *block)
{
    block->range = e->code->n;
}

static void begin_guard(struct emitter *e, struct block *block)
{
    block->level = ++e->level;
    block->n_values = e->n_values;
    open_range(e, block);
}

/* The errors that the block guards against come here, with the error on the stack. */
static void land_errors(struct emitter *e, struct block *block)
{
    for (size_t i = 0; i < block->n_ranges; i++)
        e->code->catchers[block->ranges[i]].target = (uint32_t)e->code->n;
    e->n_values = block->n_values + 1;
    if (e->n_values > e->code->n_values)
        e->code->n_values = e->n_values;
}

/* What blocks do when they are left by a jump, up to the loop or, for return, all. */
static void leave_blocks(struct emitter *e, const struct block *until)
{
    struct block *innermost = e->block;
    unsigned level = e->level;
    for (struct block *block = innermost; block != until; block = block->outer) {
        if (block->kind == BLOCK_LOOP)
            continue;
        close_range(e, block);
    }
    for (struct block *block = innermost; block != until && !e->failed; block = block->outer) {
        if (block->kind == BLOCK_LOOP)
            continue;
        e->block = block->outer;
        if (block->kind == BLOCK_FINALLY && block->final != NULL) {
            compile_rows(e, block->final);
        } else if (block->kind == BLOCK_WITH) {
            emit(e, CODE_LOCAL, block->exit_slot, 0, 1);
            emit(e, CODE_EXIT, 0, 0, -1);
        }
    }
    e->block = innermost;
    e->level = level;
}

/* After the jump the blocks guard again what comes below it. */
static void enter_blocks_again(struct emitter *e, const struct block *until)
{
    for (struct block *block = e->block; block != until; block = block->outer)
        if (block->kind != BLOCK_LOOP)
            open_range(e, block);
}

/* ---- statements ---- */

static void compile_if(struct emitter *e, const struct statement *s)
{
    compile_expr(e, s->value);
    size_t no = emit(e, CODE_JUMP_IF_FALSE, 0, 0, -1);
    compile_rows(e, s->body);
    if (s->otherwise == NULL) {
        land(e, no);
        return;
    }
    size_t end = emit(e, CODE_JUMP, 0, 0, 0);
    land(e, no);
    compile_rows(e, s->otherwise);
    land(e, end);
}

static void end_loop(struct emitter *e, struct block *loop, const struct statement *s)
{
    e->block = loop->outer;
    compile_rows(e, s->otherwise);
    for (size_t i = 0; i < loop->n_breaks; i++)
        land(e, loop->breaks[i]);
}

static void compile_while(struct emitter *e, const struct statement *s)
{
    struct block loop = {.kind = BLOCK_LOOP, .outer = e->block, .start = e->code->n};
    bool forever = s->value->kind == EXPR_NAME && expr_is_word(s->value, "True");
    size_t end = 0;
    e->block = &loop;
    if (!forever) {
        compile_expr(e, s->value);
        end = emit(e, CODE_JUMP_IF_FALSE, 0, 0, -1);
    }
    compile_rows(e, s->body);
    emit(e, CODE_JUMP, loop.start, 0, 0);
    if (!forever)
        land(e, end);
    end_loop(e, &loop, s);
}

static void compile_for(struct emitter *e, const struct statement *s)
{
    struct block loop = {.kind = BLOCK_LOOP, .outer = e->block, .has_iterator = true};
    compile_expr(e, s->value);
    e->at = (uint32_t)s->begin;
    emit(e, CODE_ITERATE, 0, 0, 0);
    loop.start = e->code->n;
    e->block = &loop;
    size_t next = emit(e, CODE_NEXT, 0, 0, 1);
    store(e, s->targets[0]);
    compile_rows(e, s->body);
    emit(e, CODE_JUMP, loop.start, 0, 0);
    land(e, next);
    e->n_values--;
    end_loop(e, &loop, s);
}

static void compile_break(struct emitter *e, bool is_break)
{
    struct block *loop = e->block;
    while (loop != NULL && loop->kind != BLOCK_LOOP)
        loop = loop->outer;
    if (loop == NULL) {
        fail(e, is_break ? "'break' outside loop" : "'continue' not properly in loop");
        return;
    }
    leave_blocks(e, loop);
    if (!is_break) {
        emit(e, CODE_JUMP, loop->start, 0, 0);
    } else {
        if (loop->has_iterator)
            emit(e, CODE_POP, 0, 0, 0);
        size_t *breaks =
            grow(e, loop->breaks, loop->n_breaks, &loop->break_capacity, sizeof *breaks);
        if (breaks != NULL) {
            loop->breaks = breaks;
            breaks[loop->n_breaks++] = emit(e, CODE_JUMP, 0, 0, 0);
        }
    }
    enter_blocks_again(e, loop);
}

static void compile_return(struct emitter *e, const struct statement *s)
{
    bool guarded = false;
    if (e->scope->kind != SCOPE_FUNCTION)
        fail(e, "'return' outside function");
    for (const struct block *block = e->block; block != NULL; block = block->outer)
        guarded = guarded || block->kind != BLOCK_LOOP;
    compile_part_or_none(e, s->value);
    if (guarded) {
        unsigned slot = hidden_slot(e);
        emit(e, CODE_STORE_LOCAL, slot, 0, -1);
        leave_blocks(e, NULL);
        emit(e, CODE_LOCAL, slot, 0, 1);
    }
    emit(e, CODE_RETURN, 0, 0, -1);
    enter_blocks_again(e, NULL);
}

static void compile_handlers(struct emitter *e, const struct statement *s, unsigned slot,
                             size_t *ends)
{
    unsigned before = e->error_slot;
    e->error_slot = slot + 1;
    for (size_t i = 0; i < s->n_handlers; i++) {
        const struct handler *handler = &s->handlers[i];
        size_t next = 0;
        e->at = (uint32_t)handler->begin;
        if (handler->value != NULL) {
            emit(e, CODE_LOCAL, slot, 0, 1);
            compile_expr(e, handler->value);
            emit(e, CODE_MATCHES, 0, 0, -1);
            next = emit(e, CODE_JUMP_IF_FALSE, 0, 0, -1);
        }
        if (handler->name != NULL) {
            emit(e, CODE_LOCAL, slot, 0, 1);
            use_name(e, handler->name, NAME_STORE);
        }
        compile_rows(e, handler->body);
        if (handler->name != NULL) {
            push_none(e);
            use_name(e, handler->name, NAME_STORE);
            use_name(e, handler->name, NAME_DELETE);
        }
        push_none(e);
        emit(e, CODE_STORE_LOCAL, slot, 0, -1);
        ends[i] = emit(e, CODE_JUMP, 0, 0, 0);
        if (handler->value != NULL)
            land(e, next);
    }
    e->error_slot = before;
    emit(e, CODE_RAISE_AGAIN, slot, 0, 0);
}

static void compile_caught(struct emitter *e, const struct statement *s)
{
    if (s->n_handlers == 0) {
        compile_rows(e, s->body);
        return;
    }
    struct block guard = {.kind = BLOCK_FINALLY, .outer = e->block};
    size_t *ends = arena_take(&e->unit->arena, (s->n_handlers + 1) * sizeof *ends);
    unsigned slot = hidden_slot(e), level = e->level;
    if (ends == NULL) {
        fail(e, "not enough memory");
        return;
    }
    begin_guard(e, &guard);
    e->block = &guard;
    e->n_tries++;
    compile_rows(e, s->body);
    e->n_tries--;
    close_range(e, &guard);
    e->block = guard.outer;
    e->level = level;
    compile_rows(e, s->otherwise);
    size_t end = emit(e, CODE_JUMP, 0, 0, 0);
    land_errors(e, &guard);
    emit(e, CODE_STORE_LOCAL, slot, 0, -1);
    compile_handlers(e, s, slot, ends);
    land(e, end);
    for (size_t i = 0; i < s->n_handlers; i++)
        land(e, ends[i]);
}

static void compile_try(struct emitter *e, const struct statement *s)
{
    if (s->final == NULL) {
        compile_caught(e, s);
        return;
    }
    struct block guard = {.kind = BLOCK_FINALLY, .outer = e->block, .final = s->final};
    unsigned slot = hidden_slot(e), level = e->level;
    begin_guard(e, &guard);
    e->block = &guard;
    compile_caught(e, s);
    close_range(e, &guard);
    e->block = guard.outer;
    e->level = level;
    compile_rows(e, s->final);
    size_t end = emit(e, CODE_JUMP, 0, 0, 0);
    land_errors(e, &guard);
    emit(e, CODE_STORE_LOCAL, slot, 0, -1);
    compile_rows(e, s->final);
    emit(e, CODE_RAISE_AGAIN, slot, 0, 0);
    land(e, end);
}

/* The managers from number i on. */
static void compile_with(struct emitter *e, const struct statement *s, size_t i)
{
    if (i == s->n_arguments) {
        compile_rows(e, s->body);
        return;
    }
    struct block guard = {.kind = BLOCK_WITH, .outer = e->block, .exit_slot = hidden_slot(e)};
    unsigned slot = hidden_slot(e), level = e->level;
    e->at = (uint32_t)s->arguments[i]->begin;
    compile_expr(e, s->arguments[i]);
    emit(e, CODE_ENTER, 0, 0, 1);
    if (s->targets[i] != NULL)
        store(e, s->targets[i]);
    else
        emit(e, CODE_POP, 0, 0, -1);
    emit(e, CODE_STORE_LOCAL, guard.exit_slot, 0, -1);
    begin_guard(e, &guard);
    e->block = &guard;
    compile_with(e, s, i + 1);
    close_range(e, &guard);
    e->block = guard.outer;
    e->level = level;
    emit(e, CODE_LOCAL, guard.exit_slot, 0, 1);
    emit(e, CODE_EXIT, 0, 0, -1);
    size_t end = emit(e, CODE_JUMP, 0, 0, 0);
    land_errors(e, &guard);
    emit(e, CODE_STORE_LOCAL, slot, 0, -1);
    emit(e, CODE_LOCAL, guard.exit_slot, 0, 1);
    emit(e, CODE_LOCAL, slot, 0, 1);
    emit(e, CODE_EXIT_ERROR, 0, 0, -1);
    size_t over = emit(e, CODE_JUMP_IF_TRUE, 0, 0, -1);
    emit(e, CODE_RAISE_AGAIN, slot, 0, 0);
    land(e, end);
    land(e, over);
}

static void compile_decorators(struct emitter *e, const struct statement *s)
{
    for (size_t i = 0; i < s->n_decorators; i++)
        compile_expr(e, s->decorators[i]);
}

static void call_decorators(struct emitter *e, const struct statement *s)
{
    for (size_t i = s->n_decorators; i-- > 0;) {
        e->at = (uint32_t)s->decorators[i]->begin;
        emit(e, CODE_CALL, 1, 0, -1);
    }
    use_name(e, s->targets[0], NAME_STORE);
}

static const char *copy_name(struct emitter *e, const struct expr *name)
{
    const char *copy = arena_copy(&e->unit->arena, name->as.text.bytes, name->as.text.size);
    if (copy == NULL)
        fail(e, "not enough memory");
    return copy;
}

static void compile_def(struct emitter *e, const struct statement *s)
{
    compile_decorators(e, s);
    e->at = (uint32_t)s->begin;
    compile_function(e, s, copy_name(e, s->targets[0]), s->formals, s->body, NULL);
    call_decorators(e, s);
}

static void compile_class(struct emitter *e, const struct statement *s)
{
    const struct scope *inner = scope_inner(e->scope, s);
    const struct expr *name = s->targets[0];
    size_t n_bases = 0;
    compile_decorators(e, s);
    emit(e, CODE_CONST, name_constant(e, name->as.text.bytes, name->as.text.size), 0, 1);
    for (size_t i = 0; i < s->n_named; i++)
        if (s->named[i].keyword == NULL && s->named[i].n_stars == 0) {
            compile_expr(e, s->named[i].value);
            n_bases++;
        }
    emit(e, CODE_TUPLE, n_bases, 0, 1 - (int)n_bases);
    if (inner == NULL) {
        fail(e, "a class without a scope");
        return;
    }
    unsigned n = push_variables(e, inner);
    const struct code *code = compile_inner(e, inner, copy_name(e, name), NULL, s->body, NULL);
    e->at = (uint32_t)s->begin;
    emit(e, CODE_BUILD_CLASS, add_inner(e, code), n, -1 - (int)n);
    call_decorators(e, s);
}

static void compile_import(struct emitter *e, const struct statement *s)
{
    for (size_t i = 0; i < s->n_imports; i++) {
        const struct import *import = &s->imports[i];
        const char *dot = memchr(import->module, '.', import->module_size);
        size_t first = dot ? (size_t)(dot - import->module) : import->module_size;
        emit(e, CODE_IMPORT, name_constant(e, import->module, import->module_size),
             (import->name == NULL) | (e->n_tries > 0 ? 2U : 0), 1);
        if (import->name != NULL)
            use_name(e, import->name, NAME_STORE);
        else
            use_bytes(e, import->module, first, NAME_STORE);
    }
}

static void compile_from(struct emitter *e, const struct statement *s)
{
    emit(e, CODE_IMPORT, name_constant(e, s->words, s->words_size), e->n_tries > 0 ? 2 : 0, 1);
    for (size_t i = 0; i < s->n_imports; i++) {
        const struct import *import = &s->imports[i];
        emit(e, CODE_IMPORT_FROM, name_constant(e, import->module, import->module_size),
             e->n_tries > 0 ? 2 : 0, 1);
        if (import->name != NULL)
            use_name(e, import->name, NAME_STORE);
        else
            use_bytes(e, import->module, import->module_size, NAME_STORE);
    }
    if (s->n_imports == 0)
        emit(e, CODE_IMPORT_ALL, 0, 0, 0);
    emit(e, CODE_POP, 0, 0, -1);
}

static void compile_raise(struct emitter *e, const struct statement *s)
{
    if (s->value == NULL && e->error_slot > 0) {
        emit(e, CODE_RAISE_AGAIN, e->error_slot - 1, 0, 0);
        return;
    }
    if (s->value != NULL)
        compile_expr(e, s->value);
    if (s->cause != NULL) {
        compile_expr(e, s->cause);
        emit(e, CODE_RAISE, 2, e->error_slot, -2);
        return;
    }
    emit(e, CODE_RAISE, s->value != NULL, e->error_slot, s->value != NULL ? -1 : 0);
}

static void compile_assert(struct emitter *e, const struct statement *s)
{
    compile_expr(e, s->value);
    size_t end = emit(e, CODE_JUMP_IF_TRUE, 0, 0, -1);
    if (s->cause != NULL)
        compile_expr(e, s->cause);
    emit(e, CODE_ASSERT_FAILED, s->cause != NULL, 0, s->cause != NULL ? -1 : 0);
    land(e, end);
}

/* The fields of a class with their annotations, as they were written, in their order: what a
 * dataclass is made from. */
static void compile_annotated(struct emitter *e, const struct statement *s)
{
    const struct expr *target = s->targets[0], *said = s->annotation;
    if (s->value != NULL) {
        compile_expr(e, s->value);
        store(e, target);
    }
    if (e->scope->kind == SCOPE_CLASS && target->kind == EXPR_NAME) {
        emit(e, CODE_CONST,
             text_constant(e, e->unit->source + said->begin, said->end - said->begin), 0, 1);
        emit(e, CODE_ANNOTATE, name_constant(e, target->as.text.bytes, target->as.text.size), 0,
             -1);
    }
}

static void compile_statement(struct emitter *e, const struct statement *s)
{
    e->at = (uint32_t)s->begin;
    switch (s->kind) {
    case STATEMENT_EXPRESSION:
        if (s->value->kind == EXPR_STRING)
            break;
        compile_expr(e, s->value);
        emit(e, CODE_POP, 0, 0, -1);
        break;
    case STATEMENT_CHAIN:
        compile_expr(e, s->value);
        for (size_t i = 0; i < s->n_targets; i++) {
            if (i + 1 < s->n_targets)
                emit(e, CODE_COPY, 0, 0, 1);
            store(e, s->targets[i]);
        }
        break;
    case STATEMENT_AUGMENTED:
        compile_augmented(e, s);
        break;
    case STATEMENT_ANNOTATED:
        compile_annotated(e, s);
        break;
    case STATEMENT_IF:
        compile_if(e, s);
        break;
    case STATEMENT_WHILE:
        compile_while(e, s);
        break;
    case STATEMENT_FOR:
        compile_for(e, s);
        break;
    case STATEMENT_FUNCTION:
        compile_def(e, s);
        break;
    case STATEMENT_CLASS:
        compile_class(e, s);
        break;
    case STATEMENT_RETURN:
        compile_return(e, s);
        break;
    case STATEMENT_RAISE:
        compile_raise(e, s);
        break;
    case STATEMENT_TRY:
        compile_try(e, s);
        break;
    case STATEMENT_WITH:
        compile_with(e, s, 0);
        break;
    case STATEMENT_ASSERT:
        compile_assert(e, s);
        break;
    case STATEMENT_DELETE:
        for (size_t i = 0; i < s->n_targets; i++)
            compile_delete(e, s->targets[i]);
        break;
    case STATEMENT_IMPORT:
        compile_import(e, s);
        break;
    case STATEMENT_FROM:
        compile_from(e, s);
        break;
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
        compile_break(e, s->kind == STATEMENT_BREAK);
        break;
    case STATEMENT_REFUSED:
        emit(e, CODE_REFUSE, text_constant(e, s->words, s->words_size), 0, 1);
        emit(e, CODE_POP, 0, 0, -1);
        break;
    case STATEMENT_PASS:
    case STATEMENT_GLOBAL:
    case STATEMENT_NONLOCAL:
    case STATEMENT_ASSIGN:
    case STATEMENT_DEFINE:
    case STATEMENT_COMMAND:
        break;
    }
}

static void compile_rows(struct emitter *e, const struct statement *first)
{
    struct origin around = e->origin;
    for (const struct statement *s = first; s != NULL && !e->failed; s = s->next) {
        e->origin = (struct origin){.statement = s};
        compile_statement(e, s);
    }
    e->origin = around;
}

/* ---- codes ---- */

static struct code *new_code(struct machine *m, struct unit *unit, const char *name)
{
    struct code *code = arena_take(&unit->arena, sizeof *code);
    if (code == NULL) {
        raise_memory(m);
        return NULL;
    }
    code->name = name;
    code->unit = unit;
    code->next = m->codes;
    m->codes = code;
    return code;
}

static void describe_slots(struct emitter *e, const struct formals *formals)
{
    struct code *code = e->code;
    const struct scope *scope = e->scope;
    for (size_t i = 0; formals != NULL && i < formals->n; i++) {
        code->n_plain += formals->at[i].kind == FORMAL_PLAIN;
        code->n_keyword += formals->at[i].kind == FORMAL_KEYWORD;
        code->has_rest = code->has_rest || formals->at[i].kind == FORMAL_REST;
        code->has_keywords = code->has_keywords || formals->at[i].kind == FORMAL_KEYWORDS;
    }
    if (scope->kind == SCOPE_COMPREHENSION)
        code->n_plain = 1;
    code->names = arena_take(&e->unit->arena, (scope->n + 1) * sizeof *code->names);
    if (code->names == NULL) {
        fail(e, "not enough memory");
        return;
    }
    for (size_t i = 0; i < scope->n; i++) {
        const struct symbol *symbol = &scope->symbols[i];
        if (symbol->is_global)
            continue;
        struct string *name = intern(e->m, symbol->bytes, symbol->size);
        if (name == NULL) {
            e->failed = true;
            return;
        }
        code->names[symbol->slot] = (struct value){.kind = VALUE_STRING, .as.string = name};
        code->n_slots++;
        code->n_outer += symbol->is_outer;
    }
    code->first_outer = code->n_slots - code->n_outer;
    for (size_t i = 0; i < scope->n; i++)
        if (scope->symbols[i].is_captured && !scope->symbols[i].is_outer &&
            (scope->kind != SCOPE_CLASS || i == 0))
            emit(e, CODE_NEW_VARIABLE, scope->symbols[i].slot, 0, 0);
}

static void compile_body(struct emitter *e, const struct statement *body, const struct expr *expr)
{
    if (expr != NULL && expr->kind == EXPR_LAMBDA) {
        compile_expr(e, expr->as.lambda.body);
    } else if (expr != NULL) {
        compile_comprehension_body(e, expr);
        return;
    } else {
        if (body != NULL && body->kind == STATEMENT_EXPRESSION && body->value->kind == EXPR_STRING)
            e->code->doc =
                text_constant(e, body->value->as.text.bytes, body->value->as.text.size) + 1;
        compile_rows(e, body);
        if (e->scope->kind == SCOPE_CLASS)
            emit(e, CODE_LOCAL, 0, 1, 1);
        else
            push_none(e);
    }
    emit(e, CODE_RETURN, 0, 0, -1);
}

static const struct code *compile_inner(struct emitter *e, const struct scope *scope,
                                        const char *name, const struct formals *formals,
                                        const struct statement *body, const struct expr *expr)
{
    struct emitter inner = {
        .m = e->m, .unit = e->unit, .scope = scope, .at = e->at, .failed = e->failed};
    inner.code = new_code(e->m, e->unit, name);
    if (inner.code == NULL)
        return NULL;
    inner.code->is_generator = scope->is_generator;
    inner.code->is_class = scope->kind == SCOPE_CLASS;
    describe_slots(&inner, formals);
    compile_body(&inner, body, expr);
    return inner.failed ? NULL : inner.code;
}

const struct code *compile_cell(struct machine *m, struct unit *unit, const struct statement *first,
                                bool gives_value)
{
    struct error error = {0};
    const struct scope *scope = scope_of_cell(&unit->arena, first, &error);
    if (scope == NULL) {
        raise_error(m, error.kind == ERR_MEMORY ? ERROR_MEMORY : ERROR_SYNTAX, "%s", error.text);
        return NULL;
    }
    struct emitter e = {
        .m = m, .unit = unit, .scope = scope, .code = new_code(m, unit, "<module>")};
    if (e.code == NULL)
        return NULL;
    const struct statement *last = first;
    while (last != NULL && last->next != NULL)
        last = last->next;
    gives_value = gives_value && last != NULL && last->kind == STATEMENT_EXPRESSION;
    for (const struct statement *s = first; s != NULL && !e.failed; s = s->next)
        if (s != last || !gives_value) {
            e.origin = (struct origin){.statement = s};
            compile_statement(&e, s);
        }
    if (gives_value && !e.failed) {
        e.at = (uint32_t)last->begin;
        e.origin = (struct origin){.statement = last};
        compile_expr(&e, last->value);
    } else {
        push_none(&e);
    }
    emit(&e, CODE_RETURN, 0, 0, -1);
    if (e.failed && m->raised.kind == VALUE_ABSENT)
        raise_memory(m);
    return e.failed ? NULL : e.code;
}
