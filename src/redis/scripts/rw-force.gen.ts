// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + rw + "local b,d=ARGV[2],false if z('rw')then return{'kind',a,h}end if not u(b)then local s=ag()if ARGV[3]=='read'then d=s>0 if not next(m)then w=0 end if d then A()s,l,C=0,0,0 end else d=next(m)~=nil Y('F')if s==0 then w=0 end end I(b,d and'F'or'N')if not next(m)then f=math.max(f+1,a)end if not(d and ARGV[3]=='read')then s=math.max(s,l,R())end g=math.min(g,math.max(a,L(),s))E()N()local c=Q(s<=a)if c then return c end end return{'forced',a,f,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d53994089eecb3dba9e45e3eb7c3226ea6f83989", "aff5a8e9c0a1e6fc0fca8b93f89ee4336fe3ad5b"];
