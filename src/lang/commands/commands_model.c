/* predict: looking at what models say. */
#include "lang/builtins/model_value.h"
#include "lang/commands/command_internal.h"
#include "lang/session/eval.h"
#include "model/show_prediction.h"
#include "show/doc.h"
#include "show/matrix.h"

enum { PREDICTED = 10 }; /* tokens that predict shows */

COMMAND(command_predict)
{
    struct show_options options = settings_show_options(&session->settings);
    for (size_t i = 0; i < statement->n_arguments; i++) {
        struct value value;
        char text[120];
        if (!expr_eval(session, statement->arguments[i], &value, reterr))
            return false;
        struct run *run = value_as_run(&value);
        bool ok =
            run != NULL || error_set(reterr, ERR_TYPE,
                                     "predict: needs a run of a model, as r = m(\"text\") gives "
                                     "one, and this is %s",
                                     value_describe(&value, text, sizeof text));
        ok = ok && show_prediction(run, -1, PREDICTED, 1, &options, out, reterr);
        value_release(&value);
        if (!ok)
            return expr_place_error(statement->arguments[i], reterr);
    }
    return true;
}
