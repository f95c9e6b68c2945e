// What can go wrong, in a form that the page can say in any language. core and the server tell
// problems as English texts; here each text has its code and its parameters, found by comparing it
// with the patterns of one table. A new text needs a row in the table and a message "problem.CODE"
// in web/messages: web/check_messages.mjs compares the table with the texts in the sources.
#ifndef LOVAC_SERVER_PROBLEM_H
#define LOVAC_SERVER_PROBLEM_H

#include <jansson.h>

// The code of a text and its parameters (a new object, also when there are none); NULL, and no
// parameters, for a text that is not in the table.
const char *problem_find(const char *text, json_t **args);

// PROBLEM of docs/protocol.md: {"code", "args", "text"}; the code is "other" for an unknown text.
json_t *problem_view(const char *text);

#endif
