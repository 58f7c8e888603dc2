import { request } from "node:http";

export interface Answer {
  readonly status: number;
  /** Every line, with the name in lower case. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly bytes: Buffer;
  readonly text: string;
  header(name: string): string | undefined;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly bytes?: Uint8Array;
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean;
}

/** Sends a request whose header lines are exactly these, and a body as its bytes. */
export function send(origin: string, { method = "POST", path, headers = [], bytes, chunked }: Sent): Promise<Answer> {
  const length: readonly [string, string] = chunked
    ? ["Transfer-Encoding", "chunked"]
    : ["Content-Length", `${bytes?.length ?? 0}`];
  const lines = [["Host", new URL(origin).host] as const, ...headers, length];
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, agent: false, headers: lines.flat() }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const all = Buffer.concat(chunks);
        const { rawHeaders, statusCode: status = 0 } = response;
        const found = Array.from({ length: rawHeaders.length / 2 }, (_, at) => {
          return [`${rawHeaders[2 * at]}`.toLowerCase(), `${rawHeaders[2 * at + 1]}`] as const;
        });
        const header = (name: string): string | undefined => found.find(([each]) => each === name)?.[1];
        resolve({ status, lines: found, bytes: all, text: all.toString(), header });
      });
    });
    sent.on("error", reject);
    // In pieces that are no multiple of any buffer's size.
    const PIECE = 65_383;
    for (let at = 0; bytes && at < bytes.length; at += PIECE) sent.write(bytes.subarray(at, at + PIECE));
    sent.end();
  });
}
