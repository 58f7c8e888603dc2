// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local w=0\n" + clock + one + record + "if N(ARGV[1])then return{'kind',a,k}end if i<=a then return{'free',a,h}end local function bx(bG,cR)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],bG,cR)or 0 end local z,d=au()local cl,dg,cG=bx(a,4e15),bx(-4e15,-a),bx(-9e15,-4.5e15-a)if cl>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]z=math.max(z,c)end return{'live',a,h,i-a,d,'='..G,cl,dg,cG,math.max(z-a,0)}",
  replies: "free token#|live token# remaining# holds# body many# waiting# behind# left#|kind kind",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["3f1e7ee0e6d41cf8f28b49e26818ccb65b30b7b9", "11a771d41908d259abb1bf80541c370d0d6df497"];
