/**
 * Spans and metrics by OpenTelemetry. Start with {@link otel}.
 *
 * @module leasehold/otel
 */

export { withoutIds } from "./names.ts";
export { type NameOf, type OtelOptions, type OtelSettings, otel } from "./otel.ts";
