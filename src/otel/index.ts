export { withoutIds } from "./names.ts";
export { type NameOf, type OtelOptions, otel } from "./otel.ts";
