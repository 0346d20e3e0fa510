/** The bytes of a policy that comes with the project, for `sinew.policy()`. */
export declare function policyBytes(name: "humanoid-stick" | "humanoid-get-up"): Promise<Uint8Array>;
