import { type Fenced, StaleTokenError } from "../../src/fence/index.ts";

/** Something protected that nobody else uses: whatever is written is added to its log, or replaces what was there. */
export interface Resource {
  claim(lease: Fenced): Promise<unknown>;
  write(lease: Fenced, value: string): Promise<unknown>;
  /** The writes that are still there, oldest first. */
  values(): Promise<string[]>;
}

/** A write or a claim, its time, and whether it was accepted. */
export interface Deed {
  readonly token: number;
  readonly value: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly accepted: boolean;
}

/** Does one deed and notes it. An error that is not staleness is thrown. */
export async function deed(resource: Resource, lease: Fenced, value: string | undefined): Promise<Deed> {
  const now = (): number => Number(process.hrtime.bigint()) / 1e6;
  const from = now();
  const outcome = await (value === undefined ? resource.claim(lease) : resource.write(lease, value)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof StaleTokenError || (error as { code?: string }).code === "stale_token") return false;
      throw error;
    },
  );
  return { token: lease.token, value, from, to: now(), accepted: outcome };
}
