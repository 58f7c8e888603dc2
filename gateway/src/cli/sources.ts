import { flawOf } from "../shared/limits.ts";
import { misspelt, nearest } from "../shared/nearest-name.ts";
import { SETTINGS, type Setting } from "../shared/settings.ts";
import { textOfNamed } from "./named-token.ts";

/** A mistake in the settings. Its text never repeats a value, which could be a token. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The variable with the path of the config file. */
export const CONFIG_VARIABLE = "LEASEHOLD_CONFIG";

export type Value = string | number | boolean | readonly string[];

/** A source of settings. */
export interface Source {
  /** The value of a setting; `undefined` if it is not set here. */
  get(setting: Setting): Value | undefined;
  /** The name of the setting in errors. */
  nameOf(setting: Setting): string;
  /** The folder that relative file names refer to; the working directory if it is absent. */
  readonly folder?: string;
}

/** The parsed flags. */
export type Flags = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

function fromText(setting: Setting, name: string, text: string): Value {
  switch (setting.kind) {
    case "text":
      return text;
    case "tokens":
      return [text];
    case "list":
      return text.split(",").map((item) => item.trim());
    case "boolean":
      if (/^(true|1)$/i.test(text)) return true;
      if (/^(false|0)$/i.test(text)) return false;
      throw new ConfigError(`${name} must be true or false`);
    case "number":
      if (/^\d{1,15}$/.test(text)) return withinBounds(setting, name, Number(text));
      return withinBounds(setting, name, Number.NaN);
  }
}

function withinBounds({ bounds }: Setting, name: string, value: number): number {
  const flaw = bounds === undefined ? undefined : flawOf(name, value, bounds);
  if (flaw !== undefined) throw new ConfigError(flaw);
  return value;
}

/** Settings that decide who may do what. */
const isSecret = ({ key }: Setting): boolean => /token|password/i.test(key);

/** @throws {ConfigError} for an empty secret: without it, the gateway could be open to everybody */
function refuseEmpty(setting: Setting, name: string, isEmpty: boolean): void {
  if (isEmpty && isSecret(setting)) throw new ConfigError(`${name} is empty: set it, or leave it out`);
}

/** The flags as a source. Empty flags and variables count as unset, unless they would be secrets. */
export function flagSource(flags: Flags): Source {
  const nameOf = ({ flag }: Setting): string => `--${flag}`;
  return {
    nameOf,
    get(setting) {
      const value = flags[setting.flag];
      refuseEmpty(setting, nameOf(setting), value === "" || (Array.isArray(value) && value.includes("")));
      if (typeof value === "boolean" || value === undefined || value === "") return value || undefined;
      if (typeof value === "string") return fromText(setting, nameOf(setting), value);
      const texts = value.filter((text) => typeof text === "string").filter((text) => text !== "");
      const values = texts.flatMap((text) => fromText(setting, nameOf(setting), text) as readonly string[]);
      return values.length === 0 ? undefined : values;
    },
  };
}

/**
 * The environment as a source.
 *
 * @throws {ConfigError} for a misspelt variable: one that is ignored could leave the gateway open, or without a limit
 */
export function environmentSource(env: Readonly<Record<string, string | undefined>>): Source {
  const known = [CONFIG_VARIABLE, ...SETTINGS.flatMap((setting) => setting.env)];
  for (const [name, value] of Object.entries(env)) {
    // An orchestrator sets variables of its own with such names.
    const suggestion =
      value && name.startsWith("LEASEHOLD_") && !known.includes(name) ? misspelt(name, known) : undefined;
    if (suggestion !== undefined) throw new ConfigError(`there is no variable ${name}: is ${suggestion} meant?`);
  }
  const nameOf = (setting: Setting): string => setting.env.find((name) => env[name]) ?? setting.env[0] ?? "";
  return {
    nameOf,
    get(setting) {
      const text = env[nameOf(setting)];
      refuseEmpty(setting, nameOf(setting), text === "");
      return text ? fromText(setting, nameOf(setting), text) : undefined;
    },
  };
}

function fromJson(setting: Setting, name: string, value: unknown): Value {
  switch (setting.kind) {
    case "number":
      return withinBounds(setting, name, typeof value === "number" ? value : Number.NaN);
    case "boolean":
      if (typeof value === "boolean") return value;
      throw new ConfigError(`${name} must be true or false`);
    case "text":
      if (typeof value === "string" && value !== "") return value;
      throw new ConfigError(`${name} must be a string that is not empty`);
    default: {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      const list = setting.isNamed
        ? values.map((item) => textOfNamed(item, setting.kind === "tokens" ? "token" : "sha256") ?? item)
        : values;
      const texts = list.filter((item) => typeof item === "string").filter((item) => item !== "");
      if (texts.length === list.length && texts.length > 0) return texts;
      throw new ConfigError(`${name} must be a string that is not empty, or a list of such strings`);
    }
  }
}

/**
 * The error for an unknown key: its name if it belongs elsewhere, otherwise its position and the key that was probably
 * meant. The key is not repeated, since files of other programs have tokens as keys.
 */
function unknownKey(key: string, at: number, known: Iterable<string>): string {
  if (SETTINGS.some((setting) => setting.key === key)) return `${key} is not a setting here`;
  const suggestion = nearest(key, known);
  return `(key ${at + 1}) is not a setting${suggestion === undefined ? "" : `: is ${suggestion} meant?`}`;
}

/**
 * An object of a config file as a source.
 *
 * @param where the place of the object in errors, such as `databases[1].`
 * @param others further keys, which are not settings
 * @throws {ConfigError} for an unknown key
 */
export function objectSource(
  object: Readonly<Record<string, unknown>>,
  where: string,
  folder: string,
  settings: readonly Setting[] = SETTINGS,
  others: readonly string[] = [],
): Source {
  const known = new Set([...settings.map(({ key }) => key), ...others]);
  for (const [at, key] of Object.keys(object).entries())
    if (!known.has(key)) throw new ConfigError(`the config file: ${where}${unknownKey(key, at, known)}`);
  const nameOf = ({ key }: Setting): string => `the config file: ${where}${key}`;
  return {
    folder,
    nameOf,
    get(setting) {
      const value = object[setting.key];
      return value === undefined || value === null ? undefined : fromJson(setting, nameOf(setting), value);
    },
  };
}
