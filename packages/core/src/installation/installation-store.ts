/** The place of an installation's images. */
export interface MediaLocation {
  readonly kind: 'files' | 'bucket';
  /**
   * For a bucket: its name and endpoint, to be read by people. For files: the random name of the
   * folder that holds them.
   */
  readonly location: string;
}

/** The values that all processes on one database share. */
export interface Installation {
  /** A UUID, created with the database; the bucket keeps it to name its owner. */
  readonly id: string;
  /** The place of the images; null until the first process has recorded it. */
  readonly media: MediaLocation | null;
}

/** The identity of an installation, kept in its database. Throws StoreUnavailable. */
export interface InstallationStore {
  read(signal?: AbortSignal): Promise<Installation>;

  /**
   * Compare and set: replaces `before` by `after` unless another process has changed the value;
   * answers the value that holds from now on. Of processes that start at once, the first one decides.
   */
  replace(before: Installation, after: Installation): Promise<Installation>;

  /**
   * Compares the check value of a process's key for secrets with the stored one, which the first
   * call records; answers whether they are equal, so that all processes use the same key.
   */
  claimSecretKey(check: Uint8Array): Promise<boolean>;

  /**
   * Names of services that are connected to the database now or about to start, without commands. A
   * service without a connection is not seen, and a pooler may keep connections of one that has ended.
   */
  services(signal?: AbortSignal): Promise<readonly string[]>;
}
