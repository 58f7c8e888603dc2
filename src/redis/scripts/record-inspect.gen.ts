// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: clock + "\n" + one + "\n" + record + "\nif F(ARGV[1])then return{'kind',a,m}end if i<=a then return{'free',a,g}end local function bd(cl,ch)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],cl,ch)or 0 end local I,e=ag()local bF,cu,bY=bd(a,4e15),bd(-4e15,-a),bd(-9e15,-4.5e15-a)if bF>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]I=math.max(I,c)end return{'live',a,g,i-a,e,'='..A,bF,cu,bY,math.max(I-a,0)}",
  sha: ["3554917b30524de2fb660fa615d895c08b0ce330", "459ef6a33f7d4bffe44ada543f8a6e0d7417c73c"],
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};
