// See network.h.
#include "server/network.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Can another machine use this address?
static bool is_shared(struct in_addr address)
{
    uint32_t number = ntohl(address.s_addr);
    return number && number >> 24 != 127 && number >> 16 != 0xA9FE; // 169.254.0.0/16
}

// The address of an interface that is up, if others can use it.
static bool interface_address(const struct ifaddrs *item, struct in_addr *address)
{
    if (!item->ifa_addr || item->ifa_addr->sa_family != AF_INET || !(item->ifa_flags & IFF_UP))
        return false;
    struct sockaddr_in socket;
    memcpy(&socket, item->ifa_addr, sizeof socket);
    *address = socket.sin_addr;
    return is_shared(*address);
}

int network_addresses(const char *host, char list[NETWORK_ADDRESSES_MAX][NETWORK_ADDRESS_SIZE])
{
    struct in_addr address;
    struct ifaddrs *all = NULL;
    int count = 0;
    if (strcmp(host, "0.0.0.0")) {
        bool ok = inet_pton(AF_INET, host, &address) == 1 && is_shared(address);
        return ok && inet_ntop(AF_INET, &address, list[0], NETWORK_ADDRESS_SIZE) ? 1 : 0;
    }
    if (getifaddrs(&all))
        return 0;
    for (const struct ifaddrs *item = all; item && count < NETWORK_ADDRESSES_MAX;
         item = item->ifa_next)
        if (interface_address(item, &address) &&
            inet_ntop(AF_INET, &address, list[count], NETWORK_ADDRESS_SIZE))
            count++;
    freeifaddrs(all);
    return count;
}
