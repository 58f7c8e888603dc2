// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + rw + "local b,d=ARGV[2],false if z('rw')then return{'kind',a,h}end if not u(b)then local r=af()if ARGV[3]=='read'then d=r>0 if not next(l)then t=0 end if d then w()r,n,B=0,0,0 end else d=next(l)~=nil X('F')if r==0 then t=0 end end J(b,d and'F'or'N')if not next(l)then f=math.max(f+1,a)end if not(d and ARGV[3]=='read')then r=math.max(r,n,N())end g=math.min(g,math.max(a,M(),r))D()O()local c=R(r<=a)if c then return c end end return{'forced',a,f,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["407b71dd94dc7efc6ed5944121933e9cf27efcdd", "194396474dd07b04dbed45dfc69952f5b76e6ae9"];
