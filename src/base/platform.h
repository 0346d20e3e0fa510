/* What the library needs from the operating system: memory, cores, threads, and files that are replaced as a whole. Every
 * difference between systems stands in platform.c; no other source of the library asks which system it runs on.
 *
 * Paths are UTF-8 on every system. */
#ifndef SINEW_BASE_PLATFORM_H
#define SINEW_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Memory whose address is a multiple of `alignment`, a power of two. All four work on the same kind of block. */
void *sn__platform_alloc(size_t bytes, size_t alignment);
void *sn__platform_calloc(size_t count, size_t size); /* zeroed; count * size must not overflow */
void *sn__platform_realloc(void *memory, size_t bytes);
void sn__platform_free(void *memory);

/* Cores this process may use; at least 1. */
int sn__platform_cores(void);
/* Nanoseconds of a clock that never goes back. */
int64_t sn__platform_nanoseconds(void);
/* Changes in a child made by fork(), in which no thread but the caller's is left. */
long sn__platform_process(void);

/* Opens a file as fopen does. */
FILE *sn__platform_open(const char *path, const char *mode);
bool sn__platform_exists(const char *path);
/* Whether something is there that is a regular file, or is something else (a folder, a device, a pipe). */
bool sn__platform_is_file(const char *path);
bool sn__platform_is_other(const char *path);
/* Waits until the file's contents are on the disk. */
bool sn__platform_sync(FILE *file);
/* Renames `from` to `to`, which may exist and is replaced in one step, and waits until the folder's entry is on the disk. */
bool sn__platform_replace(const char *from, const char *to);

/* Makes a folder, if it is not there. */
void sn__platform_make_folder(const char *path);

/* Loads a library of the system by its plain name, as in "OpenCL"; it stays loaded. And looks up a symbol of it. NULL: it is not
   there. Systems that cannot load libraries have none. */
void *sn__platform_library(const char *name);
void *sn__platform_symbol(void *library, const char *name);

/* Threads. Builds without them (SN__NO_THREADS, as for the browser) have none of these. */
struct sn__thread;
/* Starts a thread that receives no signals, so that signals go to the program's own threads. Returns NULL and the system's
   error number in *failed if it cannot be started. */
struct sn__thread *sn__thread_start(void *(*run)(void *), void *argument, int *failed);
void sn__thread_join(struct sn__thread *thread);

#endif
