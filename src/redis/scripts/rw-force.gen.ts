// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + rw + "local b,z=ARGV[2],false if B('rw')then return{'kind',a,h}end if not v(b)then local s=ae()if ARGV[3]=='read'then z=s>0 if not next(m)then x=0 end if z then X()s,n,C=0,0,0 end else z=next(m)~=nil W('F')if s==0 then x=0 end end J(b,z and'F'or'N')if not next(m)then f=math.max(f+1,a)end if not(z and ARGV[3]=='read')then s=math.max(s,n,K())end g=math.min(g,math.max(a,M(),s))E()O()local c=R(s<=a)if c then return c end end return{'forced',a,f,v(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fb8a2c242ea126f3c641bf2dc4fcedb41bc9d07e", "b0ef330a7f501b633cecf9effd85239759ab6188"];
