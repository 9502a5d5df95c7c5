/** Encrypts secrets, each for one environment. */
export interface SecretBox {
  /** @throws NoSecretKey */
  seal(secret: string, environmentId: number): Uint8Array;
  /** @throws NoSecretKey; Error if the secret was sealed with another key or for another environment */
  open(sealed: Uint8Array, environmentId: number): string;
}
