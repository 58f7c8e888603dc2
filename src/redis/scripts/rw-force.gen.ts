// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, fresh, last_end, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + oust + last_end + rw + "local b,e=ARGV[2],false if B('rw')then return{'kind',a,i}end if not v(b)then local s=aa()if ARGV[3]=='read'then e=s>0 if not next(n)then z=0 end if e then s,j,D=0,0,0 end else e=next(n)~=nil k('F')if s==0 then z=0 end end K(b,e and'F'or'N')if not next(n)then g=math.max(g+1,a)end if not(e and ARGV[3]=='read')then s=math.max(s,j,U())end f=i=='none'and s or math.min(f,math.max(a,N(),s))G()O()if e and ARGV[3]=='read'then p()end local u=T(s<=a)if u then return u end end return{'forced',a,g,v(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e3178d668072ba35ceedc4d1e4f9ae032be6b84a", "7a761c2e1382de9e50f2d3028396a5225317f008"];
