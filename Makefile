# Lovac's only build system. `make help` lists the targets.

CC      ?= gcc
EXE     ?= lovac
BUILD   ?= build/release
ARCH    ?= -march=native
OPT     ?= -O3
CSTD    := -std=gnu17
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wcast-qual -Werror
CFLAGS  += $(CSTD) $(OPT) $(ARCH) $(WARN) -Isrc -MMD -MP -pthread
LDLIBS  += -lm -pthread

SRC := $(wildcard src/*/*.c) $(wildcard src/*/*/*.c)
OBJ := $(SRC:src/%.c=$(BUILD)/%.o)

$(EXE): $(OBJ)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

clean:
	rm -rf build lovac

.PHONY: clean
-include $(OBJ:.o=.d)
