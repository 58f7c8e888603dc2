/** The values that a column can have. */
export type SqlValue = string | number | null | ArrayBuffer;

/** The used part of a Durable Object's storage: `ctx.storage` of a class with SQLite storage. */
export interface ObjectStorage {
  readonly sql: {
    exec(query: string, ...bindings: SqlValue[]): { toArray(): Record<string, SqlValue>[] };
  };
  transactionSync<T>(work: () => T): T;
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
  deleteAll(): Promise<void>;
}
