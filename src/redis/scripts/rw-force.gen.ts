// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\n" + crowd + "\n" + rw + "\nlocal b,ay=ARGV[2],false if G('rw')then return{'kind',a,m}end if not w(b)then local ab=0 if ARGV[3]=='read'then ay=bR()if not next(o)then W=0 end if ay then redis.call('UNLINK',j)E=0 end else for ai in pairs(o)do ay=true C(ai,'f')end ab=bc()if ab==0 then W=0 end end C(b,ay and'f'or'n')if not next(o)then h=math.max(h+1,a)end i=math.min(i,math.max(a,al(),ab,E,ag()))A()T(ARGV[4])local Q=aC(ARGV[4],ab>0)if Q then return Q end end return{'forced',a,h,w(b)=='f'and 1 or 0}",
  sha: ["a78cb9c4ec4ba483a525ec4aefdf476f7619de12", "f87f92853e8b009189cc3783e91080156b094df5"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
