// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local q=0\n" + clock + read_names + shapes + "local h='-           'local H,e,b,f=ARGV[1],{},0,nil for k,m in ipairs(KEYS)do if k%2==1 then f=m else local i,A,L,o=k/2,I[k-1],f,m local d=A and redis.sha1hex(A):sub(1,12)or h local g=H:sub((i-1)*12+1,i*12)==d local c=A and A:match('^%a+')or''local n=0 if t[c]then b=b+1 n=redis.pcall('ZCARD',o)end if not g or n~=0 then local c={i,d,'kind','foreign'}if not A then b=b+1 if redis.call('TYPE',L).ok=='none'then c={i,d,'none'}end elseif type(n)~='table'then\n" + record + described + "c={i,d,v()}end for k,a in ipairs(c)do c[k]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(e,c)end end end return{'names',a,e[1]and cjson.encode(e)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b871d92cd886f41c7540f023d16e74d436764095", "15cca956d69089fe16be5006393cca5932be6a06"];
