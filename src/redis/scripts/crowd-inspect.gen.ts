// Generated from lua/crowd-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, crowded, one, reading, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const crowdInspect: Script<readonly [kind: string | number], CrowdInspectReply> = {
  lua: "local E=0\n" + clock + one + record + reading + crowded + "return{'live',e,r,l-e,a,math.max(n-e,0),'='..b,s,u,t}",
  replies: "free token|live token remaining holds left body$ many waiting behind|kind kind$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["db73af2c5c5931f1f71f5cdf00d64fdba578d28c", "5837adcbd8b64ac4baa8d42342f772707ac0e937"];
