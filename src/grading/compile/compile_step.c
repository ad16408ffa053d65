/* A learner's file to an object: see compile_step_internal.h. */
#include "compile/compile_step_internal.h"

#include "compile/arguments.h"
#include "compile/compiler_messages.h"
#include "exercise/task.h"

bool compile_step_begin(const struct compile_request *request, const char *source, size_t size,
                        struct compile_step *ret, struct error *reterr)
{
    struct arguments arguments;
    struct text header = {.bytes = NULL}, show = {.bytes = NULL};
    arguments_to_compile(request, &arguments);
    prototype_header(&request->exercise->prototype, &header);
    show_header(request->shows ? SHOW_TO_RUNNER : SHOW_NOTHING, &show);
    ret->run = NULL;
    ret->object =
        (struct box_file){.name = OBJECT_FILE, .max_size = request->limits->object_bytes, .fd = -1};
    const struct boxed_command plan = {
        .kind = BOX_COMPILE,
        .limits = request->limits,
        .layers = request->layers,
        .path = request->compiler->path,
        .argv = (char *const *)arguments.items,
        .input = -1,
        .in = {{.name = SUBMISSION_FILE, .bytes = source, .size = size},
               {.name = HEADER_FILE, .bytes = text_string(&header), .size = header.size},
               {.name = SHOW_HEADER_FILE, .bytes = text_string(&show), .size = show.size}},
        .n_in = 3,
        .out = &ret->object,
        .n_out = 1};
    bool ok = header.failed || show.failed ? error_memory(reterr, "a build")
                                           : boxed_command_start(&plan, &ret->run, reterr);
    text_release(&header);
    text_release(&show);
    return ok;
}

bool compile_step_end(struct compile_step *step, int *ret_fd, struct boxed_result *ret,
                      struct error *reterr)
{
    bool ok = boxed_command_finish(step->run, ret, reterr);
    *ret_fd = step->object.fd;
    *step = (struct compile_step){.run = NULL};
    return ok;
}

void compile_step_stop(struct compile_step *step)
{
    boxed_command_stop(step->run);
    *step = (struct compile_step){.run = NULL};
}
