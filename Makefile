# Lovac's only build system. `make help` lists the targets; docs/building.md explains the choices.
# Sources are found by folder: a new .c file, test, fuzz target or .cu kernel needs no line here.

# ---- What may be set on the command line ------------------------------------------------------
EXE      ?= lovac#            the program to leave behind
EVALFILE ?= $(wildcard nets/chess.nnue)#  the network of chess to embed (empty: none for any game)
ARCH     ?= native#           -march: native, x86-64, x86-64-v3, armv8-a, ...; none for the compiler's own
CONFIG   ?= release#          release, plain (no link-time optimisation), debug, sanitize, thread
PARTS    ?= all#              engine, lab or all
PREFIX   ?= /usr/local
BINDIR   ?= $(PREFIX)/bin
DATADIR  ?= $(PREFIX)/share
ZSHDIR   ?= site-functions#   under share/zsh; packages of Debian use vendor-completions
STRIP    ?= strip
ifeq ($(origin CC),default)
CC       := $(if $(shell command -v gcc),gcc,cc)
endif
EXE := $(strip $(EXE))
ZSHDIR := $(strip $(ZSHDIR))
EVALFILE := $(strip $(EVALFILE))
ARCH := $(strip $(ARCH))
CONFIG := $(strip $(CONFIG))
PARTS := $(strip $(PARTS))

# ---- Flags ------------------------------------------------------------------------------------
IS_WINDOWS := $(findstring mingw,$(CC))
IS_CLANG := $(findstring clang,$(shell $(CC) --version 2>/dev/null | head -n 1))
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wcast-qual -Werror
BASE     := -std=gnu17 -D_GNU_SOURCE -Isrc -pthread $(WARN) $(if $(filter none,$(ARCH)),,-march=$(ARCH))
# mingw checks formats as its old library knows them, which is not the one that is used.
BASE     += $(if $(IS_WINDOWS),-D_FILE_OFFSET_BITS=64 -Wno-format -Wno-format-extra-args -include base/windows_paths.h)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# Link-time optimisation; clang needs lld for it.
ifneq ($(IS_CLANG),)
LTO      := $(if $(shell command -v ld.lld),-flto)
LINK     := $(if $(LTO),-fuse-ld=lld)
else
# Some packages of gcc come without the part that does it: try.
LTO      := $(if $(shell echo 'int main(void) { return 0; }' | $(CC) -flto=auto -x c -o /dev/null - 2>/dev/null && echo yes),-flto=auto -fno-fat-lto-objects)
endif
FAST     := -O3 -DNDEBUG $(LTO)

OPT_release  := $(FAST)
OPT_plain    := -O3 -DNDEBUG
OPT_debug    := -O1 -g
OPT_sanitize := -O1 -g $(SANITIZE)
OPT_thread   := -O1 -g -fsanitize=thread
ifneq ($(IS_CLANG),)
OPT_pgo-make := $(FAST) -fprofile-instr-generate
OPT_pgo-use  := $(FAST) -fprofile-instr-use=$(CURDIR)/build/pgo.profdata -Wno-profile-instr-unprofiled
else
OPT_pgo-make := $(FAST) -fprofile-generate -fprofile-update=atomic
# With a profile gcc takes functions into each other differently each time and then fears values unset that are not; the
# release build keeps that warning.
OPT_pgo-use  := $(FAST) -fprofile-use -fprofile-partial-training -Wno-missing-profile -Wno-maybe-uninitialized
endif
OPT_fuzz     := -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
ifeq ($(OPT_$(CONFIG)),)
$(error CONFIG=$(CONFIG): choose release, plain, debug, sanitize or thread)
endif

# Each configuration has a folder of its own; both profile steps share one, where the counts lie.
BUILD := build/$(patsubst pgo-%,pgo,$(CONFIG))-$(notdir $(CC))-$(ARCH)$(if $(filter-out all,$(PARTS)),-$(PARTS))

# ---- Sources, by folder -----------------------------------------------------------------------
FOLDERS_engine := base core tables engine play
FOLDERS_lab    := $(FOLDERS_engine) lab
FOLDERS_all    := $(FOLDERS_lab) server
FOLDERS_server := $(FOLDERS_engine) server# for the fuzz targets: no program comes of it
FOLDERS        := $(FOLDERS_$(PARTS))
ifeq ($(FOLDERS),)
$(error PARTS=$(PARTS): choose engine, lab or all)
endif

# ---- Libraries, where they are found ------------------------------------------------------------
# The engine alone needs libc, libm and pthreads.
PKG_CONFIG ?= pkg-config# false: no library but the compiler's own
has = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes)
ifneq ($(PARTS),engine)
ifneq ($(call has,libzstd),)
CPPFLAGS_LIB += -DHAVE_ZSTD
LIBS         += libzstd
endif
ifneq ($(call has,zlib),)
CPPFLAGS_LIB += -DHAVE_ZLIB
LIBS         += zlib
endif
endif

# Processes of mpirun share their work where Open MPI is found (MPI=0: never): base/spread.h.
MPI ?= 1
ifneq ($(PARTS),engine)
ifneq ($(MPI),0)
ifneq ($(call has,ompi-c),)
MPI_CFLAGS := $(shell $(PKG_CONFIG) --cflags ompi-c)
MPI_LIBS   := $(shell $(PKG_CONFIG) --libs ompi-c)
else ifneq ($(shell command -v mpicc),)
MPI_CFLAGS := $(shell mpicc --showme:compile 2>/dev/null)
MPI_LIBS   := $(shell mpicc --showme:link 2>/dev/null)
endif
endif
endif
SPREAD_OTHER := $(if $(MPI_LIBS),spread_alone.c,spread_mpi.c)
CPPFLAGS_LIB += $(if $(MPI_LIBS),-DHAVE_MPI)

# The server is left out where its libraries are missing.
SERVER_LIBS := libwebsockets jansson sqlite3
ifneq ($(filter server,$(FOLDERS)),)
ifneq ($(wildcard src/server/*.c),)
ifneq ($(call has,$(SERVER_LIBS)),)
LIBS    += $(SERVER_LIBS)
else
$(warning server left out: it needs $(SERVER_LIBS))
FOLDERS := $(filter-out server,$(FOLDERS))
endif
else
FOLDERS := $(filter-out server,$(FOLDERS))
endif
endif
ifneq ($(LIBS),)
CPPFLAGS_LIB += $(shell $(PKG_CONFIG) --cflags $(LIBS))
LDLIBS_LIB   := $(shell $(PKG_CONFIG) --libs $(LIBS))
endif

# CUDA kernels of the lab, where nvcc and a GPU are found (CUDA=1 builds them without a GPU, CUDA=0 never).
CUDA      ?= $(if $(wildcard /dev/nvidia0 /dev/nvidiactl /dev/dxg),1,0)
CUDA_ARCH ?= sm_90
ifneq ($(filter lab,$(FOLDERS)),)
ifneq ($(filter release pgo-%,$(CONFIG)),)
CU := $(wildcard src/lab/gpu/*.cu)
endif
endif
ifneq ($(CU),)
ifneq ($(CUDA),0)
NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
endif
endif
ifneq ($(NVCC),)
CUDA_HOME    ?= $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
NVCCFLAGS    := -O3 -std=c++17 -arch=$(CUDA_ARCH) -Isrc -DHAVE_CUDA -DNDEBUG
CPPFLAGS_LIB += -DHAVE_CUDA
LDLIBS_LIB   += -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 -lcublas -lcudart -lstdc++
else
CU :=
endif

# A command of app/ that includes the lab or the server goes with it.
APP := $(wildcard src/app/*.c)
APP := $(if $(filter lab,$(FOLDERS)),$(APP),$(filter-out $(shell grep -ls '^#include "lab/' $(APP) /dev/null),$(APP)))
APP := $(if $(filter server,$(FOLDERS)),$(APP),$(filter-out src/app/serve_% $(shell grep -ls '^#include "server/' $(APP) /dev/null),$(APP)))
CPPFLAGS_LIB += $(if $(filter lab,$(FOLDERS)),-DWITH_LAB) $(if $(filter server,$(FOLDERS)),-DWITH_SERVER)

# What stands in for another file on other systems. The GPU's emulator needs fibres (ucontext.h), which Windows has not.
LEFT_OUT := src/base/$(SPREAD_OTHER) src/lab/gpu/$(if $(IS_WINDOWS),emulator.c,emulator_none.c)

SRC := $(filter-out $(LEFT_OUT),$(foreach f,$(FOLDERS),$(wildcard src/$(f)/*.c src/$(f)/*/*.c)) $(APP))
OBJ := $(SRC:src/%.c=$(BUILD)/%.o) $(CU:src/%.cu=$(BUILD)/%.cu.o)
LIB := $(BUILD)/liblovac.a
MAIN := $(BUILD)/app/main.o
# On Windows: that names of files are UTF-8.
ifneq ($(IS_WINDOWS),)
OBJ += $(BUILD)/manifest.o
endif
# The page that the server shows: every file of web/dist, built into the program.
ifneq ($(filter server,$(FOLDERS)),)
OBJ += $(BUILD)/server/page.o
endif

ifneq ($(EVALFILE),)
ifeq ($(wildcard $(EVALFILE)),)
$(error EVALFILE=$(EVALFILE): there is no such file)
endif
# All networks in one file, which nnue_file.c embeds; EVALFILE takes the place of the one for chess.
NETS      := $(filter-out nets/chess.nnue,$(sort $(wildcard nets/*.nnue))) $(EVALFILE)
NETS_FILE := $(BUILD)/nets.bin
CPPFLAGS_LIB += -DNETS_FILE='"$(abspath $(NETS_FILE))"'
endif

# gcc sees dangers in sanitized code that are not there; the other builds keep the warnings strict.
ifneq ($(findstring -fsanitize,$(OPT_$(CONFIG))),)
BASE := $(filter-out -Werror,$(BASE))
endif

ALL_CFLAGS := $(BASE) $(OPT_$(CONFIG)) $(CPPFLAGS_LIB) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS := $(if $(findstring -flto,$(OPT_$(CONFIG))),$(LINK)) $(LDFLAGS)
ALL_LDLIBS := $(LDLIBS_LIB) $(MPI_LIBS) -lm $(LDLIBS)

# ---- The program ------------------------------------------------------------------------------
.PHONY: all engine lab program library
all: program ## everything that this machine has the libraries for (the default)
engine lab: ## the engine alone (no library beyond libc and libm); engine and laboratory
	+@$(MAKE) --no-print-directory PARTS=$@ program
program: $(EXE)
library: $(LIB)

# The link is done again when the last one of this name was of another configuration or other objects.
same    = $(findstring =$(strip $(2))=,=$(strip $(file <$(1)))=)
LINKED := build/linked-$(subst /,_,$(EXE))
$(EXE): $(OBJ) $(BUILD)/flags $(if $(call same,$(LINKED),$(BUILD) $(OBJ)),,FORCE)
	@$(call say,LINK,$@)
	@mkdir -p $(dir $@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@.new $(OBJ) $(ALL_LDLIBS)
	@mv -f $@.new $@
	@$(file >$(LINKED),$(strip $(BUILD) $(OBJ)))
.PHONY: FORCE
FORCE:

# What the tests and fuzz targets are linked with (in builds without link-time optimisation).
$(LIB): $(filter-out $(MAIN),$(OBJ))
	@rm -f $@
	@$(AR) rcs $@ $^

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	@$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.cu.o: src/%.cu $(BUILD)/flags
	@$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(NVCCFLAGS) -MMD -MF $(@:.o=.d) -c -o $@ $<

$(BUILD)/manifest.o: packaging/lovac.rc packaging/lovac.manifest
	@$(call say,RC,$<)
	@mkdir -p $(@D)
	$(Q)$(patsubst %gcc,%windres,$(firstword $(CC))) -o $@ $<

# Only one file knows the commit; another one makes it anew. Source tarballs bring its name with them.
COMMIT := $(or $(if $(wildcard .git),$(shell git describe --always --dirty --abbrev=12 2>/dev/null)),$(file <.commit),unknown)
$(BUILD)/app/main.o: ALL_CFLAGS += -DLOVAC_COMMIT='"$(COMMIT)"'
$(BUILD)/app/main.o: $(BUILD)/commit
$(BUILD)/commit: $(if $(call same,$(BUILD)/commit,$(COMMIT)),,FORCE)
	@mkdir -p $(@D)
	@$(file >$@,$(COMMIT))

# Only one file knows MPI.
$(BUILD)/base/spread_mpi.o: ALL_CFLAGS += $(MPI_CFLAGS)

# The embedded networks are no include, so the compiler does not know of them; another list of them
# makes another file.
$(BUILD)/engine/nnue_file.o: $(NETS_FILE)
$(BUILD)/nets.bin: $(NETS) $(if $(call same,$(BUILD)/nets.list,$(NETS)),,FORCE)
	@mkdir -p $(@D)
	@cat $(NETS) >$@.new && mv -f $@.new $@
	@$(file >$(BUILD)/nets.list,$(strip $(NETS)))

# So is the opening book.
$(BUILD)/tables/book_built_in.o: books/lovac.bin
$(BUILD)/tables/book_built_in.o: private ALL_CFLAGS += -DBOOK_FILE='"$(abspath books/lovac.bin)"'

# Changed flags rebuild everything: this file is written, while the Makefile is read, when they differ.
FLAGS := $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(ALL_LDLIBS) $(NVCC) $(NVCCFLAGS)
ifeq ($(call same,$(BUILD)/flags,$(FLAGS)),)
$(shell mkdir -p $(BUILD))
$(file >$(BUILD)/flags,$(strip $(FLAGS)))
endif

# One short line for each step; V=1 shows the commands.
Q   := $(if $(V),,@)
say  = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-5s %s\n' $(1) $(2))

-include $(OBJ:.o=.d)

# ---- The page (web/) ---------------------------------------------------------------------------
# Built by npm and esbuild into web/dist, from where the server embeds it: depend on $(PAGE). Needs node;
# `make engine` and `make lab` do not. Dependencies are fetched when the lock file changed.
PAGE     := web/dist/index.html
PAGE_SRC := $(shell find web/src web/messages -type f 2>/dev/null) $(wildcard web/*.html web/*.svg web/*.webmanifest web/*.mjs web/package.json) src/tables/opening_names.inc
.PHONY: web web-tools
web: $(PAGE) ## the page for the browser, into web/dist (make all embeds it)
web/node_modules/.lovac: web/package-lock.json
	@$(call say,NPM,web)
	$(Q)cd web && npm ci --omit=dev --no-audit --no-fund --loglevel=error && touch node_modules/.lovac
web-tools: ## what work on the page needs besides: typescript, and for its tests playwright-core and axe-core
	$(Q)cd web && npm ci --no-audit --no-fund --loglevel=error && touch node_modules/.lovac
$(PAGE): $(PAGE_SRC) web/node_modules/.lovac
	@$(call say,WEB,$@)
	$(Q)cd web && node build.mjs

# Every file of the page goes into the program. Where npm cannot be had or cannot fetch what it needs, the program gets
# the page that is there, or none, and the next make tries again. Link-time optimisation does not like symbols made in
# assembler.
NPM := $(shell command -v npm)
$(BUILD)/server/page.c: src/server/embed.sh $(PAGE_SRC) $(wildcard web/package-lock.json)
	+@mkdir -p $(@D)
	+@if [ -z "$(NPM)" ] || ! $(MAKE) --no-print-directory web/node_modules/.lovac; then \
	    echo "warning: the page is not built anew: npm is missing or cannot fetch its packages" >&2; late=1; \
	  elif ! $(MAKE) --no-print-directory web; then exit 1; fi; \
	  $(call say,PAGE,$@); src/server/embed.sh web/dist $(BUILD)/page >$@.new && mv -f $@.new $@ && \
	  if [ -n "$$late" ]; then touch -t 200001010000 $@; fi
$(BUILD)/server/page.o: $(BUILD)/server/page.c $(BUILD)/flags
	$(Q)$(CC) $(ALL_CFLAGS) -fno-lto -c -o $@ $<

# ---- Other builds -----------------------------------------------------------------------------
.PHONY: plain debug sanitize thread pgo
plain debug sanitize thread: ## under build/, with the tests: optimised, with assertions, checked for memory errors, for races
	+@$(MAKE) --no-print-directory CONFIG=$@ EXE=build/$@-$(notdir $(CC))-$(ARCH)/lovac program tests

# What the profile is taken from: typical work of the program.
PGO_RUN ?= (build/lovac-pgo bench || build/lovac-pgo perft 5) >/dev/null
# A cache of objects does not always know with which profile one was made.
pgo: export CCACHE_DISABLE = 1
pgo: ## the fastest program: built, run for a profile, built again with it
	@find build/pgo-* -name '*.gcda' -delete 2>/dev/null || true
	+@$(MAKE) --no-print-directory CONFIG=pgo-make EXE=build/lovac-pgo program
	@LLVM_PROFILE_FILE=build/pgo.profraw sh -c '$(PGO_RUN)'
	@$(if $(IS_CLANG),$$(command -v llvm-profdata llvm-profdata-14 | head -n 1) merge -o build/pgo.profdata build/pgo.profraw)
	+@$(MAKE) --no-print-directory CONFIG=pgo-use program

# ---- Other systems ----------------------------------------------------------------------------
# Cross-built with the compilers of Debian (gcc-mingw-w64-x86-64, gcc-aarch64-linux-gnu): one file each that needs no
# library beside it, with the laboratory and without the server.
.PHONY: windows arm64 i386
windows: ## build/windows/lovac.exe, by mingw-w64: all but the server, Open MPI and CUDA
	+@$(MAKE) --no-print-directory CC=x86_64-w64-mingw32-gcc ARCH=x86-64 PARTS=lab PKG_CONFIG=false MPI=0 CUDA=0 CONFIG=plain \
	  EXE=build/windows/lovac.exe LDFLAGS=-static program
arm64: ## build/arm64/lovac, for 64-bit ARM: the same
	+@$(MAKE) --no-print-directory CC=aarch64-linux-gnu-gcc ARCH=armv8-a PARTS=lab PKG_CONFIG=false MPI=0 CUDA=0 CONFIG=plain \
	  EXE=build/arm64/lovac LDFLAGS=-static program
i386: ## build/i386/lovac, for 32-bit x86 (gcc-multilib): the engine alone
	+@$(MAKE) --no-print-directory CC=gcc ARCH=i686 PARTS=engine CONFIG=plain EXE=build/i386/lovac \
	  CFLAGS='-m32 -Wno-psabi $(CFLAGS)' LDFLAGS='-m32 $(LDFLAGS)' program

# ---- Packages ---------------------------------------------------------------------------------
# All of them go to build/release. Programs are built with a profile, for any processor of the kind: what is fastest on it is
# chosen at run time. docs/releasing.md tells the way to a version.
VERSION := $(shell sed -n 's/^.define LOVAC_VERSION "\(.*\)"/\1/p' src/app/version.h)
ANY     := $(if $(filter x86_64,$(shell uname -m)),x86-64,none)
.PHONY: dist deb release
dist: $(PAGE) ## the source tarball: equal bytes from equal commits, builds without git and without a network
	@packaging/dist.sh $(VERSION)
deb: ## a package for this Debian, with everything but Open MPI and CUDA
	+@$(MAKE) --no-print-directory pgo ARCH=$(ANY) MPI=0 CUDA=0 PARTS=all EXE=build/package/lovac
	+@packaging/deb.sh build/package/lovac $(VERSION)
release: ## the tarball, the package, the programs for Windows and ARM where their compilers are, SHA256SUMS
	@rm -rf build/release
	+@$(MAKE) --no-print-directory dist
	+@$(MAKE) --no-print-directory deb
	@strip -o build/release/lovac-$(VERSION)-linux-$(shell uname -m) build/package/lovac
	+@if command -v x86_64-w64-mingw32-gcc >/dev/null; then $(MAKE) --no-print-directory windows && \
	    x86_64-w64-mingw32-strip -o build/release/lovac-$(VERSION)-windows-x86_64.exe build/windows/lovac.exe; fi
	+@if command -v aarch64-linux-gnu-gcc >/dev/null; then $(MAKE) --no-print-directory arm64 && \
	    aarch64-linux-gnu-strip -o build/release/lovac-$(VERSION)-linux-aarch64 build/arm64/lovac; fi
	@cd build/release && sha256sum lovac* >SHA256SUMS && cat SHA256SUMS

# ---- Tests ------------------------------------------------------------------------------------
# Tests of the server, like its command, need it.
needs_server = $(if $(filter server,$(FOLDERS)),$(1),$(filter-out $(shell grep -ls -e '^#include "server/' -e 'hub_help.h' $(1) /dev/null),$(1)))
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(call needs_server,$(wildcard tests/test_*.c)))
.PHONY: tests test test-long bench check format
tests: $(TESTS)
$(BUILD)/tests/%: tests/%.c $(LIB) $(BUILD)/flags
	@$(call say,TEST,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -MMD -MP -MF $@.d -o $@ $< $(LIB) -lcmocka $(ALL_LDLIBS)
-include $(TESTS:=.d)
# The files of others that one test reads are packed so.
ifneq ($(call has,liblzma),)
$(BUILD)/tests/test_gaviota: private ALL_CFLAGS += -DHAVE_LZMA
$(BUILD)/tests/test_gaviota: private ALL_LDLIBS += -llzma
endif

# Programs that only measure; their scripts in bench/ ask for them.
$(BUILD)/bench/%: bench/%.c $(LIB) $(BUILD)/flags
	@$(call say,BENCH,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(LIB) $(ALL_LDLIBS)

test: ## all short tests (./test also installs what they need)
	@tests/run.sh
test-long: ## the same with the long suites, more than half an hour; installs what they need besides
	@LOVAC_TEST_LEVEL=long ./test
bench: all ## measurements beside other programs (see bench/README.md)
	@for script in $(filter-out bench/steps.sh bench/study.sh,$(wildcard bench/*.sh)); do echo "== $$script"; "$$script" || exit 1; done
check: ## includes point the right way, headers compile alone, nothing forbidden is linked, layout
	@for script in tests/check_*.sh; do "$$script" || exit 1; done
format: ## lays out all C and CUDA files with clang-format
	@find src tests bench \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) | xargs clang-format -i

# ---- Fuzzing (clang) --------------------------------------------------------------------------
FUZZ         := $(patsubst tests/fuzz/%.c,build/fuzz/%,$(call needs_server,$(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SECONDS ?= 60
.PHONY: fuzz fuzz-build fuzz-programs
fuzz: fuzz-build ## runs every fuzz target for FUZZ_SECONDS (60) each
	@for f in $(FUZZ); do n=$$(basename $$f); n=$${n#fuzz_}; echo "== $$n"; mkdir -p build/corpus/$$n tests/corpus/$$n; \
	  $$f -max_total_time=$(FUZZ_SECONDS) -print_final_stats=0 -verbosity=0 -artifact_prefix=build/corpus/crash-$$n- \
	    build/corpus/$$n tests/corpus/$$n || exit 1; rmdir tests/corpus/$$n 2>/dev/null || true; done
fuzz-build:
	+@$(MAKE) --no-print-directory CONFIG=fuzz CC=clang PARTS=server fuzz-programs
fuzz-programs: $(FUZZ)
build/fuzz/%: tests/fuzz/%.c $(LIB) $(BUILD)/flags
	@$(call say,FUZZ,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -Itests -o $@ $< $(LIB) $(ALL_LDLIBS)

# ---- Housekeeping -----------------------------------------------------------------------------
.PHONY: install install-files uninstall clean help
# What the program tells of itself: its manual page and the completion of the shells. It must run on this machine.
SHARE := build/share-$(subst /,_,$(EXE))
RUN   := $(if $(filter /%,$(EXE)),$(EXE),./$(EXE))

# Where everything goes: a line for each file, its place and its mode; what is with the server only comes last.
put = install -D -m $(3) $(4) $(1) "$(DESTDIR)$(2)"
INSTALLED = $(BINDIR)/lovac $(DATADIR)/man/man6/lovac.6.gz $(DATADIR)/bash-completion/completions/lovac \
  $(DATADIR)/zsh/$(ZSHDIR)/_lovac $(DATADIR)/doc/lovac/README.md $(DATADIR)/doc/lovac/CHANGELOG.md $(DATADIR)/doc/lovac/LICENSE
INSTALLED_SERVER = $(DATADIR)/applications/lovac.desktop $(DATADIR)/icons/hicolor/scalable/apps/lovac.svg \
  $(PREFIX)/lib/systemd/user/lovac.service
install: program ## the program, man page, completion, menu entry, systemd unit under PREFIX (/usr/local), DESTDIR before it
	+@$(MAKE) --no-print-directory install-files
# The same for a program that is there, however it was built.
install-files:
	@mkdir -p $(SHARE)
	@packaging/man.sh $(RUN) >$(SHARE)/lovac.6
	@packaging/completion.sh $(RUN) bash >$(SHARE)/lovac.bash
	@packaging/completion.sh $(RUN) zsh >$(SHARE)/lovac.zsh
	$(call put,$(EXE),$(BINDIR)/lovac,755,-s --strip-program=$(STRIP))
	$(call put,$(SHARE)/lovac.6,$(DATADIR)/man/man6/lovac.6,644)
	gzip -9nf "$(DESTDIR)$(DATADIR)/man/man6/lovac.6"
	$(call put,$(SHARE)/lovac.bash,$(DATADIR)/bash-completion/completions/lovac,644)
	$(call put,$(SHARE)/lovac.zsh,$(DATADIR)/zsh/$(ZSHDIR)/_lovac,644)
	$(call put,README.md,$(DATADIR)/doc/lovac/README.md,644)
	$(call put,CHANGELOG.md,$(DATADIR)/doc/lovac/CHANGELOG.md,644)
	$(call put,LICENSE,$(DATADIR)/doc/lovac/LICENSE,644)
ifneq ($(filter server,$(FOLDERS)),)
	$(call put,packaging/lovac.desktop,$(DATADIR)/applications/lovac.desktop,644)
	$(call put,web/icon.svg,$(DATADIR)/icons/hicolor/scalable/apps/lovac.svg,644)
	@sed 's,@BINDIR@,$(BINDIR),' packaging/lovac.service.in >$(SHARE)/lovac.service
	$(call put,$(SHARE)/lovac.service,$(PREFIX)/lib/systemd/user/lovac.service,644)
endif
uninstall: ## takes away what `make install` with the same PREFIX and DESTDIR has put there
	rm -f $(foreach f,$(INSTALLED) $(INSTALLED_SERVER),"$(DESTDIR)$(f)")
	-rmdir "$(DESTDIR)$(DATADIR)/doc/lovac" 2>/dev/null
clean: ## removes all that was built
	rm -rf build web/dist $(EXE)
help: ## this list
	@awk -F ':.*## ' '/^[a-z][a-z -]*:.*## /{printf "  %-28s %s\n", $$1, $$2}' Makefile
	@echo "  Set on the command line: EXE EVALFILE CC ARCH CONFIG PARTS PREFIX BINDIR CUDA MPI V=1"
