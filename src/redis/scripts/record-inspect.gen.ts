// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local y=0\n" + clock + "\n" + one + "\n" + record + "\nif N(ARGV[1])then return{'kind',a,l}end if j<=a then return{'free',a,h}end local function bp(cM,cE)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],cM,cE)or 0 end local u,d=aq()local cc,cW,cu=bp(a,4e15),bp(-4e15,-a),bp(-9e15,-4.5e15-a)if cc>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]u=math.max(u,c)end return{'live',a,h,j-a,d,'='..H,cc,cW,cu,math.max(u-a,0)}",
  sha: ["331b9afe6a4aa8794f2f3f24957856ad1bdcc99f", "d36abcc21c39adbe39cc762268d90e9431eed29c"],
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};
