import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createNoopMeter, type Meter } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { otel } from "../../src/otel/index.ts";
import { textOf } from "../documents/markdown.ts";

const DEPLOY = join(import.meta.dirname, "../../docs/deploy");
const alerts = readFileSync(join(DEPLOY, "prometheus-alerts.yml"), "utf8");
const dashboard = JSON.parse(readFileSync(join(DEPLOY, "grafana-dashboard.json"), "utf8")) as {
  readonly panels: readonly { readonly type: string; readonly targets?: readonly { readonly expr: string }[] }[];
};

/** The metrics that the code makes: their names, and the endings that Prometheus gives them. */
function metricsOfCode(): ReadonlyMap<string, readonly string[]> {
  const made = new Map<string, readonly string[]>();
  const noop = createNoopMeter();
  const meter: Meter = Object.assign(Object.create(noop) as Meter, {
    createHistogram(name: string) {
      made.set(name, ["_seconds_bucket", "_seconds_count", "_seconds_sum"]);
      return noop.createHistogram(name);
    },
    createCounter(name: string) {
      made.set(name, ["_total"]);
      return noop.createCounter(name);
    },
    createUpDownCounter(name: string) {
      made.set(name, [""]);
      return noop.createUpDownCounter(name);
    },
  });
  otel({ meter }).onEvent({ kind: "lock", name: "a", type: "acquired", token: 1, waitedMs: 0, polls: 1 });
  return made;
}
const metrics = metricsOfCode();
const inPrometheus = new Set(
  [...metrics].flatMap(([name, endings]) => endings.map((ending) => name.replaceAll(".", "_") + ending)),
);

/** Names of metrics in an expression: what no label list, no grouping and no function is. */
const metricsIn = (expression: string): readonly string[] => {
  const bare = expression.replace(/\{[^}]*\}/g, "").replace(/\bby \([^)]*\)/g, "");
  return bare.match(/\bleasehold_\w+/g) ?? [];
};
/** Names of labels in an expression. */
const labelsIn = (expression: string): readonly string[] => [
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
  ...[...expression.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = ""]) => label),
];
/** As the code names attributes. */
const LABELS = /^(le|error_type|leasehold_(kind|name|operation|outcome|reason|sender|status|why))$/;

/** The rules, read line by line: any other line than a rule file has is an error. */
function rulesOf(text: string): readonly Readonly<Record<string, string>>[] {
  const rules: Record<string, string>[] = [];
  const known =
    /^(?:#.*|groups:| {2}- name: \w+| {4}rules:| {6}- (alert): (\w+)| {8}(expr|for): (.+)| {8}(?:labels|annotations):| {10}(severity|summary|description): (.+))$/;
  for (const line of text.trimEnd().split("\n")) {
    const found = known.exec(line);
    if (!found) throw new Error(`not a line of a rule: ${line}`);
    const [key, value] = found.slice(1).filter((part) => part !== undefined);
    if (key === "alert") rules.push({});
    const rule = rules.at(-1);
    if (rule && key !== undefined && value !== undefined) rule[key] = value;
  }
  return rules;
}

describe("deploy/", () => {
  const rules = rulesOf(alerts);

  it("alerts on metrics and labels that the code makes, and says of each what to do", () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules) {
      const found = metricsIn(rule["expr"] ?? "");
      expect(found.length).toBeGreaterThan(0);
      for (const metric of found) expect(inPrometheus).toContain(metric);
      for (const label of labelsIn(rule["expr"] ?? "")) expect(label).toMatch(LABELS);
      expect(Object.keys(rule)).toEqual(
        expect.arrayContaining(["alert", "expr", "severity", "summary", "description"]),
      );
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it("has alerts that promtool accepts, where it is installed", () => {
    const file = join(DEPLOY, "prometheus-alerts.yml");
    const { error, status, stdout, stderr } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" });
    if (error) console.warn("promtool is not installed, so only our own reader has read the alerts");
    else expect([status, stdout + stderr]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
  });

  it("shows every metric on the dashboard, and no others", () => {
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const shown = new Set(expressions.flatMap(metricsIn));
    for (const metric of shown) expect(inPrometheus).toContain(metric);
    for (const label of expressions.flatMap(labelsIn)) expect(label).toMatch(LABELS);
    for (const name of metrics.keys())
      expect([...shown].filter((metric) => metric.startsWith(name.replaceAll(".", "_")))).not.toEqual([]);
  });
});

it("docs/observability.md has a row for every metric", () => {
  const rows = [...textOf("docs/observability.md").matchAll(/^\| `(leasehold\.[\w.]+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual([...metrics.keys()].sort());
});
