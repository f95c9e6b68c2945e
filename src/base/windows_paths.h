// On Windows the C library cuts paths at 260 letters. There this file stands before every other
// (Makefile), and these functions, which take paths of any length, in the place of its own.
#ifndef LOVAC_BASE_WINDOWS_PATHS_H
#define LOVAC_BASE_WINDOWS_PATHS_H

#ifdef _WIN32

#define tell tell_of_io // io.h's, which nobody uses: we tell other things
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#undef tell
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *long_fopen(const char *path, const char *mode);
int long_open(const char *path, int flags, ...);
int long_stat(const char *path, struct stat *status);
int long_unlink(const char *path);
int long_mkdir(const char *path);
int long_rmdir(const char *path);

// Puts a file into the place of another.
bool long_replace(const char *from, const char *to);

#define fopen                 long_fopen
#define open                  long_open
#define unlink                long_unlink
#define rmdir                 long_rmdir
#define _mkdir                long_mkdir
#define _stat64(path, status) long_stat(path, status) // which `stat` means

#endif

#endif
