// A humanoid stands on the ground and is pushed: examples/hello.c in C#.
using System;
using System.Runtime.InteropServices;
using Sinew;

static unsafe class Hello {
    static int Main() {
        if (!Api.LayoutIsRight()) return Fail("the structures are not those of the library");
        IntPtr model = Api.sn_builtin_create("humanoid", null);
        sn_world_def def = Api.sn_world_def_default();
        IntPtr world = Api.sn_world_create(&def, null);
        if (model == IntPtr.Zero || world == IntPtr.Zero) return Fail("no model or no world");
        Api.sn_world_add_floor(world);
        int human = Api.sn_world_add(world, model, null);
        Api.sn_world_hold(world, human, 1000, 100); // stands on its feet: kp in N m/rad, kd in N m s/rad
        for (int i = 1; i <= 480; i++) {
            double* pos = stackalloc double[3];
            double* force = stackalloc double[3];
            force[0] = 150;
            if (i == 241) Api.sn_world_push(world, human, 0, force, null, 0.1); // N, for 0.1 s
            if (Api.sn_world_step(world) != sn_status.SN_OK) return Fail("the simulation diverged");
            Api.sn_world_body_pose(world, human, 0, pos, null);
            if (i % 60 == 0)
                Console.WriteLine(string.Format(System.Globalization.CultureInfo.InvariantCulture,
                    "t = {0:F2} s: pelvis at x = {1:F3}, z = {2:F3} m", Api.sn_world_time(world), pos[0], pos[2]));
        }
        Console.WriteLine("hash {0:x16}", Api.sn_world_hash(world));
        Api.sn_world_free(world);
        Api.sn_model_free(model);
        return 0;
    }

    static int Fail(string what) {
        Console.Error.WriteLine(what);
        return 1;
    }
}
