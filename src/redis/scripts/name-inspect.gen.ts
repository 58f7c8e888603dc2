// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [max: string | number], NameInspectReply> = {
  lua: "local t=0\n" + clock + read_name + record + requests + shapes + "local p=KEYS[2]\n" + described + "local o,i,f,D,e,z,r,m,b,c=y()if o=='fence'then return{'fence',a,i}end if o=='kind'then return{'kind',a,i}end if o=='free'then return{'free',a,i}end local V,d,n,A={},tonumber(ARGV[1]),{},{}for I,d in ipairs(ak())do table.insert(V,string.format('%.0f',l[d]))end if d>0 and m>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for i=1,#b,2 do local k=b[i]:sub(1,36)if k~=c then if#n==d then break end table.insert(n,{b[i+1],0,b[i]:sub(36+1)})table.insert(A,'t'..k)c=k end n[#n][2]=n[#n][2]+1 end if#b==2*1000 and#n>1 and#n<d then table.remove(n)end local y=redis.call('ZMSCORE',KEYS[2],unpack(A))for i,J in ipairs(n)do local c=Y(y[i])table.insert(V,string.format('%.0f %.0f %d %s',J[1],c,J[2],J[3]))end end local H={}local function k(c,d,b)table.insert(H,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if d>0 and b>0 and i~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,d),{}for i=1,#c,2 do table.insert(b,'w'..c[i]:sub(2))end for i,e in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(e or 0)<-a then k(c[2*i]-4.5e15,'-',c[2*i-1])end end end if d>0 and i=='rw'and b+c>0 then for I,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,d))do k(0,'write',b)end for I,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,d))do k(0,'read',b)end end local C='='..table.concat(V,';')return{'live',a,i,f,D,e,z,r,m,b,c,C,'='..table.concat(H,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["49b91e25c6048389b954c76d128934f358499f67", "b8170e74bbb1434d424359a2b5f5cfac7b7fa883"];
