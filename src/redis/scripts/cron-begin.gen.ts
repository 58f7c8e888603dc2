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
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + "local r={KEYS[1],KEYS[2],KEYS[3]}local P=redis.call('MGET',unpack(r))local w=P[3]\n" + fenced + "if e>9e15 then return{'kind',a,'fence/1'}end local b,c=ARGV[2],a+ARGV[3]*1000 local f,x,o,q,t=math.max(e+1,a),0,{},nil,nil for j=2,1,-1 do local L,w=r[j],P[j]\n" + record + ended + "local m=j==2 and'once'or'lock'if D(m)then return{'kind',a,i}end if y(b)then return H()end local n,d=R()local k=l[b]if j==2 then\n" + once + "if r~=''then return{'done',a,h,'='..o}end if d>0 and not k then return{'running',a,n-a}end if not k then j,o=j+1,ARGV[6]end q,t,g=k,j,math.max(a+ARGV[4]*1000,c)F()else\n" + lock + waited + "if k and q then return{'granted',a,h,k-a,t,0}end if k or q then return{'closed',a}end if d>0 then return{'held',a,n-a}end if h<=e then x=1 end z(0)M,U,g='',ARGV[6],c F()end f=math.max(f,h+1)l[b]=c o[j]=function()h=f return s(redis.pcall)end end o[3]=function()local c=string.format('fence 1 %.0f %.0f %s ',f,g,k)..p:sub(1,k)local a=ARGV[8]..string.format(',\"token\":%.0f,\"attempt\":%.0f}',f,t)return redis.pcall('SET',KEYS[3],c..a,'PX',ARGV[7],'GET')end for j=3,1,-1 do local a=o[j]()if a and a.err then for a=j+1,3 do if P[a]then redis.call('SET',r[a],P[a],'KEEPTTL')else redis.call('DEL',r[a])end end return a end end return{'granted',a,f,c-a,t,x}",
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
export const sha: readonly [plain: string, flagged: string] = ["5d686fbae29c12e97d2863942a3a2c801b15cd04", "8bf94842b6c5b8872de78aeabb9a67858e634c49"];
