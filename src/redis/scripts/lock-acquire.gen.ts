// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, ended, fresh, lock, record, waited } from "../parts.gen.ts";
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
  lua: "local s=tonumber(ARGV[4])local m='lock'local b,r=ARGV[2],ARGV[5]local M=KEYS[1]local u=redis.call('GET',M)local g,J=ARGV[1]+0,tonumber(ARGV[9])if J and J<g and r==''and u then local i,e=u:match('^lock 1 (%d+) %d+ ()')local aa=e and u:find(' ',e,true)or#u local c,d,f=u:match('^[^:]+:(%d+), .- (%d+) (%d+)$',aa+1)if(c or 0)-g>0 and not u:find(b:sub(25),1,true)then local a=J return{'held',a,c-J,J-i,d+0,f+0,0}end end\n" + clock + fresh + record + ended + lock + waited + "if B(m)then return{'kind',a,i}end if x(b)then return F()end local l,e=Q()local c=n[b]if not c then if e==0 then E(ARGV[8]*1000)h,R,U=math.max(h+1,a),r,ARGV[6]I()elseif r==''or r~=R then return{'held',a,l-a,math.max(a-h,0),z,G,1}elseif ARGV[7]=='0'then return{'not_reentrant',a,l-a}elseif e==64 then return{'too_many_holds',a}end e,c=e+1,a+ARGV[3]*1000 n[b],f=c,math.max(l,c)y()end return{'granted',a,h,c-a,e}",
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
export const sha: readonly [plain: string, flagged: string] = ["b547c9675e684d3aa3f410760c75ae995937b374", "d7e73a66e4cc08c883c986106b6e8544f6425d83"];
