/** Encrypts secrets, each for one environment. */
export interface SecretBox {
  /** @throws NoSecretKey */
  seal(secret: string, environmentId: number): Uint8Array;
  /** @throws NoSecretKey; UnknownSecretKey; Error if the secret was changed, or sealed for another environment */
  open(sealed: Uint8Array, environmentId: number): string;
}

/** Encrypts texts that clients keep for the service. All processes of an installation open them. */
export interface Sealer {
  /** Returns characters that a cookie may have. @throws NoSecretKey */
  seal(text: string): string;
  /** Returns null if the text was not sealed for this purpose, or was changed. @throws NoSecretKey */
  open(sealed: string): string | null;
}

/** Keys for other purposes than the encryption of secrets, derived from those of the installation (HKDF). */
export interface KeySource {
  /** Derives a key from the first one; null if the installation has none. */
  derive(purpose: string): Uint8Array | null;
  sealer(purpose: string): Sealer;
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
