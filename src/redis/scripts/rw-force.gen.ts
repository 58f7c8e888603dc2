// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, fresh, last_end, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + oust + last_end + rw + "local b,d=ARGV[2],false if A('rw')then return{'kind',a,h}end if not v(b)then local s=aa()if ARGV[3]=='read'then d=s>0 if not next(m)then B=0 end if d then s,n,D=0,0,0 end else d=next(m)~=nil j('F')if s==0 then B=0 end end K(b,d and'F'or'N')if not next(m)then f=math.max(f+1,a)end if not(d and ARGV[3]=='read')then s=math.max(s,n,U())end e=h=='none'and s or math.min(e,math.max(a,N(),s))G()O()if d and ARGV[3]=='read'then p()end local u=T(s<=a)if u then return u end end return{'forced',a,f,v(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["92283874848a536ddd14c4c8bc176103856b2d27", "77fa122c6f22b5786fbab2871fa477543d106aaa"];
