/** The flags of Node in gateway/deploy, so that benchmarks measure what users run. `test/deploy.test.ts` compares them. */
export const NODE_FLAGS: readonly string[] = ["--max-semi-space-size=8", "--v8-pool-size=1", "--no-parallel-scavenge"];
