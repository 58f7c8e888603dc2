import { lockSites } from "./lock-sites.ts";
import { overcomesAll } from "./suite.ts";

overcomesAll("lock", lockSites);
