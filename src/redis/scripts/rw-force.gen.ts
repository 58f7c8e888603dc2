// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + rw + "local b,z=ARGV[2],false if A('rw')then return{'kind',a,h}end if not v(b)then local s=ae()if ARGV[3]=='read'then z=s>0 if not next(m)then x=0 end if z then X()s,n,B=0,0,0 end else z=next(m)~=nil W('F')if s==0 then x=0 end end J(b,z and'F'or'N')if not next(m)then f=math.max(f+1,a)end if not(z and ARGV[3]=='read')then s=math.max(s,n,K())end g=math.min(g,math.max(a,L(),s))D()N()local c=R(s<=a)if c then return c end end return{'forced',a,f,v(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["1bd2236d44e81cb459d367c22faa1102f00dae65", "9171d942733ffe833514106b8ed884a422de0d7f"];
