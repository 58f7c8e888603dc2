/** A process that is frozen or killed while it does the work of a single flight. */
import { createLocks, singleFlight } from "../../../src/index.ts";

const [url = "", token = "", key = ""] = process.argv.slice(2);
const locks = createLocks({ url, token });
let end = (): void => {};
let ended: Promise<unknown> = Promise.resolve();

const steps: Record<string, () => unknown> = {
  begin: () =>
    new Promise((resolve) => {
      ended = singleFlight(locks, key, { ttl: "1m", lease: "500ms" }, async () => {
        resolve("working");
        await new Promise<void>((open) => {
          end = open;
        });
        return "first";
      }).catch(({ code }) => code);
    }),
  end: () => {
    end();
    return ended;
  },
};

process.on("message", async ({ step }: { step: string }) => {
  process.send?.({ result: (await steps[step]?.()) ?? null });
});
process.on("disconnect", () => process.exit());
process.send?.({ result: "ready" });
