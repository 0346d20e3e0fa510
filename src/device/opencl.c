/* Loading OpenCL. */
#include "device/opencl.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/memory.h"
#include "base/platform.h"

/* All functions, or none. */
static bool load(struct sn__cl *cl) {
    void *library = sn__platform_library("OpenCL");
    if (!library) return false;
    bool all = true;
#define X(result, name, arguments)                                                                           \
    *(void **)&cl->name = sn__platform_symbol(library, "cl" #name);                                          \
    all = all && cl->name;
    SN__CL_FUNCTIONS(X)
#undef X
    return all;
}

/* Loaded once; the library then stays until the program ends. Other threads wait for the first. */
const struct sn__cl *sn__opencl(void) {
    enum { UNKNOWN, LOADING, MISSING, THERE };
    static struct sn__cl functions;
    static atomic_int state;
    int before = UNKNOWN;
    if (atomic_compare_exchange_strong(&state, &before, LOADING))
        atomic_store(&state, load(&functions) ? THERE : MISSING);
    while (atomic_load(&state) == LOADING)
        ;
    return atomic_load(&state) == THERE ? &functions : NULL;
}
