// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local v=0\n" + clock + one + record + "if L(ARGV[1])then return{'kind',a,k}end if i<=a then return{'free',a,h}end local function bv(bE,cP)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],bE,cP)or 0 end local y,d=au()local cj,de,cE=bv(a,4e15),bv(-4e15,-a),bv(-9e15,-4.5e15-a)if cj>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]y=math.max(y,c)end return{'live',a,h,i-a,d,'='..I,cj,de,cE,math.max(y-a,0)}",
  replies: "free token#|live token# remaining# holds# body many# waiting# behind# left#|kind kind",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["7b6ceedb79b992e98014f560af9a55a75fa7db41", "480c4cfe91ac636cccbf93e9ec778c2442db817b"];
