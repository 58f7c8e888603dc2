// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly clockRead: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number, asked: string | number], LockAcquireReply> = {
  lua: "local q=tonumber(ARGV[4])local k='lock'local b,o=ARGV[2],ARGV[5]local L=KEYS[1]local A=redis.call('GET',L)local i,K=ARGV[1]+0,tonumber(ARGV[9])local j,c,e,n=(A or''):match('^lock 1 (%d+) %S+ %S* [^:]+:(%d+), .- (%d+) (%d+)$')if K and K<i and(c or 0)-i>0 and o==''and not A:find(b:sub(25),1,true)then local a=K return{'held',a,c-K,K-j,e+0,n+0,0}end\n" + clock + fresh + record + lock + waited + "if z(k)then return{'kind',a,h}end if u(b)then return{'closed',a}end local m,d=M()local c=l[b]if not c then if d==0 then G(ARGV[8]*1000)f,E,Q=math.max(f+1,a),o,ARGV[6]D()elseif o==''or o~=E then return{'held',a,m-a,math.max(a-f,0),w,C,1}elseif ARGV[7]=='0'then return{'not_reentrant',a,m-a}elseif d==64 then return{'too_many_holds',a}end d,c=d+1,a+ARGV[3]*1000 l[b],g=c,math.max(m,c)x()end return{'granted',a,f,c-a,d}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["00241575a92389914b8864c36a6b115b78e8d12b", "79e9658bd22286b660934455bd712988a4f5addf"];
