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
  sha: ["396f46f0598d0bde34b6796aa3bac4b5916f5008", "b7eb165cc7d2881165c8ea776c8eae45bfc23acc"],
  replies: ["written", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
