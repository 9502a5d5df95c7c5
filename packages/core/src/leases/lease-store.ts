/** Stores leases. Only one process of the installation holds a lease at a time. All methods throw StoreUnavailable. */
export interface LeaseStore {
  /**
   * Acquires or renews a lease for some seconds. Returns false while another holder has the lease. The database's clock
   * measures the time, because the clocks of processes may differ.
   *
   * @param holder a name that is unique to this process
   */
  hold(name: string, holder: string, seconds: number): Promise<boolean>;
  /** Releases the lease. Does nothing if this holder does not have the lease. */
  release(name: string, holder: string): Promise<void>;
}
