// See windows_paths.h. A path that is too long goes to the system whole, with the sign before it
// that says: take it as it is.
#ifdef _WIN32
#include "base/windows_paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

enum { SHORT_PATH = 240 }; // folders may have 248 letters, files 259

// Text of the program as Windows has it; the caller frees it.
static wchar_t *wide_of(const char *text)
{
    int size = MultiByteToWideChar(CP_ACP, 0, text, -1, NULL, 0);
    wchar_t *wide = size > 0 ? malloc((size_t)size * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_ACP, 0, text, -1, wide, size);
    else
        errno = size > 0 ? ENOMEM : EILSEQ;
    return wide;
}

// The whole path behind the sign; NULL where it needs none.
static wchar_t *whole_of(const wchar_t *path)
{
    static const wchar_t SIGN[] = L"\\\\?\\", SHARE[] = L"\\\\?\\UNC\\";
    DWORD size = GetFullPathNameW(path, 0, NULL, NULL);
    if (size <= SHORT_PATH || !wcsncmp(path, SIGN, 4))
        return NULL;
    wchar_t *full = malloc(size * sizeof *full), *whole = malloc((size + 16) * sizeof *whole);
    if (full && whole && GetFullPathNameW(path, size, full, NULL) < size) {
        bool is_share = full[0] == L'\\' && full[1] == L'\\';
        wcscpy(whole, is_share ? SHARE : SIGN);
        wcscat(whole, is_share ? full + 2 : full);
    } else {
        free(whole);
        whole = NULL;
    }
    free(full);
    return whole;
}

static wchar_t *path_of(const char *path)
{
    wchar_t *wide = wide_of(path), *whole = wide ? whole_of(wide) : NULL;
    if (!whole)
        return wide;
    free(wide);
    return whole;
}

FILE *long_fopen(const char *path, const char *mode)
{
    wchar_t *wide = path_of(path), *how = wide_of(mode);
    FILE *file = wide && how ? _wfopen(wide, how) : NULL;
    free(wide);
    free(how);
    return file;
}

int long_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
    va_end(rest);
    wchar_t *wide = path_of(path);
    int file = wide ? _wopen(wide, flags, mode) : -1;
    free(wide);
    return file;
}

int long_stat(const char *path, struct stat *status)
{
    wchar_t *wide = path_of(path);
    int failed = wide ? _wstat64(wide, status) : -1;
    free(wide);
    return failed;
}

int long_unlink(const char *path)
{
    wchar_t *wide = path_of(path);
    int failed = wide ? _wunlink(wide) : -1;
    free(wide);
    return failed;
}

int long_mkdir(const char *path)
{
    wchar_t *wide = path_of(path);
    int failed = wide ? _wmkdir(wide) : -1;
    free(wide);
    return failed;
}

int long_rmdir(const char *path)
{
    wchar_t *wide = path_of(path);
    int failed = wide ? _wrmdir(wide) : -1;
    free(wide);
    return failed;
}

bool long_replace(const char *from, const char *to)
{
    wchar_t *old = path_of(from), *new = path_of(to);
    bool ok =
        old && new &&MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    free(old);
    free(new);
    return ok;
}
#endif
