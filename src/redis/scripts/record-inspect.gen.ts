// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: clock + "\n" + one + "\n" + record + "\nif G(ARGV[1])then return{'kind',a,m}end if i<=a then return{'free',a,h}end local function bj(cA,cu)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],cA,cu)or 0 end local J,c=al()local bR,cJ,ck=bj(a,4e15),bj(-4e15,-a),bj(-9e15,-4.5e15-a)if bR>0 then local d=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]J=math.max(J,d)end return{'live',a,h,i-a,c,'='..B,bR,cJ,ck,math.max(J-a,0)}",
  sha: ["a776ffb3bdd851182b557d43b6b635741fde873b", "8484e5820c5d8e08e9ae260b8bbce23f99810438"],
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};
