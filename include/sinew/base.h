/* Sinew: status codes, errors and definitions. Every other header includes this one. */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(SINEW_MAKES_DLL) /* when the library itself is compiled */
#define SN_API __declspec(dllexport)
#elif defined(_WIN32) && defined(SINEW_DLL) /* for programs that link with the DLL */
#define SN_API __declspec(dllimport)
#elif defined(_WIN32)
#define SN_API
#elif defined(__GNUC__)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

#define SN_VERSION_MAJOR 0
#define SN_VERSION_MINOR 3
#define SN_VERSION_PATCH 0

/* The version of the library that runs, as "0.3.0". */
SN_API const char *sn_version(void);

/* One list makes the codes, their names and their texts. */
#define SN_STATUS_MAP(X)                                                                                     \
    X(OK, 0, "success")                                                                                      \
    X(ERROR_ARGUMENT, 1, "an argument is not valid")                                                         \
    X(ERROR_MEMORY, 2, "out of memory")                                                                      \
    X(ERROR_MODEL, 3, "the model is not valid")                                                              \
    X(ERROR_TOO_LARGE, 4, "a limit of the library is exceeded")                                              \
    X(ERROR_UNSUPPORTED, 5, "not supported by this build or this machine")                                   \
    X(ERROR_NOT_FINITE, 6, "the state stopped being finite")                                                 \
    X(ERROR_FILE, 7, "a file cannot be read or written")                                                     \
    X(ERROR_FORMAT, 8, "a file is not in the format it should be")

typedef enum sn_status {
#define X(name, code, text) SN_##name = code,
    SN_STATUS_MAP(X)
#undef X
} sn_status;

/* A status in words, as "the model is not valid". */
SN_API const char *sn_status_text(sn_status status);

/* Filled by functions that can fail in more ways than a code can tell. You can always pass NULL instead. */
typedef struct sn_error {
    sn_status status;
    /* A sentence that names the body, joint, file or line at fault. */
    char message[1020];
} sn_error;

/* A finished, immutable character or body: model.h. */
typedef struct sn_model sn_model;
/* A scene in one copy or in thousands: sinew.h. */
typedef struct sn_world sn_world;
/* How a model should move: motions.h. */
typedef struct sn_motion sn_motion;

/* A character or free body in a world. The handle is valid until the member is removed. No later member ever
   gets it: functions refuse a handle that is out of date with SN_ERROR_ARGUMENT. -1 means none. */
typedef int32_t sn_member;

/* -----------------------------------------------------------------------------------------------
   Definitions */

/* A structure whose name ends in _def says how something is made. Make it with its *_default function,
   change the members that should differ, and pass it on. The library copies it. The comment above each
   member ends with its unit, default and range in square brackets. That text also gives the checks and
   their messages, the JSON form, the options of the command and docs/definitions.md, so that they always
   agree.

   `struct_size` is the size that the structure had when your program was compiled. It lets a program that
   was built with an older header run with a newer library: members that the program does not know have
   their default values. */

/* Fills a definition with its defaults. The *_default functions call it. `name` is the name of its type,
   `inner` the size of the definition inside it, or 0. */
SN_API void sn_def_default(const char *name, void *definition, size_t size, size_t inner);
/* The body of a *_default function. With SN_RETURN_DEFAULT_WITH it also sets members of `def`. */
#define SN_RETURN_DEFAULT_WITH(definition, ...)                                                              \
    definition def;                                                                                          \
    sn_def_default(#definition, &def, sizeof def, 0);                                                        \
    __VA_ARGS__;                                                                                             \
    return def
#define SN_RETURN_DEFAULT(definition) SN_RETURN_DEFAULT_WITH(definition, (void)0)
/* Changes the members that a JSON object names, as in {"dt": 0.01, "form": "full"}. If one of them is
   refused, nothing changes. */
SN_API sn_status sn_def_read(const char *name, void *definition, const char *json, sn_error *error);
/* Writes a definition as JSON, as far as there is room. Returns the whole length, without the final zero. */
SN_API size_t sn_def_write(const char *name, const void *definition, char *text, size_t room);
/* Writes the interface of the library as JSON in the same way: definitions, enumerations, fields, structures
   and functions with their comments. Bindings to other languages are made from it. docs/schema.json describes
   its form. */
SN_API size_t sn_schema(char *text, size_t room);

#ifdef __cplusplus
}
#endif

#endif
