// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, count_crowd, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [most: string | number], NameInspectReply> = {
  lua: "local t=0\n" + clock + read_name + record + requests + "local i,c,s=H:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if i and tonumber(i)<9e15 and#s>=tonumber(c)then return{'fence',a,tonumber(i)}end if g==math.huge then return{'kind',a,h}end if g>9e15 or f>9e15 then return{'kind',a,h..'/1'}end if g<=a then return{'free',a,f}end local r,d=L()local u={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}local j=false for E,a in ipairs(u[h])do j=j or q:find(a)~=nil end if r>9e15 or not j then return{'kind',a,h..'/1'}end\n" + count_crowd + "if h=='once'then local i,r,s=q:match('^(%d+) %S* (%S*) (.*)$')q=i..(r~=''and' done'or'  '..s)end local C,n,k,o={},tonumber(ARGV[1]),{},{}for E,a in ipairs(af())do table.insert(C,string.format('%.0f',m[a]))end if n>0 and l>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local b for i=1,#c,2 do local j=c[i]:sub(1,36)if j~=b then if#k==n then break end table.insert(k,{c[i+1],0,c[i]:sub(36+1)})table.insert(o,'t'..j)b=j end k[#k][2]=k[#k][2]+1 end if#c==2*1000 and#k>1 and#k<n then table.remove(k)end local w=redis.call('ZMSCORE',KEYS[2],unpack(o))for i,z in ipairs(k)do local a=T(w[i])table.insert(C,string.format('%.0f %.0f %d %s',z[1],a,z[2],z[3]))end end local w='='..table.concat(C,';')return{'live',a,h,f,g-a,d,math.max(r-a,0),'='..q,l,p,e,w}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4357b00f6c132760588da8e54df033e80b32641f", "53a2ae27efff1c0f99623962658db144dcb07a10"];
