import type { Call, Timing } from "../redis/call.ts";

/**
 * The tenure that a call had under an earlier ID, if its lease expired before the answer arrived. A call that ends the
 * holds of others sends its token with a request under another ID, so that the server refuses it if others came since:
 * the order in which calls arrive decides, and a retry is no arrival.
 */
export class EarlierTenure {
  #token = 0;
  #since = (): number => 0;

  /**
   * Returns the token for the next request; 0 for none. `retention` after the tenure, the server may have forgotten who
   * came since, so the request is void by then.
   */
  toSend({ doubt }: Call): number {
    if (this.#token > 0) doubt?.idClosed(this.#since);
    return this.#token;
  }

  /** Notes a grant. */
  had({ token, since }: { readonly token: number } & Pick<Timing, "since">): void {
    this.#token = token;
    this.#since = since;
  }
}
