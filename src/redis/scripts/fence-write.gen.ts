// Generated from lua/fence-write.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceWriteReply =
  | { readonly status: "written"; readonly now: number }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number; readonly seen: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceWrite: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, value: string | number], FenceWriteReply> = {
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nif not T then if ARGV[6]~=''then bC=ARGV[6]:sub(2)end bv('',e)end return{'written',a}",
  sha: ["27509d5f4d873a4ea7385a699b48ec473c999e31", "994b9e8c53739cd32749bf1d97f86c48e3f288c6"],
  replies: ["written", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
