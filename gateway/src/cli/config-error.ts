/** A mistake in what was set. Its text never repeats a value: that could be a token. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
