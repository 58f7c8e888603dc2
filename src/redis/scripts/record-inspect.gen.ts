// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: clock + "\n" + one + "\n" + record + "\nif N(ARGV[1])then return{'kind',a,m}end if i<=a then return{'free',a,g}end local function ba(ck,cg)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],ck,cg)or 0 end local G,e=ae()local bE,ct,bX=ba(a,4e15),ba(-4e15,-a),ba(-9e15,-4.5e15-a)if bE>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]G=math.max(G,c)end return{'live',a,g,i-a,e,'='..z,bE,ct,bX,math.max(G-a,0)}",
  sha: ["fa8d25a7509456773563b89b617ceb23881966b4", "351b7d904e16544dd41cf40b0b43d50148561e27"],
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};
