// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\n" + crowd + "\n" + rw + "\nlocal b,ap=ARGV[2],false if F('rw')then return{'kind',a,m}end if not v(b)then local av=0 if ARGV[3]=='read'then ap=bJ()if not next(n)then U=0 end if ap then redis.call('UNLINK',k)D=0 end else for ac in pairs(n)do ap=true A(ac,'f')end av=aV()if av==0 then U=0 end end A(b,ap and'f'or'n')if not next(n)then g=math.max(g+1,a)end i=math.min(i,math.max(a,ae(),av,D,aa()))y()S(ARGV[4])local M=aw(ARGV[4],av>0)if M then return M end end return{'forced',a,g,v(b)=='f'and 1 or 0}",
  sha: ["4469a984ae9036fbd55b397582cb049264838024", "bf8b3bbed8d3e2c3dec2253a0015e7b79a0e358e"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
