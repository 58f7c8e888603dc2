// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local q=0\n" + clock + read_name + record + requests + shapes + "local o=KEYS[2]\n" + described + "local k,i,e,C,d,y,p,j,c,b=v()if k=='fence'then return{'fence',a,i}end if k=='kind'then return{'kind',a,i}end if k=='free'then return{'free',a,i}end local P,n,m,w={},tonumber(ARGV[1]),{},{}for E,a in ipairs(ag())do table.insert(P,string.format('%.0f',l[a]))end if n>0 and j>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local b for i=1,#c,2 do local j=c[i]:sub(1,36)if j~=b then if#m==n then break end table.insert(m,{c[i+1],0,c[i]:sub(36+1)})table.insert(w,'t'..j)b=j end m[#m][2]=m[#m][2]+1 end if#c==2*1000 and#m>1 and#m<n then table.remove(m)end local v=redis.call('ZMSCORE',KEYS[2],unpack(w))for i,m in ipairs(m)do local a=T(v[i])table.insert(P,string.format('%.0f %.0f %d %s',m[1],a,m[2],m[3]))end end local B='='..table.concat(P,';')return{'live',a,i,e,C,d,y,p,j,c,b,B}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3da1a7bd2d2ea5a5859881a039f96c39485a958a", "04ee30d47e0510c361f98541ebc88caa5588c8a3"];
