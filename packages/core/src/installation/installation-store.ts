/** Where the images of an installation are. */
export interface MediaPlace {
  readonly kind: 'files' | 'bucket';
  /**
   * Of a bucket, for people: which one, and where. Of files: the random name of the one folder that
   * holds them.
   */
  readonly place: string;
}

/** What processes that share a database have to agree about. */
export interface Installation {
  /** A UUID, made with the database; a bucket knows by it whose it is. */
  readonly id: string;
  /** Where images are; null until the first process has said so. */
  readonly media: MediaPlace | null;
}

/** Who an installation is, kept in its database. Throws StoreUnavailable. */
export interface InstallationStore {
  read(signal?: AbortSignal): Promise<Installation>;

  /**
   * Puts `after` in the place of `before`, unless something else stands there by now; answers what
   * stands there from now on. Of processes that start at once one decides.
   */
  replace(before: Installation, after: Installation): Promise<Installation>;

  /**
   * Names of services that are connected to the database now, or about to start; commands are none. One
   * that is not connected at the moment is not seen, and a pooler may keep connections of one that ended.
   */
  services(signal?: AbortSignal): Promise<readonly string[]>;
}
