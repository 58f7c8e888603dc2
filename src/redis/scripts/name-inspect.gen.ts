// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local s=0\n" + clock + read_name + record + requests + shapes + "local o=KEYS[2]\n" + described + "local q,i,g,E,d,z,p,j,b,c=x()if q=='fence'then return{'fence',a,i}end if q=='kind'then return{'kind',a,i}end if q=='free'then return{'free',a,i}end local W,m,n,C={},tonumber(ARGV[1]),{},{}for C,a in ipairs(ah())do table.insert(W,string.format('%.0f',l[a]))end if m>0 and j>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for i=1,#b,2 do local j=b[i]:sub(1,36)if j~=c then if#n==m then break end table.insert(n,{b[i+1],0,b[i]:sub(36+1)})table.insert(C,'t'..j)c=j end n[#n][2]=n[#n][2]+1 end if#b==2*1000 and#n>1 and#n<m then table.remove(n)end local w=redis.call('ZMSCORE',KEYS[2],unpack(C))for i,n in ipairs(n)do local c=U(w[i])table.insert(W,string.format('%.0f %.0f %d %s',n[1],c,n[2],n[3]))end end local A={}local function k(c,d,b)table.insert(A,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if m>0 and b>0 and i~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,m),{}for i=1,#c,2 do table.insert(b,'w'..c[i]:sub(2))end for i,d in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(d or 0)<-a then k(c[2*i]-4.5e15,'-',c[2*i-1])end end end if m>0 and i=='rw'and b+c>0 then for C,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,m))do k(0,'write',b)end for C,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,m))do k(0,'read',b)end end local D='='..table.concat(W,';')return{'live',a,i,g,E,d,z,p,j,b,c,D,'='..table.concat(A,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["1c9037a655f1d4396b96847c85dbba01a7721796", "ff19575f96602f541af84c8718d4a6a00747411e"];
