import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate with its key, as files and as PEM texts. */
export interface Pair {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** An authority of the tests' own. */
export interface Authority extends Pair {
  /** A certificate for names such as `DNS:redis.test` or `IP:127.0.0.1`. */
  sign(name: string, altNames: string): Pair;
  /** Removes all files. */
  remove(): void;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];

/** Makes an authority with openssl. */
export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-certificates-"));
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const pair = (name: string): Pair => {
    const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    return { certFile, keyFile, cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  };
  const files = (name: string): string[] => ["-keyout", `${name}.key`, "-subj", `/CN=${name}`];
  openssl("req", "-x509", ...NEW_KEY, ...files("authority"), "-out", "authority.crt");
  return {
    ...pair("authority"),
    sign(name, altNames) {
      openssl("req", ...NEW_KEY, ...files(name), "-out", `${name}.csr`);
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${altNames}\n`);
      const authority = ["-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial", "-days", "2"];
      openssl("x509", "-req", "-in", `${name}.csr`, ...authority, "-extfile", `${name}.ext`, "-out", `${name}.crt`);
      return pair(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
