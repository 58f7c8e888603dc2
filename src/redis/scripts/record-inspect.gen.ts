// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: clock + "\n" + one + "\n" + record + "\nif J(ARGV[1])then return{'kind',a,k}end if f<=a then return{'free',a,d}end local function ad(aC,az)return KEYS[2]and redis.call('ZCOUNT',KEYS[2],aC,az)or 0 end local D,g=S()local aE,aJ,av=ad(a,4e15),ad(-4e15,-a),ad(-9e15,-4.5e15-a)return{'live',a,d,f-a,g,'='..q,aE,aJ,av}",
  sha: ["061ec4427dae2f3018c33a5c741529130c6503fc", "09f1911f91ccbb2afa50ef8486a639c38cfe097a"],
  replies: ["free token#", "live token# remaining# holds# body many# waiting# behind#", "kind kind"],
  fresh: false,
};
