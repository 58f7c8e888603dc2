/** The table `leasehold_fence` in DynamoDB: its rows, and the expressions that refuse a stale token or done work. */

import { sleep } from "../shared/timers.ts";
import type { RowRead, RowToWrite } from "./done-row.ts";

/** A value of an attribute, as DynamoDB returns it. */
interface Value {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
}
/** An item, as DynamoDB returns it. */
type Attributes = Readonly<Record<string, Value>>;

type Sent = { S: string } | { N: string };

/** An expression with its names and values. */
interface Expressed {
  TableName: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, Sent>;
}
/** An `Update` of a row, alone or as a part of a transaction. */
export interface RowUpdate extends Expressed {
  Key: Record<string, Sent>;
  UpdateExpression: string;
  ConditionExpression: string;
}
interface RowDelete extends Expressed {
  Key: Record<string, Sent>;
  ConditionExpression: string;
}
interface RowScan extends Expressed {
  FilterExpression: string;
  Limit: number;
  ExclusiveStartKey: Record<string, Sent> | undefined;
}
interface RowGet {
  TableName: string;
  Key: Record<string, Sent>;
  ConsistentRead: boolean;
}
interface TableToCreate {
  TableName: string;
  KeySchema: { AttributeName: string; KeyType: "HASH" }[];
  AttributeDefinitions: { AttributeName: string; AttributeType: "S" }[];
  BillingMode: "PAY_PER_REQUEST";
}
interface TableRead {
  readonly TableStatus?: string | undefined;
  readonly KeySchema?: readonly { readonly AttributeName?: string | undefined }[] | undefined;
  readonly AttributeDefinitions?:
    | readonly { readonly AttributeName?: string | undefined; readonly AttributeType?: string | undefined }[]
    | undefined;
}

/** The used part of `DynamoDB` of `@aws-sdk/client-dynamodb`. */
export interface DynamodbClient {
  transactWriteItems(input: { TransactItems: never[] }): Promise<unknown>;
  getItem(input: RowGet): Promise<{ readonly Item?: Attributes | undefined }>;
  updateItem(input: RowUpdate): Promise<unknown>;
  deleteItem(input: RowDelete): Promise<unknown>;
  scan(input: RowScan): Promise<{ readonly Items?: readonly Attributes[] | undefined }>;
  describeTable(input: { TableName: string }): Promise<{ readonly Table?: TableRead | undefined }>;
  createTable(input: TableToCreate): Promise<unknown>;
}

/** `name`, `token` and `result` are reserved words. */
const TOKEN = { "#token": "token" };
const DONE = { "#done": "done_at" };
const RESULT = { "#result": "result" };
const FRESH = "(attribute_not_exists(#token) OR #token <= :token)";
const NOT_DONE = "attribute_not_exists(#done)";
const OLD = `#token < :token AND (${NOT_DONE} OR #done < :done)`;

const keyOf = (name: string): Record<string, Sent> => ({ name: { S: name } });
const numberOf = (value: number): Sent => ({ N: `${value}` });

/** Writes a row, unless it is done or has a higher token. A row without a result only raises the token. */
export function dynamodbWrite(table: string, { name, token, text, doneAt }: RowToWrite): RowUpdate {
  const isDone = text !== null && doneAt !== null;
  return {
    TableName: table,
    Key: keyOf(name),
    UpdateExpression: `SET #token = :token${isDone ? ", #result = :result, #done = :done" : ""}`,
    ConditionExpression: isDone ? `${FRESH} AND ${NOT_DONE}` : FRESH,
    ExpressionAttributeNames: { ...TOKEN, ...(isDone && { ...RESULT, ...DONE }) },
    ExpressionAttributeValues: {
      ":token": numberOf(token),
      ...(isDone && { ":result": { S: text }, ":done": numberOf(doneAt) }),
    },
  };
}

/** Raises the token of the row of an attempt, unless the row is done or has a higher token. */
export function dynamodbClaim(table: string, row: RowToWrite): RowUpdate {
  const write = dynamodbWrite(table, { ...row, text: null, doneAt: null });
  return {
    ...write,
    ConditionExpression: `${FRESH} AND ${NOT_DONE}`,
    ExpressionAttributeNames: { ...TOKEN, ...DONE },
  };
}

/** Reads the newest version of a row. */
export async function dynamodbRead(client: DynamodbClient, table: string, name: string): Promise<RowRead | undefined> {
  const { Item } = await client.getItem({ TableName: table, Key: keyOf(name), ConsistentRead: true });
  if (!Item) return undefined;
  const { token, result, done_at } = Item;
  return { name, token: token?.N ?? "no number", result: result?.S, done_at: done_at && (done_at.N ?? "no number") };
}

/** How many rows one request of a scan reads, and how many requests then remove rows together. */
const PAGE = 100;

/** Removes the rows whose token was granted before `tokenBefore` (µs) and whose work was done before `doneBefore` (ms). */
export async function dynamodbForget(
  client: DynamodbClient,
  table: string,
  { tokenBefore, doneBefore }: { readonly tokenBefore: number; readonly doneBefore: number },
): Promise<void> {
  const old = {
    TableName: table,
    ExpressionAttributeNames: { ...TOKEN, ...DONE },
    ExpressionAttributeValues: { ":token": numberOf(tokenBefore), ":done": numberOf(doneBefore) },
  };
  /** A row that was written since the scan has read it stays. */
  async function remove(name: string): Promise<void> {
    try {
      await client.deleteItem({ ...old, Key: keyOf(name), ConditionExpression: OLD });
    } catch (error) {
      if ((error as Error).name !== "ConditionalCheckFailedException") throw error;
    }
  }
  let last: Attributes | undefined;
  do {
    const start = last?.["name"]?.S;
    const page: { readonly Items?: readonly Attributes[] | undefined; readonly LastEvaluatedKey?: Attributes } =
      await client.scan({
        ...old,
        FilterExpression: OLD,
        Limit: PAGE,
        ExclusiveStartKey: start === undefined ? undefined : keyOf(start),
      });
    await Promise.all((page.Items ?? []).map((item) => remove(item["name"]?.S ?? "")));
    last = page.LastEvaluatedKey;
  } while (last);
}

const READY_EACH_MS = 500;
const READY_TRIES = 120;

/** Creates the table unless it exists, waits until it can be used, and checks its key. */
export async function dynamodbSetup(client: DynamodbClient, table: string): Promise<void> {
  const read = async (): Promise<TableRead | undefined> => {
    try {
      return (await client.describeTable({ TableName: table })).Table;
    } catch (error) {
      if ((error as Error).name !== "ResourceNotFoundException") throw error;
      return undefined;
    }
  };
  let found = await read();
  if (!found) {
    try {
      await client.createTable({
        TableName: table,
        KeySchema: [{ AttributeName: "name", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "name", AttributeType: "S" }],
        BillingMode: "PAY_PER_REQUEST",
      });
    } catch (error) {
      // Another process creates it at the same moment.
      if ((error as Error).name !== "ResourceInUseException") throw error;
    }
  }
  for (let tries = 1; !["ACTIVE", "UPDATING"].includes(`${found?.TableStatus}`); tries++) {
    if (tries > READY_TRIES)
      throw new TypeError(`fence.setup: the table ${table} is ${found?.TableStatus ?? "missing"} after a minute`);
    await sleep(tries === 1 ? 0 : READY_EACH_MS);
    found = await read();
  }
  const { KeySchema = [], AttributeDefinitions = [] } = found ?? {};
  const key = KeySchema.map(({ AttributeName: part }) => {
    const { AttributeType: type } = AttributeDefinitions.find(({ AttributeName }) => AttributeName === part) ?? {};
    return `${part} (${type})`;
  }).join(", ");
  if (key !== "name (S)")
    throw new TypeError(`fence.setup: the table ${table} has the key ${key}: it must be name (S)`);
}
