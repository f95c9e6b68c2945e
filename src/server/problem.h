// Errors as the page gets them: the code, with which it finds words in its language, the arguments
// that these need, and the English text. What the codes are is said where the errors are made
// (error_code, request_refuse); the words are "problem.CODE" in web/messages, and
// web/check_messages.mjs fails when one is there without the other.
#ifndef LOVAC_SERVER_PROBLEM_H
#define LOVAC_SERVER_PROBLEM_H

#include <jansson.h>

#include "base/error.h"

// PROBLEM of docs/protocol.md: {"code", "args", "text"}; the code is "other" where the error has
// none. A problem inside another is the argument "problem" of that one.
json_t *problem_view(const Error *error);

#endif
