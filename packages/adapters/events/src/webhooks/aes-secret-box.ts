import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { SecretBox } from '@sightline/core/webhooks/secret-box';
import { NoSecretKey } from '@sightline/core/webhooks/webhook-errors';

const CIPHER = 'aes-256-gcm';
/** The format version, stored as the first byte. The nonce, tag and ciphertext follow. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets with AES-256-GCM. The environment id is authenticated, so a secret that is moved to another
 * environment cannot be decrypted.
 */
export class AesSecretBox implements SecretBox {
  readonly #key: Uint8Array | null;

  /** @param key 32 bytes; if null, every call throws NoSecretKey */
  constructor(key: Uint8Array | null) {
    this.#key = key;
  }

  seal(secret: string, environmentId: number): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#requireKey(), nonce);
    cipher.setAAD(aboutOf(environmentId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
  }

  open(sealed: Uint8Array, environmentId: number): string {
    const key = this.#requireKey();
    if (sealed[0] !== VERSION)
      throw new Error('The format version of the encrypted secret is unknown.');
    const at = 1 + NONCE_BYTES;
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, at));
    decipher.setAAD(aboutOf(environmentId));
    decipher.setAuthTag(sealed.subarray(at, at + TAG_BYTES));
    const text = decipher.update(sealed.subarray(at + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }

  #requireKey(): Uint8Array {
    if (this.#key === null) throw new NoSecretKey();
    return this.#key;
  }
}

/** A hash by which an installation recognizes its key without storing the key. */
export function secretKeyCheck(key: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update('sightline secret key').digest();
}

function aboutOf(environmentId: number): Buffer {
  return Buffer.from(`environment ${environmentId}`);
}
