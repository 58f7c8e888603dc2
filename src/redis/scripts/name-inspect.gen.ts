// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, crowded, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local b=0\n" + clock + one + record + "local i=J:match('^fence 1 (%d+) ')if i then return{'fence',e,tonumber(i)}end if r==math.huge then return{'kind',e,d}end if r<=e then return{'free',e,l}end local u,a=L()\n" + crowded + "if d=='once'then local i,B,k=y:match('^(%d+) %S* (%S*) (.*)$')y=i..(B~=''and' done'or'  '..k)end local N,p,s,o={},tonumber(ARGV[1]),{},{}for H,n in pairs(f)do table.insert(N,string.format('%.0f',n))end if p>0 and c>0 then local n=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,e,'WITHSCORES','LIMIT',0,1000)local t for i=1,#n,2 do local c=n[i]:sub(1,36)if c~=t then if#s==p then break end table.insert(s,{n[i+1],0,n[i]:sub(37)})table.insert(o,'t'..c)t=c end s[#s][2]=s[#s][2]+1 end if#n==2000 and#s>1 and#s<p then table.remove(s)end local w=redis.call('ZMSCORE',KEYS[2],unpack(o))for i,u in ipairs(s)do local e=math.max(tonumber(w[i]or 0),0)/1024 table.insert(N,string.format('%.0f %.0f %d %s',u[1],e,u[2],u[3]))end end local h='='..table.concat(N,';')return{'live',e,d,l,r-e,a,math.max(u-e,0),'='..y,c,m,n,h}",
  replies: "free token#|live type token# remaining# holds# left# body many# waiting# behind# holders|fence token#|kind kind",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["90160c27036db9ca4497c6818212de589a16043b", "a8c738dd8626a713fbd070903ff5da59becba3b3"];
