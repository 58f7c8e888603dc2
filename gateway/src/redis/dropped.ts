/** What a connection fails with that is ended here; `code` is what the log says. */
export class Dropped extends Error {
  override readonly name = "Dropped";
  readonly code: string;

  constructor(reason: string) {
    super(reason);
    this.code = reason;
  }
}
