/** What may befall a service that Sightline needs. */
export type FaultName = 'killed' | 'hung' | 'slow' | 'full' | 'emptied';

/** Something that befalls a service, and is over when the test says so. */
export interface Fault {
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

/** A service in a process of its own, which a test may break and mend. */
export interface BreakableService extends AsyncDisposable {
  /** For whoever is to use it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Those that this machine lets a test bring about. */
  readonly faults: Readonly<Partial<Record<FaultName, Fault>>>;
}

/** A process that may be killed and started again with what it keeps, and stopped. */
export interface BreakableProcess {
  start(): Promise<void>;
  kill(): Promise<void>;
  hang(): void;
  resume(): void;
}

/** What befalls any process. */
export function processFaults(server: BreakableProcess): Record<'killed' | 'hung', Fault> {
  return {
    killed: { begin: () => server.kill(), end: () => server.start() },
    hung: {
      begin: () => {
        server.hang();
      },
      end: () => {
        server.resume();
      },
    },
  };
}

/** More than anybody waits, also for the answer to a trivial request. */
const SLOW_MS = 4_000;

/** A way on which all takes long. */
export function slowness(way: { delayBy(milliseconds: number): void }): Fault {
  return {
    begin: () => {
      way.delayBy(SLOW_MS);
    },
    end: () => {
      way.delayBy(0);
    },
  };
}
