/* How the library says what went wrong: a status for the program, a sentence for the person. */
#ifndef SINEW_BASE_ERROR_H
#define SINEW_BASE_ERROR_H

#include <stdio.h>

#include "sinew/sinew.h"

#if defined(__MINGW_PRINTF_FORMAT) /* the printf of the C standard, not that of an older C library */
#define SN__PRINTF(string, first) __attribute__((__format__(__MINGW_PRINTF_FORMAT, string, first)))
#elif defined(__GNUC__)
#define SN__PRINTF(string, first) __attribute__((__format__(__printf__, string, first)))
#else
#define SN__PRINTF(string, first)
#endif

/* Writes the status and the message into the error, where there is one, and returns the status. A message
   that is too long is cut. */
sn_status sn__fail(sn_error *error, sn_status status, const char *format, ...) SN__PRINTF(3, 4);

/* The same for success: status SN_OK, no message. */
sn_status sn__succeed(sn_error *error);

#endif
