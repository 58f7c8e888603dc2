import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ROOT, run } from "../../support/command.ts";
import type { Manifest } from "./project.ts";

export interface Registry {
  readonly url: string;
  /** What was asked for and answered here. */
  readonly served: readonly string[];
  close(): Promise<void>;
}

/** An npm registry on loopback that has one package, from a tarball. For all others it sends to the registry that npm uses. */
export async function serveRegistry(tarball: string, manifest: Manifest): Promise<Registry> {
  const { name, version } = manifest;
  const upstream = (await run("npm", ["config", "get", "registry"], ROOT)).trim();
  const bytes = readFileSync(tarball);
  const hashed = (algorithm: string): ReturnType<typeof createHash> => createHash(algorithm).update(bytes);
  const served: string[] = [];
  let origin = "";
  const server = createServer(({ url = "/" }, response) => {
    if (url !== `/${name}` && url !== `/${name}.tgz`) {
      response.writeHead(302, { location: new URL(url.slice(1), upstream).href }).end();
      return;
    }
    served.push(url);
    if (url.endsWith(".tgz")) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
      return;
    }
    const integrity = `sha512-${hashed("sha512").digest("base64")}`;
    const dist = { tarball: `${origin}/${name}.tgz`, integrity, shasum: hashed("sha1").digest("hex") };
    const versions = { [version]: { ...manifest, dist } };
    const body = { name, "dist-tags": { latest: version }, versions, time: { [version]: new Date().toISOString() } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/`,
    served,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
