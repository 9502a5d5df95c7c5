/** The number of random bytes of a secret, as Standard Webhooks recommends (24 to 64). */
const BYTES = 32;

/** Makes a secret for signatures in the form of Standard Webhooks. */
export function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
