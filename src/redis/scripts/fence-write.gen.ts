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
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nif not Z then if ARGV[6]~=''then bL=ARGV[6]:sub(2)end bE('',g)end return{'written',a}",
  sha: ["497a3ecfde79895ebb98c8c5a731e948b8c09bbb", "65fa4dd1b2a81b1771e8ae0c6bf46d984993524e"],
  replies: ["written", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
