import { checkOptions, type Duration, toHold, toMs, toWork } from "../shared/checks.ts";
import { inCall } from "../shared/misuse.ts";
import { boundWaitUntil, noop, type WaitUntil } from "../shared/wait-until.ts";
import type { HeldLease } from "./held-lease.ts";
import type { ExtendCall, Hold, VerifyCall } from "./hold.ts";
import { type KeepAliveLimits, toLimits } from "./keep-alive.ts";
import type { Lease, Work } from "./lease.ts";

/** A lease as this library writes it. */
export type WritableLease = { -readonly [Key in keyof Lease]: Lease[Key] };

// Vercel's edge runtime lacks the symbol; `await using` is compiled to the registered one there.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/**
 * The length of an extension: by default, the length the lease was acquired for. This library's own calls have `more`,
 * and their numbers are ms.
 */
function extensionMs(duration: Duration | undefined, leaseMs: number, more: ExtendCall | undefined): number {
  if (duration === undefined) return leaseMs;
  return inCall("lease.extend", () => (more ? toMs(duration, "duration") : toHold(duration, "duration")));
}

/** Makes the object that users get of a lease. It checks their arguments; its functions work without their object. */
export function publicLease(held: HeldLease, { target, token, leaseMs }: Hold, ticket: () => string): WritableLease {
  const { name } = target;
  // Two accessors only: making one takes longer than making all the plain members.
  const lease = {
    name,
    token,
    tokens: { [name]: token },
    holds: 0,
    expiresAt: 0,
    get remaining(): number {
      // After a freeze, the signal's timer is late.
      held.noticeLoss();
      return held.remaining();
    },
    get signal(): AbortSignal {
      return held.signal();
    },
    throwIfEnded() {
      const ended = held.ended();
      if (ended) throw ended;
    },
    extend: async (duration?: Duration, more?: ExtendCall) => held.extend(extensionMs(duration, leaseMs, more), more),
    verify: (more?: VerifyCall) => held.verify(more),
    release: () => held.release(),
    keepAlive<T>(
      options: { waitUntil?: WaitUntil | undefined } | Work<T>,
      work?: unknown,
      limits: KeepAliveLimits = {},
    ): Promise<T> {
      if (typeof options === "function") return lease.keepAlive({}, options, work as KeepAliveLimits);
      toWork(work, "lease.keepAlive", "keepAlive({ waitUntil }, work, limits)");
      const [waitUntil, checked] = inCall("lease.keepAlive", () => {
        checkOptions(options, "waitUntil maxHold>limits");
        const background = boundWaitUntil(options);
        return [background, toLimits(limits, background, "limits")];
      });
      return held.run(work as Work<T>, waitUntil, checked);
    },
    ticket,
    toJSON: () => ({ name, token: lease.token, holds: lease.holds, expiresAt: lease.expiresAt }),
  } as WritableLease;
  // Not in the literal, where a computed name takes longer.
  lease[asyncDispose] = () => lease.release().then(noop, noop);
  return lease;
}
