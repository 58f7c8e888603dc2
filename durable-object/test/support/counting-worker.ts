/** The ready Worker with objects that count the rows that they write, as Cloudflare bills them. */
import { DurableObject } from "cloudflare:workers";
import { createObjectHandler, type ObjectHandler, type ObjectStorage } from "../../src/index.ts";

export { default } from "../../worker/index.ts";

/** What workerd's cursor says beside the part of it that the package uses. */
interface Cursor {
  toArray(): Record<string, never>[];
  readonly rowsWritten: number;
}

/** The objects' class. */
export class LeaseholdObject extends DurableObject {
  #rows = 0;
  readonly #handler: ObjectHandler = createObjectHandler({ storage: this.#counted(this.ctx.storage) });

  #counted(storage: ObjectStorage): ObjectStorage {
    return {
      sql: {
        exec: (...given) => {
          const cursor = storage.sql.exec(...given) as Cursor;
          const rows = cursor.toArray();
          this.#rows += cursor.rowsWritten;
          return { toArray: () => rows };
        },
      },
      transactionSync: (work) => storage.transactionSync(work),
      getAlarm: () => storage.getAlarm(),
      setAlarm: (at) => {
        // Each call is billed as one row.
        this.#rows++;
        return storage.setAlarm(at);
      },
      deleteAll: () => storage.deleteAll(),
    };
  }

  run(...given: Parameters<ObjectHandler["run"]>): ReturnType<ObjectHandler["run"]> {
    return this.#handler.run(...given);
  }

  override alarm(): Promise<void> {
    return this.#handler.alarm();
  }

  /** How many rows it has written since it was loaded. */
  rowsWritten(): number {
    return this.#rows;
  }
}
