/* Numbers on their way into a block of bytes and out of it. Every number takes eight bytes, the lowest first; a float is
 * exact in a double, so that neither the machine nor the width of its lanes matters. One function per part counts,
 * writes, checks and takes over, and so the layout is written down once. */
#ifndef SINEW_WORLD_STREAM_H
#define SINEW_WORLD_STREAM_H

#include "sinew/sinew.h"

enum sn__task { SN__COUNT, SN__WRITE, SN__CHECK, SN__TAKE };

struct sn__stream {
    enum sn__task task;
    unsigned char *to;         /* SN__WRITE */
    const unsigned char *from; /* SN__CHECK, SN__TAKE */
    size_t size;               /* bytes passed */
    size_t room;               /* SN__CHECK, SN__TAKE: bytes there are */
    const char *part;          /* what is being passed, for messages */
    int number;
    int contacts; /* the most that any copy has had so far */
    sn_error *error;
    bool refused;
};

/* The first thing that is wrong is reported. */
void sn__stream_refuse(struct sn__stream *s, const char *why);
void sn__pass_u64(struct sn__stream *s, uint64_t *x);
void sn__pass_u32(struct sn__stream *s, uint32_t *x);
void sn__pass_int(struct sn__stream *s, int *x, int least, int most); /* refused beyond these */
void sn__pass_bool(struct sn__stream *s, bool *x);
void sn__pass_doubles(struct sn__stream *s, double *x, int n);
/* Those that must be finite. */
void sn__pass_finite(struct sn__stream *s, double *x, int n);
bool sn__is_unit(const double q[4]); /* as far as float can hold it */

#endif
