export interface Heartbeat {
  /** The time between two renewals, in ms. It is at most a third of the lease, so that one renewal may fail. */
  readonly everyMs: number;
  /**
   * Renews the lease. Returns false if another process has taken over the lease. After a rejection, the next renewal
   * retries.
   */
  readonly renew: () => Promise<boolean>;
  /** Called once when another process has taken over the lease. The renewals then end. */
  readonly onLost?: () => void;
}

/**
 * Renews a lease while the work runs. The returned promise settles only after a renewal in flight, because a late
 * renewal would acquire a released lease again.
 *
 * @throws the errors of the work
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
