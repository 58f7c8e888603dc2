// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local w=0\n" + clock + "\n" + one + "\n" + record + "\nif J(ARGV[1])then return{'kind',a,k}end if i<=a then return{'free',a,h}end local function bp(cN,cF)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],cN,cF)or 0 end local u,e=aq()local cc,cX,cu=bp(a,4e15),bp(-4e15,-a),bp(-9e15,-4.5e15-a)if cc>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]u=math.max(u,c)end return{'live',a,h,i-a,e,'='..H,cc,cX,cu,math.max(u-a,0)}",
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["b5178cff3a34e35bd5d0871dcdc7a86750118d3e", "93fdb7d2dc6f8e921c6c201a4cab0409e1c9b5cd"];
