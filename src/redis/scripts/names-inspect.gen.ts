// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local s=0\n" + clock + read_names + shapes + "local h='-           'local I,e,b,f=ARGV[1],{},0,nil for l,j in ipairs(KEYS)do if l%2==1 then f=j else local i,u,J,p=l/2,y[l-1],f,j local k=u and redis.sha1hex(u):sub(1,12)or h local g=I:sub((i-1)*12+1,i*12)==k local d=u and u:match('^%a+')or''local c=0 if B[d]then b=b+1 c=redis.pcall('ZCARD',p)end if not g or c~=0 then local g={i,k,'kind','foreign'}if not u then b=b+1 if redis.call('TYPE',J).ok=='none'then g={i,k,'none'}end elseif type(c)~='table'then\n" + record + described + "g={i,k,y()}end for l,a in ipairs(g)do g[l]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(e,g)end end end return{'names',a,e[1]and cjson.encode(e)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b5c558cab17c8b29b29d7603b206c4dce8b71c58", "af8d2406b05dd5908964b91c085712a0210b6c3e"];
