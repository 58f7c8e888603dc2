/** The values that a column can have. */
export type SqlValue = string | number | null | ArrayBuffer;

/** The part of a Durable Object's storage that is needed: `ctx.storage` of a class whose storage is SQLite. */
export interface ObjectStorage {
  readonly sql: {
    exec(query: string, ...bindings: SqlValue[]): { toArray(): Record<string, SqlValue>[] };
  };
  transactionSync<T>(work: () => T): T;
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
  deleteAll(): Promise<void>;
}
