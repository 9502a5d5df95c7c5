export type FaultName = 'killed' | 'hung' | 'slow' | 'full' | 'read-only' | 'emptied';

export interface Fault {
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

/** A service in a process of its own, which a test may break and repair. */
export interface BreakableService extends AsyncDisposable {
  /** Settings of the Sightline that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The faults that a test can cause on this machine. */
  readonly faults: Readonly<Partial<Record<FaultName, Fault>>>;
}

/** A process that may be paused, or killed and restarted with its data. */
export interface BreakableProcess {
  start(): Promise<void>;
  kill(): Promise<void>;
  hang(): void;
  resume(): void;
}

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

/** Longer than any caller waits, even for the answer to a trivial request. */
const SLOW_MS = 4_000;

export function slowness(proxy: { delayBy(milliseconds: number): void }): Fault {
  return {
    begin: () => {
      proxy.delayBy(SLOW_MS);
    },
    end: () => {
      proxy.delayBy(0);
    },
  };
}
