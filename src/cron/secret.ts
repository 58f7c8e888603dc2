import { digest, equal } from "../shared/crypto.ts";

/** `CRON_SECRET`, where the runtime has an environment. */
const environment = (): string | undefined => {
  try {
    return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.["CRON_SECRET"];
  } catch {
    // Deno without the permission to read it.
    return undefined;
  }
};

/**
 * Whether the request knows the secret. Compared by their digests, so that the time says nothing of the secret, its length included.
 * Undefined: there is no secret, so nobody may know it.
 */
export async function knowsSecret(request: Request, given: string | undefined): Promise<boolean | undefined> {
  const secret = given ?? environment();
  if (!secret) return undefined;
  const [, credentials = ""] = /^bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return equal(await digest(credentials), await digest(secret));
}
