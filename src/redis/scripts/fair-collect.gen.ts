// Generated from lua/fair-collect.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ended, ending, failed, fair_body, fresh, inbox, keep, listen, lock, queue, read_name, record, vacate, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCollectReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly own: number; readonly upTo: number; readonly wait: number; readonly messages: string }
  | { readonly status: "kept"; readonly now: number }
  | { readonly status: "handled"; readonly now: number }
  | { readonly status: "full"; readonly now: number; readonly remaining: number }
  | { readonly status: "ended"; readonly now: number; readonly left: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairCollect: Script<readonly [id: string | number, lease: string | number, retention: string | number, key: string | number, message: string | number, ttl: string | number, quiet: string | number, former: string | number, formerToken: string | number, upTo: string | number, begins: string | number, due: string | number], FairCollectReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + ending + vacate + crowd + keep + failed + "local m='fair'\n" + lock + fair_body + listen + wake + wake_head + queue + "local r,P,i,at=ARGV[2],ARGV[5],ARGV[6],ARGV[7]*1000 local b,A,Y=r:sub(1,36),ARGV[9],tonumber(ARGV[10])if E(m)then return{'kind',a,j}end if x(b)then return G()end\n" + inbox + "local n,f=l[b]~=nil,false if A~=''and not n then f=l[A]~=nil and g==Y if not f and x(A)~='R'then if T then s(redis.pcall)end return{'lost',a,U(A,Y)}end end local al=not n and not f and next(l)~=nil if al and P==''then return{'ended',a,c}end if al and aq~=g or not al and P~=''and not n and p>a and ax()>0 then return{'held',a,math.max(R()-a,0)}end local k,q,ad=1,{},false if P~=''and N>=-4e15 then ad=N>=-a and c<100 and t+#i<=262144 if ad then C,t,c=math.max(C+1,a),t+#i,c+1 q={string.format('%.0f',-4.5e15),'i'..P,string.format('%.0f',ar(C)),'m'..P..i}else k=N<-a and 2 or 0 end end if al then if k==0 then return{'full',a,R()-a}end if k==2 then return{'handled',a}end if ad then az(q,at)end return{'kept',a}end local aw,o,u=ARGV[8]*1000,{},{}local function av()return c<100 and math.max(math.min(aw+C-a,aw),0)or 0 end local e,Q=n or ARGV[12]=='1'and c>0,av()if f or e and Q==0 then local n=redis.call('ZREVRANGEBYSCORE',aa,8e15,-a,'WITHSCORES','LIMIT',0,2*100)for d=#n-1,1,-2 do local b,g=n[d],tonumber(n[d+1])if g<4.5e15 then if b~='i'..P then table.insert(u,b)end elseif f and an(g)<=tonumber(ARGV[11])then table.insert(u,b)table.insert(q,string.format('%.0f',-a-at))table.insert(q,'i'..b:sub(2,22+1))else table.insert(o,b:sub(22+2))end end if ad then table.insert(o,i)end t,c=0,#o for C,L in ipairs(o)do t=t+#L end if f then Q=av()end end e=n or e and c>0 if f then if#u>0 then redis.call('ZREM',aa,unpack(u))end S(A,'R',tonumber(ARGV[13]))end if e and not n then g,J,W=math.max(g+1,a),'',r:sub(36+2)l[b],aq=a+ARGV[3]*1000,g end if f or e and not n or ad then az(q,at)end if#u>0 and not f then redis.pcall('ZREM',aa,unpack(u))end if e then if not n then h=math.max(l[b],p)ak()s()end local c=Q==0 and'=['..table.concat(o,',')..']'or''return{'granted',a,g,l[b]-a,1,k,C,Q,c}end if f then h=math.max(p,a)ai(0)Z(true)end if P~=''then return{'handled',a}end return{'ended',a,c}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer", own: "integer", upTo: "integer", wait: "integer", messages: "text" },
    kept: {},
    handled: {},
    full: { remaining: "integer" },
    ended: { left: "integer" },
    held: { remaining: "integer" },
    lost: { reason: "text" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ac071e5c06f698062a7d3e30037f8ca1488cadea", "a17d3156133f6d6f543b201a44584f27a113f63f"];
