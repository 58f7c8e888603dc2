export { withoutIds } from "./names.ts";
export { type NameOf, type OtelOptions, type OtelSettings, otel } from "./otel.ts";
