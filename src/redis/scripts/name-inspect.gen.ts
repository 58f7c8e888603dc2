// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, crowded, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local b=0\n" + clock + one + record + "local i=G:match('^fence 1 (%d+) ')if i then return{'fence',e,tonumber(i)}end if r==math.huge then return{'kind',e,d}end if r<=e then return{'free',e,l}end local y,a=J()\n" + crowded + "if d=='once'then local i,A,g=k:match('^(%d+) %S* (%S*) (.*)$')k=i..(A~=''and' done'or'  '..g)end local M,u,c,o={},tonumber(ARGV[1]),{},{}for H,n in pairs(f)do table.insert(M,string.format('%.0f',n))end if u>0 and s>0 then local t=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,e,'WITHSCORES','LIMIT',0,1000)local n for i=1,#t,2 do local s=t[i]:sub(1,36)if s~=n then if#c==u then break end table.insert(c,{t[i+1],0,t[i]:sub(37)})table.insert(o,'t'..s)n=s end c[#c][2]=c[#c][2]+1 end if#t==2000 and#c>1 and#c<u then table.remove(c)end local v=redis.call('ZMSCORE',KEYS[2],unpack(o))for i,A in ipairs(c)do local e=math.max(tonumber(v[i]or 0),0)/1024 table.insert(M,string.format('%.0f %.0f %d %s',A[1],e,A[2],A[3]))end end local h='='..table.concat(M,';')return{'live',e,d,l,r-e,a,math.max(y-e,0),'='..k,s,m,n,h}",
  replies: "free token|live type$ token remaining holds left body$ many waiting behind holders$|fence token|kind kind$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["21ac27b8ed3233c3ca9d70717f0c429ab91154c4", "d68c851460ab210e9a6e62b6a877098f3dd5fd43"];
