// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\n" + crowd + "\n" + rw + "\nlocal b,az=ARGV[2],false if G('rw')then return{'kind',a,m}end if not w(b)then local ab=0 if ARGV[3]=='read'then az=bU()if not next(o)then W=0 end if az then redis.call('UNLINK',j)E=0 end else for ai in pairs(o)do az=true C(ai,'f')end ab=bd()if ab==0 then W=0 end end C(b,az and'f'or'n')if not next(o)then h=math.max(h+1,a)end i=math.min(i,math.max(a,al(),ab,E,ag()))A()V(ARGV[4])local P=aD(ARGV[4],ab>0)if P then return P end end return{'forced',a,h,w(b)=='f'and 1 or 0}",
  sha: ["f38964daa6664f40571426f5004269afb934a196", "319a8906e29d8d56cd130e0ced24be46c0b7614b"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
