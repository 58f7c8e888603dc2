// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local s=0\n" + clock + read_names + shapes + "local h='-           'local H,e,b,f=ARGV[1],{},0,nil for k,n in ipairs(KEYS)do if k%2==1 then f=n else local i,B,K,o=k/2,C[k-1],f,n local d=B and redis.sha1hex(B):sub(1,12)or h local g=H:sub((i-1)*12+1,i*12)==d local c=B and B:match('^%a+')or''local m=0 if w[c]then b=b+1 m=redis.pcall('ZCARD',o)end if not g or m~=0 then local c={i,d,'kind','foreign'}if not B then b=b+1 if redis.call('TYPE',K).ok=='none'then c={i,d,'none'}end elseif type(m)~='table'then\n" + record + described + "c={i,d,x()}end for k,a in ipairs(c)do c[k]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(e,c)end end end return{'names',a,e[1]and cjson.encode(e)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c05e4da49727f513f07c3bbf20bcc3b71723e91c", "07db30c5a00125c059fee65c282a37dbcf8d456f"];
