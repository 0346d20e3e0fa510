/* What fields are called. It stands apart from schema.c: a linker keeps all text of an object file that is used, and the text of
 * the schema is a sixth of a small program. */
#include "base/definition.h"

#include <sinew/dynamics.h>
#include <sinew/learn.h>
#include <sinew/studies.h>

#define SCHEMA_FIELDS
#include "schema_tables.h" /* made by the build from the public headers */

const struct sn__field_meaning *sn__field_get(int field) {
    return (unsigned)field < sizeof field_infos / sizeof *field_infos ? &field_infos[field] : NULL;
}
