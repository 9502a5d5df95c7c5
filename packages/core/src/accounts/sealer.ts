/** Encrypts texts that clients keep for the service. All processes of an installation open them. */
export interface Sealer {
  /** Returns characters that a cookie may have. @throws NoSecretKey */
  seal(text: string): string;
  /** Returns null if the text was not sealed for this purpose, or was changed. @throws NoSecretKey */
  open(sealed: string): string | null;
}
