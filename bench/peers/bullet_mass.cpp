/* The mass matrix of a btMultiBody by the composite-rigid-body algorithm, in world axes about the root's centre of
 * mass. Bullet has one of its own in BulletInverseDynamics, for which Debian ships no headers. */
#include "bullet.hpp"

/* Where the links are, and their moments about the root's centre of mass: J = R I R^T + m (c.c 1 - c c^T). */
static void place_links(Scene &s) {
    for (int i = 0; i < s.tree.nbody; i++) {
        Body &part = s.part[std::size_t(i)];
        part.mass = i == 0 ? s.body->getBaseMass() : s.body->getLinkMass(i - 1);
        if (i == 0) {
            part.rotation = btMatrix3x3(s.body->getWorldToBaseRot().inverse());
            part.centre.setZero();
        } else {
            const btMultibodyLink &link = s.body->getLink(i - 1);
            const Body &parent = s.part[std::size_t(s.tree.body[i].parent)];
            part.rotation = parent.rotation * btMatrix3x3(link.m_cachedRotParentToThis.inverse());
            part.centre = parent.centre + part.rotation * link.m_cachedRVector;
            const btVector3 joint = part.centre - part.rotation * link.m_dVector;
            for (int k = 0; k < link.m_dofCount; k++) {
                part.axis[k] = part.rotation * link.getAxisTop(k);
                part.lever[k] = joint.cross(part.axis[k]);
            }
        }
        const btVector3 &c = part.centre;
        const btScalar square = part.mass * c.dot(c);
        part.moment = part.rotation.scaled(part.inertia) * part.rotation.transpose();
        for (int r = 0; r < 3; r++) {
            part.moment[r] -= part.mass * c[r] * c;
            part.moment[r][r] += square;
        }
        part.first = part.mass * c;
    }
}

/* The composite-rigid-body algorithm in world axes; only the lower triangle is filled. */
void mass_matrix(Scene &s) {
    place_links(s);
    s.mass.setZero();
    for (int i = s.tree.nbody - 1; i > 0; i--) {
        Body &part = s.part[std::size_t(i)], &parent = s.part[std::size_t(s.tree.body[i].parent)];
        parent.mass += part.mass;
        parent.first += part.first;
        parent.moment += part.moment;
        for (int k = 0; k < peer_nv(s.tree.body[i].joint); k++) {
            const int row = s.tree.body[i].v + k;
            const btVector3 f = part.mass * part.lever[k] + part.axis[k].cross(part.first);
            const btVector3 n = part.moment * part.axis[k] + part.first.cross(part.lever[k]);
            for (int j = i; j > 0; j = s.tree.body[j].parent) {
                const Body &above = s.part[std::size_t(j)];
                const int most = j == i ? k + 1 : peer_nv(s.tree.body[j].joint);
                for (int l = 0; l < most; l++)
                    s.mass(row, s.tree.body[j].v + l) = above.axis[l].dot(n) + above.lever[l].dot(f);
            }
            for (int l = 0; l < 3; l++)
                s.mass(row, l) = n[l], s.mass(row, 3 + l) = f[l];
        }
    }
    const Body &base = s.part[0];
    for (int k = 0; k < 3; k++) {
        s.mass(3 + k, 3 + k) = base.mass;
        for (int l = 0; l <= k; l++)
            s.mass(k, l) = base.moment[k][l];
    }
    s.mass(3, 1) = base.first[2], s.mass(3, 2) = -base.first[1]; /* f = axis x (m c) */
    s.mass(4, 0) = -base.first[2], s.mass(4, 2) = base.first[0];
    s.mass(5, 0) = base.first[1], s.mass(5, 1) = -base.first[0];
}
