/** The version of this package, which is the version of the scope of its spans and metrics. */
export const VERSION = "0.1.0";
