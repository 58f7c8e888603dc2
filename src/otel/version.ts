/** The version of this package, as that of the scope of its spans and metrics. */
export const VERSION = "0.1.0";
