import { placeOf, withCrowd } from "../engine/place.ts";
import { entryOf } from "../list/entry.ts";
import type { Listed } from "../list/index.ts";
import type { Connection } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { nameInspect } from "../redis/scripts.gen.ts";

/** Reads one name. */
export async function inspect(
  connection: Connection,
  name: string,
  { group }: { readonly group?: string | undefined },
): Promise<Inspected> {
  const place = withCrowd(placeOf(connection, "list", [name], group));
  const reply = await runScript(place, nameInspect, [], { operation: "inspect" });
  return { ...entryOf({ name, ...(group !== undefined && { group }) }, reply), holders: [] };
}

export interface ListedHolder {
  readonly since?: number;
  readonly until: number;
  readonly label?: string;
  readonly holder?: string;
  readonly owner?: string;
  readonly permits?: number;
  readonly mode?: "read" | "write";
}

export interface Inspected extends Listed {
  readonly holders: readonly ListedHolder[];
}
