import type { DefaultTheme } from "vitepress";

const group = (text: string, pages: readonly (readonly [text: string, page: string])[]): DefaultTheme.SidebarItem => ({
  text,
  items: pages.map(([title, page]) => ({ text: title, link: `/${page}` })),
});

const ENTRIES = [
  "http",
  "hono",
  "node",
  "lambda",
  "nest",
  "cron",
  "fence",
  "elect",
  "list",
  "queue",
  "agent",
  "otel",
  "ioredis",
  "node-redis",
  "bun",
];

/** The map of the documents. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  group("Start", [
    ["Five minutes", ""],
    ["Which lock do I need?", "which-lock"],
  ]),
  group("Guides", [
    ["Locks", "locks"],
    ["Lease, wait and ttl", "durations"],
    ["How waiting works", "waiting"],
    ["Webhooks", "webhooks"],
    ["Webhook senders", "senders"],
    ["Stripe on Workers", "stripe"],
    ["Crons", "cron"],
    ["Fencing", "fencing"],
    ["One result for all callers", "one-result"],
    ["Single flight", "single-flight"],
    ["Agents", "agents"],
    ["Newest wins, queue, reject", "newest-wins"],
    ["Keep-alive", "keep-alive"],
    ["Hand a lease to a queue", "hand-over"],
    ["Leader election", "leader"],
    ["Graceful shutdown", "shutdown"],
    ["Tests", "testing"],
    ["Redis over TCP", "tcp"],
    ["Durable Objects", "durable-object"],
    ["Next.js", "nextjs"],
    ["NestJS", "nest"],
    ["Limits of platforms", "limits"],
    ["Migrating", "migrating"],
  ]),
  group("Operate", [
    ["Operations", "operations"],
    ["The gateway in detail", "gateway"],
    ["Command line", "command-line"],
    ["The page", "ui"],
    ["Traces and metrics", "observability"],
  ]),
  group("Reference", [
    ["Errors", "errors"],
    ["Guarantees", "guarantees"],
    ["Glossary", "glossary"],
    ["Versions", "versions"],
    ["Roadmap", "roadmap"],
    ["leasehold", "reference/leasehold"],
    ...ENTRIES.map((entry) => [`leasehold/${entry}`, `reference/leasehold/${entry}`] as const),
  ]),
  group("Research", [
    ["Proof", "proof"],
    ["Histories", "histories"],
    ["Rules broken on purpose", "mutation"],
    ["Faults of others", "faults-of-others"],
    ["Costs and benchmarks", "costs"],
    ["Scale and prices", "scale"],
  ]),
];
