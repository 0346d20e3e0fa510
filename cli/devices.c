/* sinew devices: what `device` of a world's definition can name. */
#include "commands.h"
#include "options.h"
#include "terminal.h"

#include <sinew/sinew.h>

static struct options options = {.help = ""};

void help_devices(void) {
    printf("usage: sinew devices\n\n"
           "Lists the devices beside the processor that can step the copies of a world, each with the name "
           "that\n"
           "`device` in the definition of a world takes. They are those of OpenCL, which need not be "
           "installed.\n"
           "docs/device.md says what a device can do.\n");
}

int command_devices(int argc, char **argv) {
    const int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword)
        return complain(EXIT_USAGE, "devices takes no arguments, but '%s' follows", options.word[0]);
    for (int i = -1; sn_lanes_get(i); i--)
        printf("%-10s %s\n", sn_lanes_get(i)->name, sn_lanes_get(i)->isa);
    if (!sn_lanes_get(-1)) printf("There are no devices: no OpenCL driver is installed.\n");
    return EXIT_DONE;
}
