#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *sn_status_text(sn_status status) {
    switch (status) {
#define X(name, code, text)                                                                                  \
    case SN_##name:                                                                                          \
        return text;
        SN_STATUS_MAP(X)
#undef X
    }
    return "unknown status";
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *sn_version(void) {
    return TEXT(SN_VERSION_MAJOR) "." TEXT(SN_VERSION_MINOR) "." TEXT(SN_VERSION_PATCH);
}

sn_status sn__fail(sn_error *error, sn_status status, const char *format, ...) {
    if (!error) return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

sn_status sn__succeed(sn_error *error) {
    if (error) {
        error->status = SN_OK;
        error->message[0] = '\0';
    }
    return SN_OK;
}
