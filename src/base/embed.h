// A file as part of the program: EMBED_FILE(name, "path") defines name[] and name_end[], which the
// user declares as `extern const uint8_t`. A 0 stands behind the last byte.
#ifndef LOVAC_BASE_EMBED_H
#define LOVAC_BASE_EMBED_H

#ifdef _WIN32
#define EMBED_SECTION     ".section .rdata,\"dr\"\n"
#define EMBED_SECTION_END ".text\n"
#else
#define EMBED_SECTION     ".section .rodata\n"
#define EMBED_SECTION_END ".previous\n"
#endif

#define EMBED_FILE(name, path)                                                                     \
    __asm__(EMBED_SECTION ".balign 64\n"                                                           \
                          ".global " #name "\n" #name ":\n"                                        \
                          ".incbin \"" path "\"\n"                                                 \
                          ".global " #name "_end\n" #name "_end:\n"                                \
                          ".byte 0\n" EMBED_SECTION_END)

#endif
