/* The bounded problem: its memory, its matrix, and which solver answers it. */
#include <math.h>

#include "base/memory.h"
#include "solve/problem.h"

/* ------------------------------------------------------------------------------------------------- memory */

static size_t subspace_size(int rows) {
    const size_t m = rows < SN__SUBSPACE_ROWS ? (size_t)rows : SN__SUBSPACE_ROWS;
    return m * m;
}

static bool replace(double **array, size_t count) {
    double *fresh = sn__alloc(count, sizeof *fresh);
    if (!fresh) return false;
    sn__free(*array);
    *array = fresh;
    return true;
}

bool sn__problem_reserve(struct sn__problem_room *room, int rows, bool direct) {
    if (rows > room->rows) {
        if (!replace(&room->kept, (size_t)rows) || !replace(&room->subspace, subspace_size(rows)))
            return false;
        room->rows = rows;
    }
    const int n = room->rows < SN__DIRECT_ROWS ? room->rows : SN__DIRECT_ROWS;
    if (direct && n > room->direct_rows) {
        if (!replace(&room->direct, sn__problem_direct_room(n))) return false;
        room->direct_rows = n;
    }
    return true;
}

void sn__problem_release(struct sn__problem_room *room) {
    sn__free(room->kept);
    sn__free(room->subspace);
    sn__free(room->direct);
    *room = (struct sn__problem_room){0};
}

size_t sn__problem_room_bytes(const struct sn__problem_room *room) {
    const size_t direct = room->direct_rows ? sn__problem_direct_room(room->direct_rows) : 0;
    return sizeof(double) * ((size_t)room->rows + subspace_size(room->rows) + direct);
}

/* ------------------------------------------------------------------------------------------------- matrix */

double sn__problem_coupling(const struct sn__problem *p, int i, int j) {
    double a = i == j ? p->row[i].soft : 0;
    for (int s = 0; s < 2; s++)
        for (int z = 0; z < 2; z++) {
            const struct sn__side x = p->row[i].side[s], y = p->row[j].side[z];
            if (x.block < 0 || x.block != y.block) continue;
            const struct sn__pgs_block *c = &p->block[x.block];
            a += c->K[(size_t)x.index * (size_t)c->stride + (size_t)y.index];
        }
    return a;
}

void sn__problem_soften(struct sn__problem *p, double part) {
    for (int i = 0; i < p->n; i++) {
        const double least = part * (sn__problem_coupling(p, i, i) - p->row[i].soft);
        if (p->row[i].soft < least) p->row[i].soft = least;
    }
}

double sn__problem_largest_velocity(const struct sn__problem *p) {
    double most = 0;
    for (int i = 0; i < p->n; i++)
        most = fmax(most, fabs(p->row[i].b));
    return most;
}

/* |f_i| d_i <= most, where d_i leaves out what the two sides of a row on one block do to each other. */
bool sn__problem_is_sound(const struct sn__problem *p, const double *f, double most) {
    for (int i = 0; i < p->n; i++) {
        double d = p->row[i].soft;
        for (int s = 0; s < 2; s++) {
            const struct sn__side side = p->row[i].side[s];
            if (side.block < 0) continue;
            const struct sn__pgs_block *c = &p->block[side.block];
            d += c->K[(size_t)side.index * (size_t)(c->stride + 1)];
        }
        if (!(fabs(f[i]) * d <= most)) return false;
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------- solve */

void sn__problem_solve(struct sn__problem *p, double *f) {
    p->iterations = -1;
    p->residual = 0;
    if (p->direct && p->n <= p->room->direct_rows) p->iterations = sn__problem_direct(p, f);
    if (p->iterations < 0) p->iterations = sn__problem_gauss_seidel(p, f);
}
