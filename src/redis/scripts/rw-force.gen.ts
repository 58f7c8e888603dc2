// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, last_end, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + last_end + rw + "local b,e=ARGV[2],false if B('rw')then return{'kind',a,j}end if not w(b)then local v=af()if ARGV[3]=='read'then e=v>0 if not next(l)then A=0 end if e then v,o,F=0,0,0 end else e=next(l)~=nil k('F')if v==0 then A=0 end end O(b,e and'F'or'N')if not next(l)then h=math.max(h+1,a)end if not(e and ARGV[3]=='read')then v=math.max(v,o,N())end g=j=='none'and v or math.min(g,math.max(a,P(),v))C()T()if e and ARGV[3]=='read'then p()end local i=U(v<=a)if i then return i end end return{'forced',a,h,w(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b26ba3986e4968d29f6f1658918b4ebd6880fb08", "60354bea01dbf4571f0b2f77c7dc5ea4f970e1fb"];
