// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly left: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local w=0\n" + clock + "\n" + one + "\n" + record + "\nif J(ARGV[1])then return{'kind',a,k}end if i<=a then return{'free',a,h}end local function bq(cP,cH)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],cP,cH)or 0 end local u,d=ar()local cd,cZ,cx=bq(a,4e15),bq(-4e15,-a),bq(-9e15,-4.5e15-a)if cd>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]u=math.max(u,c)end return{'live',a,h,i-a,d,'='..H,cd,cZ,cx,math.max(u-a,0)}",
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind# left#", "kind kind"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["7f870c47df0ac4e4fa1a6af40f0b4ab8a3904753", "2648286da8d65fb996ed4f4b0c035b07925649db"];
