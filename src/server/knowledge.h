// What the server knows by heart: tables of endings and an opening book. Opened once, asked by
// requests from the event loop; the thinker's engines get the same.
#ifndef LOVAC_SERVER_KNOWLEDGE_H
#define LOVAC_SERVER_KNOWLEDGE_H

#include <jansson.h>

#include "engine/engine.h"
#include "server/tree.h"

// Where it is; tables: NULL or "" for nowhere.
typedef struct KnowledgePlaces {
    const char *tables; // folder of our own tables; it need not be there
    const char *syzygy; // folders with ':' between them
    const char *book;   // a file; NULL or "": the built-in one, "none": none
} KnowledgePlaces;

typedef struct Knowledge {
    struct Tables *tables; // NULL: none
    struct Book *book;     // NULL: none
} Knowledge;

// Opens what there is; false, with the reason, when something named cannot be read.
bool knowledge_open(Knowledge *knowledge, const KnowledgePlaces *places, Error *error);
void knowledge_close(Knowledge *knowledge);

// Gives the same to an engine. It plays from the book when its option `own_book` says so.
bool knowledge_teach(const KnowledgePlaces *places, Engine *engine, Error *error);

// The most men of any table of a game; 0 without tables.
int knowledge_men(const Knowledge *knowledge, const Rules *rules);

// TABLE of docs/protocol.md: the verdict of a position and of all its moves, best first; null when
// no table knows them.
json_t *knowledge_table(const Knowledge *knowledge, const Position *pos);

// BOOK: the moves that the book has, most likely first; null when it has none.
json_t *knowledge_book(const Knowledge *knowledge, const Position *pos);

// COURSE: the verdicts along the line that ends at a node, of all positions that tables know.
json_t *knowledge_course(const Knowledge *knowledge, const Tree *tree, int node);

#endif
