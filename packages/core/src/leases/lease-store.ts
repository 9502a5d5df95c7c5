/**
 * Leases: each is held by one process at a time of all processes on one database. Throws
 * StoreUnavailable.
 */
export interface LeaseStore {
  /**
   * Takes a lease for so many seconds, or renews it for its holder; false while another holder has it.
   * Times are those of the database: the clocks of processes may differ.
   *
   * @param holder a name that no other process has
   */
  hold(name: string, holder: string, seconds: number): Promise<boolean>;
  /** Releases the lease. Does nothing if another holder, or no holder, has it. */
  release(name: string, holder: string): Promise<void>;
}
