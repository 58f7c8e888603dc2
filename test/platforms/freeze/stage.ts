import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocks, type Locks } from "../../../src/index.ts";
import { type FaultProxy, startProxy } from "../../support/proxy.ts";
import { freshName, type Stack } from "../../support/stack.ts";
import { type Frozen, startHolder } from "./frozen.ts";
import { type Ledger, openLedger } from "./ledger.ts";

/** A holder that will be frozen, one that takes over, and the row that both write to. */
export interface Stage extends AsyncDisposable {
  readonly name: string;
  /** Between the frozen holder and the gateway. */
  readonly proxy: FaultProxy;
  readonly frozen: Frozen;
  readonly theirs: Locks;
  readonly ledger: Ledger;
}

export async function setStage({ url, token }: Stack, requestTimeoutMs: number): Promise<Stage> {
  const name = freshName("freeze");
  const proxy = await startProxy(url);
  const dir = mkdtempSync(join(tmpdir(), "leasehold-freeze-"));
  const file = join(dir, "ledger.sqlite");
  const ledger = openLedger(file);
  const frozen = await startHolder(proxy.url, token, name, file, String(requestTimeoutMs));
  return {
    name,
    proxy,
    frozen,
    theirs: createLocks({ url, token }),
    ledger,
    async [Symbol.asyncDispose]() {
      await frozen[Symbol.asyncDispose]();
      await proxy.close();
      ledger.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
