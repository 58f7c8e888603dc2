// Generated from lua/fair-supersede.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fair, fresh, lock, read_name, record, superseded } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairSupersedeReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly ended: number }
  | { readonly status: "superseded"; readonly now: number; readonly reason: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairSupersede: Script<readonly [id: string | number, lease: string | number, retention: string | number, after: string | number], FairSupersedeReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ending + "local k='fair'\n" + lock + fair + superseded + "local b,M=ARGV[2]:sub(1,36),1 if y(k)then return{'kind',a,h}end local d=aq(b,ARGV[5])if d then return{'superseded',a,d}end if not l[b]then M=next(l)and 1 or 0 Y('F')f,D,Q=math.max(f+1,a),'',ARGV[2]:sub(36+2)l[b]=a+ARGV[3]*1000 e=math.max(l[b],m)S()v()end return{'granted',a,f,l[b]-a,1,M}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer", ended: "integer" },
    superseded: { reason: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["077988af40999d31dbcca2625c47622857eb8bab", "7a5149fbe8a74d3f5d494fef2f019a546c13fc43"];
