// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local t=0\n" + clock + read_name + record + requests + shapes + "local p=KEYS[2]\n" + described + "local i,c,g,E,d,z,r,k,b,o=y()if i=='fence'then return{'fence',a,c}end if i=='kind'then return{'kind',a,c}end if i=='free'then return{'free',a,c}end local R,n,j,C={},tonumber(ARGV[1]),{},{}for E,a in ipairs(ai())do table.insert(R,string.format('%.0f',m[a]))end if n>0 and k>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for i=1,#b,2 do local k=b[i]:sub(1,36)if k~=c then if#j==n then break end table.insert(j,{b[i+1],0,b[i]:sub(36+1)})table.insert(C,'t'..k)c=k end j[#j][2]=j[#j][2]+1 end if#b==2*1000 and#j>1 and#j<n then table.remove(j)end local y=redis.call('ZMSCORE',KEYS[2],unpack(C))for i,j in ipairs(j)do local c=V(y[i])table.insert(R,string.format('%.0f %.0f %d %s',j[1],c,j[2],j[3]))end end local u={}local function l(c,d,b)table.insert(u,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if n>0 and b>0 and c~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,n),{}for i=1,#c,2 do table.insert(b,'w'..c[i]:sub(2))end for i,d in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(d or 0)<-a then l(c[2*i]-4.5e15,'-',c[2*i-1])end end end if n>0 and c=='rw'and b+o>0 then for E,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,n))do l(0,'write',b)end for E,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,n))do l(0,'read',b)end end local D='='..table.concat(R,';')return{'live',a,c,g,E,d,z,r,k,b,o,D,'='..table.concat(u,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["0a3f52e787b0216b85c089c0133eb6955364c085", "719c23b9b8e8557088eb4c066d82b9a5e66173e1"];
