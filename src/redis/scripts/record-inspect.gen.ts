// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local y=0\n" + clock + one + record + "if K(ARGV[1])then return{'kind',a,k}end if i<=a then return{'free',a,h}end local function bq(bA,cJ)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],bA,cJ)or 0 end local w,d=as()local cf,cZ,cz=bq(a,4e15),bq(-4e15,-a),bq(-9e15,-4.5e15-a)if cf>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]w=math.max(w,c)end return{'live',a,h,i-a,d,'='..I,cf,cZ,cz,math.max(w-a,0)}",
  replies: "free token#|live token# remaining# holds# body many# waiting# behind# left#|kind kind",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["ca474ab565a112bdca908734de8afc5faea7ac9f", "22da237e1a6b9b9761cae8fa256370d7778a4895"];
