// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + "\n" + fence + "\nreturn{'seen',a,aM,'='..bz}",
  sha: ["cab4de6fada2f9f590fcebb6b438503cb6b3ddda", "d9267e476ceb1f412f19c31d9da51fd9355897d6"],
  replies: ["seen token# value", "kind kind"],
  fresh: false,
};
