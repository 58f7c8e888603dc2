/**
 * What `leasehold-nest` uses of `leasehold/cron` besides its public functions; see `leasehold/internal`.
 *
 * @module leasehold/internal/cron
 */

export { cronCore } from "../cron/core.ts";
export { parseExpression } from "../cron/cron-expression.ts";
export { toPart } from "../cron/names.ts";
export { toSettings } from "../cron/options.ts";
