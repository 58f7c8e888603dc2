// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, crowded, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local t=0\n" + clock + one + record + "local i,c,s=G:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if i and tonumber(i)<9e15 and#s>=tonumber(c)then return{'fence',a,tonumber(i)}end if g==math.huge then return{'kind',a,h}end if g>9e15 or f>9e15 then return{'kind',a,h..'/1'}end if g<=a then return{'free',a,f}end local r,d=J()local u={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}local j=false for H,a in ipairs(u[h])do j=j or q:find(a)~=nil end if r>9e15 or not j then return{'kind',a,h..'/1'}end\n" + crowded + "if h=='once'then local i,r,s=q:match('^(%d+) %S* (%S*) (.*)$')q=i..(r~=''and' done'or'  '..s)end local N,n,k,o={},tonumber(ARGV[1]),{},{}for H,c in pairs(l)do table.insert(N,string.format('%.0f',c))end if n>0 and m>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for i=1,#b,2 do local j=b[i]:sub(1,36)if j~=c then if#k==n then break end table.insert(k,{b[i+1],0,b[i]:sub(37)})table.insert(o,'t'..j)c=j end k[#k][2]=k[#k][2]+1 end if#b==2000 and#k>1 and#k<n then table.remove(k)end local v=redis.call('ZMSCORE',KEYS[2],unpack(o))for i,z in ipairs(k)do local a=math.max(tonumber(v[i]or 0),0)/1024 table.insert(N,string.format('%.0f %.0f %d %s',z[1],a,z[2],z[3]))end end local v='='..table.concat(N,';')return{'live',a,h,f,g-a,d,math.max(r-a,0),'='..q,m,p,e,v}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ddaf2d2e48aee82ea8cd8cc71b1fccded6fb0910", "fc1c8e7bc9b3a8bdc1628e4e44eeb02bf3e4a5ac"];
