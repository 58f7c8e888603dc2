import { rwSites } from "./rw-sites.ts";
import { overcomesAll } from "./suite.ts";

overcomesAll("rw", rwSites);
