/** What one process at a time does, among all that work on one database. Throws StoreUnavailable. */
export interface LeaseStore {
  /**
   * Takes a lease for so many seconds, or prolongs it for the one who holds it; false while somebody
   * else does. Times are those of the database: clocks of processes may differ.
   *
   * @param holder a name that no other process has
   */
  hold(name: string, holder: string, seconds: number): Promise<boolean>;
  /** Gives it back; one that is held by somebody else, or by nobody, is no error. */
  release(name: string, holder: string): Promise<void>;
}
