// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local b,u=ARGV[2],false if A('rw')then return{'kind',a,h}end if not y(b)then local s=aa()if ARGV[3]=='read'then u=s>0 if not next(l)then w=0 end if u then K()s,n,z=0,0,0 end else for a in pairs(l)do u=true E(a,'F')end if s==0 then w=0 end end E(b,u and'F'or'N')if not next(l)then f=math.max(f+1,a)end if not(u and ARGV[3]=='read')then s=math.max(s,n,M())end g=math.min(g,math.max(a,J(),s))D()O()local c=S(s<=a)if c then return c end end return{'forced',a,f,y(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3308c11535f815c0cf3a14171341b3c12e219b53", "7bd3a0f718f6d7004fccd8eb57bad3aaaff58478"];
