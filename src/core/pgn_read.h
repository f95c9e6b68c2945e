// Reading PGN as a stream of tokens: tags, moves as written, comments, NAGs, variations, results.
// Constant memory and linear time whatever comes in; moves are not checked here (pgn.h does that).
// The reader never fails: what it cannot understand is reported as a token of its own, with the
// line, and skipped.
//
//     PgnReader reader;                      // large: static or on the heap
//     PgnToken token;
//     pgn_reader_init(&reader, source, context);
//     while (pgn_read(&reader, &token)) ...
#ifndef LOVAC_CORE_PGN_READ_H
#define LOVAC_CORE_PGN_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Gives up to `size` more bytes of the text; 0 at its end.
typedef size_t PgnSource(void *context, char *buffer, size_t size);

// A text in memory as a source; `bytes` is a PgnBytes.
typedef struct PgnBytes {
    const char *next;
    size_t left;
} PgnBytes;
size_t pgn_read_bytes(void *bytes, char *buffer, size_t size);

typedef enum PgnKind {
    PGN_TAG,     // text is the name, value the value
    PGN_MOVE,    // text is the move as written, "--" for a null move; no move number
    PGN_NAG,     // number is the glyph: $5 and !? alike
    PGN_COMMENT, // text; is_continued when the next token goes on with it
    PGN_OPEN,    // a variation on the move before
    PGN_CLOSE,
    PGN_RESULT,  // the end of a game, always exactly one; number is a Result; is_missing when not
                 // written
    PGN_PROBLEM, // text says what was wrong, code is that of an Error
} PgnKind;

typedef struct PgnToken {
    PgnKind kind;
    const char *text; // valid until the next call, with a final 0
    size_t size;
    const char *value; // of a tag
    size_t value_size;
    const char *code; // of a problem
    int number;
    bool is_continued;
    bool is_missing;
    uint64_t line; // of its beginning, from 1
} PgnToken;

enum {
    PGN_BUFFER_SIZE = 1 << 16,
    PGN_TOKEN_LIMIT = 1 << 14, // longer tags and moves are cut into pieces
    PGN_SEEN_TAGS = 32,
};

typedef struct PgnReader {
    PgnSource *source;
    void *context;
    char *next, *end; // what is read but not used; a 0 stands at the end
    char *held;       // where a 0 was put over the byte `held_byte`
    char held_byte;
    bool is_at_end;     // the source has nothing more
    bool is_fresh_line; // only blanks before on this line
    bool is_column_0;
    bool has_blank_line; // since the last token
    bool is_in_comment;  // a long comment goes on
    bool has_game;       // tags, moves or comments since the last result
    bool has_moves;
    const char *pending; // a problem to report before anything else
    const char *pending_code;
    uint64_t pending_line;
    uint64_t line;
    uint64_t depth;  // open variations
    int number;      // last move number in the main line
    int late_result; // written inside a variation; used if that one is never closed
    int seen_count;  // tags of this game, by a hash of their names
    uint32_t seen[PGN_SEEN_TAGS];
    char *line_end,
        *no_quote_end; // what is known of the current line, lest it be searched again and again
    char buffer[PGN_BUFFER_SIZE + 1];
} PgnReader;

// Begins at the source's first byte; a byte order mark is skipped.
void pgn_reader_init(PgnReader *reader, PgnSource *source, void *context);

// The next token; false at the end of the text, after the last game's result.
bool pgn_read(PgnReader *reader, PgnToken *token);

#endif
