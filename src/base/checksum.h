// Checksums of bytes: CRC-32 (as in zip and PNG) against damage, FNV-1a for naming things.
#ifndef LOVAC_BASE_CHECKSUM_H
#define LOVAC_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// Goes on from `crc` (0 at the start).
uint32_t checksum_crc32(uint32_t crc, const void *bytes, size_t count);

// Goes on from `hash` (CHECKSUM_FNV_START at the start).
#define CHECKSUM_FNV_START 0xcbf29ce484222325u
uint64_t checksum_fnv(uint64_t hash, const void *bytes, size_t count);

#endif
