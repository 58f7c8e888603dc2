import "reflect-metadata";
import { Injectable, Module, Scope } from "@nestjs/common";
import { ContextIdFactory, ModuleRef, NestFactory } from "@nestjs/core";
import { Cron, Interval } from "@nestjs/schedule";
import { defer } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Lease } from "../../src/index.ts";
import { fromEnv, LeaseLostError, LockTimeoutError } from "../../src/index.ts";
import { freshName, pause, useStack } from "../../test/support/use-stack.ts";
import {
  currentAttempt,
  currentLease,
  currentRun,
  LeaseholdModule,
  type LeaseholdOptions,
  Locks,
  RunCron,
  RunOnce,
  WithLock,
} from "../src/index.ts";

const stack = useStack({ warm: true });
type Class<T = object> = new () => T;
type Decorator = (target: object, key: string, descriptor: never) => unknown;

/** Decorates a method, as the compiler does with `experimentalDecorators`. The first decorator is the uppermost. */
function decorate<C extends Class>(target: C, key: string & keyof InstanceType<C>, ...decorators: Decorator[]): C {
  const { prototype } = target as { prototype: object };
  const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
  const result = Reflect.decorate(decorators as MethodDecorator[], prototype, key, descriptor);
  Object.defineProperty(prototype, key, result as PropertyDescriptor);
  return target;
}

/** Starts an application with these providers. */
async function start(providers: readonly Class[], more: Partial<LeaseholdOptions> = {}) {
  class AppModule {}
  const options = { url: stack.url, token: stack.token, ...more } as LeaseholdOptions;
  Module({ imports: [LeaseholdModule.forRoot(options)], providers: [...providers] })(AppModule);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  return Object.assign(app, { [Symbol.asyncDispose]: () => app.close() });
}

const methodOf = (
  decorator: Decorator,
  method = async (_id?: unknown, _other?: unknown): Promise<unknown> => "done",
) => {
  class Service {
    declare method: (...args: unknown[]) => Promise<unknown>;
  }
  Object.defineProperty(Service.prototype, "method", { value: method, writable: true, configurable: true });
  return decorate(Service, "method", decorator);
};

describe("a name", () => {
  const made = (template: string, method?: () => Promise<unknown>) => () => methodOf(WithLock(template), method);
  const place = (template: string): string => `@WithLock(${JSON.stringify(template)}) on Service.method: `;

  it.each([
    ["a:{order}", "no parameter is called order: its parameters are _id, _other"],
    ["a:{_id", "a { has no }"],
    ["a:_id}", "a } has no {"],
    ["a:{_id}}", "a } has no {"],
    ["{}", "{} is not a parameter"],
    ["{_id }", "{_id } is not a parameter"],
    ["{_id}{_other}", "put text between {_id} and the placeholder after it"],
    ["", "the name is empty"],
  ])("of %j is an error when the class is defined, which names the method", (template, said) => {
    expect(made(template)).toThrow(TypeError);
    expect(made(template)).toThrow(place(template) + said);
  });

  it("is read from parameters in whichever way they are written", async () => {
    class Service {
      // biome-ignore format: the comment and the line break are what is tested.
      async method(/* a, (b */ first: string, second = ",)(", { third } = { third: [1, 2] }, // c, d
        fourth: { of: { it: unknown } } = { of: { it: 4 } }, ...rest: string[]): Promise<string> {
        void [second, third, fourth, rest, first];
        return currentLease().name;
      }
    }
    decorate(Service, "method", WithLock("a:{first} {fourth.of.it} {2.third.1} {second}"));
    await using app = await start([Service]);
    const given = [freshName("n"), "b", { third: [1, 2] }, { of: { it: 7n } }] as [
      string,
      string,
      { third: number[] },
      { of: { it: bigint } },
    ];
    expect(await app.get(Service).method(...given)).toBe(`a:${given[0]} 7 2 b`);
    const hidden = methodOf(RunOnce("a"), async (...given: unknown[]) => given);
    expect(() => decorate(hidden, "method", WithLock("{id}"))).toThrow("the names of its parameters are hidden");
  });

  it.each([
    [[], "{_id} is undefined, not a string or number"],
    [[null], "{_id} is null, not"],
    [[{}], "{_id} is an object, not"],
    [[Number.NaN], "{_id} is NaN, not"],
    [[""], "{_id} is empty"],
    [["1:2", 3], '{_id} contains ":", which ends it in the template'],
    [["a\ud800", 3], "well-formed"],
  ])("is an error at the call for %j, and the method does not run", async (args, said) => {
    let runs = 0;
    const Service = methodOf(WithLock("x:{_id}:{_other}"), async (_id, _other) => ++runs);
    await using app = await start([Service]);
    const calling = app.get(Service).method(...args);
    await expect(calling).rejects.toThrow(TypeError);
    await expect(calling).rejects.toThrow(`${place("x:{_id}:{_other}")}`);
    await expect(calling).rejects.toThrow(said);
    expect(runs).toBe(0);
  });

  it.each<[string, (id?: unknown) => unknown, string]>([
    ["a missing value in its text", (id) => `invoice:${id}`, 'the name contains "undefined"'],
    ["an object in its text", () => `invoice:${{}}`, 'the name contains "[object Object]"'],
    ["nothing", () => undefined, "the name must be a string, not undefined"],
    ["an object", () => ({ id: 7 }), "the name must be a string, not an object"],
    ["a promise", async () => "invoice:7", "the name is a Promise"],
  ])(
    "of a function that returns %s is an error at the call, and the method does not run (B2)",
    async (_, name, said) => {
      let runs = 0;
      for (const decorator of [WithLock, RunOnce]) {
        const Service = methodOf(decorator(name as () => string) as Decorator, async () => ++runs);
        await using app = await start([Service]);
        const calling = app.get(Service).method();
        await expect(calling).rejects.toThrow(TypeError);
        await expect(calling).rejects.toThrow(`@${decorator.name}(a function) on Service.method: ${said}`);
      }
      expect(runs).toBe(0);
    },
  );

  it("is an error if an argument is the text of a missing value, as of a page that asked for it (B2)", async () => {
    const Service = methodOf(RunOnce("invoice:{_id}"), async (_id) => "done");
    await using app = await start([Service]);
    await expect(app.get(Service).method("undefined")).rejects.toThrow('{_id} contains "undefined"');
  });

  it("may be a function of the first arguments", async () => {
    const name = freshName("by function");
    const Service = methodOf(WithLock((id: string) => `${name} ${id}`) as Decorator, async () => currentLease().name);
    await using app = await start([Service]);
    expect(await app.get(Service).method("7", 8)).toBe(`${name} 7`);
  });
});

describe("a mistake is an error", () => {
  it("when the class is defined: no method, a static one, an unknown option, a standard decorator", () => {
    class Service {
      static async make() {}
      arrow = async () => {};
    }
    const apply = (target: object, key: string, descriptor?: PropertyDescriptor) => () =>
      (WithLock("a") as Decorator)(target, key, descriptor as never);
    expect(apply(Service.prototype, "arrow")).toThrow("on Service.arrow: it decorates methods only");
    const { make } = Object.getOwnPropertyDescriptors(Service);
    expect(apply(Service, "make", make)).toThrow("on Service.make: it needs an instance: the method is static");
    expect(() => methodOf(WithLock("a", { ttl: "5s" } as object))).toThrow('no option "ttl": did you mean "lease"?');
    expect(() => methodOf(WithLock("a", { signal: 1 } as object))).toThrow("on Service.method: no option");
    expect(() => methodOf(RunOnce("a", { reentryKey: "a" } as object))).toThrow('no option "reentryKey"');
    expect(() => methodOf(RunCron(""))).toThrow('@RunCron("") on Service.method: the name is empty');
    const standard = WithLock("a") as unknown as (method: unknown, context: object) => unknown;
    expect(() => standard(async () => {}, { kind: "method" })).toThrow('set "experimentalDecorators"');
  });

  it.each([
    [WithLock("a", { lease: 50 }), 'lease 50 has no unit: "50ms" or "50s"?'],
    [WithLock("a", { keepAlive: { maxHold: "soon" as never } }), "maxHold"],
    [RunOnce("a", { wait: -1 }), "wait -1 is too short"],
    [RunOnce("a", { ttl: 7 }), "ttl 7 has no unit"],
    [RunCron("a"), "@Cron of @nestjs/schedule is missing on the method"],
  ])("at start, in an option or a missing @Cron: %#", async (decorator, said) => {
    const Service = methodOf(decorator as Decorator);
    const starting = start([Service]);
    await expect(starting).rejects.toThrow("on Service.method: ");
    await expect(starting).rejects.toThrow(said);
  });

  it("at start, where the module is not imported, and Nest names class and module", async () => {
    const Service = methodOf(WithLock("a"));
    class AppModule {}
    Module({ providers: [Service] })(AppModule);
    const starting = NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    await expect(starting).rejects.toThrow(/Service[\s\S]*LeaseholdModule\.forRoot\(\)/);
  });

  it("at the call, of an instance that Nest did not make", async () => {
    const Service = methodOf(WithLock("a"));
    await expect(new Service().method()).rejects.toThrow("on Service.method: this instance was not made by Nest");
    const { method } = Service.prototype as { method(): Promise<unknown> };
    await expect(Reflect.apply(method, undefined, [])).rejects.toThrow("called without its instance");
    expect(() => currentLease()).toThrow(TypeError);
    expect(() => currentRun()).toThrow(TypeError);
  });

  it("in the options of the module, at the call; a connection without an environment is none", () => {
    expect(LeaseholdModule.forRoot(fromEnv({}))).toMatchObject({ global: true });
    expect(LeaseholdModule.forRoot({ connection: fromEnv({}), shutdownTimeout: "1s" })).toMatchObject({ global: true });
    expect(() => LeaseholdModule.forRoot({ url: stack.url } as never)).toThrow("token");
    expect(() => LeaseholdModule.forRoot({ url: stack.url, token: "t", ttl: "5s" } as never)).toThrow("no option");
    expect(() => LeaseholdModule.forRoot({ url: stack.url, token: "t", shutdownTimeout: "x" } as never)).toThrow(
      "LeaseholdModule: shutdownTimeout",
    );
    expect(() => LeaseholdModule.forRoot(undefined as never)).toThrow(TypeError);
  });
});

describe("a decorated method", () => {
  it("keeps its name, its length, its `this`, its error and what others have noted on it", async () => {
    class Service {
      own = 7;
      async method(id: string): Promise<string> {
        if (id === "bad") throw new RangeError("of its own");
        return `${this.own} ${id}`;
      }
    }
    const note: Decorator = (_target, _key, { value }: PropertyDescriptor) => Reflect.defineMetadata("note", 1, value);
    decorate(Service, "method", note, WithLock("kept {id}"));
    decorate(Service, "method", RunOnce("kept once {id}"));
    const { method } = Service.prototype;
    expect([method.name, method.length, Reflect.getMetadata("note", method)]).toEqual(["method", 1, 1]);
    await using app = await start([Service]);
    const id = freshName("id");
    expect(await app.get(Service).method(id)).toBe(`7 ${id}`);
    await expect(app.get(Service).method("bad")).rejects.toThrow(new RangeError("of its own"));
    expect(Object.keys(app.get(Service))).toEqual(["own"]);
  });

  it("runs in a request's scope, in a subclass and in its parent", async () => {
    class Parent {
      async method(id: string): Promise<string> {
        return `${id} ${currentLease().name}`;
      }
    }
    decorate(Parent, "method", WithLock("parent {id}"));
    class Child extends Parent {
      override async method(id: string): Promise<string> {
        return `${currentLease().name}, ${await super.method(id)}`;
      }
    }
    decorate(Child, "method", WithLock("child {id}"));
    class Heir extends Parent {}
    Injectable({ scope: Scope.REQUEST })(Child);
    const id = freshName("scope");
    await using app = await start([Child, Heir]);
    const child = await app.get(ModuleRef).resolve(Child, ContextIdFactory.create(), { strict: false });
    expect(await child.method(id)).toBe(`child ${id}, ${id} parent ${id}`);
    expect(await app.get(Heir).method(id)).toBe(`${id} parent ${id}`);
  });

  it("belongs to the application of its instance: two in one process", async () => {
    const Service = methodOf(WithLock("apart {0}"), async () => currentLease().name);
    await using one = await start([Service], { prefix: "one:" });
    await using two = await start([Service], { prefix: "two:" });
    const id = freshName("apart");
    await using _held = await one.get<Locks>(Locks).lock(`apart ${id}`).acquire();
    expect(await two.get(Service).method(id)).toBe(`apart ${id}`);
    expect((await one.get<Locks>(Locks).lock(`apart ${id}`).inspect()).state).toBe("held");
  });

  it("waits while another call holds its lock, and rejects when that takes too long", async () => {
    const Service = methodOf(WithLock("held {0}", { wait: 50 }));
    await using app = await start([Service]);
    const id = freshName("held");
    const lease = await app.get<Locks>(Locks).lock(`held ${id}`).acquire();
    await expect(app.get(Service).method(id)).rejects.toThrow(LockTimeoutError);
    expect(await lease.release()).toBe(true);
    expect(await app.get(Service).method(id)).toBe("done");
  });

  it("that outlives its lease rejects, and the next call has a higher token", async () => {
    const tokens: number[] = [];
    const Service = methodOf(WithLock("outlives {0}", { lease: 100 }), async (_id, ms) => {
      tokens.push(currentLease().token);
      await pause(Number(ms));
    });
    await using app = await start([Service]);
    const id = freshName("outlives");
    await expect(app.get(Service).method(id, 300)).rejects.toThrow(LeaseLostError);
    await app.get(Service).method(id, 0);
    expect(tokens[1]).toBeGreaterThan(tokens[0] as number);
  });

  /** Methods whose work begins when their result is used. */
  const unstarted = (begun: () => void): [string, () => unknown, string][] => [
    ["a promise of an Observable", async () => defer(async () => begun()), "an Observable"],
    ["an Observable", () => defer(async () => begun()), "an Observable"],
    [
      "an async generator",
      async function* () {
        begun();
        yield 1;
      },
      "a generator",
    ],
  ];

  it.each(unstarted(() => {}).map(([what], at) => [what, at] as const))(
    "that returns %s is refused, since its work would begin when the lock has ended (B26)",
    async (_what, at) => {
      let begun = 0;
      const [, method, said] = unstarted(() => begun++)[at] as [string, () => Promise<unknown>, string];
      const id = freshName("unstarted");
      const decorators = [[WithLock(id)], [RunOnce(id)], [RunCron(id), Cron("0 3 * * *")]] as Decorator[][];
      for (const all of decorators) {
        const Service = methodOf(all[0] as Decorator, method);
        for (const other of all.slice(1)) decorate(Service, "method", other);
        await using app = await start([Service]);
        const calling = app.get(Service).method();
        await expect(calling).rejects.toThrow(TypeError);
        await expect(calling).rejects.toThrow(`on Service.method: the work returned ${said}, which has not run`);
      }
      expect(begun).toBe(0);
    },
  );

  it("runs once for a key: duplicates get the result, and a failure is not remembered", async () => {
    let runs = 0;
    const Service = methodOf(RunOnce("once {0}"), async (_id, fails) => {
      runs += 1;
      await pause(50);
      if (fails) throw new Error("failed");
      expect(currentAttempt().lease).toBe(currentLease());
      return { runs, token: currentLease().token };
    });
    await using one = await start([Service]);
    await using two = await start([Service]);
    const id = freshName("once");
    await expect(one.get(Service).method(id, true)).rejects.toThrow("failed");
    expect(() => currentAttempt()).toThrow("no method with @RunOnce is running here");
    const results = await Promise.all([one, two, one, two].map((app) => app.get(Service).method(id, false)));
    expect(results).toEqual(Array(4).fill({ runs: 2, token: expect.any(Number) }));
    expect(await two.get(Service).method(id, true)).toEqual(results[0]);
  });

  it("whose result cannot be stored gives it once, and duplicates get an error", async () => {
    const Service = methodOf(RunOnce("unstored {0}"), async () => ({ at: new Map() }));
    await using app = await start([Service]);
    const id = freshName("unstored");
    expect(await app.get(Service).method(id)).toEqual({ at: new Map() });
    await expect(app.get(Service).method(id)).rejects.toThrow("on Service.method: the first call has run");
  });
});

describe("on shutdown", () => {
  it("work under a lease ends first, by `run` too, then the client is closed; a wait is over at once", async () => {
    const order: string[] = [];
    const Service = methodOf(WithLock("ending {0}", { wait: "1m" }), async (id, ms) => {
      await pause(Number(ms));
      order.push(String(id));
    });
    const app = await start([Service], { onShutdown: () => void order.push("closed") });
    const locks = app.get<Locks>(Locks);
    const name = freshName("ending");
    const working = app.get(Service).method(name, 400);
    const running = locks.lock(`${name} by hand`).run(async () => {
      await pause(500);
      order.push("by hand");
    });
    while ((await locks.lock(`ending ${name}`).inspect()).state !== "held") await pause(10);
    const waiting = app.get(Service).method(name, 0);
    const refused = expect(waiting).rejects.toMatchObject({ status: 503 });
    await pause(50);
    await app.close();
    await Promise.all([refused, working, running]);
    expect(order).toEqual([name, "by hand", "closed"]);
    expect((await locks.lock(`ending ${name}`).inspect()).state).toBe("free");
  });

  it("work that does not end is left to its lease after `shutdownTimeout`", async () => {
    let held: Lease | undefined;
    let end = (): void => {};
    const Service = methodOf(WithLock("endless {0}"), async () => {
      held = currentLease();
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    const app = await start([Service], { shutdownTimeout: 100 });
    const working = app.get(Service).method(freshName("endless"));
    while (!held) await pause(5);
    await app.close();
    expect(await held.verify()).toBe(true);
    end();
    await working;
  });
});

describe("a cron", () => {
  const cronOf = (...decorators: unknown[]) => {
    class Jobs {
      async method(): Promise<void> {
        slots.push(currentRun().slot);
        expect(currentRun().lease).toBe(currentLease());
      }
    }
    return decorate(Jobs, "method", ...(decorators as Decorator[]));
  };
  const slots: string[] = [];

  it.each(["above", "below"])("runs each occurrence once on two instances, with @Cron %s", async (where) => {
    slots.length = 0;
    const reports: string[] = [];
    const cron = Cron("0 3 * * *", { timeZone: "Asia/Tokyo" });
    const run = RunCron(freshName("job"), { onReport: ({ status }) => reports.push(status) });
    const Jobs = where === "above" ? cronOf(cron, run) : cronOf(run, cron);
    await using one = await start([Jobs]);
    await using two = await start([Jobs]);
    for (const app of [one, two, one]) await app.get(Jobs).method();
    expect(slots).toEqual([expect.stringMatching(/T18:00:00\.000Z$/)]);
    expect(reports).toEqual(["ran", "skipped: already ran", "skipped: already ran"]);
  });

  it.each([
    [[Interval(5000)], "the times of @Interval and @Timeout differ from instance to instance: use @Cron"],
    [[Cron("0 3 * * *", { utcOffset: 60 })], "@Cron has a utcOffset: use timeZone"],
    [[Cron("* * * * * * *")], "has 7 fields"],
    [[Cron("0 3 * * *", { timeZone: "Nowhere/At" })], "Nowhere/At"],
  ])("at start refuses times that are not the same everywhere: %#", async (decorators, said) => {
    await expect(start([cronOf(...decorators, RunCron("refused"))])).rejects.toThrow(said);
  });

  it("refuses a second job of the same name", async () => {
    const one = cronOf(Cron("0 3 * * *"), RunCron("same"));
    class Others {
      async again(): Promise<void> {}
    }
    decorate(Others, "again", Cron("0 4 * * *") as Decorator, RunCron("same") as Decorator);
    await expect(start([one, Others])).rejects.toThrow("runs a job of this name");
  });
});
