// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, last_end, listen, oust, read_name, record, rw, vacate, wake, wake_side } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + last_end + rw + listen + wake + wake_side + "local b,d=ARGV[2],false if D('rw')then return{'kind',a,i}end if not y(b)then local p=ak()if ARGV[3]=='read'then d=p>0 if not next(l)then C=0 end if d then p,o,J=0,0,0 end else d=next(l)~=nil k('F')if p==0 then C=0 end end Q(b,d and'F'or'N')if not next(l)then h=math.max(h+1,a)end if not(d and ARGV[3]=='read')then p=math.max(p,o,I())end g=i=='none'and p or math.min(g,math.max(a,R(),p))F()if not next(l)then H(p)end V()if d and ARGV[3]=='read'then q()end local j=X(p<=a)if j then return j end end return{'forced',a,h,y(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["beb75da5c7963f5cdf6254f4e6847ef182668263", "17f9b7cda71671b66d56b03fd58be36f4ea63a89"];
