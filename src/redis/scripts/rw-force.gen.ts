// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + rw + "local b,f=ARGV[2],false if z('rw')then return{'kind',a,h}end if not t(b)then local r=ae()if ARGV[3]=='read'then f=r>0 if not next(l)then v=0 end if f then Z()r,n,x=0,0,0 end else f=next(l)~=nil V('F')if r==0 then v=0 end end I(b,f and'F'or'N')if not next(l)then e=math.max(e+1,a)end if not(f and ARGV[3]=='read')then r=math.max(r,n,M())end g=math.min(g,math.max(a,L(),r))D()N()local c=Q(r<=a)if c then return c end end return{'forced',a,e,t(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e786efd722ed3b39bbc697af2d545980b3915221", "f58df5d4d4314f9c31b817d1c418b012b1969e69"];
