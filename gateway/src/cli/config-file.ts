import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SETTINGS } from "../shared/settings.ts";
import { ConfigError, objectSource, type Source } from "./sources.ts";

/** The settings of a config file. */
export interface ConfigFile {
  readonly settings: Source;
  /** A name and a source for each of `databases`; `undefined` if the file has no such list. */
  readonly databases?: readonly { readonly name: string; readonly settings: Source }[];
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a file. Errors do not repeat the path, which may come from the wrong variable. */
export function readText(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new ConfigError(`${name} cannot be read${code}`);
  }
}

/** Parses a text. The parser's message may quote a part of it, possibly a token, so only its position is used. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
    const line = text.slice(0, Number(position)).split("\n").length;
    throw new ConfigError(`the config file is not valid JSON${position === undefined ? "" : `: see line ${line}`}`);
  }
}

/** @throws {ConfigError} which repeats no value */
export function readConfigFile(path: string): ConfigFile {
  const json = parse(readText("the config file", path));
  if (!isObject(json)) throw new ConfigError("the config file must hold a JSON object");
  const folder = dirname(resolve(path));
  const settings = objectSource(json, "", folder, SETTINGS, ["databases"]);
  const { databases } = json;
  if (databases === undefined) return { settings };
  if (!Array.isArray(databases) || databases.length === 0 || !databases.every(isObject))
    throw new ConfigError("the config file: databases must be a list of objects that is not empty");
  const ofDatabase = SETTINGS.filter((setting) => setting.ofDatabase);
  const entries = databases.map((entry: Json, at) => {
    const { name } = entry;
    if (typeof name !== "string") throw new ConfigError(`the config file: databases[${at}].name must be a string`);
    return { name, settings: objectSource(entry, `databases[${at}].`, folder, ofDatabase, ["name"]) };
  });
  return { settings, databases: entries };
}
