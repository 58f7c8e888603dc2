// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + "\n" + fence + "\nreturn{'seen',a,aA,'='..bL}",
  sha: ["db65f5172e4b60da4963ebf7caacfe0f412578b5", "4b2b82a4b21f39f778b3617f7d752c14507de85d"],
  replies: ["seen token# value", "kind kind"],
  fresh: false,
};
