/* What the command needs from the operating system. Every difference between systems stands in platform.c (files),
 * platform_program.c (starting programs) and platform_socket.c (sockets); nothing else in the command asks which
 * system it runs on. Paths are UTF-8. */
#ifndef SINEW_CLI_PLATFORM_H
#define SINEW_CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* For functions that take a format as printf does: the compiler checks their arguments. */
#if defined(__MINGW_PRINTF_FORMAT)
#define LIKE_PRINTF(string, first) __attribute__((format(__MINGW_PRINTF_FORMAT, string, first)))
#else
#define LIKE_PRINTF(string, first) __attribute__((format(printf, string, first)))
#endif

enum { LONGEST_PATH = 4096 }; /* bytes, with the NUL at the end */

/* To be called first in main: arguments as UTF-8, and standard output without line ends of its own. */
void platform_begin(int *argc, char ***argv);
/* The handler runs once, at the first Ctrl-C; the next one ends the program as usual. */
void platform_on_interrupt(void (*handler)(int));
int platform_cores(void);    /* that this program may run on */
long platform_process(void); /* the number of this process */
void platform_sleep(double seconds);
bool platform_random(void *bytes, size_t size); /* that nobody can guess; false: the system has none */

/* ---------------------------------------------------------------------------------------------------- files */

FILE *open_file(const char *path, const char *mode); /* as fopen */
/* A new file to write, with the permissions of `like` if that is there; NULL if `path` exists. */
FILE *open_new_file(const char *path, const char *like);
bool replace_file(const char *from, const char *to); /* renames; what was at `to` is gone */
bool remove_file(const char *path);                  /* false: there was none, or it cannot be removed */
bool can_read(const char *path);
bool can_run(const char *path);
bool exists(const char *path);
bool is_folder(const char *path);
bool is_regular(const char *path); /* a file as files are, not a folder, device or pipe */
/* Whether writing may put a new file in the place of this path: a regular file that may be written, or nothing yet. */
bool is_replaceable(const char *path);
/* Whether a path names what standard output is connected to, such as /dev/stdout; whether it names a device. */
bool is_the_output(const char *path);
bool is_device(const char *path);
/* Where a symbolic link leads, in `target`; false: the path is not a link. */
bool read_link(const char *path, char target[LONGEST_PATH]);
/* The path without links and "..", in `real`; false: nothing is there. */
bool real_path(const char *path, char real[LONGEST_PATH]);
bool make_folder(const char *path);   /* also true when it is there already */
void remove_folder(const char *path); /* with everything in it */

/* The folder this program lies in; "." where that is not known. */
void own_folder(char folder[LONGEST_PATH]);
/* A new, empty file or folder for temporary data, named after `name`, to be removed by the caller. False: it cannot be made. */
bool temporary_file(const char *name, const char *ending, char path[LONGEST_PATH]);
bool temporary_folder(const char *name, char path[LONGEST_PATH]);

#if defined(_WIN32)
wchar_t *wide_text(const char *text); /* UTF-8 as the system wants it; to be freed */
#endif

/* ------------------------------------------------------------------------------------------------- programs */

/* A program in PATH; false: none of that name. */
bool find_in_path(const char *name, char path[LONGEST_PATH]);
/* Whether the user is the administrator: browsers refuse their sandbox to that user. */
bool is_administrator(void);

/* Runs a program to its end. What it prints goes to *output, ended by NUL and to be freed, or nowhere if `output` is NULL;
   its complaints go nowhere if `quiet`. Returns its exit code; -1: it could not be started, or did not end by itself. */
int run_program(const char *const *argv, bool quiet, char **output, size_t *size);

/* -------------------------------------------------------------------------------------------------- sockets */

typedef intptr_t platform_socket; /* negative: none */

bool socket_begin(void); /* once, before any other */
/* Listens on the loopback address alone; port 0 takes any that is free. Negative: errno or the system's words say why. */
platform_socket socket_listen(int port);
int socket_port(platform_socket listener);
const char *socket_error(void);
platform_socket socket_accept(platform_socket listener); /* with a time limit for sending */
/* Waits until one of them has something to read; ready[i] says which. False: none within that time. */
bool socket_wait(const platform_socket *socket, bool *ready, int count, int milliseconds);
/* Bytes that have come; 0: the other side is done; -1: an error; -2: nothing now. */
int socket_receive(platform_socket socket, char *bytes, size_t room);
bool socket_send(platform_socket socket, const char *bytes, size_t size);
void socket_finish(platform_socket socket); /* nothing more will be sent */
void socket_close(platform_socket socket);

#endif
