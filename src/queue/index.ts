export { type HeldByOthers, type TakeOverOptions, takeOver } from "./take-over.ts";
