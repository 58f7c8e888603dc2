// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local y=0\n" + clock + "\n" + one + "\n" + record + "\nif N(ARGV[1])then return{'kind',a,l}end if j<=a then return{'free',a,h}end local function bp(cN,cF)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],cN,cF)or 0 end local u,d=aq()local cc,cX,cu=bp(a,4e15),bp(-4e15,-a),bp(-9e15,-4.5e15-a)if cc>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]u=math.max(u,c)end return{'live',a,h,j-a,d,'='..H,cc,cX,cu,math.max(u-a,0)}",
  sha: ["5ab4115570dec026031467bea9ede6b69963c293", "1e19ea750b6ac1aeeb17c1a1275110843640486d"],
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};
