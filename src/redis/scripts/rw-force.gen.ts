// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\n" + crowd + "\n" + rw + "\nlocal b,as=ARGV[2],false if F('rw')then return{'kind',a,m}end if not v(b)then local ax=0 if ARGV[3]=='read'then as=bJ()if not next(o)then U=0 end if as then redis.call('UNLINK',j)D=0 end else for ae in pairs(o)do as=true B(ae,'f')end ax=aW()if ax==0 then U=0 end end B(b,as and'f'or'n')if not next(o)then g=math.max(g+1,a)end i=math.min(i,math.max(a,ag(),ax,D,ac()))z()S(ARGV[4])local O=ay(ARGV[4],ax>0)if O then return O end end return{'forced',a,g,v(b)=='f'and 1 or 0}",
  sha: ["da5a1b056e88a22ee8b934abd0b74ff6b1bd82d2", "e754f8bbfacf42b91276ab1fe59a5d7ad2ff4c01"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
