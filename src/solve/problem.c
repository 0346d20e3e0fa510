/* The bounded problem: its memory, its matrix, and which solver answers it. */
#include <math.h>

#include "base/memory.h"
#include "solve/problem.h"

/* ------------------------------------------------------------------------------------------------- memory */

static size_t factor_room(int rows) {
    const size_t all = (size_t)rows * ((size_t)rows + 1) / 2;
    return all < SN__FACTOR_VALUES ? all : SN__FACTOR_VALUES;
}

static bool replace(void *array, size_t count, size_t size) {
    void **a = array, *fresh = sn__alloc(count, size);
    if (!fresh) return false;
    sn__free(*a);
    *a = fresh;
    return true;
}

static bool reserve_rows(struct sn__problem_room *room, int rows) {
    double **values[] = {&room->kept, &room->best, &room->w, &room->x, &room->y, &room->along};
    int **numbers[] = {&room->kind, &room->order, &room->list, &room->first, &room->at};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!replace(values[i], (size_t)rows, sizeof(double))) return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!replace(numbers[i], (size_t)rows, sizeof(int))) return false;
    struct sn__apart *a = &room->apart;
    return replace(&a->row, (size_t)rows, sizeof *a->row) && replace(&a->f, (size_t)rows, sizeof *a->f) &&
           replace(&a->order, (size_t)rows, sizeof(int)) && replace(&a->place, (size_t)rows, sizeof(int)) &&
           replace(&room->edge, 2 * (size_t)rows, sizeof(int)) &&
           replace(&room->asks, 2 * (size_t)rows, sizeof *room->asks) &&
           replace(&room->moves, 4 * (size_t)rows, sizeof *room->moves) &&
           replace(&room->L, factor_room(rows), sizeof(double)) &&
           replace(&room->U, factor_room(rows), sizeof(double));
}

bool sn__problem_reserve(struct sn__problem_room *room, int rows, int blocks,
                         const struct sn__row_method *method) {
    if (rows > room->rows) {
        if (!reserve_rows(room, rows)) return false;
        room->rows = rows;
    }
    if (blocks > room->blocks) {
        if (!replace(&room->begin, (size_t)blocks + 2, sizeof(int)) ||
            !replace(&room->placed, (size_t)blocks, sizeof(int)) ||
            !replace(&room->asks_of, (size_t)blocks + 2, sizeof(int)) ||
            !replace(&room->moves_of, (size_t)blocks + 2, sizeof(int)) ||
            !replace(&room->queue, (size_t)blocks, sizeof(int)) ||
            !replace(&room->apart.block, (size_t)blocks, sizeof *room->apart.block) ||
            !replace(&room->apart.parent, (size_t)blocks + 2, sizeof(int)) ||
            !replace(&room->apart.begin, (size_t)blocks + 2, sizeof(int)) ||
            !replace(&room->apart.island, (size_t)blocks, sizeof(int)) ||
            !replace(&room->apart.local, (size_t)blocks, sizeof(int)))
            return false;
        room->blocks = blocks;
    }
    const int n = room->rows < SN__METHOD_ROWS ? room->rows : SN__METHOD_ROWS;
    if (method && n > room->method_rows) {
        const size_t values = method->room(n);
        if (!replace(&room->method, values, sizeof(double))) return false;
        room->method_rows = n, room->method_values = values;
    }
    return true;
}

void sn__problem_release(struct sn__problem_room *room) {
    void *memory[] = {room->kept,  room->best,  room->w,       room->x,       room->y,      room->along,
                      room->kind,  room->list,  room->edge,    room->first,   room->at,     room->order,
                      room->begin, room->L,     room->U,       room->queue,   room->placed, room->method,
                      room->asks,  room->moves, room->asks_of, room->moves_of};
    const struct sn__apart *a = &room->apart;
    sn__free_all(a->row, a->block, a->f, a->order, a->place, a->parent, a->begin, a->island, a->local);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        sn__free(memory[i]);
    *room = (struct sn__problem_room){0};
}

size_t sn__problem_room_bytes(const struct sn__problem_room *room) {
    const size_t values = 7 * (size_t)room->rows + 2 * factor_room(room->rows) + room->method_values;
    const size_t numbers = 9 * (size_t)room->rows + (room->blocks ? 9 * (size_t)room->blocks + 10 : 0);
    return sizeof(double) * values + sizeof(int) * numbers +
           6 * (size_t)room->rows * sizeof(struct sn__term) +
           (size_t)room->rows * sizeof(struct sn__pgs_row) +
           (size_t)room->blocks * sizeof(struct sn__pgs_block);
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

double sn__problem_largest_impulse(const struct sn__problem *p) {
    double sum = 0;
    for (int c = 0; c < p->nblock; c++) {
        const struct sn__pgs_block *b = &p->block[c];
        double least = INFINITY;
        for (int i = 0; i < b->n && b->stride; i++) {
            const double d = b->K[(size_t)i * (size_t)(b->stride + 1)];
            if (d > 0) least = fmin(least, d);
        }
        sum += 1 / least;
    }
    return 100 * sn__problem_largest_velocity(p) * sum;
}

void sn__problem_velocities(const struct sn__problem *p, const double *f, bool with_b, double *w) {
    for (int c = 0; c < p->nblock; c++)
        for (int j = 0; j < p->block[c].stride; j++)
            p->block[c].v[j] = 0;
    for (int i = 0; i < p->n; i++)
        for (int s = 0; s < 2 && f[i] != 0; s++) {
            const struct sn__side side = p->row[i].side[s];
            if (side.block < 0) continue;
            const struct sn__pgs_block *b = &p->block[side.block];
            const double *K = b->K + (size_t)side.index * (size_t)b->stride;
            for (int j = 0; j < b->n; j++)
                b->v[j] += K[j] * f[i];
        }
    for (int i = 0; i < p->n; i++) {
        const struct sn__pgs_row *r = &p->row[i];
        w[i] = r->soft * f[i] + (with_b ? r->b : 0);
        for (int s = 0; s < 2; s++)
            if (r->side[s].block >= 0) w[i] += p->block[r->side[s].block].v[r->side[s].index];
    }
}

/* -------------------------------------------------------------------------------------------------- solve */

static bool fits_method(const struct sn__problem *p) {
    for (int i = 0; i < p->n; i++)
        if (p->row[i].cone == 2) return false;
    return p->n <= p->room->method_rows;
}

void sn__problem_solve(struct sn__problem *p, double *f) {
    p->iterations = -1;
    p->residual = 0;
    if (p->method && fits_method(p)) p->iterations = p->method->solve(p, f);
    p->fell_back = p->method && p->iterations < 0;
    if (p->iterations < 0) p->iterations = sn__problem_gauss_seidel(p, f);
}
