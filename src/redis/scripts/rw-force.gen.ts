// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, last_end, oust, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + last_end + rw + "local b,e=ARGV[2],false if B('rw')then return{'kind',a,i}end if not x(b)then local v=af()if ARGV[3]=='read'then e=v>0 if not next(n)then z=0 end if e then v,o,E=0,0,0 end else e=next(n)~=nil l('F')if v==0 then z=0 end end N(b,e and'F'or'N')if not next(n)then h=math.max(h+1,a)end if not(e and ARGV[3]=='read')then v=math.max(v,o,W())end f=i=='none'and v or math.min(f,math.max(a,Q(),v))I()P()if e and ARGV[3]=='read'then r()end local j=V(v<=a)if j then return j end end return{'forced',a,h,x(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["15e49eeb4599e22045bde8762a01205a3d481b14", "7c58b49857a1ae038d40d129819b6ecfc15a2f22"];
