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
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + "local q={KEYS[1],KEYS[2],KEYS[3]}local Q=redis.call('MGET',unpack(q))local y=Q[3]\n" + fenced + "if p>9e15 then return{'kind',a,'fence/1'}end local b,c=ARGV[2],a+ARGV[3]*1000 local f,r,d,u,z=math.max(p+1,a),0,{},nil,nil for i=2,1,-1 do local M,y=q[i],Q[i]\n" + record + ended + "local m=i==2 and'once'or'lock'if E(m)then return{'kind',a,j}end if x(b)then return G()end local n,e=R()local k=l[b]if i==2 then\n" + once + "if r~=''then return{'done',a,g,'='..p}end if e>0 and not k then return{'running',a,n-a}end if not k then i,p=i+1,ARGV[6]end u,z,h=k,i,math.max(a+ARGV[4]*1000,c)H()else\n" + lock + waited + "if k and u then return{'granted',a,g,k-a,z,0}end if k or u then return{'closed',a}end if e>0 then return{'held',a,n-a}end if g<=p then r=1 end P(0)J,W,h='',ARGV[6],c H()end f=math.max(f,g+1)l[b]=c d[i]=function()g=f return s(redis.pcall)end end d[3]=function()local c=string.format('fence 1 %.0f %.0f %s ',f,e,t)..o:sub(1,t)local a=ARGV[8]..string.format(',\"token\":%.0f,\"attempt\":%.0f}',f,z)return redis.pcall('SET',KEYS[3],c..a,'PX',ARGV[7],'GET')end for i=3,1,-1 do local a=d[i]()if a and a.err then for a=i+1,3 do if Q[a]then redis.call('SET',q[a],Q[a],'KEEPTTL')else redis.call('DEL',q[a])end end return a end end return{'granted',a,f,c-a,z,r}",
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
export const sha: readonly [plain: string, flagged: string] = ["6f4cb2092c672611b4448f0c7280a46a69e63b2b", "1e4b914ec42444d8b6e087bcfba11728f7f66957"];
