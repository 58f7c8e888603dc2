// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, last_end, listen, oust, read_name, record, rw, vacate, wake, wake_side } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + last_end + rw + listen + wake + wake_side + "local b,e=ARGV[2],false if E('rw')then return{'kind',a,j}end if not x(b)then local o=al()if ARGV[3]=='read'then e=o>0 if not next(l)then F=0 end if e then o,p,K=0,0,0 end else e=next(l)~=nil n('F')if o==0 then F=0 end end S(b,e and'F'or'N')if not next(l)then g=math.max(g+1,a)end if not(e and ARGV[3]=='read')then o=math.max(o,p,Q())end h=j=='none'and o or math.min(h,math.max(a,R(),o))H()if not next(l)then G(o)end V()if e and ARGV[3]=='read'then q()end local i=Z(o<=a)if i then return i end end return{'forced',a,g,x(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ea4d498f9efd9e3042261e4697407960c4c9f4be", "610fe71993bb10782ff209c27566727f4bc31785"];
