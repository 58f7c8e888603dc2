import { PrismaPg } from "@prisma/adapter-pg";
import { getPrismaClient } from "@prisma/client/runtime/client";

const VERSION = "7.10.0";
const COMPILER = "@prisma/client/runtime/query_compiler_fast_bg.postgresql";
const SCHEMA = `generator client {
  provider = "prisma-client"
}
datasource db {
  provider = "postgresql"
}`;

/** What `prisma generate` writes for a schema without models; the command itself needs programs that npm does not have. */
const PrismaClient = getPrismaClient({
  previewFeatures: [],
  clientVersion: VERSION,
  engineVersion: "0".repeat(40),
  activeProvider: "postgresql",
  inlineSchema: SCHEMA,
  runtimeDataModel: { models: {}, enums: {}, types: {} },
  // No models, no operations, no roots.
  parameterizationSchema: { strings: [], graph: "AAAA" },
  compilerWasm: {
    getRuntime: () => import(`${COMPILER}.mjs`),
    async getQueryCompilerWasmModule() {
      const { wasm } = (await import(`${COMPILER}.wasm-base64.mjs`)) as { readonly wasm: string };
      return new WebAssembly.Module(Buffer.from(wasm, "base64"));
    },
    importName: "./query_compiler_fast_bg.js",
  },
});

/** The transaction of {@link prismaClient}. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...params: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...params: unknown[]): Promise<number>;
}

/** The client that `prisma generate` makes, as far as the tests use it. */
export interface PrismaClient extends PrismaTransaction {
  $transaction<T>(work: (tx: PrismaTransaction) => Promise<T>): Promise<T>;
  $disconnect(): Promise<void>;
}

/** A Prisma client over a Postgres. */
export const prismaClient = (connectionString: string): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 10 }) }) as unknown as PrismaClient;
