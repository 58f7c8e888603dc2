import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { call, stage, TOKEN, until } from "../support/harness.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const it_ = stage({ token: [TOKEN, { name: "shop", token: "limited" }], maxRequestsPerSecond: 100_000 });

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const ALERTS = join(DEPLOY, "prometheus-alerts.yml");
const rules = (parse(readFileSync(ALERTS, "utf8")) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync(join(DEPLOY, "grafana-dashboard.json"), "utf8")) as Dashboard;

/** The names of the labels of each metric in the exporter's own text, and the values of some of them. */
const labelsOf = new Map<string, Set<string>>();
const values = new Set<string>();
const metricsIn = (expression: string): readonly string[] => expression.match(/\bleasehold_gateway_\w+/g) ?? [];

/** The names of labels in an expression: those that select, and those that group. */
const labelsIn = (expression: string): readonly string[] => [
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
  ...[...expression.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = ""]) => label),
];

beforeAll(async () => {
  await it_.run("SET", "a", "1");
  await it_.run("LPUSH", "a", "1");
  await it_.run("EVALSHA", "0".repeat(40), "0");
  await call(it_.gateway.url, "no JSON");
  const text = await until(
    async () => (await fetch(`${it_.gateway.url}/metrics`)).text(),
    (said) => said.includes("token_refusals_total{"),
  );
  for (const line of text.split("\n")) {
    const [, declared] = /^# TYPE (leasehold_gateway_\w+)/.exec(line) ?? [];
    if (declared !== undefined && !labelsOf.has(declared)) labelsOf.set(declared, new Set());
    const [, name, labels = ""] = /^(leasehold_gateway_\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const known = labelsOf.get(name) ?? new Set();
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.add(label);
      values.add(`${label}=${value}`);
    }
    labelsOf.set(name, known);
  }
});

function check(expression: string): void {
  const metrics = metricsIn(expression);
  expect(metrics.length).toBeGreaterThan(0);
  for (const metric of metrics) expect([...labelsOf.keys()]).toContain(metric);
  const known = new Set(metrics.flatMap((metric) => [...(labelsOf.get(metric) ?? [])]));
  for (const label of labelsIn(expression)) expect([expression, ...known]).toContain(label);
}

it("alerts name metrics and labels of the exporter's own text, and say what to do (29)", () => {
  expect(rules.length).toBeGreaterThan(5);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { expr, labels, annotations } of rules) {
    check(expr);
    expect(labels.severity).toMatch(/^(critical|warning|info)$/);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(annotations.description.length).toBeGreaterThan(10);
  }
});

it("every metric of the exporter is on the dashboard, and no other (29)", () => {
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  for (const expression of expressions) check(expression);
  const shown = new Set(expressions.flatMap(metricsIn).map((name) => name.replace(/_bucket$/, "")));
  const exported = [...labelsOf.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
  expect([...shown].sort()).toEqual([...new Set(exported)].sort());
});

it("promtool accepts the alerts, where it is installed (29)", () => {
  const { error, status, stdout, stderr } = spawnSync("promtool", ["check", "rules", ALERTS], { encoding: "utf8" });
  if (error) console.warn("promtool is not installed, so only this test has read the alerts");
  else expect([status, stdout + stderr]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
});
