import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ROOT, run } from "../../support/command.ts";
import { type Manifest, manifestOf } from "./project.ts";

export interface Registry {
  readonly url: string;
  /** The requests that were answered here. */
  readonly served: readonly string[];
  close(): Promise<void>;
}

interface Published {
  readonly manifest: Manifest;
  readonly bytes: Buffer;
}

const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes);

/** A registry's document about a package. */
function documentOf({ manifest, bytes }: Published, origin: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${digest("sha512", bytes).digest("base64")}`;
  const dist = { tarball: `${origin}/${name}.tgz`, integrity, shasum: digest("sha1", bytes).digest("hex") };
  const time = { [version]: new Date().toISOString() };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } }, time };
}

/** An npm registry on loopback that has these packages. For all others it sends to the registry that npm uses. */
export async function serveRegistry(...tarballs: readonly string[]): Promise<Registry> {
  const upstream = (await run("npm", ["config", "get", "registry"], ROOT)).trim();
  const packages = new Map<string, Published>();
  for (const tarball of tarballs) {
    const manifest = await manifestOf(tarball);
    packages.set(manifest.name, { manifest, bytes: readFileSync(tarball) });
  }
  const served: string[] = [];
  let origin = "";
  const server = createServer(({ url = "/" }, response) => {
    const [, name = "", extension] = /^\/([\w-]+)(\.tgz)?$/.exec(url) ?? [];
    const found = packages.get(name);
    if (found === undefined) {
      response.writeHead(302, { location: new URL(url.slice(1), upstream).href }).end();
      return;
    }
    served.push(url);
    if (extension === undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(documentOf(found, origin)));
    } else response.writeHead(200, { "content-type": "application/octet-stream" }).end(found.bytes);
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
