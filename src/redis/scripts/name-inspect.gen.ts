// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [max: string | number], NameInspectReply> = {
  lua: "local w=0\n" + clock + read_name + record + requests + shapes + "local q=KEYS[2]\n" + described + "local p,i,f,C,e,A,u,k,c,b=z()if p=='fence'then return{'fence',a,i}end if p=='kind'then return{'kind',a,i}end if p=='free'then return{'free',a,i}end local Y,d,n,t={},tonumber(ARGV[1]),{},{}for C,k in ipairs(au())do table.insert(Y,string.format('%.0f',l[k]))end if d>0 and k>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for i=1,#b,2 do local k=b[i]:sub(1,36)if k~=c then if#n==d then break end table.insert(n,{b[i+1],0,b[i]:sub(36+1)})table.insert(t,'t'..k)c=k end n[#n][2]=n[#n][2]+1 end if#b==2*1000 and#n>1 and#n<d then table.remove(n)end local z=redis.call('ZMSCORE',KEYS[2],unpack(t))for i,L in ipairs(n)do local c=ad(z[i])table.insert(Y,string.format('%.0f %.0f %d %s',L[1],c,L[2],L[3]))end end local K={}local function m(c,d,b)table.insert(K,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if d>0 and c>0 and i~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,d),{}for i=1,#c,2 do table.insert(b,'w'..c[i]:sub(2))end for i,g in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(g or 0)<-a then m(c[2*i]-4.5e15,'-',c[2*i-1])end end end if d>0 and i=='rw'and c+b>0 then for C,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,d))do m(0,'write',b)end for C,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,d))do m(0,'read',b)end end local B='='..table.concat(Y,';')return{'live',a,i,f,C,e,A,u,k,c,b,B,'='..table.concat(K,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7fe83aa9273b2a8d7ae7df1e9cfcadd82370b359", "ab08f34c1f28141641615d4ce49ab9ad4b118644"];
