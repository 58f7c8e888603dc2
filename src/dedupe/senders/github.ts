import { word } from "../request-fields.ts";
import { type SignedSender, signedSender } from "../sender.ts";

/**
 * Identifies deliveries of GitHub by the headers `X-GitHub-Hook-ID` and `X-GitHub-Delivery`, which identify the hook and
 * the event: two Apps, or the hooks of an organization and of a repository, send one event under one `X-GitHub-Delivery`.
 * The signature covers neither, so an ID is bound to its body. Deliveries are remembered for 7 days by default: GitHub
 * does not retry, but people can redeliver by hand for 3 days.
 *
 * @example
 * ```ts no-run
 * import { verify } from "@octokit/webhooks-methods";
 * const key = github({
 *   verify: (body, { headers }) => verify("secret", body, headers.get("X-Hub-Signature-256") ?? ""),
 * });
 * const POST = dedupe({ locks, key }, () => new Response("ok"));
 * ```
 *
 * @throws TypeError without `verify`.
 */
export const github: SignedSender = /* @__PURE__ */ signedSender({
  name: "github",
  idName: "X-GitHub-Delivery",
  ttl: "7d",
  binds: "body",
  id(request) {
    const event = word(request, "X-GitHub-Delivery");
    // Old servers of GitHub Enterprise do not send the hook.
    if (event === undefined || !request.headers.has("X-GitHub-Hook-ID")) return event;
    const hook = word(request, "X-GitHub-Hook-ID");
    return hook === undefined ? undefined : [hook, event];
  },
});
