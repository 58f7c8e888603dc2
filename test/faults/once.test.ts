import { onceSites } from "./once-sites.ts";
import { overcomesAll } from "./suite.ts";

overcomesAll("once", onceSites);
