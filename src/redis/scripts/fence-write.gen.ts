// Generated from lua/fence-write.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceWriteReply =
  | { readonly status: "written"; readonly now: number }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceWrite: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, value: string | number], FenceWriteReply> = {
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nif not U then if ARGV[6]~=''then bz=ARGV[6]:sub(2)end bU('')end return{'written',a}",
  sha: ["e49b85101c3c190b195abb712a671e915b731d6a", "f8b66b72ef980b445ba78e06274e319f179c3f36"],
  replies: ["written", "stale seen#", "forgotten", "kind kind", "late"],
  fresh: true,
};
