// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local s=0\n" + clock + read_names + shapes + "local h='-           'local L,f,b,R=ARGV[1],{},0,nil for m,J in ipairs(KEYS)do if m%2==1 then R=J else local j,u,M,o=m/2,W[m-1],R,J local g=u and redis.sha1hex(u):sub(1,12)or h local d=L:sub((j-1)*12+1,j*12)==g local e=u and u:match('^%a+')or''local c=0 if t[e]then b=b+1 c=redis.pcall('ZCARD',o)end if not d or c~=0 then local d={j,g,'kind','foreign'}if not u then b=b+1 if redis.call('TYPE',M).ok=='none'then d={j,g,'none'}end elseif type(c)~='table'then\n" + record + described + "d={j,g,w()}end for m,a in ipairs(d)do d[m]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(f,d)end end end return{'names',a,f[1]and cjson.encode(f)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["500159d7265e0b91985101f40a7357de319a2533", "6d0c70e9da40c57618a327fcda6bc5f67d75a871"];
