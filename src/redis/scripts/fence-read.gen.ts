// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + "\n" + fence + "\nreturn{'seen',a,aw,'='..bB}",
  sha: ["e5ff72cf2663e554dcbb191f7914b026a9e944d0", "cc7a5ca70283c16c1b57e859dee66548d64081b7"],
  replies: ["seen token# value", "kind kind"],
  fresh: false,
};
