import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { sqliteOnce } from "../../../src/fence/index.ts";
import { command } from "../../../tools/run-command.ts";

it("prints the table of a database, which a migration may run (51.1)", async () => {
  const { code, out } = await command(["fence", "sql", "sqlite"]);
  expect(code).toBe(0);
  const db = new DatabaseSync(":memory:");
  db.exec(out);
  await sqliteOnce(db).setup();
  db.close();
  for (const database of ["postgres", "d1", "libsql", "mysql", "mariadb"])
    expect((await command(["fence", "sql", database])).out).toMatch(
      /^CREATE TABLE IF NOT EXISTS leasehold_fence .*;\n$/,
    );
});

it.each([[["fence"]], [["fence", "sql"]], [["fence", "sql", "oracle"]], [["fence", "print", "sqlite"]]])(
  "says which databases there are, for %j (51.1)",
  async (words) => {
    const { code, err } = await command(words);
    expect(code).toBe(2);
    expect(err).toContain("give sql and a database: postgres, sqlite, d1, libsql, mysql, mariadb");
  },
);
