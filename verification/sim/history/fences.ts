import type { Execution } from "../scripts.ts";
import type { Facts, Op } from "./facts.ts";

/** The rule `fence`: no fence accepts a token after a larger one, or the same write twice. */
export const createFences =
  ({ nameOf, report }: Facts) =>
  (full: string, { script, args, status, reply, op }: Execution<Op>): void => {
    const name = nameOf(full);
    const id = args["id"] ?? "";
    name.fence ??= { token: 0, value: "", seen: new Set() };
    const { fence } = name;
    if (script === "cron-begin") {
      if (status !== "granted" || fence.seen.has(id)) return;
      fence.seen.add(id);
      const given = Number(reply["token"]);
      if (given <= fence.token) report("fence", `${op?.id} began ${full} under ${given} after ${fence.token}`);
      fence.token = given;
      fence.value = `${args["run"]},"token":${given},"attempt":${reply["attempt"]}}`;
      return;
    }
    if (script === "held-end") {
      const isDone = status === "closed" || args["result"] === "";
      if (args["run"] && isDone && Number(args["token"]) >= fence.token) {
        fence.token = Number(args["token"]);
        fence.value = args["run"];
      }
      return;
    }
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
