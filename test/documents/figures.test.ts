import { describe, expect, it } from "vitest";
import { sectionOf } from "../../bench/document.ts";
import { OBJECT_HEAD_BYTES } from "../../src/fence/index.ts";
import * as hono from "../../src/hono/index.ts";
import { connect } from "../../src/index.ts";
import { tablesOf, textOf } from "./markdown.ts";

const [readme, costs, cron, webhooks, senderPage, durations, locks, limits] = [
  "README.md",
  ...["costs", "cron", "webhooks", "senders", "durations", "locks", "limits"].map((name) => `docs/${name}.md`),
].map(textOf) as [string, string, string, string, string, string, string, string];
const manifest = JSON.parse(textOf("package.json"));

/** The first match's groups. */
const figures = (text: string, pattern: RegExp): string[] => {
  const found = pattern.exec(text)?.slice(1);
  expect(found, `${pattern} stands nowhere`).toBeDefined();
  return found ?? [];
};
/** The cells of the row that begins so. */
const cells = (text: string, name: string): string[] =>
  figures(text, new RegExp(`^\\| ${name.replace(/[+.*()]/g, "\\$&")} \\| (.*) \\|$`, "m"))[0]?.split(" | ") ?? [];

describe("sizes", () => {
  it("have a row and a limit for each bundle that is measured", () => {
    for (const { name, limit } of manifest["size-limit"]) {
      const [size = "", stated = ""] = cells(costs, name);
      expect(Number.parseFloat(stated)).toBeCloseTo(Number.parseFloat(limit), 1);
      // Rounded to a tenth.
      expect(Number.parseFloat(size)).toBeLessThanOrEqual(Number.parseFloat(limit) + 0.05);
    }
  });

  it("are below what the README promises", () => {
    const [promised] = figures(readme, /`connect` and `lock` add\s+less\s+than (\d+) kB/);
    expect(Number.parseFloat(cells(costs, "connect + lock")[1] ?? "")).toBeLessThanOrEqual(Number(promised));
  });
});

describe("requests", () => {
  const dedupe = (what: string): string[] => cells(costs, `\`dedupe\`: ${what}`);
  const cronRow = (what: string): string[] => cells(costs, `\`leasehold/cron\`: ${what}`);

  it("are the same with webhooks", () => {
    expect(
      figures(webhooks, /costs (\d) requests to Redis \((\d) commands\), a duplicate (\d) \((\d) commands\)/),
    ).toEqual([...dedupe("a delivery"), ...dedupe("a duplicate")]);
  });

  it("are the same with crons", () => {
    const [run] = cronRow("a run");
    expect(cells(cron, "a run")[0]?.split(":")[0]).toBe(run);
    expect(cells(cron, "already ran, or the same slot is running")).toEqual(cronRow("a duplicate").slice(0, 1));
    expect(cells(cron, "the previous occurrence is running")).toEqual(cronRow("an overlap").slice(0, 1));
    const stated = figures(limits, /An `acquire` and a release are (\d), a `dedupe` delivery (\d), a cron run (\d)/);
    expect(stated).toEqual(["2", dedupe("a delivery")[0], run]);
  });
});

/** Every sender of the package that signs, by the name of its function. */
const senders = Object.entries(hono).flatMap(([name, make]) =>
  ["dedupe", "dedupeKey", "idempotencyKey"].includes(name)
    ? []
    : [{ name, sender: (make as typeof hono.stripe)({ verify: () => true }) }],
);

describe("prices at Upstash", () => {
  const scale = textOf("docs/scale.md");
  const amount = (text: string): number => Number(text.replaceAll(/[$ ]/g, ""));
  const [perHundredThousand = ""] = figures(scale, /^\| pay as you go \| \$(\S+) per 100 000 commands \|/m);
  const perCommand = amount(perHundredThousand) / 100_000;

  it("follow from the commands of each operation (54.2)", () => {
    const [acquire, , , perSecond = ""] = cells(scale, "acquire and release");
    const [, price = "", commands = ""] = /^\$(\S+) \((\d+)\)$/.exec(acquire ?? "") ?? [];
    expect(Number(commands)).toBe(2 * Number(cells(costs, "acquire, extend, release, cancel")[1]));
    expect(amount(price)).toBeCloseTo(Number(commands) * perCommand * 1_000_000, 6);
    const [ceiling = ""] = figures(scale, /\*\*The ceiling is ([\d ]+) cycles a second\*\*/);
    expect([amount(ceiling), amount(ceiling)]).toEqual([10_000 / Number(commands), amount(perSecond)]);
    const [free = "", cycles = ""] = figures(scale, /^\| free \| \$0 \| ([\d ]+) commands \| ([\d ]+) \|$/m);
    expect(amount(free) / Number(commands)).toBe(amount(cycles));
    for (const [, count = "", each = ""] of scale.matchAll(/^\| Upstash: .* \| \d+ \| (\d+) \| \$(\d+) \|$/gm))
      expect(amount(each)).toBe(Math.round(amount(count) * perCommand * 1_000_000));
  });

  it("break even with the fixed plan where the pages say (54.2)", () => {
    const [fixed = ""] = figures(scale, /^\| fixed, the smallest \| \$(\d+) \|/m);
    const perCycle = 2 * Number(cells(costs, "acquire, extend, release, cancel")[1]) * perCommand;
    const breakEven = Math.round(amount(fixed) / perCycle);
    expect(amount(figures(scale, /break-even is ([\d ]+) cycles a month/)[0] ?? "")).toBe(breakEven);
    expect(amount(figures(scale, /From ([\d ]+) cycles a month on/)[0] ?? "")).toBe(breakEven);
    expect(amount(figures(costs, /million commands a month on \(([\d ]+) cycles\)/)[0] ?? "")).toBe(breakEven);
  });
});

describe("defaults", () => {
  const ms = (text: string): number => {
    const [amount, unit] = figures(text, /(\d+) (s|min|h|d)\b/) as [string, "s" | "min" | "h" | "d"];
    return Number(amount) * { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  };

  it("of a connection are those of the code, in both tables", () => {
    const { leaseMs, retentionMs, requestTimeoutMs, prefix } = connect({ url: "http://127.0.0.1:1", token: "x" });
    const of = { lease: leaseMs, retention: retentionMs, requestTimeout: requestTimeoutMs };
    for (const [name, value] of Object.entries(of)) {
      expect(ms(cells(durations, `\`${name}\``)[1] ?? "")).toBe(value);
      expect(ms(cells(locks, `\`${name}\``)[0] ?? "")).toBe(value);
    }
    expect(cells(locks, "`prefix`")[0]).toBe(`\`"${prefix}"\``);
  });

  it("of senders are those of the code", () => {
    for (const { name, sender } of senders) {
      const days = new RegExp(`^\\| \`${name}\`.*\\| (\\d+) days? \\|`, "m");
      expect(`${figures(senderPage, days)[0]}d`).toBe(sender.ttl);
    }
    expect(`${figures(senderPage, /^\| `idempotencyKey`.*\| (\d+) hours \|/m)[0]}h`).toBe(hono.idempotencyKey().ttl);
  });

  it("of senders have a source, the id and what it is bound to, as in the code", () => {
    const bound = { nothing: /^nothing/, body: /^the body$/, request: /^method, path, query and body$/ };
    for (const { name, sender } of senders) {
      const [head, id = "", ...others] =
        figures(senderPage, new RegExp(`^\\| (\`${name}\`.*) \\|$`, "m"))[0]?.split(" | ") ?? [];
      expect(head).toMatch(/\(\[1\]\(https:\/\//);
      expect(id).toContain(`\`${sender.idName}\``);
      expect(others[0] === "yes").toBe(sender.signsId === true);
      expect(others.at(-1)).toMatch(bound[sender.binds]);
    }
  });

  it("of senders that need other answers are those of the code", () => {
    const others = senders.filter(({ sender }) => sender.answers).map(({ name }) => name);
    expect(others.sort()).toEqual(["qstash", "sns", "svix"]);
    for (const { name, sender } of senders) {
      const { running: again = {}, exhausted: { code: stop = 422, headers = {} } = {} } = sender.answers ?? {};
      const [running = "", stopped = ""] = cells(senderPage, sender.answers ? `\`${name}\`` : "most");
      if (running !== "the same")
        expect(running).toMatch(`${again.code ?? 409} with${"retryAfterMs" in again ? "out" : ""} \`Retry-After\``);
      expect(stopped).toContain(`${stop}`);
      for (const [header, value] of Object.entries(headers)) expect(stopped).toContain(`\`${header}: ${value}\``);
    }
  });
});

it("requestTimeout has one definition, in both tables and in the doc comment (54.8)", () => {
  const definition = "the time limit of a call that does not wait, with its retries and its cancel";
  const comment = textOf("src/redis/connect.ts")
    .replace(/\s+\*?\s*/g, " ")
    .toLowerCase();
  for (const text of [cells(durations, "`requestTimeout`")[0], cells(locks, "`requestTimeout`")[1], comment])
    expect(text?.toLowerCase()).toContain(definition);
});

it("the sentences that had to be read twice are gone (54.8)", () => {
  const pages =
    "README.md docs/locks.md docs/guarantees.md docs/webhooks.md docs/cron.md docs/costs.md docs/command-line.md";
  const sources = "src/lease/backoff.ts src/kinds/multi-lock.ts nest/src/runtime.ts test/lease/answers.test.ts";
  const text = `${pages} ${sources}`
    .split(" ")
    .map(textOf)
    .join("\n")
    .replace(/\s+(\* )?/g, " ");
  for (const puzzle of [
    "if the server has the last record *or*",
    "of one request, and of a call that does not wait",
    "By Little's law",
    "since the largest of its tokens could exceed",
    "also becomes this 409",
    "The replay of an ID with another body is refused",
    "counts the calls that began the slot",
    "Polls of two commands skip",
    "no failover can lose a lock, and the option",
    "What operations make of the answers",
  ])
    expect(text).not.toContain(puzzle);
});

it("the oldest Node and TypeScript are those that are tested", () => {
  const oldest = /@(\d+\.\d+)/.exec(manifest.devDependencies["typescript-oldest"])?.[1];
  expect(cells(limits, "TypeScript")[0]).toContain(`${oldest} or later`);
  expect(manifest.engines.node).toBe(`>=${figures(readme, /\bwith Node (\d+) or later/i)[0]}`);
  expect(cells(limits, "Node")[0]).toContain("20 or later");
});

it("the bytes before a fenced object's content are as many as the code says", () => {
  expect(textOf("docs/fencing.md")).toContain(`in ${OBJECT_HEAD_BYTES} bytes of text before the content`);
});

/** The text between two marks, its date, commit and machine, and its tables. */
function measured(name: string) {
  const [written = ""] = figures(
    textOf("docs/benchmarks.md"),
    new RegExp(`<!-- ${name} -->\\n([\\s\\S]*)<!-- end ${name} -->`),
  );
  const [date = "", commit = "", machine = ""] = figures(
    written,
    /^Measured on ([\d-]+) on commit `([^`]+)`, on one machine: (.+)\.$/m,
  );
  const tables = [...written.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table.trim());
  return { written, date, commit, machine, tables, heads: tablesOf(written).map(({ head }) => head) };
}

describe("the benchmark's parts of the document have the shape that the benchmark writes", () => {
  it.each([
    ["bench", "acquire + release"],
    ["bench far away", "acquire + release"],
    ["bench of waiting", "contention"],
    ["bench of faults", "fault in the request to …"],
    ["bench over TCP", "acquire + release over TCP"],
  ])("%s", (name, heading) => {
    const { written, tables, heads, ...where } = measured(name);
    expect(sectionOf(tables[0] ?? "", where)).toBe(written);
    expect(heads).toEqual([heading]);
  });
});
