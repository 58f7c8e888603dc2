import type { Execution } from "../scripts.ts";
import type { Facts, Op } from "./facts.ts";

/** The rule `fence`: no fence accepts a token after a larger one, or the same write twice. */
export const createFences =
  ({ nameOf, report }: Facts) =>
  (full: string, { args, status, reply, op }: Execution<Op>): void => {
    const name = nameOf(full);
    const id = args["id"] ?? "";
    name.fence ??= { token: 0, value: "", seen: new Set() };
    const { fence } = name;
    const token = Number(args["token"]);
    const isSeen = status === "seen";
    if (isSeen && (Number(reply["token"]) !== fence.token || String(reply["value"]).slice(1) !== fence.value))
      report(
        "fence",
        `${full} has "${reply["value"]}" under ${reply["token"]}, not "${fence.value}" under ${fence.token}`,
      );
    if (status !== "written" || fence.seen.has(id)) return;
    fence.seen.add(id);
    if (token < fence.token) report("fence", `${op?.id} wrote ${full} under ${token} after ${fence.token}`);
    fence.token = token;
    if (args["value"]) fence.value = args["value"].slice(1);
  };
