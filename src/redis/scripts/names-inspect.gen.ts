// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local v=0\n" + clock + read_names + shapes + "local g='-           'local O,f,b,U=ARGV[1],{},0,nil for m,M in ipairs(KEYS)do if m%2==1 then U=M else local j,w,L,q=m/2,P[m-1],U,M local d=w and redis.sha1hex(w):sub(1,12)or g local e=O:sub((j-1)*12+1,j*12)==d local c=w and w:match('^%a+')or''local k=0 if r[c]then b=b+1 k=redis.pcall('ZCARD',q)end if not e or k~=0 then local e={j,d,'kind','foreign'}if not w then b=b+1 if redis.call('TYPE',L).ok=='none'then e={j,d,'none'}end elseif type(k)~='table'then\n" + record + described + "e={j,d,z()}end for m,a in ipairs(e)do e[m]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(f,e)end end end return{'names',a,f[1]and cjson.encode(f)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5dbfe2d7420ad665b403a47975449b8c6771b804", "7ffaa9c0f15032437e1b342581852d2d773e1b24"];
