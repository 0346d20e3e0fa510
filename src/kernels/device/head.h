/* First lines of the program of a device: types and names that OpenCL C 1.2 has otherwise, or has for itself. */
#ifndef SINEW_KERNELS_DEVICE_HEAD_H
#define SINEW_KERNELS_DEVICE_HEAD_H

#ifdef SN__STRICT
#pragma OPENCL FP_CONTRACT OFF
#endif

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define dot sn__dot
#define cross sn__cross
#define any sn__any
#define step sn__step
#define half sn__half
#define LANE_BITS 32
#define LANE_WIDTH 1

#endif
