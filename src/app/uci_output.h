// What UCI says: whole lines, one writer at a time, with a copy in the log.
#ifndef LOVAC_APP_UCI_OUTPUT_H
#define LOVAC_APP_UCI_OUTPUT_H

#include "app/uci.h"

// Writes whole lines; without a reader there is nobody left to play for.
void uci_send_text(Uci *uci, const char *text);

// One line, and one that says what was wrong with a command.
void uci_send_line(Uci *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));
void uci_send_error(Uci *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Is castling written as king takes rook?
bool uci_is_960(const Uci *uci);

// The engine's callbacks: info and bestmove.
void uci_on_info(void *uci, const Position *root, const SearchInfo *info);
void uci_on_best(void *uci, const Position *root, const SearchResult *result);

#endif
