// The version that `lovac --version` and UCI tell.
#ifndef LOVAC_APP_VERSION_H
#define LOVAC_APP_VERSION_H

#define LOVAC_VERSION "0.1"

#endif
