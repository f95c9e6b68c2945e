// See problem.h.
#include "server/problem.h"

#include <stdbool.h>
#include <string.h>

typedef struct Problem {
    const char *code, *pattern; // {name} in the pattern is a parameter
} Problem;

// The first pattern that fits counts. A parameter {problem} is a problem itself.
static const Problem PROBLEMS[] = {
    // Positions (core/fen.c, core/playable.c, core/variants.c).
    {"rank-squares", "board: rank {rank} has {squares} squares, not 8"},
    {"rank-long", "board: rank {rank} has more than 8 squares"},
    {"ranks-many", "board: more than 8 ranks"},
    {"ranks-few", "board: {ranks} ranks, not 8"},
    {"piece-unknown", "board: '{letter}' on rank {rank} is no piece"},
    {"board-empty", "board: empty"},
    {"king-missing", "board: {side} has no king"},
    {"kings-many", "board: {side} has {kings} kings"},
    {"king-unknown", "board: {side} has a king, which this game does not know"},
    {"men-many", "board: {side} has {men} men, more than {most}"},
    {"pawns-many", "board: {side} has {pawns} pawns, more than {most}"},
    {"promoted-many", "board: {side} has {men} promoted men, but only {pawns} pawns are gone"},
    {"pawn-place", "board: a {side} {piece} cannot stand on {square}"},
    {"king-en-prise", "side to move: {side} could take the king"},
    {"castling-letter", "castling: '{letter}' is no castling right"},
    {"castling-twice", "castling: '{letter}' stands twice"},
    {"castling-rook", "castling: '{letter}' names a rook for the second time"},
    {"castling-foreign", "castling: '{letter}' is a right of Chess960, not of this game"},
    {"castling-side", "castling: '{letter}' is a second right on the same side"},
    {"en-passant", "en passant: '{text}' is neither - nor a square of rank 3 or 6"},
    {"counter-word", "{field}: '{text}' is no number"},
    {"counter-large", "{field}: more than {most}"},
    {"fen-long", "FEN: longer than {most} characters"},
    {"fen-empty", "FEN: empty"},
    {"side-word", "side to move: '{text}' is neither w nor b"},
    {"side-missing", "side to move: missing"},
    {"start-number", "start: {game} has start positions 0 to {most}, not {number}"},
    // Moves (core/notation.c).
    {"move-in-check", "'{move}' is illegal: no {piece} can go there (the king is in check)"},
    {"move-unreachable", "'{move}' is illegal: no {piece} can go there"},
    {"move-exposes", "'{move}' is illegal: it leaves the king in check"},
    {"move-from-empty", "'{move}' is illegal: no man stands there"},
    {"move-not-yours", "'{move}' is illegal: that man is not yours to move"},
    {"move-castling", "'{move}' is illegal: no such castling"},
    {"move-promotion", "'{move}' is illegal: it does not say what the pawn becomes"},
    {"move-becomes", "'{move}' is illegal: a pawn becomes a queen, rook, bishop or knight"},
    {"move-illegal", "'{move}' is illegal"},
    {"move-goal", "{move} is not a legal move"},
    {"move-ambiguous", "'{move}' is ambiguous: {one} or {two}"},
    {"move-empty", "'{move}' is no move: empty"},
    {"move-unreadable", "'{move}' is no move"},
    {"move-no-coordinates", "'{move}' is no move in coordinates"},
    {"move-long", "too long for a move"},
    {"move-of-line", "move {number} is not legal"},
    // Games as text (core/pgn.c, core/pgn_read.c).
    {"pgn-fen", "FEN tag: {problem}"},
    {"pgn-variant", "Variant: '{variant}' is not known"},
    {"pgn-no-usual-start", "missing, and {game} has no usual start"},
    {"pgn-result", "Result tag says '{tag}', the end of the game {result}"},
    {"pgn-no-result", "result missing at the end of the game"},
    {"pgn-null-in-check", "'--' is illegal: the king is in check"},
    {"pgn-variation-early", "variation before any move"},
    {"pgn-variation-deep", "variations nested too deep"},
    {"pgn-variation-open", "variation not closed at the end of the game"},
    {"pgn-variation-closed", "closing parenthesis without an opening one"},
    {"pgn-result-inside", "result inside a variation"},
    {"pgn-comment-open", "comment not closed"},
    {"pgn-comment-game", "comment not closed before a new game"},
    {"pgn-comment-closed", "closing brace without an opening one"},
    {"pgn-tag-open", "tag not closed"},
    {"pgn-tag-quote", "tag: quote not closed"},
    {"pgn-tag-quotes", "tag without quotes"},
    {"pgn-tag-name", "tag without a name"},
    {"pgn-tag-end", "tag: backslash at the end of the value"},
    {"pgn-bracket", "bracket among the moves"},
    {"pgn-reserved", "reserved sign < or >"},
    {"pgn-glyph", "$ without a good number"},
    {"pgn-stray", "stray character"},
    {"pgn-no-start", "the game has no start position that Lovac knows"},
    {"pgn-none", "there is no game in this text"},
    // Games.
    {"game-over", "the game is over"},
    {"game-paused", "the game is paused"},
    {"game-goes-on", "the game is still going on"},
    {"game-not-over", "the game is not over yet"},
    {"game-none", "no game is going on"},
    {"game-moved-on", "the game is at ply {ply}"},
    {"is-analysis", "this room is an analysis"},
    {"only-watching", "you only watch this room"},
    {"not-your-color", "you do not play this colour"},
    {"not-your-turn", "it is the other side's turn"},
    {"engine-plays", "the engine plays this side"},
    {"engine-side", "an engine plays this side"},
    {"engine-keeps-moves", "engines do not take moves back"},
    {"nothing-to-take-back", "there is no move of yours to take back"},
    {"takeback-not-asked", "nobody has asked you to take a move back"},
    {"draw-not-offered", "nobody has offered you a draw"},
    {"draw-not-your-turn", "a draw is claimed on one's own turn"},
    {"draw-no-claim", "neither threefold repetition nor fifty moves without progress"},
    {"resign-instead", "both have moved: resign instead"},
    {"other-must-agree", "the other player would have to agree"},
    {"other-has-part", "the other player has a part in this room"},
    {"no-help", "no help against people"},
    {"no-threat", "there is no threat to look at here"},
    {"no-moves", "there is no move in this position"},
    {"null-move", "the line has a null move"},
    {"main-game", "this is the game itself"},
    {"start-stays", "the start cannot be cut"},
    // Rooms, the library, limits.
    {"room-unknown", "no room has this key"},
    {"room-not-joined", "you are not in this room: join it first"},
    {"room-other", "from.room: you are not in this room"},
    {"node-unknown", "there is no node {node}"},
    {"saved-unknown", "there is no saved game {number}"},
    {"game-unknown", "this room has no game {number}"},
    {"name-empty", "name is empty"},
    {"library-full", "the library is full: {most} games"},
    {"rooms-fast", "too many new rooms: wait a little"},
    {"rooms-many", "too many rooms are open"},
    {"runs-fast", "too many runs: wait a little"},
    {"run-foreign", "somebody else began this run"},
    {"rooms-yours", "you are in too many rooms"},
    {"machines-many", "too many games between engines are going on"},
    {"games-many", "a room has at most {most} games"},
    {"tree-full", "the tree is full"},
    {"review-long", "only games of up to {most} half-moves"},
    {"hint-running", "a hint is already being looked for"},
    {"export-large", "ask for fewer games at a time"},
    {"too-fast", "too many requests"},
    {"engine-not-game", "{engine} does not play {game}"},
};

// Where a parameter ends: before the next words of the pattern, which at its end are also the
// text's. NULL when they do not come.
static const char *find_end(const char *text, const char *rest)
{
    char words[128];
    size_t length = strcspn(rest, "{"), left = strlen(text);
    if (!rest[length])
        return left >= length && !strcmp(text + left - length, rest) ? text + left - length : NULL;
    if (!length || length >= sizeof words)
        return NULL;
    memcpy(words, rest, length);
    words[length] = 0;
    return strstr(text, words);
}

static void add_arg(json_t *args, const char *name, size_t length, const char *value, size_t size)
{
    char key[32];
    if (length >= sizeof key)
        return;
    memcpy(key, name, length);
    key[length] = 0;
    json_t *text = json_stringn(value, size); // NULL when a letter was cut
    if (text && !strcmp(key, "problem")) {
        json_t *inner = problem_view(json_string_value(text));
        json_decref(text);
        text = inner;
    }
    json_object_set_new(args, key, text ? text : json_string("?"));
}

static bool fits(const char *pattern, const char *text, json_t *args)
{
    while (*pattern && *text) {
        if (*pattern != '{') {
            if (*pattern++ != *text++)
                return false;
            continue;
        }
        const char *name = pattern + 1, *rest = strchr(name, '}') + 1;
        const char *end = find_end(text, rest);
        if (!end)
            return false;
        add_arg(args, name, (size_t)(rest - 1 - name), text, (size_t)(end - text));
        text = end;
        pattern = rest;
    }
    return !*pattern && !*text;
}

const char *problem_find(const char *text, json_t **args)
{
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; i++) {
        *args = json_object();
        if (*args && fits(PROBLEMS[i].pattern, text, *args))
            return PROBLEMS[i].code;
        json_decref(*args);
    }
    *args = NULL;
    return NULL;
}

json_t *problem_view(const char *text)
{
    json_t *args, *o = json_object(), *words = json_string(text); // NULL when it is no UTF-8
    const char *code = problem_find(text, &args);
    json_object_set_new(o, "code", json_string(code ? code : "other"));
    json_object_set_new(o, "args", args ? args : json_object());
    json_object_set_new(o, "text", words ? words : json_string("text that is not UTF-8"));
    return o;
}
