// The options that UCI offers, and what setoption does with them.
#ifndef LOVAC_APP_UCI_OPTIONS_H
#define LOVAC_APP_UCI_OPTIONS_H

#include "app/uci.h"
#include "app/words.h"

// Writes one line for each option.
void uci_list_options(Uci *uci);

// Does what the words behind `setoption` ask for.
void uci_set_option(Uci *uci, Words *words);

// The game that is played: the variant, with shuffled castling where UCI_Chess960 asks for it.
const Rules *uci_rules(const Uci *uci);

#endif
