// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local t=0\n" + clock + read_names + shapes + "local h='-           'local I,e,b,f=ARGV[1],{},0,nil for l,j in ipairs(KEYS)do if l%2==1 then f=j else local i,q,J,p=l/2,y[l-1],f,j local k=q and redis.sha1hex(q):sub(1,12)or h local g=I:sub((i-1)*12+1,i*12)==k local d=q and q:match('^%a+')or''local c=0 if B[d]then b=b+1 c=redis.pcall('ZCARD',p)end if not g or c~=0 then local g={i,k,'kind','foreign'}if not q then b=b+1 if redis.call('TYPE',J).ok=='none'then g={i,k,'none'}end elseif type(c)~='table'then\n" + record + described + "g={i,k,y()}end for l,a in ipairs(g)do g[l]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(e,g)end end end return{'names',a,e[1]and cjson.encode(e)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4955f96775661bad2decf2332c143fcae58dff91", "b2edc2fb044e11a245c7697ac1c30ad996bc150d"];
