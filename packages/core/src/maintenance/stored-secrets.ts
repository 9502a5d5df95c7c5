/** The columns with secrets: of webhooks the current and the previous one, of items the credentials of their URL. */
export const SECRET_COLUMNS = ['webhook', 'previous_webhook', 'image_url'] as const;
export type SecretColumn = (typeof SECRET_COLUMNS)[number];

/** The place of a stored secret. */
export interface SecretPlace {
  readonly environmentId: number;
  /** The id of the webhook or of the job. */
  readonly id: number;
  /** The index of the job's item; 0 for a webhook. */
  readonly index: number;
}

export interface StoredSecret extends SecretPlace {
  readonly sealed: Uint8Array;
}

export interface ReplacedSecret extends StoredSecret {
  readonly replacement: Uint8Array;
}

/** The encrypted secrets of all environments. All methods throw StoreUnavailable. */
export interface StoredSecrets {
  /** A page of the secrets of a column that do not begin with `prefix`, by place, starting after `after`. */
  page(
    column: SecretColumn,
    page: {
      readonly prefix: Uint8Array;
      readonly after: SecretPlace | null;
      readonly limit: number;
    },
    signal?: AbortSignal,
  ): Promise<readonly StoredSecret[]>;

  /** Replaces secrets, except those that have changed or ended since they were read. Returns how many were replaced. */
  replace(
    column: SecretColumn,
    secrets: readonly ReplacedSecret[],
    signal?: AbortSignal,
  ): Promise<number>;
}
