// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local t=0\n" + clock + read_names + shapes + "local i='-           'local I,f,b,d=ARGV[1],{},0,nil for m,k in ipairs(KEYS)do if m%2==1 then d=k else local j,q,J,o=m/2,y[m-1],d,k local h=q and redis.sha1hex(q):sub(1,12)or i local g=I:sub((j-1)*12+1,j*12)==h local e=q and q:match('^%a+')or''local c=0 if z[e]then b=b+1 c=redis.pcall('ZCARD',o)end if not g or c~=0 then local d={j,h,'kind','foreign'}if not q then b=b+1 if redis.call('TYPE',J).ok=='none'then d={j,h,'none'}end elseif type(c)~='table'then\n" + record + described + "d={j,h,y()}end for m,a in ipairs(d)do d[m]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(f,d)end end end return{'names',a,f[1]and cjson.encode(f)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6dcef04a48751c59d426ed870927abfb99bb8f30", "8b884eb245c8771bf3ee55ef37713a07fa5d4b2c"];
