// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local r=0\n" + clock + read_names + shapes + "local h='-           'local I,e,b,f=ARGV[1],{},0,nil for l,k in ipairs(KEYS)do if l%2==1 then f=k else local i,A,L,o=l/2,w[l-1],f,k local d=A and redis.sha1hex(A):sub(1,12)or h local g=I:sub((i-1)*12+1,i*12)==d local c=A and A:match('^%a+')or''local n=0 if x[c]then b=b+1 n=redis.pcall('ZCARD',o)end if not g or n~=0 then local c={i,d,'kind','foreign'}if not A then b=b+1 if redis.call('TYPE',L).ok=='none'then c={i,d,'none'}end elseif type(n)~='table'then\n" + record + described + "c={i,d,w()}end for l,a in ipairs(c)do c[l]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(e,c)end end end return{'names',a,e[1]and cjson.encode(e)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4f78e8f1205509382e8b240aa047c0b8e582d140", "2a7195d3993d7d2d97769a2b445c5361b5fabd8c"];
