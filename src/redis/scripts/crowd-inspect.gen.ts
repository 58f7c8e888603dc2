// Generated from lua/crowd-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, reading, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const crowdInspect: Script<readonly [kind: string | number], CrowdInspectReply> = {
  lua: "local b=0\n" + clock + one + record + reading + "local function t(n,e)return redis.call('ZCOUNT',KEYS[2],n,e)end local n,i,o=t(e,4e15),t(-4e15,-e),t(-9e15,-4.5e15-e)if n>0 then local n=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,e,'WITHSCORES','LIMIT',0,1)[2]u=math.max(u,n)end return{'live',e,l,r-e,a,math.max(u-e,0),'='..z,n,i,o}",
  replies: "free token#|live token# remaining# holds# left# body many# waiting# behind#|kind kind",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["b205d806f31decfd4797ef01ce163ed24b36d351", "571af8419a735e250e482f296c93fd6821afae37"];
