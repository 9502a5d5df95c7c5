export interface Heartbeat {
  /** Time between two renewals, in ms; a third of the lease or less, so that one may fail. */
  readonly everyMs: number;
  /**
   * Renews the lease; false if another process has taken it over. A rejection says nothing about the
   * lease: the next renewal retries, or the lease expires.
   */
  readonly renew: () => Promise<boolean>;
  /** Called once, when another process has taken the lease over. It is not renewed after that. */
  readonly onLost?: () => void;
}

/**
 * Runs work while its lease is renewed. Once the returned promise has settled, no renewal is in flight:
 * one that ended later would take a released lease back.
 *
 * @throws what the work throws
 */
export async function withHeartbeat<T>(
  { everyMs, renew, onLost }: Heartbeat,
  work: () => Promise<T>,
): Promise<T> {
  let isRenewing = false;
  let renewal = Promise.resolve();
  const beat = async (): Promise<void> => {
    isRenewing = true;
    const isHeld = await renew().catch(() => true);
    isRenewing = false;
    if (isHeld) return;
    clearInterval(timer);
    onLost?.();
  };
  const timer = setInterval(() => {
    if (!isRenewing) renewal = beat();
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewal;
  }
}
