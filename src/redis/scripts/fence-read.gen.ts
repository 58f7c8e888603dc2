// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + fence + "return{'seen',e,c,'='..d}",
  replies: "seen token# value|kind kind",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6da830b6f2a3d788c00b8cc24f294542da28a628", "fa5f4148291f27934bb3fb0e2c74d82d4328cded"];
