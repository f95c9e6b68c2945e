// What the parts of `lovac convert` share. A record (a game, or a line with a position) is read
// (convert_read.c), changed or left out (convert_change.c), made into text (convert_write.c) and
// put away (convert_out.c): at once, or on a shelf that is sorted in the end.
#ifndef LOVAC_APP_CONVERT_INT_H
#define LOVAC_APP_CONVERT_INT_H

#include "base/bytes.h"
#include "base/progress.h"
#include "base/stream.h"
#include "core/epd.h"
#include "core/filter.h"
#include "core/pgn.h"
#include "core/pgn_write.h"
#include "tables/opening_names.h"

typedef enum Format {
    FORMAT_UNKNOWN,
    FORMAT_PGN,
    FORMAT_EPD,
    FORMAT_FEN,
    FORMAT_UCI,
    FORMAT_JSON, // from here on only written
    FORMAT_CSV,
    FORMAT_COUNT
} Format;

typedef enum Which { WHICH_LAST, WHICH_FIRST, WHICH_ALL } Which;

// What may be stripped.
enum { STRIP_COMMENTS = 1, STRIP_VARIATIONS = 2, STRIP_NAGS = 4, STRIP_CLOCKS = 8 };

typedef enum Unique { UNIQUE_NO, UNIQUE_MOVES, UNIQUE_PLAYERS } Unique;

enum { SORT_KEYS = 8 };

typedef struct SortKey {
    const char *field;
    bool is_falling;
} SortKey;

// Fingerprints of the games so far: a set with open addressing.
typedef struct Fingerprints {
    struct Fingerprint {
        uint64_t a, b; // 0, 0: free
    } * at;
    size_t count, room;
} Fingerprints;

// A record that waits for its place.
typedef struct ShelfRecord {
    uint64_t at, number; // where it lies in the file; the how many-th it was
    uint32_t size;
    uint32_t keys; // where its keys begin in `keys`: texts with their final 0
} ShelfRecord;

typedef struct Shelf {
    FILE *file; // NULL: records go straight to the output
    uint64_t used;
    Bytes records, keys;
} Shelf;

typedef struct Counts {
    uint64_t games, positions, problems, left_out, unwanted, duplicates, repaired, classified,
        written;
} Counts;

typedef struct Convert {
    // What is asked for.
    Format from, to;
    Which which;
    PgnStyle style;
    const Rules *rules;
    const PieceLetters *letters; // NULL: found out
    bool check, drop, quiet, is_json, classify, repair;
    unsigned strip;
    Unique unique;
    Filter filter;
    SortKey sort[SORT_KEYS];
    int sort_count;
    uint64_t split_count;  // 0: not
    const char *split_tag; // NULL: not
    const char *output;    // NULL: standard output

    // What is going on.
    const char *name; // of the file that is being read
    Stream *in, *out;
    uint64_t number;  // of the present game in its file
    bool is_bad_game; // something was wrong with the present one
    bool is_short;    // of memory
    bool has_failed;  // a file could not be read
    Counts counts;
    Bytes text; // of the record that is being written
    OpeningNames *openings;
    Fingerprints fingerprints;
    Shelf shelf;
    uint64_t parts, in_part; // files written, records in the present one
    Progress progress;
    PgnReader reader;
    PgnGame game;
    size_t sniffed, used; // bytes read to find the format
    char sniff[1 << 16];
} Convert;

// Tells what is wrong, with file, line and game. It counts, and marks the present record as bad.
void convert_tell(Convert *c, uint64_t line, const char *text);

// The name of a format; the format of a name, or FORMAT_UNKNOWN.
const char *format_name(Format format);
Format format_find(const char *name, size_t size);

#endif
