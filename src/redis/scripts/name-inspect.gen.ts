// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local s=0\n" + clock + read_name + record + requests + shapes + "local o=KEYS[2]\n" + described + "local q,i,f,E,d,y,p,j,b,c=x()if q=='fence'then return{'fence',a,i}end if q=='kind'then return{'kind',a,i}end if q=='free'then return{'free',a,i}end local Q,l,n,C={},tonumber(ARGV[1]),{},{}for C,a in ipairs(ah())do table.insert(Q,string.format('%.0f',m[a]))end if l>0 and j>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for i=1,#b,2 do local j=b[i]:sub(1,36)if j~=c then if#n==l then break end table.insert(n,{b[i+1],0,b[i]:sub(36+1)})table.insert(C,'t'..j)c=j end n[#n][2]=n[#n][2]+1 end if#b==2*1000 and#n>1 and#n<l then table.remove(n)end local w=redis.call('ZMSCORE',KEYS[2],unpack(C))for i,n in ipairs(n)do local c=U(w[i])table.insert(Q,string.format('%.0f %.0f %d %s',n[1],c,n[2],n[3]))end end local A={}local function k(c,d,b)table.insert(A,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if l>0 and b>0 and i~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,l),{}for i=1,#c,2 do table.insert(b,'w'..c[i]:sub(2))end for i,d in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(d or 0)<-a then k(c[2*i]-4.5e15,'-',c[2*i-1])end end end if l>0 and i=='rw'and b+c>0 then for C,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,l))do k(0,'write',b)end for C,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,l))do k(0,'read',b)end end local D='='..table.concat(Q,';')return{'live',a,i,f,E,d,y,p,j,b,c,D,'='..table.concat(A,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["dddfcfcaa6e1a33f851d501c4545b24258975b30", "666bdcb0a86588a92837bc0d0352150b938ef05a"];
