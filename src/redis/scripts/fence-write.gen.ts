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
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nif not S then if ARGV[6]~=''then bB=ARGV[6]:sub(2)end bu('',d)end return{'written',a}",
  sha: ["26d615b348c0b59859de4fbda43895d64aa7ee6f", "70ebe92bb47c72b392ef6005c34c71f297bd2b4c"],
  replies: ["written", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
