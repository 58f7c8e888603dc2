/**
 * A private DynamoDB for tests: dynalite, in memory, on a free loopback port. Dynalite has no transactions, so this server
 * stands before it and runs a `TransactWriteItems` as its parts: one request at a time, undone if a condition fails. As
 * DynamoDB does, it refuses a transaction while another one writes to the same item, and remembers the answer to a
 * `ClientRequestToken`.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import dynalite from "dynalite";

export interface DynaliteServer {
  /** For the option `endpoint` of the client. */
  readonly url: string;
  /** From now on, answers are lost with this chance, after the request was done. */
  loseAnswers(chance: number): void;
  stop(): Promise<void>;
}

type Attributes = Readonly<Record<string, unknown>>;
interface Part {
  readonly TableName: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
}
type TransactItem = Readonly<Record<string, Part>>;
interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const TYPE = "com.amazonaws.dynamodb.v20120810#";
const OPERATIONS: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  // Without an expression of changes, an update only checks. It is undone.
  ConditionCheck: "UpdateItem",
};

/** The answer to a transaction that was cancelled by the item with this index. */
function cancelled(items: readonly TransactItem[], at: number, code: string): Answer {
  const reasons = items.map((_, index) => ({ Code: index === at ? code : "None" }));
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(", ")}]`;
  const body = { __type: `${TYPE}TransactionCanceledException`, message, CancellationReasons: reasons };
  return { status: 400, body };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Starts a private server. */
export async function startDynalite(): Promise<DynaliteServer> {
  const store = dynalite({ createTableMs: 0 });
  const keys = new Map<string, readonly string[]>();
  const answered = new Map<string, Answer>();
  const writing = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let lost = 0;

  /** Runs one request after another. */
  function alone<T>(run: () => Promise<T>): Promise<T> {
    const ended = last.then(run);
    last = ended.catch(() => {});
    return ended;
  }

  /** Asks dynalite without a network, since its server may reset connections under load. */
  function ask(operation: string, body: object): Promise<Answer> {
    const request = Object.assign(Readable.from([JSON.stringify(body)]), {
      method: "POST",
      url: "/",
      headers: {
        authorization: "AWS4-HMAC-SHA256 Credential=test, SignedHeaders=host, Signature=test",
        "x-amz-date": "20260101T000000Z",
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `DynamoDB_20120810.${operation}`,
      },
    });
    return new Promise((resolve) => {
      const response = {
        statusCode: 200,
        setHeader() {},
        end: (text: string) => resolve({ status: response.statusCode, body: JSON.parse(text) }),
      };
      store.emit("request", request, response);
    });
  }

  /** The key of an item, as an identity. */
  async function keyOf({ TableName, Key, Item = {} }: Part): Promise<Attributes> {
    if (Key) return Key;
    let names = keys.get(TableName);
    if (!names) {
      const { body } = await ask("DescribeTable", { TableName });
      const { KeySchema = [] } = (body["Table"] ?? {}) as { KeySchema?: { AttributeName: string }[] };
      names = KeySchema.map(({ AttributeName }) => AttributeName);
      keys.set(TableName, names);
    }
    return Object.fromEntries(names.map((name) => [name, Item[name]]));
  }

  /** Does all writes of a transaction, or none. */
  async function transact(items: readonly TransactItem[]): Promise<Answer> {
    const undo: (() => Promise<Answer>)[] = [];
    const undoAll = async (): Promise<void> => {
      for (const step of undo.reverse()) await step();
    };
    for (const [at, item] of items.entries()) {
      const [[kind, part] = ["", undefined]] = Object.entries(item);
      if (!part) throw new Error("a transaction has an item without a write");
      const { TableName } = part;
      const Key = await keyOf(part);
      const { Item: before } = (await ask("GetItem", { TableName, Key, ConsistentRead: true })).body;
      const done = await ask(`${OPERATIONS[kind]}`, part);
      if (done.status !== 200) {
        await undoAll();
        const isCondition = `${done.body["__type"]}`.endsWith("ConditionalCheckFailedException");
        return isCondition ? cancelled(items, at, "ConditionalCheckFailed") : done;
      }
      const back = () => (before ? ask("PutItem", { TableName, Item: before }) : ask("DeleteItem", { TableName, Key }));
      if (kind === "ConditionCheck") await back();
      else undo.push(back);
    }
    return { status: 200, body: {} };
  }

  async function transaction(request: { TransactItems: TransactItem[]; ClientRequestToken?: string }): Promise<Answer> {
    const { TransactItems: items, ClientRequestToken: token = "" } = request;
    const known = answered.get(token);
    if (known) return known;
    const named = await Promise.all(
      items.map(async (item) => {
        const [part] = Object.values(item);
        return part ? `${part.TableName} ${JSON.stringify(await keyOf(part))}` : "";
      }),
    );
    const conflict = named.findIndex((name) => writing.has(name));
    if (conflict >= 0) return cancelled(items, conflict, "TransactionConflict");
    for (const name of named) writing.add(name);
    try {
      const answer = await alone(() => transact(items));
      if (answer.status === 200 && token !== "") answered.set(token, answer);
      return answer;
    } finally {
      for (const name of named) writing.delete(name);
    }
  }

  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    const operation = `${request.headers["x-amz-target"]}`.replace(/^.*\./, "");
    const answer =
      operation === "TransactWriteItems" ? await transaction(body) : await alone(() => ask(operation, body));
    if (Math.random() < lost) request.socket.destroy();
    else
      response
        .writeHead(answer.status, { "Content-Type": "application/x-amz-json-1.0" })
        .end(JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseAnswers(chance) {
      lost = chance;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
