/** As much of S3 as the fence speaks, in front of an R2 bucket, which decides about every condition. */
import type { R2Bucket, Headers as R2Headers, R2ObjectBody } from "@cloudflare/workers-types";
import { AwsV4Signer } from "aws4fetch";

export const KEYS = { accessKeyId: "test-key", secretAccessKey: "test-secret", region: "auto", service: "s3" } as const;

/** Whether this is what the owner of the key signed, conditions included. */
async function signed(request: Request): Promise<boolean> {
  const [, names = ""] = /SignedHeaders=([^,]+)/.exec(request.headers.get("authorization") ?? "") ?? [];
  const headers = new Headers();
  for (const name of names.split(";")) if (name !== "host") headers.set(name, request.headers.get(name) ?? "");
  const covered = ["if-match", "if-none-match"].every((name) => !request.headers.has(name) || headers.has(name));
  const datetime = request.headers.get("x-amz-date") ?? "";
  const { method, url } = request;
  const signer = new AwsV4Signer({ ...KEYS, method, url, headers, datetime });
  const { headers: expected } = await signer.sign();
  return covered && expected.get("authorization") === request.headers.get("authorization");
}

export async function s3(request: Request, bucket: R2Bucket): Promise<Response> {
  const error = (status: number, code: string): Response =>
    new Response(`<Error><Code>${code}</Code></Error>`, { status });
  if (!(await signed(request))) return error(403, "SignatureDoesNotMatch");
  const key = decodeURIComponent(new URL(request.url).pathname.replace(/^\/s3\/bucket\//, ""));
  const conditions = request.headers as unknown as R2Headers;
  if (request.method === "PUT") {
    const written = await bucket.put(key, await request.arrayBuffer(), { onlyIf: conditions });
    return written ? new Response(null, { headers: { etag: written.httpEtag } }) : error(412, "PreconditionFailed");
  }
  const range = request.headers.has("range");
  const size = range ? (await bucket.head(key))?.size : undefined;
  if (size === 0) return error(416, "InvalidRange");
  const found = (await bucket.get(key, range ? { range: conditions } : {})) as R2ObjectBody | null;
  if (!found) return error(404, "NoSuchKey");
  return new Response(await found.arrayBuffer(), { status: range ? 206 : 200, headers: { etag: found.httpEtag } });
}
