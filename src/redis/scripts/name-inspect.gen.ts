// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, crowded, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local q=0\n" + clock + one + record + "local i=G:match('^fence 1 (%d+) ')if i then return{'fence',a,tonumber(i)}end if g==math.huge then return{'kind',a,h}end if g<=a then return{'free',a,f}end local s,d=J()\n" + crowded + "if h=='once'then local i,s,t=r:match('^(%d+) %S* (%S*) (.*)$')r=i..(s~=''and' done'or'  '..t)end local N,n,k,e={},tonumber(ARGV[1]),{},{}for H,c in pairs(l)do table.insert(N,string.format('%.0f',c))end if n>0 and j>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for i=1,#b,2 do local j=b[i]:sub(1,36)if j~=c then if#k==n then break end table.insert(k,{b[i+1],0,b[i]:sub(37)})table.insert(e,'t'..j)c=j end k[#k][2]=k[#k][2]+1 end if#b==2000 and#k>1 and#k<n then table.remove(k)end local v=redis.call('ZMSCORE',KEYS[2],unpack(e))for i,z in ipairs(k)do local a=math.max(tonumber(v[i]or 0),0)/1024 table.insert(N,string.format('%.0f %.0f %d %s',z[1],a,z[2],z[3]))end end local o='='..table.concat(N,';')return{'live',a,h,f,g-a,d,math.max(s-a,0),'='..r,j,m,c,o}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["28b2f8770c58cd8d192a9bf1b5a5ea60608d4e70", "b01fd35251f94ef4bb21b1e2103d84a368b569ed"];
