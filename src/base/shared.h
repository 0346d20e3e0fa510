/* Words for data that all characters share. A graphics device keeps such data in a memory of its own, which OpenCL C has a name
 * for; elsewhere the words mean nothing.
 *
 *     SHARED        what a pointer points to:  const SHARED struct sn__probe *probe
 *     SHARED_LARGE  the same for more than the 64 kB that a device may have of it: heights of a terrain
 *     SHARED_TABLE  a constant table:          SHARED_TABLE float coefficient[4] = {...} */
#ifndef SINEW_BASE_SHARED_H
#define SINEW_BASE_SHARED_H

#ifdef __OPENCL_C_VERSION__
#define SN__DEVICE 1
#define SHARED __constant
#define SHARED_LARGE __global
#define SHARED_TABLE __constant
#else
#define SHARED
#define SHARED_LARGE
#define SHARED_TABLE static const
#endif

#endif
