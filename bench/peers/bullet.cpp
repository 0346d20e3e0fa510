/* Bullet's btMultiBody behind peer.h, in float or, with BT_USE_DOUBLE_PRECISION, in double. The model is a tree that
 * `peer_sinew MODEL --write TREE` wrote.
 *
 *   dense  mass matrix, Cholesky, and the torque of stable PD. Bullet has no joint damping of its own and its inverse
 *          dynamics come without headers in Debian, so the mass matrix is found here from its links.
 *   motor  Bullet's joint motors: constraints that ask for the velocity -kp e / (kd + h kp), which is what stable PD
 *          tends to as its gains grow. Ten iterations of the solver, Bullet's default
 *   motor-100  the same with a hundred, and four points at once of a box on the plane
 *
 * Bullet's link frames stand at the centre of mass, along the principal axes; so does the drive of the root. */
#include "bullet.hpp"

namespace {

Scene &scene_of(void *self) {
    return *static_cast<Scene *>(self);
}

/* ------------------------------------------------------------------------------------------------- drives */

void aim_motors(Scene &s) {
    for (int i = 0; i < s.tree.nbody; i++) {
        const Body &part = s.part[std::size_t(i)];
        btMultiBodyConstraint *motor = s.motors[std::size_t(i)].get();
        const btScalar h = btScalar(s.options.dt), gain = h * part.kp / (part.kd + h * part.kp);
        if (auto *hinge = dynamic_cast<btMultiBodyJointMotor *>(motor)) {
            hinge->setPositionTarget(part.angle, gain);
            hinge->setVelocityTarget(0, 1);
        } else if (auto *ball = dynamic_cast<btMultiBodySphericalJointMotor *>(motor)) {
            ball->setPositionTarget(part.turn, gain);
            ball->setVelocityTarget(btVector3(0, 0, 0), 1);
        } else if (auto *root = dynamic_cast<btMultiBodyFixedConstraint *>(motor)) {
            root->setPivotInB(part.point);
            root->setFrameInB(btMatrix3x3(part.turn));
        }
    }
}

/* Rotation vector, in the child's axes, from the target to q. */
btVector3 turn_error(const btQuaternion &target, const btQuaternion &q) {
    const double t[4] = {double(target.w()), double(target.x()), double(target.y()), double(target.z())};
    const double p[4] = {double(q.w()), double(q.x()), double(q.y()), double(q.z())};
    double e[3];
    peer_quat_error(t, p, e);
    return vector_of(e);
}

void put(Vector &v, int at, const btVector3 &value) {
    for (int k = 0; k < 3; k++)
        v[at + k] = value[k];
}

btVector3 get(const btScalar *v) {
    return btVector3(v[0], v[1], v[2]);
}

/* force = -kp (e + h qd) - kd qd, in the order of Bullet's velocities: turning of the root, moving, joints. */
void drive_forces(Scene &s) {
    const btScalar h = btScalar(s.options.dt), *qd = s.body->getVelocityVector();
    const btQuaternion root = s.body->getWorldToBaseRot().inverse();
    const Body &base = s.part[0];
    put(s.force, 0,
        -base.kp * quatRotate(root, turn_error(base.turn, root)) - (h * base.kp + base.kd) * get(qd));
    put(s.force, 3, -base.kp * (s.body->getBasePos() - base.point) - (h * base.kp + base.kd) * get(qd + 3));
    for (int i = 1; i < s.tree.nbody; i++) {
        const Body &part = s.part[std::size_t(i)];
        const int v = s.tree.body[i].v;
        const btScalar *q = s.body->getJointPosMultiDof(i - 1), viscous = h * part.kp + part.kd;
        if (s.tree.body[i].joint == PEER_HINGE)
            s.force[v] = -part.kp * (q[0] - part.angle) - viscous * qd[v];
        else
            put(s.force, v,
                -part.kp * turn_error(part.turn, btQuaternion(q[0], q[1], q[2], q[3])) -
                    viscous * get(qd + v));
    }
}

void add_forces(Scene &s, const Vector &force) {
    s.body->addBaseTorque(get(&force[0]));
    s.body->addBaseForce(get(&force[3]));
    for (int i = 1; i < s.tree.nbody; i++)
        s.body->addJointTorqueMultiDof(i - 1, &force[s.tree.body[i].v]);
}

void add_gravity(Scene &s) {
    const btVector3 gravity(0, 0, btScalar(-9.81));
    s.body->addBaseForce(gravity * s.body->getBaseMass());
    for (int i = 0; i < s.body->getNumLinks(); i++)
        s.body->addLinkForce(i, gravity * s.body->getLinkMass(i));
}

void add_push(Scene &s) {
    if (s.push.isZero()) return;
    const Body &part = s.part[std::size_t(s.pushed)];
    const btVector3 origin =
        quatRotate(part.axes.inverse(), -part.com); /* from the centre, in the link's frame */
    const btVector3 arm = s.body->localDirToWorld(s.pushed - 1, origin);
    if (s.pushed == 0) {
        s.body->addBaseForce(s.push);
        s.body->addBaseTorque(arm.cross(s.push));
    } else {
        s.body->addLinkForce(s.pushed - 1, s.push);
        s.body->addLinkTorque(s.pushed - 1, arm.cross(s.push));
    }
}

/* Bullet's articulated-body algorithm; it adds dt times the accelerations to the velocities. */
void accelerate(Scene &s, btScalar dt) {
    s.body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(dt, s.scratch_r, s.scratch_v, s.scratch_m,
                                                                 false, false, false);
}

/* (M + h kd) qdd = M qdd0, where qdd0 is the acceleration under the known part of the drives alone. Leaves the velocities
   at v + h qdd0, their change in found, and returns h qdd. */
Vector dense_change(Scene &s) {
    const int n = s.tree.nv;
    const btScalar h = btScalar(s.options.dt);
    s.before = Eigen::Map<const Vector>(s.body->getVelocityVector(), n);
    drive_forces(s);
    add_gravity(s);
    add_push(s);
    add_forces(s, s.force);
    accelerate(s, h);
    s.found = Eigen::Map<const Vector>(s.body->getVelocityVector(), n) - s.before;
    mass_matrix(s);
    s.factored = s.mass;
    s.factored.diagonal() += s.diagonal;
    Vector change = s.mass.selfadjointView<Eigen::Lower>() * s.found;
    Eigen::LLT<Eigen::Ref<Matrix>>(s.factored).solveInPlace(change);
    return change;
}

void step_dense(Scene &s) {
    const btScalar h = btScalar(s.options.dt);
    const Vector change = dense_change(s);
    s.body->clearForcesAndTorques();
    if (!s.world) {
        const Vector rest = change - s.found;
        s.body->applyDeltaVeeMultiDof(rest.data(), 1);
        s.body->stepPositionsMultiDof(h);
        return;
    }
    s.body->applyDeltaVeeMultiDof(s.found.data(), -1);
    s.force -= s.diagonal.cwiseProduct(change) / h; /* -kd h qdd */
    add_push(s);
    add_forces(s, s.force);
    s.world->world.stepSimulation(h, 0);
}

/* ------------------------------------------------------------------------------------------------- engine */

void *create(const peer_options *options, peer_tree *tree) {
    auto *s = new Scene;
    s->options = *options;
    peer_read_tree(tree, options->model);
    s->tree = *tree;
    add_body(*s);
    if (options->ground || !is_method(*s, "dense")) {
        s->world = std::make_unique<World>();
        s->world->world.setGravity(btVector3(0, 0, btScalar(-9.81)));
        add_colliders(*s);
        if (options->ground) add_ground(*s);
        s->world->world.addMultiBody(s->body.get());
        if (!is_method(*s, "dense")) add_motors(*s);
    }
    const int n = tree->nv;
    s->mass = s->factored = Matrix::Zero(n, n);
    s->before = s->found = s->force = s->diagonal = Vector::Zero(n);
    for (int i = 0; i < tree->nbody; i++)
        for (int k = 0; k < peer_nv(tree->body[i].joint); k++)
            s->diagonal[tree->body[i].v + k] = btScalar(options->dt) * s->part[std::size_t(i)].kd;
    return s;
}

void destroy(void *self) {
    Scene &s = scene_of(self);
    if (s.world) {
        for (auto &motor : s.motors)
            if (motor) s.world->world.removeMultiBodyConstraint(motor.get());
        s.world->world.removeMultiBody(s.body.get());
        for (auto &collider : s.colliders)
            s.world->world.removeCollisionObject(collider.get());
        if (s.ground) s.world->world.removeRigidBody(s.ground.get());
    }
    s.motors.clear();
    s.body.reset();
    delete &s;
}

/* The joint of a body in its link's axes, and back: P^-1 q P. */
btQuaternion to_link(const Body &part, const btQuaternion &q) {
    return part.axes.inverse() * q * part.axes;
}

void start(void *self, const double *q, const double *qd) {
    Scene &s = scene_of(self);
    const btQuaternion root = quaternion_of(q + 3);
    const btVector3 arm = quatRotate(root, s.part[0].com), turning = quatRotate(root, vector_of(qd + 3));
    s.body->clearForcesAndTorques();
    s.body->setBasePos(vector_of(q) + arm);
    s.body->setWorldToBaseRot((root * s.part[0].axes).inverse());
    s.body->setBaseOmega(turning);
    s.body->setBaseVel(vector_of(qd) + turning.cross(arm));
    for (int i = 1; i < s.tree.nbody; i++) {
        const peer_body &b = s.tree.body[i];
        const Body &part = s.part[std::size_t(i)];
        if (b.joint == PEER_HINGE) {
            s.body->setJointPos(i - 1, btScalar(q[b.q]));
            s.body->setJointVel(i - 1, btScalar(qd[b.v]));
        } else {
            const btQuaternion turn = to_link(part, quaternion_of(q + b.q));
            const btVector3 rate = quatRotate(part.axes.inverse(), vector_of(qd + b.v));
            const btScalar at[4] = {turn.x(), turn.y(), turn.z(), turn.w()},
                           speed[3] = {rate.x(), rate.y(), rate.z()};
            s.body->setJointPosMultiDof(i - 1, at);
            s.body->setJointVelMultiDof(i - 1, speed);
        }
    }
    s.before = Eigen::Map<const Vector>(s.body->getVelocityVector(), s.tree.nv);
    s.push.setZero();
    if (!s.world) return;
    s.body->forwardKinematics(s.scratch_q, s.scratch_v);
    s.body->updateCollisionObjectWorldTransforms(s.scratch_q, s.scratch_v);
    for (int i = 0; i < s.world->dispatcher.getNumManifolds(); i++)
        s.world->dispatcher.getManifoldByIndexInternal(i)->clearManifold();
}

void write_quaternion(const btQuaternion &q, double *to) {
    to[0] = double(q.w()), to[1] = double(q.x()), to[2] = double(q.y()), to[3] = double(q.z());
}

void state(void *self, double *q) {
    Scene &s = scene_of(self);
    const btQuaternion root = s.body->getWorldToBaseRot().inverse() * s.part[0].axes.inverse();
    const btVector3 position = s.body->getBasePos() - quatRotate(root, s.part[0].com);
    for (int k = 0; k < 3; k++)
        q[k] = double(position[k]);
    write_quaternion(root, q + 3);
    for (int i = 1; i < s.tree.nbody; i++) {
        const Body &part = s.part[std::size_t(i)];
        const btScalar *at = s.body->getJointPosMultiDof(i - 1);
        if (s.tree.body[i].joint == PEER_HINGE)
            q[s.tree.body[i].q] = double(at[0]);
        else
            write_quaternion(part.axes * btQuaternion(at[0], at[1], at[2], at[3]) * part.axes.inverse(),
                             q + s.tree.body[i].q);
    }
}

void target(void *self, const double *q) {
    Scene &s = scene_of(self);
    const btQuaternion root = quaternion_of(q + 3);
    s.part[0].point = vector_of(q) + quatRotate(root, s.part[0].com);
    s.part[0].turn = root * s.part[0].axes;
    for (int i = 1; i < s.tree.nbody; i++) {
        Body &part = s.part[std::size_t(i)];
        const peer_body &b = s.tree.body[i];
        if (b.joint == PEER_HINGE)
            part.angle = btScalar(q[b.q]);
        else
            part.turn = to_link(part, quaternion_of(q + b.q));
    }
    if (!s.motors.empty()) aim_motors(s);
}

void push(void *self, int body, const double force[3]) {
    scene_of(self).pushed = body;
    scene_of(self).push = vector_of(force);
}

bool step(void *self) {
    Scene &s = scene_of(self);
    if (is_method(s, "dense")) {
        step_dense(s);
    } else {
        add_push(s);
        s.world->world.stepSimulation(btScalar(s.options.dt), 0);
    }
    const btScalar *v = s.body->getVelocityVector();
    return std::isfinite(v[0] + v[1] + v[2] + v[3] + v[4] + v[5]);
}

void look(void *self, peer_look *seen) {
    Scene &s = scene_of(self);
    if (!s.world) return;
    for (int i = 0; i < s.world->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = s.world->dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const double depth = -double(manifold->getContactPoint(k).getDistance());
            seen->contacts += depth > -1e-3;
            seen->penetration = std::max(seen->penetration, depth);
        }
    }
    seen->rows = 3 * seen->contacts;
}

void load(void *self, const double *tau) {
    Scene &s = scene_of(self);
    const btQuaternion root = s.body->getWorldToBaseRot().inverse() * s.part[0].axes.inverse();
    const btVector3 force = vector_of(tau), arm = quatRotate(root, s.part[0].com);
    put(s.force, 0, quatRotate(root, vector_of(tau + 3)) - arm.cross(force));
    put(s.force, 3, force);
    for (int i = 1; i < s.tree.nbody; i++) {
        const peer_body &b = s.tree.body[i];
        if (b.joint == PEER_HINGE)
            s.force[b.v] = btScalar(tau[b.v]);
        else
            put(s.force, b.v, quatRotate(s.part[std::size_t(i)].axes.inverse(), vector_of(tau + b.v)));
    }
}

void forward(void *self) {
    Scene &s = scene_of(self);
    add_gravity(s);
    add_forces(s, s.force);
    accelerate(s, 1);
}

/* Of the root's origin, which is -c from its centre of mass: a - alpha x c - w x (w x c). */
void acceleration(void *self, double *qdd) {
    Scene &s = scene_of(self);
    const btQuaternion root = s.body->getWorldToBaseRot().inverse() * s.part[0].axes.inverse();
    const Vector change = Eigen::Map<const Vector>(s.body->getVelocityVector(), s.tree.nv) - s.before;
    const btVector3 arm = quatRotate(root, s.part[0].com), turning = get(&s.before[0]),
                    alpha = get(&change[0]);
    const btVector3 linear = get(&change[3]) - alpha.cross(arm) - turning.cross(turning.cross(arm));
    const btVector3 own = quatRotate(root.inverse(), alpha);
    for (int k = 0; k < 3; k++)
        qdd[k] = double(linear[k]), qdd[3 + k] = double(own[k]);
    for (int i = 1; i < s.tree.nbody; i++) {
        const peer_body &b = s.tree.body[i];
        btVector3 found = b.joint == PEER_HINGE ? btVector3(change[b.v], 0, 0) : get(&change[b.v]);
        if (b.joint == PEER_BALL) found = quatRotate(s.part[std::size_t(i)].axes, found);
        for (int k = 0; k < peer_nv(b.joint); k++)
            qdd[b.v + k] = double(found[k]);
    }
}

const char *version() {
    static const char text[] = {'0' + BT_BULLET_VERSION / 100, '.', '0' + BT_BULLET_VERSION / 10 % 10,
                                '0' + BT_BULLET_VERSION % 10, '\0'};
    return text;
}

const char *const methods[] = {"dense", "motor", "motor-100", nullptr};
const bool is_double = sizeof(btScalar) == sizeof(double);

const peer_engine engine = {"bullet",
                            is_double ? "double" : "float",
                            version,
                            methods,
                            is_double ? 1e-6 : 1e-3,
                            create,
                            destroy,
                            start,
                            state,
                            target,
                            push,
                            step,
                            look,
                            load,
                            forward,
                            acceleration};

} // namespace

int main(int argc, char **argv) {
    return peer_main(&engine, argc, argv);
}
