// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, ended, failed, fresh, listen, lock, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly clockRead: number; readonly listed: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number, asked: string | number, listens: string | number], LockAcquireReply> = {
  lua: "local w=tonumber(ARGV[4])local m='lock'local b,t=ARGV[2],ARGV[5]local M=KEYS[1]local y=redis.call('GET',M)local f,L=ARGV[1]+0,tonumber(ARGV[9])if L and L<f and t==''and y then local h,d=y:match('^lock 1 (%d+) %d+ ()')local af=d and y:find(' ',d,true)or#y local c,e,g=y:match('^[^:]+:(%d+),%S* .- (%d+) (%d+)$',af+1)if ARGV[10]=='0'and(c or 0)-f>0 and not y:find(b:sub(25),1,true)then local a=L return{'held',a,c-L,L-h,e+0,g+0,0,0}end end\n" + clock + fresh + record + ended + lock + waited + listen + failed + "if E(m)then return{'kind',a,j}end if x(b)then return G()end local n,e=R()local c=l[b]if not c then if e==0 then P(ARGV[8]*1000)g,J,W=math.max(g+1,a),t,ARGV[6]H()elseif t==''or t~=J then local v,q=ae(b,ARGV[10],'w')if q and B(s(redis.pcall))then v=0 end return{'held',a,n-a,math.max(a-g,0),F,K,1,v}elseif ARGV[7]=='0'then return{'not_reentrant',a,n-a}elseif e==64 then return{'too_many_holds',a}end X(b)e,c=e+1,a+ARGV[3]*1000 l[b],h=c,math.max(n,c)s()end return{'granted',a,g,c-a,e}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer", listed: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["526e1941a1a7991d62213cadcafc939defd1fc7f", "cf2cda7596e20b35187ed6d4232bcc268e8474e2"];
