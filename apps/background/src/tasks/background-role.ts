import type { Role } from '@sightline/platform/lifecycle/role';

export interface BackgroundRoleOptions {
  readonly name: string;
  readonly loops: readonly Loop[];
  /** Runs before the loops start, for example to fill an index. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  /** Runs after the loops have ended, for example to give leases back. */
  readonly release?: () => Promise<unknown>;
}

interface Loop extends AsyncDisposable {
  start(): void;
}

/** Creates a role that consists of loops. The role is ready from its start to its disposal. */
export function backgroundRole({ name, loops, prepare, release }: BackgroundRoleOptions): Role {
  let isRunning = false;
  return {
    name,
    async start(signal) {
      signal.throwIfAborted();
      await prepare?.(signal);
      for (const loop of loops) loop.start();
      isRunning = true;
    },
    ready: () => Promise.resolve(isRunning),
    async [Symbol.asyncDispose]() {
      isRunning = false;
      await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()));
      await release?.();
    },
  };
}
