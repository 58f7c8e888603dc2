/** The values that the set-up gives to tests inside workerd. */
declare module "vitest" {
  interface ProvidedContext {
    url: string;
    token: string;
  }
}

export {};
