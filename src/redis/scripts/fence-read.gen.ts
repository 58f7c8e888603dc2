// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + "\n" + fence + "\nreturn{'seen',a,aw,'='..bC}",
  sha: ["1610796264be0373b464ee6ceb06dfc51be2bff9", "4ee6fb3874139f84bf444340d787b2a30fbfedee"],
  replies: ["seen token# value", "kind kind"],
  fresh: false,
};
