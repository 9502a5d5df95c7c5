/** Encrypts secrets, each for one environment. */
export interface SecretBox {
  /** @throws NoSecretKey */
  seal(secret: string, environmentId: number): Uint8Array;
  /** @throws NoSecretKey; UnknownSecretKey; Error if the secret was changed, or sealed for another environment */
  open(sealed: Uint8Array, environmentId: number): string;
}

/** Keys for other purposes than the encryption of secrets. */
export interface KeySource {
  /** Derives a key from that of the installation (HKDF); null if it has none. */
  derive(purpose: string): Uint8Array | null;
}

/** The public facts about a key. */
export interface SealingKey {
  /** 8 hex digits, derived from the key. */
  readonly id: string;
  /** The bytes with which every secret begins that was sealed with the key. */
  readonly prefix: Uint8Array;
  /** A hash by which an installation recognizes the key without storing the key. */
  readonly check: Uint8Array;
}
