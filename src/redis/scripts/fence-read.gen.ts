// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + "\n" + fence + "\nreturn{'seen',a,aA,'='..bM}",
  replies: ["seen token# value", "kind kind"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["8f5db89f36531a6a2075c134ba6248c1c7e929f8", "164ab4679db1be2f27149188b383ac2e748466b0"];
