// The addresses of this machine in its network, for those who are to be invited from another.
#ifndef LOVAC_SERVER_NETWORK_H
#define LOVAC_SERVER_NETWORK_H

enum { NETWORK_ADDRESSES_MAX = 8, NETWORK_ADDRESS_SIZE = 16 };

// Where others reach a server that listens on `host`: the address itself, or for 0.0.0.0 all that
// this machine has now; none for one that only this machine reaches, and none that are given by the
// machine to itself alone (169.254.x.x). Gives their number.
int network_addresses(const char *host, char list[NETWORK_ADDRESSES_MAX][NETWORK_ADDRESS_SIZE]);

#endif
