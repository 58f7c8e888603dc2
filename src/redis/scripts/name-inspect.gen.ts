// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [max: string | number], NameInspectReply> = {
  lua: "local t=0\n" + clock + read_name + record + requests + shapes + "local o=KEYS[2]\n" + described + "local r,c,h,E,e,A,p,j,b,m=y()if r=='fence'then return{'fence',a,c}end if r=='kind'then return{'kind',a,c}end if r=='free'then return{'free',a,c}end local R,d,k,C={},tonumber(ARGV[1]),{},{}for E,a in ipairs(ai())do table.insert(R,string.format('%.0f',n[a]))end if d>0 and j>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for j=1,#b,2 do local l=b[j]:sub(1,36)if l~=c then if#k==d then break end table.insert(k,{b[j+1],0,b[j]:sub(36+1)})table.insert(C,'t'..l)c=l end k[#k][2]=k[#k][2]+1 end if#b==2*1000 and#k>1 and#k<d then table.remove(k)end local y=redis.call('ZMSCORE',KEYS[2],unpack(C))for j,k in ipairs(k)do local c=V(y[j])table.insert(R,string.format('%.0f %.0f %d %s',k[1],c,k[2],k[3]))end end local u={}local function l(c,d,b)table.insert(u,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if d>0 and b>0 and c~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,d),{}for j=1,#c,2 do table.insert(b,'w'..c[j]:sub(2))end for j,e in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(e or 0)<-a then l(c[2*j]-4.5e15,'-',c[2*j-1])end end end if d>0 and c=='rw'and b+m>0 then for E,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,d))do l(0,'write',b)end for E,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,d))do l(0,'read',b)end end local D='='..table.concat(R,';')return{'live',a,c,h,E,e,A,p,j,b,m,D,'='..table.concat(u,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["8eed71623e5fcae5214f1a712a8f3da9bc5e9ce2", "beb9842a2730a6c41d8af0a105dfe9aa8876b502"];
