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
  lua: "local b=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local t,m=ARGV[2],ARGV[3]local s,y=t:sub(1,36),tonumber(t:match('^%d+',38))or 1 local n=m=='semaphore'if z(m)then return{'kind',e,d}end local o,h=M(redis.call('ZSCORE',i,'t'..s))if q(s)or h==3 or n and h then return{'closed',e}end if h then return{'granted',e,l,r-e,y}end if o>0 then return V(t,o)or{'closed',e}end D=math.max(D-math.max(e-l-x,0),0)local a=B or tonumber(ARGV[5])if n and ef(a,y)then return{'short',e,a or 0}end a=a or 0 local c=eo()local p=a-c if p<y then if c==0 then return{'held',e,0,math.max(math.min(e-l,ARGV[8]*1000),0),x,D}end local o,n=ed()local s=M(redis.call('ZSCORE',i,'t'..o:sub(1,36)))local A=math.ceil(x/math.max(math.floor(c/y),1))return{'held',e,n-e,A-x+e-s,A,D}end D=math.max(D+math.min((ARGV[8]*1000-D)/8,3*x),0)if n then return S(t,y,m,ARGV[4],ARGV[6],en(y+25,-1024*e))end if not B then R=e end B=a-y return S(t,y,m,ARGV[4],ARGV[6],et())",
  replies: "granted token remaining holds|held remaining age tenure queue|short permits|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["b38093b144b1d1efe43776d4241d4543d841e5c3", "2417ca41dcce9d102a5e2246c21451c75154aa04"];
