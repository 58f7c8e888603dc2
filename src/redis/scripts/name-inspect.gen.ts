// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [max: string | number], NameInspectReply> = {
  lua: "local v=0\n" + clock + read_name + record + requests + shapes + "local q=KEYS[2]\n" + described + "local o,j,f,E,d,x,t,m,c,b=z()if o=='fence'then return{'fence',a,j}end if o=='kind'then return{'kind',a,j}end if o=='free'then return{'free',a,j}end local Y,e,n,A={},tonumber(ARGV[1]),{},{}for K,e in ipairs(as())do table.insert(Y,string.format('%.0f',l[e]))end if e>0 and m>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for j=1,#b,2 do local k=b[j]:sub(1,36)if k~=c then if#n==e then break end table.insert(n,{b[j+1],0,b[j]:sub(36+1)})table.insert(A,'t'..k)c=k end n[#n][2]=n[#n][2]+1 end if#b==2*1000 and#n>1 and#n<e then table.remove(n)end local z=redis.call('ZMSCORE',KEYS[2],unpack(A))for j,M in ipairs(n)do local c=ac(z[j])table.insert(Y,string.format('%.0f %.0f %d %s',M[1],c,M[2],M[3]))end end local J={}local function k(c,d,b)table.insert(J,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if e>0 and c>0 and j~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,e),{}for j=1,#c,2 do table.insert(b,'w'..c[j]:sub(2))end for j,h in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(h or 0)<-a then k(c[2*j]-4.5e15,'-',c[2*j-1])end end end if e>0 and j=='rw'and c+b>0 then for K,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,e))do k(0,'write',b)end for K,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,e))do k(0,'read',b)end end local C='='..table.concat(Y,';')return{'live',a,j,f,E,d,x,t,m,c,b,C,'='..table.concat(J,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b15d30b3953ea1f5356789ba6cc5558e6c915c3a", "1c2bf5e0bed0a8b7a778b19c2b19c0c27c5621c7"];
