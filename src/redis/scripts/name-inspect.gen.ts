// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_name, record, requests, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number; readonly holders: string; readonly queue: string }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [max: string | number], NameInspectReply> = {
  lua: "local s=0\n" + clock + read_name + record + requests + shapes + "local o=KEYS[2]\n" + described + "local p,c,g,D,e,A,r,k,b,j=w()if p=='fence'then return{'fence',a,c}end if p=='kind'then return{'kind',a,c}end if p=='free'then return{'free',a,c}end local O,d,l,z={},tonumber(ARGV[1]),{},{}for H,a in ipairs(ak())do table.insert(O,string.format('%.0f',n[a]))end if d>0 and k>0 then local b=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1000)local c for j=1,#b,2 do local k=b[j]:sub(1,36)if k~=c then if#l==d then break end table.insert(l,{b[j+1],0,b[j]:sub(36+1)})table.insert(z,'t'..k)c=k end l[#l][2]=l[#l][2]+1 end if#b==2*1000 and#l>1 and#l<d then table.remove(l)end local w=redis.call('ZMSCORE',KEYS[2],unpack(z))for j,J in ipairs(l)do local c=X(w[j])table.insert(O,string.format('%.0f %.0f %d %s',J[1],c,J[2],J[3]))end end local G={}local function m(c,d,b)table.insert(G,string.format('%.0f %s %s',c<=a and c or 0,d,b:sub(36+3)))end if d>0 and b>0 and c~='rw'then local c,b=redis.call('ZRANGEBYSCORE',KEYS[2],4.5e15,8e15-1,'WITHSCORES','LIMIT',0,d),{}for j=1,#c,2 do table.insert(b,'w'..c[j]:sub(2))end for j,e in ipairs(#c>0 and redis.call('ZMSCORE',KEYS[2],unpack(b))or{})do if tonumber(e or 0)<-a then m(c[2*j]-4.5e15,'-',c[2*j-1])end end end if d>0 and c=='rw'and b+j>0 then for H,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-4e15,-a,'LIMIT',0,d))do m(0,'write',b)end for H,b in ipairs(redis.call('ZRANGEBYSCORE',KEYS[2],-9e15,-4.5e15-a,'LIMIT',0,d))do m(0,'read',b)end end local C='='..table.concat(O,';')return{'live',a,c,g,D,e,A,r,k,b,j,C,'='..table.concat(G,';')}",
  replies: {
    free: { token: "integer" },
    live: { type: "text", token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer", holders: "text", queue: "text" },
    fence: { token: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["67da248ded1df770f39e904ad8ef2ba6e526297b", "d161908ef1e050d1ec0b476e3c123e654a3a976f"];
