import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

it("alerts name metrics and labels of the exporter's own text, and say what to do", () => {
  expect(rules.length).toBeGreaterThan(5);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { expr, labels, annotations } of rules) {
    check(expr);
    expect(labels.severity).toMatch(/^(critical|warning|info)$/);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(annotations.description.length).toBeGreaterThan(10);
  }
});

it("every metric of the exporter is on the dashboard, and no other", () => {
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  for (const expression of expressions) check(expression);
  const shown = new Set(expressions.flatMap(metricsIn).map((name) => name.replace(/_bucket$/, "")));
  const exported = [...labelsOf.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
  expect([...shown].sort()).toEqual([...new Set(exported)].sort());
});

/** Runs promtool, or says that it was not run. */
function promtool(...args: readonly string[]): { status: number | null; said: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
  if (!error) return { status, said: stdout + stderr };
  console.warn("promtool is not installed (apt-get install prometheus), so it has not read the alerts");
  return undefined;
}

it("promtool accepts the alerts, where it is installed", () => {
  const checked = promtool("check", "rules", ALERTS);
  if (checked !== undefined)
    expect(checked).toEqual({ status: 0, said: expect.stringContaining(`${rules.length} rules found`) });
});

interface Raised {
  readonly alert: string;
  /** Series of the exporter for half an hour, one value a minute. */
  readonly series: Readonly<Record<string, string>>;
  /** When they raise the alert. */
  readonly at: string;
  /** The labels of the alert besides its severity. */
  readonly labels?: Readonly<Record<string, string>>;
}

const SHOP = { database: "a", token: "shop" };
const RAISED: readonly Raised[] = [
  {
    alert: "LeaseholdGatewayRedisDown",
    series: { 'redis_up{database="a"}': "1x5 0x25" },
    at: "7m",
    labels: { database: "a" },
  },
  { alert: "LeaseholdGatewayNoAnswer", series: { 'errors_total{kind="no_answer"}': "0x5 0+60x25" }, at: "15m" },
  { alert: "LeaseholdGatewayNotSent", series: { 'errors_total{kind="not_sent"}': "0x5 0+60x25" }, at: "15m" },
  { alert: "LeaseholdGatewayInternalError", series: { 'errors_total{kind="internal"}': "0x5 1x25" }, at: "8m" },
  {
    alert: "LeaseholdGatewayTokenLimited",
    series: { 'token_refusals_total{database="a",token="shop",status="429"}': "0x5 0+600x25" },
    at: "20m",
    labels: SHOP,
  },
  { alert: "LeaseholdGatewayConnectionsRefused", series: { connections_refused_total: "0x5 3x25" }, at: "8m" },
  {
    // Each minute has 100 requests, of which 10 take more than a second from the sixth minute on.
    alert: "LeaseholdGatewaySlow",
    series: {
      'request_duration_seconds_bucket{route="command",le="0.1"}': "0+100x5 590+90x25",
      'request_duration_seconds_bucket{route="command",le="1"}': "0+100x5 590+90x25",
      'request_duration_seconds_bucket{route="command",le="+Inf"}': "0+100x30",
    },
    at: "20m",
  },
];

it("promtool raises each alert at its time, and none without a fault, where it is installed", () => {
  const file = join(mkdtempSync(join(tmpdir(), "leasehold-alerts-")), "test.yml");
  const expected = (alert: string, labels: object) => {
    const rule = rules.find((one) => one.alert === alert);
    const filled = (text = ""): string =>
      text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => String(labels[name as keyof typeof labels]));
    const { summary, description } = rule?.annotations ?? {};
    return {
      exp_labels: { severity: rule?.labels.severity, ...labels },
      exp_annotations: { summary: filled(summary), description: filled(description) },
    };
  };
  const tests = RAISED.map(({ alert, series, at, labels = {} }) => ({
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: `leasehold_gateway_${name}`, values })),
    alert_rule_test: [
      { eval_time: "4m", alertname: alert, exp_alerts: [] },
      { eval_time: at, alertname: alert, exp_alerts: [expected(alert, labels)] },
    ],
  }));
  expect(RAISED.map(({ alert }) => alert).sort()).toEqual(rules.map(({ alert }) => alert).sort());
  // YAML is a superset of JSON.
  writeFileSync(file, JSON.stringify({ rule_files: [ALERTS], evaluation_interval: "1m", tests }));
  const tested = promtool("test", "rules", file);
  rmSync(dirname(file), { recursive: true });
  if (tested !== undefined) expect(tested).toEqual({ status: 0, said: expect.stringContaining("SUCCESS") });
});

it("has every kind of error from the start, since the increase of a new series does not count its first value", async () => {
  const text = await (await fetch(`${it_.gateway.url}/metrics`)).text();
  for (const { expr } of rules)
    for (const [, kind] of expr.matchAll(/errors_total\{kind="(\w+)"\}/g))
      expect(text).toMatch(new RegExp(`^leasehold_gateway_errors_total\\{kind="${kind}"\\} 0$`, "m"));
});
