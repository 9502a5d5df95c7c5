/** The place where an installation stores its images. */
export interface MediaLocation {
  readonly kind: 'files' | 'bucket';
  /** For a bucket, its name and endpoint in a form for people. For files, the random name of their folder. */
  readonly location: string;
}

/** The values that all processes on one database share. */
export interface Installation {
  /** A UUID that is created with the database. The bucket contains it, too, as the name of its owner. */
  readonly id: string;
  /** Null until the first process has recorded where the images are. */
  readonly media: MediaLocation | null;
}

/** Stores the values of an installation in its database. All methods throw StoreUnavailable. */
export interface InstallationStore {
  read(signal?: AbortSignal): Promise<Installation>;

  /**
   * Replaces `before` by `after` unless another process has changed the value (compare and set). Returns the stored value.
   * If several processes start at once, the first one decides.
   */
  replace(before: Installation, after: Installation): Promise<Installation>;

  /**
   * Compares check values of this process's keys for secrets with the stored one, so that all processes have a key in
   * common. The first call stores its first value. Returns whether the stored value is one of them.
   */
  claimSecretKey(checks: readonly Uint8Array[]): Promise<boolean>;

  /** Stores the check value of the key with which all secrets are now encrypted. */
  replaceSecretKey(check: Uint8Array): Promise<void>;

  /**
   * Returns the names of the services that have a connection to the database or are about to start. Connections of
   * `sightline` commands and of migrations are not included. If a pooler keeps the connections of a service that has
   * ended, its name is returned, too.
   */
  services(signal?: AbortSignal): Promise<readonly string[]>;
}
