/**
 * Leader election for containers and other long-running processes. Start with {@link elect}.
 *
 * @module leasehold/elect
 */

export { type ElectOptions, elect, type LostTerm } from "./elect.ts";
