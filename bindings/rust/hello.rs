// A humanoid stands on the ground and is pushed: examples/hello.c in Rust.
#[path = "sinew.rs"]
mod sinew;

use sinew::*;
use std::ptr::{null, null_mut};

fn main() {
    unsafe {
        let model = sn_builtin_create(b"humanoid\0".as_ptr().cast(), null_mut());
        let def = sn_world_def_default();
        let world = sn_world_create(&def, null_mut());
        assert!(!model.is_null() && !world.is_null(), "no model or no world");
        sn_world_add_floor(world);
        let human = sn_world_add(world, model, null_mut());
        sn_world_hold(world, human, 1000.0, 100.0); // stands on its feet: kp in N m/rad, kd in N m s/rad
        for i in 1..=480 {
            let mut pos = [0.0; 3];
            if i == 241 {
                sn_world_push(world, human, 0, [150.0, 0.0, 0.0].as_ptr(), null(), 0.1); // N, for 0.1 s
            }
            assert_eq!(sn_world_step(world), SN_OK, "the simulation diverged");
            sn_world_body_pose(world, human, 0, pos.as_mut_ptr(), null_mut());
            if i % 60 == 0 {
                let time = sn_world_time(world);
                println!("t = {:.2} s: pelvis at x = {:.3}, z = {:.3} m", time, pos[0], pos[2]);
            }
        }
        println!("hash {:016x}", sn_world_hash(world));
        sn_world_free(world);
        sn_model_free(model);
    }
}
