// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: clock + "\n" + one + "\n" + record + "\nif F(ARGV[1])then return{'kind',a,m}end if i<=a then return{'free',a,g}end local function bb(cl,ch)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],cl,ch)or 0 end local I,e=ae()local bF,cu,bY=bb(a,4e15),bb(-4e15,-a),bb(-9e15,-4.5e15-a)if bF>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]I=math.max(I,c)end return{'live',a,g,i-a,e,'='..z,bF,cu,bY,math.max(I-a,0)}",
  sha: ["e98eff5e513594ad0ca1c7fffff2652d169f88ca", "1d9340c9e1e2ae488e49a8ca5a545d9bf93903ef"],
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};
