// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, last_end, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + last_end + rw + "local b,d=ARGV[2],false if y('rw')then return{'kind',a,h}end if not u(b)then local r=V()if ARGV[3]=='read'then d=r>0 if not next(l)then x=0 end if d then A()r,m,C=0,0,0 end else d=next(l)~=nil Y('F')if r==0 then x=0 end end I(b,d and'F'or'N')if not next(l)then f=math.max(f+1,a)end if not(d and ARGV[3]=='read')then r=math.max(r,m,S())end e=h=='none'and r or math.min(e,math.max(a,L(),r))F()N()local c=R(r<=a)if c then return c end end return{'forced',a,f,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["bb224b90a4ce34724085c8bc80918f032d4109c6", "195cc3602e05a1f85e72bf77777ff5670a8e5353"];
