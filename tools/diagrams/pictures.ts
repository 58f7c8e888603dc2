/** The diagrams of the documents, by the name of their file. */
import { type Boxes, drawBoxes } from "./boxes.ts";
import { drawSequence, type Sequence } from "./sequence.ts";

const acquire: Sequence = {
  title: "One acquire whose first reply is lost",
  description:
    "Your code calls acquire. leasehold sends EVALSHA with a random id and a deadline. The server grants token 34, but the reply is lost. leasehold retries with the same id and gets the same grant. Your code receives the lease.",
  lanes: ["your code", "leasehold", "Redis"],
  steps: [
    { from: "your code", to: "leasehold", label: ["acquire"] },
    { from: "leasehold", to: "Redis", label: ["EVALSHA: id k7…, deadline"] },
    { from: "Redis", to: "Redis", label: ["free: grants", "token 34 to k7…"] },
    { from: "Redis", to: "leasehold", label: ["granted, 34"], kind: "lost" },
    { from: "leasehold", to: "Redis", label: ["retry: the same id k7…"] },
    { from: "Redis", to: "leasehold", label: ["the same grant, 34"], kind: "reply" },
    { from: "leasehold", to: "your code", label: ["lease, token 34"], kind: "reply" },
    {
      from: "leasehold",
      to: "leasehold",
      label: ["If no reply arrives in time, it sends", "cancel(k7…): the id is never granted again."],
    },
  ],
};

const polled: Sequence = {
  title: "Waiting at a server that answers at once",
  description:
    "A waiter asks, is told that the name is held, sleeps, and asks again until the name is free. Another client releases in between; the waiter notices at its next poll.",
  lanes: ["waiter", "Redis", "holder"],
  steps: [
    { from: "waiter", to: "Redis", label: ["acquire"] },
    { from: "Redis", to: "waiter", label: ["held, 800 ms left"], kind: "reply" },
    { from: "waiter", to: "waiter", label: ["sleeps"] },
    { from: "holder", to: "Redis", label: ["release"] },
    { from: "waiter", to: "waiter", label: ["the name is free,", "and nobody notices"] },
    { from: "waiter", to: "Redis", label: ["next poll"] },
    { from: "Redis", to: "waiter", label: ["granted"], kind: "reply" },
  ],
};

const held: Sequence = {
  title: "Waiting at a server that holds requests",
  description:
    "A waiter sends one request with Prefer: wait. The gateway keeps it. When the holder releases, Redis notifies the gateway, which tries the waiter's script and answers with the grant.",
  lanes: ["waiter", "gateway", "Redis", "holder"],
  steps: [
    { from: "waiter", to: "gateway", label: ["acquire, Prefer: wait=5"] },
    { from: "gateway", to: "Redis", label: ["script"] },
    { from: "Redis", to: "gateway", label: ["held"], kind: "reply" },
    { from: "gateway", to: "gateway", label: ["holds the request"] },
    { from: "holder", to: "Redis", label: ["release"] },
    { from: "Redis", to: "gateway", label: ["key changed"], kind: "reply" },
    { from: "gateway", to: "Redis", label: ["script"] },
    { from: "Redis", to: "gateway", label: ["granted"], kind: "reply" },
    { from: "gateway", to: "waiter", label: ["granted"], kind: "reply" },
  ],
};

const quorum: Sequence = {
  title: "The two rounds of a quorum lock",
  description:
    "In the first round a client acquires on three servers and gets the tokens 7, 9 and no reply. In the second round it writes the highest token, 9, to all of them. With two acknowledgements it returns a lease with token 9.",
  lanes: ["client", "A", "B", "C"],
  steps: [
    { from: "client", to: "C", label: ["1. acquire on all, with one id"] },
    { from: "A", to: "client", label: ["token 7"], kind: "reply" },
    { from: "B", to: "client", label: ["token 9"], kind: "reply" },
    { from: "C", to: "client", label: ["no reply"], kind: "lost" },
    { from: "client", to: "C", label: ["2. commit the highest token, 9"] },
    { from: "A", to: "client", label: ["acknowledged"], kind: "reply" },
    { from: "B", to: "client", label: ["acknowledged"], kind: "reply" },
    { from: "client", to: "client", label: ["a majority: lease, 9"] },
  ],
};

const once: Boxes = {
  title: "The states of a once",
  description:
    "A key is free. The first begin makes it running. Complete makes it done, and every later begin returns the result. A failed or crashed attempt makes it idle: the next begin runs again, until maxAttempts is reached and it is exhausted.",
  height: 466,
  boxes: [
    { x: 145, y: 16, width: 160, label: ["free"] },
    { x: 145, y: 124, width: 160, label: ["running", "others: 409, or wait"] },
    { x: 264, y: 276, width: 172, label: ["done", "others: the result"], style: "end" },
    { x: 14, y: 276, width: 160, label: ["idle", "may run again"], style: "warn" },
    { x: 14, y: 396, width: 160, label: ["exhausted", "others: 422"], style: "warn" },
  ],
  arrows: [
    { path: "M225 50V121", label: { x: 225, y: 92, text: ["begin"] } },
    { path: "M270 176V224H350V273", label: { x: 350, y: 218, text: ["complete"] } },
    { path: "M180 176V224H94V273", label: { x: 94, y: 218, text: ["fail, or lease ended"] } },
    { path: "M40 273V142H142", label: { x: 74, y: 136, text: ["begin"] } },
    { path: "M94 328V393", label: { x: 112, y: 364, text: ["maxAttempts reached"] } },
    { path: "M436 300H442V33H308", label: { x: 376, y: 27, text: ["ttl ended"] } },
  ],
};

const packages: Boxes = {
  title: "The packages and the folders of leasehold",
  description:
    "Doors (http, hono, cron, elect, list, queue) use kinds and fences. Kinds use the engine, the engine uses redis, and redis uses shared. redis sends the scripts of lua to a server: Upstash, a Redis, leasehold-gateway, a Durable Object, or the Redis in memory of leasehold-testing.",
  height: 476,
  boxes: [
    { x: 25, y: 16, width: 400, label: ["http · hono · node · lambda · cron", "dedupe · elect · list · queue"] },
    { x: 25, y: 100, width: 260, label: ["kinds", "lock, semaphore, once, …"] },
    { x: 315, y: 100, width: 110, label: ["fence", "tokens"] },
    { x: 25, y: 184, width: 400, label: ["engine", "acquire, wait, lease, keep-alive"] },
    { x: 25, y: 268, width: 250, label: ["redis", "scripts, retries, transports, tcp"] },
    { x: 315, y: 268, width: 110, label: ["shared", "errors, checks"] },
    { x: 25, y: 380, width: 190, label: ["Redis, Upstash"], style: "end" },
    { x: 235, y: 380, width: 190, label: ["leasehold-gateway"], style: "end" },
    { x: 25, y: 426, width: 190, label: ["Durable Object"], style: "end" },
    { x: 235, y: 426, width: 190, label: ["leasehold-testing"], style: "end" },
  ],
  arrows: [
    { path: "M155 68V97" },
    { path: "M370 68V97" },
    { path: "M155 152V181" },
    { path: "M370 152V181" },
    { path: "M150 236V265" },
    { path: "M275 294H312" },
    { path: "M150 320V377", label: { x: 150, y: 352, text: ["the scripts of lua/, over HTTP or TCP"] } },
  ],
};

/** The text of every diagram by its file in `docs/`. */
export const DIAGRAMS: ReadonlyMap<string, string> = new Map([
  ["acquire.svg", drawSequence(acquire)],
  ["waiting-polled.svg", drawSequence(polled)],
  ["waiting-held.svg", drawSequence(held)],
  ["quorum.svg", drawSequence(quorum)],
  ["once.svg", drawBoxes(once)],
  ["packages.svg", drawBoxes(packages)],
]);
