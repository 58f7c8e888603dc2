import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { freshName, pause, useStack } from "../../support/use-stack.ts";
import { closeClients } from "../clients.ts";
import { ROOT, textOf } from "../markdown.ts";

/** What each pair of examples exports: the same function by the other library and by this one. */
interface Example {
  pay(id: string, work: () => Promise<string>): Promise<string>;
}

const page = textOf("docs/migrating.md");
const BLOCK = /^<!-- (before|after): ([\w-]+) -->\n```ts\n([\s\S]*?)^```$/gm;
const blocks = [...page.matchAll(BLOCK)].map(([, when = "", library = "", text = ""]) => ({ when, library, text }));

const stack = useStack();
let folder: string;
const examples = new Map<string, Example>();
beforeAll(async () => {
  vi.stubEnv("REDIS_URL", stack.redis.url);
  folder = mkdtempSync(join(ROOT, "test/documents/.examples-"));
  for (const { when, library, text } of blocks) {
    const file = join(folder, `${when}-${library}.ts`);
    const here = text.replace(/from "(ioredis|redis)"/g, 'from "../clients.ts"');
    writeFileSync(file, here);
    examples.set(`${when} ${library}`, (await import(/* @vite-ignore */ file)) as Example);
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  closeClients();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => stack.redis.command("FLUSHALL"));

const exampleOf = (when: string, library: string): Example => {
  const example = examples.get(`${when} ${library}`);
  if (!example) throw new Error(`no example ${when} ${library}`);
  return example;
};

it("every example has its counterpart", () => {
  const named = (wanted: string): string[] =>
    blocks.filter(({ when }) => when === wanted).map(({ library }) => library);
  expect(named("before")).toEqual(["redlock-universal", "verrou", "powertools"]);
  expect(named("after")).toEqual(named("before"));
});

describe.each(["redlock-universal", "verrou"])("from %s", (library) => {
  it.each(["before", "after"])("%s, calls for one name take turns, and those for another do not wait", async (when) => {
    const { pay } = exampleOf(when, library);
    const name = freshName("turns");
    let inside = 0;
    let max = 0;
    const work = async (): Promise<string> => {
      max = Math.max(max, ++inside);
      await pause(30);
      inside -= 1;
      return "charged";
    };
    expect(await Promise.all([1, 2, 3].map(() => pay(name, work)))).toEqual(Array(3).fill("charged"));
    expect(max).toBe(1);
    await pay(name, async () => pay(`${name} 2`, async () => "another"));
  });

  it("the old lock around the new one excludes both versions beside it", async () => {
    const [old, next] = [exampleOf("before", library), exampleOf("after", library)];
    const name = freshName("rollout");
    const both = (work: () => Promise<string>): Promise<string> => old.pay(name, () => next.pay(name, work));
    let inside = 0;
    const work = async (): Promise<string> => {
      expect(++inside).toBe(1);
      await pause(20);
      inside -= 1;
      return "done";
    };
    await Promise.all([both(work), old.pay(name, work)]);
    await Promise.all([both(work), next.pay(name, work)]);
  });

  it.each(["before", "after"])("%s, the error of the work is the error of the call", async (when) => {
    const failing = exampleOf(when, library).pay(freshName("fails"), async () => {
      throw new Error("declined");
    });
    await expect(failing).rejects.toThrow("declined");
  });
});

describe("from powertools", () => {
  it.each(["before", "after"])("%s, a function runs once for a key, and later calls get its result", async (when) => {
    const { pay } = exampleOf(when, "powertools");
    const name = freshName("once");
    let runs = 0;
    const work = async (): Promise<string> => `run ${++runs}`;
    expect(await pay(name, work)).toBe("run 1");
    expect(await pay(name, work)).toBe("run 1");
    expect(await pay(`${name} 2`, work)).toBe("run 2");
  });

  it.each(["before", "after"])("%s, a failure is not remembered", async (when) => {
    const { pay } = exampleOf(when, "powertools");
    const name = freshName("failure");
    const failing = pay(name, async () => {
      throw new Error("declined");
    });
    await expect(failing).rejects.toThrow();
    expect(await pay(name, async () => "charged")).toBe("charged");
  });

  it("after, a duplicate during the run gets its result; before, both run", async () => {
    const overlap = async (when: string): Promise<number> => {
      const { pay } = exampleOf(when, "powertools");
      const name = freshName("overlap");
      let runs = 0;
      const work = async (): Promise<string> => {
        runs += 1;
        await pause(100);
        return "charged";
      };
      await Promise.allSettled([pay(name, work), pause(20).then(() => pay(name, work))]);
      return runs;
    };
    expect(await overlap("after")).toBe(1);
    // Without a Lambda's deadline: docs/faults-of-others.md.
    expect(await overlap("before")).toBe(2);
  });

  it("takes as many commands for a first call and for a repeat as the page says", async () => {
    const commands = async (when: string): Promise<string> => {
      const { pay } = exampleOf(when, "powertools");
      const work = async (): Promise<string> => "charged";
      await pay(freshName("warm"), work);
      const name = freshName("counted");
      const first = await stack.commandsOf(() => pay(name, work));
      return `${first}; for a repeat ${await stack.commandsOf(() => pay(name, work))}`;
    };
    const [, before, after] = /^\| Redis commands: (.*?) \| Redis commands: (.*?) \|$/m.exec(page) ?? [];
    expect([await commands("before"), await commands("after")]).toEqual([before, after]);
  });

  it("the old function inside the new one returns old results, and stores new ones", async () => {
    const [old, next] = [exampleOf("before", "powertools"), exampleOf("after", "powertools")];
    const name = freshName("rollout");
    await old.pay(name, async () => "old");
    expect(await next.pay(name, () => old.pay(name, async () => "new"))).toBe("old");
  });
});
