// Generated from lua/cron-begin.lua by tools/build-lua.ts; do not edit.
import { clock, ended, fenced, fresh, lock, once, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CronBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number; readonly follows: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "running"; readonly now: number; readonly remaining: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const cronBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, note: string | number, kept: string | number, run: string | number], CronBeginReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + "local q={KEYS[1],KEYS[2],KEYS[3]}local N=redis.call('MGET',unpack(q))local u=N[3]\n" + fenced + "if d>9e15 then return{'kind',a,'fence/1'}end local b,c=ARGV[2],a+ARGV[3]*1000 local f,z,o,p,r=math.max(d+1,a),0,{},nil,nil for i=2,1,-1 do local K,u=q[i],N[i]\n" + record + ended + "local m=i==2 and'once'or'lock'if B(m)then return{'kind',a,j}end if w(b)then return G()end local n,e=P()local k=l[b]if i==2 then\n" + once + "if q~=''then return{'done',a,h,'='..o}end if e>0 and not k then return{'running',a,n-a}end if not k then i,o=i+1,ARGV[6]end p,r,g=k,i,math.max(a+ARGV[4]*1000,c)C()else\n" + lock + waited + "if k and p then return{'granted',a,h,k-a,r,0}end if k or p then return{'closed',a}end if e>0 then return{'held',a,n-a}end if h<=d then z=1 end y(0)J,S,g='',ARGV[6],c C()end f=math.max(f,h+1)l[b]=c o[i]=function()h=f return x(redis.pcall)end end o[3]=function()local b=string.format('fence 1 %.0f %.0f %s ',f,g,k)..v:sub(1,k)local a=ARGV[8]..string.format(',\"token\":%.0f,\"attempt\":%.0f}',f,r)return redis.pcall('SET',KEYS[3],b..a,'PX',ARGV[7],'GET')end for i=3,1,-1 do local a=o[i]()if a and a.err then for a=i+1,3 do if N[a]then redis.call('SET',q[a],N[a],'KEEPTTL')else redis.call('DEL',q[a])end end return a end end return{'granted',a,f,c-a,r,z}",
  replies: {
    granted: { token: "integer", remaining: "integer", attempt: "integer", follows: "integer" },
    done: { token: "integer", result: "text" },
    running: { remaining: "integer" },
    held: { remaining: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["eb18fa60c13b15ab2a0348edc93f2bc9d48f8f6d", "af0260ec672668883d83b9ef37ed948a3f4dd977"];
