import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./target.ts";

/** What is kept of a claim. */
export interface Claim {
  /** The name on the server, with its prefix. */
  readonly name: string;
  readonly kind: string;
  readonly token: number;
  /** The ticket that resumes the lease. It is a secret. */
  readonly ticket: string;
}

/** A claim in its file. */
interface Kept extends Claim {
  /** The server and key prefix that the claim is of. */
  readonly server: string;
}

/** How long a claim is kept after it was last renewed, in ms: longer than any lease. */
const KEPT_MS = 86_400_000;
const CLAIM = /^[\da-f]{64}\.json$/;
/** A claim, or one whose writer was killed. */
const OURS = /^[\da-f]{64}\.json(\.[\da-f]{8})?$/;

const hashOf = (...texts: string[]): string => createHash("sha256").update(texts.join("\0")).digest("hex");

function readClaim(file: string): Kept | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    return typeof kept.ticket === "string" && Number.isSafeInteger(kept.token) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The claims of `leasehold mcp`: one file each in a folder, readable by this user only, so that a restarted server
 * resumes them. A file is found by its receipt, and its name does not reveal the receipt. Several servers may share the
 * folder.
 */
export class ClaimFolder {
  readonly #folder: string;
  readonly #server: string;

  constructor(folder: string, { connection, address }: Pick<Target, "connection" | "address">) {
    this.#folder = folder;
    this.#server = hashOf(address, connection.prefix);
  }

  /** Makes the folder, and deletes the claims that were renewed last a day ago. @throws an error of the file system. */
  prepare(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const file of this.#files(OURS)) {
      // Another server may have deleted it meanwhile.
      const renewedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (renewedAt < Date.now() - KEPT_MS) rmSync(file, { force: true });
    }
  }

  /** Keeps a claim, and returns its receipt. Its file appears as a whole. @throws an error of the file system. */
  add(claim: Claim): string {
    const receipt = randomBytes(10).toString("hex");
    const file = this.#fileOf(receipt);
    const written = `${file}.${randomBytes(4).toString("hex")}`;
    const kept: Kept = { server: this.#server, ...claim };
    writeFileSync(written, JSON.stringify(kept), { mode: 0o600, flag: "wx" });
    renameSync(written, file);
    return receipt;
  }

  /** Notes that a claim was renewed. @throws an error of the file system. */
  renewed(receipt: string): void {
    const now = new Date();
    utimesSync(this.#fileOf(receipt), now, now);
  }

  /** The claim with this receipt; undefined for an unknown one. */
  find(receipt: string): Claim | undefined {
    return readClaim(this.#fileOf(receipt));
  }

  remove(receipt: string): void {
    rmSync(this.#fileOf(receipt), { force: true });
  }

  /** The newest claim of a name; undefined if none is kept. */
  newestOf(name: string): Claim | undefined {
    return this.#files(CLAIM)
      .map(readClaim)
      .filter((kept): kept is Kept => kept?.server === this.#server && kept.name === name)
      .sort((a, b) => b.token - a.token)[0];
  }

  #fileOf(receipt: string): string {
    return join(this.#folder, `${hashOf(this.#server, receipt)}.json`);
  }

  #files(pattern: RegExp): string[] {
    return readdirSync(this.#folder)
      .filter((name) => pattern.test(name))
      .map((name) => join(this.#folder, name));
  }
}
