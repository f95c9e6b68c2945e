// See problem.h. Arguments are parts of the English text, so nothing is stored twice; what is no
// UTF-8 (a FEN from anywhere, a text that was cut inside a letter) becomes "?".
#include "server/problem.h"

#include <string.h>

// A text that may be no UTF-8: it came from outside, or was cut inside a letter.
static json_t *safe_text(const char *text, size_t size)
{
    json_t *json = json_stringn(text, size);
    return json ? json : json_string("?");
}

// The arguments by name: parts of the text.
static json_t *view_args(const Error *error)
{
    json_t *args = json_object();
    for (int i = 0; i < error->arg_count; i++) {
        const ErrorArg *arg = &error->args[i];
        json_object_set_new(args, arg->name, safe_text(error->text + arg->at, arg->size));
    }
    return args;
}

// One PROBLEM; takes `args` over.
static json_t *view(const char *code, json_t *args, const char *text)
{
    json_t *o = json_object();
    json_object_set_new(o, "code", json_string(*code ? code : "other"));
    json_object_set_new(o, "args", args);
    json_object_set_new(o, "text", safe_text(text, strlen(text)));
    return o;
}

json_t *problem_view(const Error *error)
{
    if (!*error->context)
        return view(error->code, view_args(error), error->text);
    json_t *outer = json_object();
    json_t *inner = view(error->code, view_args(error), error->text + error->prefix_size);
    json_object_set_new(outer, "problem", inner);
    return view(error->context, outer, error->text);
}
