// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, one, permits, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local k=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local t,c=ARGV[2],ARGV[3]local s,m=t:sub(1,36),tonumber(t:sub(38))or 1 local n=c=='semaphore'if B(c)then return{'kind',e,d}end local l,h=U(redis.call('ZSCORE',i,'t'..s))if j(s)or h==3 or n and h then return{'closed',e}end if h then return{'granted',e,o,r-e,m}end if l>0 then return R(t,l)or{'closed',e}end D=math.max(D-math.max(e-o-y,0),0)local a=q or tonumber(ARGV[5])if n and ef(a,m)then return{'short',e,a or 0}end a=a or 0 local b=ea()local p=a-b if p<m then if b==0 then return{'held',e,0,math.max(math.min(e-o,ARGV[8]*1000),0),y,D}end local a,n=ed()local t=U(redis.call('ZSCORE',i,'t'..a:sub(1,36)))local L=math.ceil(y/math.max(math.floor(b/m),1))return{'held',e,n-e,L-y+e-t,L,D}end D=math.max(D+math.min((ARGV[8]*1000-D)/8,3*y),0)if n then return S(t,m,c,ARGV[4],ARGV[6],W(m+25,-1024*e))end if not q then Q=e end q=a-m return S(t,m,c,ARGV[4],ARGV[6],et())",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["575c32421292c8af0a4713b2da58bbe03af732de", "2a6aefef3f09cf73ee53359251d29a032c0419d4"];
