import type { Execution } from "../scripts.ts";
import type { Facts, Op } from "./facts.ts";

/** The rule `fence`: no fence accepts a token after a larger one, or the same write twice. */
export const createFences =
  ({ nameOf, report }: Facts) =>
  (full: string, { script, args, status, reply, isFull, op }: Execution<Op>): void => {
    const name = nameOf(full);
    const id = args["id"] ?? "";
    name.fence ??= { token: 0, value: "", seen: new Set(), former: undefined };
    const { fence } = name;
    if (script === "cron-begin") {
      const given = Number(reply["token"]);
      // A late duplicate of a forgotten ID begins anew, under another token.
      const grant = `${id} ${given}`;
      if (status !== "granted" || fence.seen.has(grant)) return;
      fence.seen.add(grant);
      if (given <= fence.token) report("fence", `${op?.id} began ${full} under ${given} after ${fence.token}`);
      fence.token = given;
      fence.value = `${args["run"]},"token":${given},"attempt":${reply["attempt"]}}`;
      return;
    }
    if (script === "held-end") {
      const isDone = status === "closed" || args["result"] === "";
      if (args["run"] && isDone && Number(args["token"]) >= fence.token) {
        // Full memory may keep it from being recorded.
        fence.former = isFull ? (fence.former ?? { token: fence.token, value: fence.value }) : undefined;
        fence.token = Number(args["token"]);
        fence.value = args["run"];
      }
      return;
    }
    const token = Number(args["token"]);
    const seen = { token: Number(reply["token"]), value: String(reply["value"]).slice(1) };
    const isSeen = status === "seen";
    if (isSeen && fence.former && seen.token === fence.former.token && seen.value === fence.former.value)
      Object.assign(fence, fence.former);
    if (isSeen) fence.former = undefined;
    if (isSeen && (seen.token !== fence.token || seen.value !== fence.value))
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
