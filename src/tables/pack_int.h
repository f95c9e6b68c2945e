// Private to tables: what packing and unpacking have in common.
#ifndef LOVAC_TABLES_PACK_INT_H
#define LOVAC_TABLES_PACK_INT_H

#include <stddef.h>
#include <stdint.h>

#include "base/checksum.h"

enum {
    NO_SYMBOL = 4095, // the right half of a number that is no pair
    BLOCK_SUM = 2     // bytes of a block's checksum, behind its codes
};

// Two bytes made of a CRC-32.
static inline uint16_t block_sum(const uint8_t *bytes, size_t size)
{
    uint32_t crc = checksum_crc32(0, bytes, size);
    return (uint16_t)(crc ^ crc >> 16);
}

static inline uint16_t read_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}
static inline uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)read_u16(at) | (uint32_t)read_u16(at + 2) << 16;
}

#endif
