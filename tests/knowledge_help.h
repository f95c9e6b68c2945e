// A folder with a few tables of endings and a small book, for tests of the server and the page.
#ifndef LOVAC_TESTS_KNOWLEDGE_HELP_H
#define LOVAC_TESTS_KNOWLEDGE_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/knowledge.h"
#include "tables/book_make.h"
#include "tables/book_text.h"
#include "tables/make.h"

typedef struct KnowledgeBed {
    char folder[64], book[80];
    KnowledgePlaces places;
    Knowledge knowledge;
} KnowledgeBed;

// e4 was played in three games and d4 in one, Legan's first move was set by hand.
static const char BED_BOOK[] = "start\n    e4 5 3\n    d4 1 1\n    e3 0\n"
                               "variant legan\nstart\n    Nf4 7\n";

static inline bool bed_make_table(const char *folder, const char *variant, const char *name)
{
    Material material;
    MakeSummary summary;
    const Rules *rules = rules_find(variant);
    MakeConfig config = {
        .folder = folder, .rules = rules, .list = &material, .count = 1, .threads = 1};
    return material_read(&material, rules, name, NULL) && tables_make(&config, &summary, NULL);
}

static inline bool bed_make_book(const char *path)
{
    Error error;
    BookTextReader reader;
    BookMaker *maker = book_maker_new();
    char *copy = strdup(BED_BOOK), *rest = copy;
    bool ok = maker && copy;
    if (ok)
        book_text_init(&reader, maker, rules_find("chess"));
    for (char *line; ok && (line = strsep(&rest, "\n"));)
        ok = book_text_read(&reader, line, &error);
    ok = ok && book_maker_finish(maker, 1) && book_maker_write(maker, path, &error);
    book_maker_free(maker);
    free(copy);
    return ok;
}

// King and rook, and king and queen in Legan; false when they cannot be made.
static inline bool knowledge_bed_open(KnowledgeBed *bed)
{
    strcpy(bed->folder, "/tmp/lovac-known-XXXXXX");
    if (!mkdtemp(bed->folder))
        return false;
    snprintf(bed->book, sizeof bed->book, "%s/book.bin", bed->folder);
    bed->places = (KnowledgePlaces){.tables = bed->folder, .book = bed->book};
    return bed_make_table(bed->folder, "chess", "KRK") &&
           bed_make_table(bed->folder, "legan", "KQK") && bed_make_book(bed->book) &&
           knowledge_open(&bed->knowledge, &bed->places, NULL);
}

static inline void knowledge_bed_close(KnowledgeBed *bed)
{
    char command[128];
    knowledge_close(&bed->knowledge);
    snprintf(command, sizeof command, "rm -rf '%s'", bed->folder);
    if (system(command))
        abort();
}

#endif
