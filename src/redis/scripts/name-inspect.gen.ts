// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local r=0\n" + clock + read_name + record + requests + shapes + "local o=KEYS[2]\n" + described + "local p,i,e,C,d,u,l,j,c,b=w()if p=='fence'then return{'fence',a,i}end if p=='kind'then return{'kind',a,i}end if p=='free'then return{'free',a,i}end local D,n,k,q={},tonumber(ARGV[1]),{},{}for F,a in ipairs(af())do table.insert(D,string.format('%.0f',m[a]))end if n>0 and j>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local b for i=1,#c,2 do local j=c[i]:sub(1,36)if j~=b then if#k==n then break end table.insert(k,{c[i+1],0,c[i]:sub(36+1)})table.insert(q,'t'..j)b=j end k[#k][2]=k[#k][2]+1 end if#c==2*1000 and#k>1 and#k<n then table.remove(k)end local w=redis.call('ZMSCORE',KEYS[2],unpack(q))for i,k in ipairs(k)do local a=T(w[i])table.insert(D,string.format('%.0f %.0f %d %s',k[1],a,k[2],k[3]))end end local z='='..table.concat(D,';')return{'live',a,i,e,C,d,u,l,j,c,b,z}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e371b78a5ee4acd6573abe16554a3625dc1b7936", "97c22a14825dab430865325c0efa037c0e859e63"];
