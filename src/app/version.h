// The version that `lovac --version` and UCI tell.
#ifndef LOVAC_APP_VERSION_H
#define LOVAC_APP_VERSION_H

#define LOVAC_VERSION "0.1"

// The Makefile tells main.c from which commit it builds.
#ifndef LOVAC_COMMIT
#define LOVAC_COMMIT "unknown"
#endif

#ifdef __clang__
#define LOVAC_COMPILER __VERSION__
#else
#define LOVAC_COMPILER "gcc " __VERSION__
#endif

#endif
