import { fairSites } from "./fair-sites.ts";
import { overcomesAll } from "./suite.ts";

overcomesAll("fair lock", fairSites);
