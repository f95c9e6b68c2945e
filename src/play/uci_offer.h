// The options that a UCI engine announces, and whether what a description asks for is among them.
#ifndef LOVAC_PLAY_UCI_OFFER_H
#define LOVAC_PLAY_UCI_OFFER_H

#include "base/bytes.h"
#include "base/error.h"

// Lines "option name ... type ...", as they came, each with a 0 behind it.
typedef struct UciOffer {
    Bytes lines;
} UciOffer;

// Keeps a line that begins with "option"; without memory it is forgotten.
void uci_offer_add(UciOffer *offer, const char *line);

// Is there such an option, and may it have this value? `name` gets the engine's own spelling: in a
// description upper and lower case are the same, and _ may stand for a blank.
bool uci_offer_check(const UciOffer *offer, const char *wanted, const char *value, char *name,
                     size_t size, Error *error);

#endif
