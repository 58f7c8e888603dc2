// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, crowded, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local E=0\n" + clock + one + record + "local d=M:match('^fence 1 (%d+) ')if d then return{'fence',e,tonumber(d)}end if l==math.huge then return{'kind',e,m}end if l<=e then return{'free',e,r}end local n,a=F()\n" + crowded + "if m=='once'then local d,n,c=b:match('^(%d+) %S* (%S*) (.*)$')b=d..(n~=''and' done'or'  '..c)end local w,h,A,o={},tonumber(ARGV[1]),{},{}for k,t in pairs(f)do table.insert(w,string.format('%.0f',t))end if h>0 and s>0 then local i=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,e,'WITHSCORES','LIMIT',0,1000)local t for d=1,#i,2 do local s=i[d]:sub(1,36)if s~=t then if#A==h then break end table.insert(A,{i[d+1],0,i[d]:sub(37)})table.insert(o,'t'..s)t=s end A[#A][2]=A[#A][2]+1 end if#i==2000 and#A>1 and#A<h then table.remove(A)end local g=redis.call('ZMSCORE',KEYS[2],unpack(o))for d,T in ipairs(A)do local e=math.max(tonumber(g[d]or 0),0)/1024 table.insert(w,string.format('%.0f %.0f %d %s',T[1],e,T[2],T[3]))end end local y='='..table.concat(w,';')return{'live',e,m,r,l-e,a,math.max(n-e,0),'='..b,s,u,t,y}",
  replies: "free token|live type$ token remaining holds left body$ many waiting behind holders$|fence token|kind kind$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["9874590b875d333b647a4852a2cda7b4ddf2c640", "74e626c9273cd974b1406107b5adee4962a63b75"];
