import { randomUUID } from "node:crypto";
import { type AttributeValue, DynamoDB, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DynamodbClient,
  type DynamodbOnceTransaction,
  dynamodbFence,
  dynamodbOnce,
} from "../../../src/fence/index.ts";
import { isSerialization } from "../../../src/fence/retried.ts";
import { type DynaliteServer, startDynalite } from "../../../tools/dynalite.ts";
import { freshName, pause } from "../../support/names.ts";
import { useStack } from "../../support/use-stack.ts";
import { attacks } from "../attacks.ts";
import type { Resource } from "../deed.ts";
import { accountOf, deliverOnce, type Shop } from "./deliveries.ts";
import type { Process } from "./process.ts";

const stack = useStack();
type Tx = DynamodbOnceTransaction<TransactWriteItem>;
type Item = Record<string, AttributeValue>;

describe("DynamoDB, which is dynalite here", () => {
  let server: DynaliteServer;
  let client: DynamoDB;
  const connect = (): DynamoDB =>
    new DynamoDB({
      endpoint: server.url,
      region: "eu-central-1",
      credentials: { accessKeyId: "key", secretAccessKey: "secret" },
      // Many writes at once contend for few items here.
      maxAttempts: 5,
    });
  beforeAll(async () => {
    server = await startDynalite();
    client = connect();
    // At the same moment, as two instances at their start.
    await Promise.all([dynamodbOnce(client).setup(), dynamodbFence(client).setup()]);
    for (const [table, ...keys] of [
      ["effects", "run", "at"],
      ["accounts", "run", "name"],
      ["log", "run"],
    ] as const)
      await client.createTable({
        TableName: table,
        KeySchema: keys.map((name, at) => ({ AttributeName: name, KeyType: at === 0 ? "HASH" : "RANGE" })),
        AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: "S" })),
        BillingMode: "PAY_PER_REQUEST",
      });
  });
  afterAll(async () => {
    client?.destroy();
    await server?.stop();
  });

  async function itemsOf(table: string, run: string): Promise<Item[]> {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.query({
        TableName: table,
        KeyConditionExpression: "run = :run",
        ExpressionAttributeValues: { ":run": { S: run } },
        ConsistentRead: true,
        ExclusiveStartKey: start,
      });
      items.push(...Items);
      start = LastEvaluatedKey;
    } while (start);
    return items;
  }

  /** Adds a value to the log, in the order of the commits. */
  const append = (run: string, value: string): TransactWriteItem => ({
    Update: {
      TableName: "log",
      Key: { run: { S: run } },
      UpdateExpression: "SET entries = list_append(if_not_exists(entries, :none), :value)",
      ExpressionAttributeValues: { ":none": { L: [] }, ":value": { L: [{ S: value }] } },
    },
  });
  const logOf = async (run: string): Promise<string[]> => {
    const { Item } = await client.getItem({ TableName: "log", Key: { run: { S: run } }, ConsistentRead: true });
    return (Item?.["entries"]?.L ?? []).map(({ S }) => `${S}`);
  };
  const put = (run: string, id: string): TransactWriteItem => ({
    Put: { TableName: "effects", Item: { run: { S: run }, at: { S: randomUUID() }, id: { S: id } } },
  });

  describe("dynamodbFence", () => {
    /** Goes on after the conflicts that eight writers of one item have, when the fence no longer does. */
    async function patiently(deed: () => Promise<void>): Promise<void> {
      for (let tries = 1; ; tries++) {
        try {
          return await deed();
        } catch (error) {
          if (tries === 20 || !isSerialization(error)) throw error;
        }
      }
    }
    attacks("dynamodbFence (51.2)", async (): Promise<Resource> => {
      const [run, fence] = [freshName(), dynamodbFence(client)];
      return {
        claim: (lease) => patiently(() => fence.claim(lease)),
        write: (lease, value) => patiently(() => fence.write(lease, append(run, value))),
        values: () => logOf(run),
      };
    });

    it("undoes a batch with its token if a condition fails, and throws DynamoDB's error (51.2)", async () => {
      const [name, fence] = [freshName(), dynamodbFence(client)];
      const check: TransactWriteItem = {
        ConditionCheck: {
          TableName: "log",
          Key: { run: { S: `${name} missing` } },
          ConditionExpression: "attribute_exists(entries)",
        },
      };
      const batch = fence.batch({ name, token: 3 }, [append(name, "a"), check]);
      await expect(batch).rejects.toMatchObject({ name: "TransactionCanceledException" });
      await fence.batch({ name, token: 2 }, [append(name, "b"), put(name, "b")]);
      await expect(fence.batch({ name, token: 1 }, [append(name, "c")])).rejects.toMatchObject({ seen: 2 });
      expect(await logOf(name)).toEqual(["b"]);
      for (const item of [undefined, null, "Put"])
        await expect(fence.write({ name, token: 2 }, item as never)).rejects.toThrow(TypeError);
    });

    it("refuses a token that cannot be compared (51.2)", async () => {
      const [name, fence] = [freshName(), dynamodbFence(client)];
      await client.putItem({ TableName: "leasehold_fence", Item: { name: { S: name }, token: { S: "1" } } });
      for (const deed of [fence.claim({ name, token: 2 }), fence.write({ name, token: 2 }, append(name, "a"))])
        await expect(deed).rejects.toThrow(`no number as the token of "${name}"`);
      expect(await logOf(name)).toEqual([]);
    });

    it("uses another table, and says what is wrong with its key (51.2)", async () => {
      const table = freshName().replace(/[^\w.-]/g, "-");
      const other = dynamodbFence(client, { table });
      await other.setup();
      await other.setup();
      const name = freshName();
      await other.claim({ name, token: 2 });
      await dynamodbFence(client).claim({ name, token: 1 });
      await expect(dynamodbFence(client, { table: "accounts" }).setup()).rejects.toThrow(
        "has the key run (S), name (S): it must be name (S)",
      );
      for (const make of [dynamodbFence, dynamodbOnce]) {
        expect(() => make(undefined as never)).toThrow(TypeError);
        expect(() => make(client, { tabel: "a" } as never)).toThrow(TypeError);
        expect(() => make(client, { table: "" })).toThrow(RangeError);
      }
    });
  });

  /** The client of one process, which may die after each request. */
  function open(process: Process): DynamodbClient {
    return {
      transactWriteItems: (input) => process.ask(() => client.transactWriteItems(input)),
      getItem: (input) => process.ask(() => client.getItem(input)),
      updateItem: (input) => process.ask(() => client.updateItem(input)),
      deleteItem: (input) => process.ask(() => client.deleteItem(input)),
      scan: (input) => process.ask(() => client.scan(input)),
      describeTable: (input) => process.ask(() => client.describeTable(input)),
      createTable: (input) => process.ask(() => client.createTable(input)),
    };
  }
  function effects(run: string, id: string): readonly TransactWriteItem[] {
    const account: TransactWriteItem = {
      Update: {
        TableName: "accounts",
        Key: { run: { S: run }, name: { S: accountOf(run, id) } },
        UpdateExpression: "ADD amount :one",
        ExpressionAttributeValues: { ":one": { N: "1" } },
      },
    };
    return [put(run, id), account];
  }
  const shop: Shop<Tx> = {
    open: (process) => {
      const own = open(process);
      return {
        database: dynamodbOnce(own) as ReturnType<typeof dynamodbOnce<DynamoDB>>,
        work(tx, run, id) {
          for (const item of effects(run, id)) tx.write(item);
          return id;
        },
        bare: (run, id) => own.transactWriteItems({ TransactItems: [...effects(run, id)] as never[] }),
      };
    },
    effects: async (run) => (await itemsOf("effects", run)).map(({ id }) => `${id?.S}`),
    total: async (run) => (await itemsOf("accounts", run)).reduce((sum, { amount }) => sum + Number(amount?.N), 0),
  };
  describe("while answers are lost", () => {
    beforeAll(() => server.loseAnswers(0.02));
    afterAll(() => server.loseAnswers(0));
    deliverOnce("dynamodbOnce", () => shop, stack);
  });

  const attempt = (key: string, token: number, number = 1) => ({ key, lease: { name: key, token }, attempt: number });
  const insert = (run: string, id: string) => (tx: Tx) => {
    tx.write(put(run, id));
    return id;
  };

  it("finds the row, refuses a stale attempt and a stale lock, and is undone with a condition that fails (51.2)", async () => {
    const [key, name, payments] = [freshName(), freshName(), dynamodbOnce(client)];
    const failed = payments.commit(attempt(key, 3), (tx) => {
      insert(key, "half")(tx);
      throw new RangeError("no stock");
    });
    await expect(failed).rejects.toThrow("no stock");
    const refused = payments.commit(attempt(key, 3), (tx) => {
      insert(key, "half")(tx);
      tx.write({
        Update: {
          TableName: "accounts",
          Key: { run: { S: key }, name: { S: "a" } },
          UpdateExpression: "ADD amount :one",
          ConditionExpression: "amount > :one",
          ExpressionAttributeValues: { ":one": { N: "1" } },
        },
      });
      return "half";
    });
    await expect(refused).rejects.toMatchObject({ name: "TransactionCanceledException" });
    await dynamodbFence(client).claim({ name: key, token: 2 });
    for (const number of [1, 2]) {
      const stale = payments.commit(attempt(key, 1, number), insert(key, "stale"));
      await expect(stale).rejects.toMatchObject({ code: "stale_token", lockName: key, seen: 2 });
    }
    expect(await payments.commit(attempt(key, 3), insert(key, "a"))).toBe("a");
    for (const [token, number] of [
      [1, 1],
      [3, 1],
      [4, 2],
    ] as const)
      expect(await payments.commit(attempt(key, token, number), insert(key, "b"))).toBe("a");
    expect(await shop.effects(key)).toEqual(["a"]);
    const under = (token: number) => ({ ...attempt(freshName(), 1), under: { key: name, lease: { name, token } } });
    await payments.commit(under(8), insert(name, "two"));
    await expect(payments.commit(under(7), insert(name, "one"))).rejects.toMatchObject({ lockName: name, seen: 8 });
    expect(await shop.effects(name)).toEqual(["two"]);
  });

  it("does not run the work of a later attempt that finds the row, and refuses a late write (51.2)", async () => {
    const [key, payments] = [freshName(), dynamodbOnce(client)];
    let kept: Tx | undefined;
    await payments.commit(attempt(key, 1), (tx) => {
      kept = tx;
      return "dönè 🔒";
    });
    const found = await payments.commit(attempt(key, 2, 2), () => {
      throw new Error("it ran");
    });
    expect(found).toBe("dönè 🔒");
    expect(() => kept?.write(put(key, "late"))).toThrow("this write would be lost");
    await expect(payments.commit(attempt(freshName(), 1), (tx) => tx.write("Put" as never))).rejects.toThrow(TypeError);
  });

  it("lets eight attempts at once have one effect (51.2)", async () => {
    const [key, payments] = [freshName(), dynamodbOnce(client)];
    const each = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        payments.commit(attempt(key, 5, 1 + (at % 2)), async (tx) => {
          await pause(Math.random() * 20);
          return insert(key, `${at}`)(tx);
        }),
      ),
    );
    expect(await shop.effects(key)).toEqual([each[0]]);
    expect(new Set(each).size).toBe(1);
  });

  it("forgets by age, page by page (51.2)", async () => {
    const [recent, payments] = [freshName(), dynamodbOnce(client)];
    const old = Array.from({ length: 250 }, () => freshName());
    const ago = (days: number): number => (Date.now() - days * 86_400_000) * 1000;
    for (const [key, days] of [...old.map((name) => [name, 31] as const), [recent, 29] as const]) {
      await payments.commit(attempt(key, ago(days)), () => "done");
      await client.updateItem({
        TableName: "leasehold_fence",
        Key: { name: { S: key } },
        UpdateExpression: "SET done_at = :at",
        ExpressionAttributeValues: { ":at": { N: `${ago(days) / 1000}` } },
      });
    }
    const recently = freshName();
    await payments.commit(attempt(recently, ago(31)), () => "done today, under an old token");
    await payments.forget();
    expect(await payments.commit(attempt(recent, 1), () => "again")).toBe("done");
    expect(await payments.commit(attempt(recently, 1), () => "again")).toBe("done today, under an old token");
    for (const key of old.slice(0, 9)) expect(await payments.commit(attempt(key, 1), () => "again")).toBe("again");
    const { Count } = await client.scan({
      TableName: "leasehold_fence",
      Select: "COUNT",
      FilterExpression: "done_at < :at",
      ExpressionAttributeValues: { ":at": { N: `${ago(30) / 1000}` } },
    });
    expect(Count).toBe(0);
  });
});
