import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeySource, Sealer, SealingKey, SecretBox } from '@sightline/core/secrets/secret-box';
import { NoSecretKey, UnknownSecretKey } from '@sightline/core/secrets/secret-errors';
import { Credential, type ReadValues } from '@sightline/platform/resilience/credential';

const CIPHER = 'aes-256-gcm';
/** The format version, stored as the first byte. The id of the key, nonce, tag and ciphertext follow. */
const VERSION = 2;
/** In this version nothing says which key was used. */
const VERSION_WITHOUT_ID = 1;
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key extends SealingKey {
  readonly bytes: Uint8Array;
}

/**
 * Encrypts secrets with AES-256-GCM. The environment id is authenticated, so a secret that is moved to another
 * environment cannot be decrypted. All keys decrypt, and the first one encrypts.
 */
export class AesSecretBox implements SecretBox, KeySource {
  readonly #readKeys: ReadValues<Uint8Array> | null;
  readonly #keys: Credential<readonly Key[]> | null;

  /**
   * @param readKeys returns keys of 32 bytes each; if null, every call throws NoSecretKey
   * @throws the errors of `readKeys`
   */
  constructor(readKeys: ReadValues<Uint8Array> | null) {
    this.#readKeys = readKeys;
    this.#keys = readKeys && new Credential(() => [readKeys().map(keyOf)]);
  }

  /** The keys, the first one first. @throws NoSecretKey */
  get keys(): readonly SealingKey[] {
    return this.#requireKeys().current;
  }

  /** @throws the errors of the function that reads the keys */
  sealer(purpose: string): Sealer {
    const read = this.#readKeys;
    const box = new AesSecretBox(read && (() => read().map((key) => derivedFrom(key, purpose))));
    return {
      seal: (text) => Buffer.from(box.#seal(text, purpose)).toString('base64url'),
      open: (sealed) => {
        box.#requireKeys();
        try {
          return box.#open(Buffer.from(sealed, 'base64url'), purpose);
        } catch {
          return null;
        }
      },
    };
  }

  derive(purpose: string): Uint8Array | null {
    const [first] = this.#keys?.current ?? [];
    return first === undefined ? null : derivedFrom(first.bytes, purpose);
  }

  seal(secret: string, environmentId: number): Uint8Array {
    return this.#seal(secret, aboutOf(environmentId));
  }

  open(sealed: Uint8Array, environmentId: number): string {
    return this.#open(sealed, aboutOf(environmentId));
  }

  /** @param about a text that is authenticated, so that the secret cannot be decrypted with another one */
  #seal(secret: string, about: string): Uint8Array {
    const { bytes, prefix } = this.#requireKeys().current[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, bytes, nonce);
    cipher.setAAD(Buffer.from(about));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([prefix, nonce, cipher.getAuthTag(), text]);
  }

  #open(sealed: Uint8Array, about: string): string {
    const keys = this.#requireKeys();
    const { id, body } = split(sealed);
    for (;;) {
      const known = keys.current;
      const matching = known.filter((key) => id === null || key.id === id);
      for (const key of matching) {
        const text = tryOpen(key, body, about);
        if (text !== null) return text;
      }
      // Another process may have read a key from the file that this process has not read yet.
      if (keys.renew(known)) continue;
      if (matching.length === 0) throw new UnknownSecretKey(id!);
      throw new Error('The secret was encrypted with another key, or for another environment.');
    }
  }

  #requireKeys(): Credential<readonly Key[]> {
    if (this.#keys === null) throw new NoSecretKey();
    return this.#keys;
  }
}

function derivedFrom(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(
    hkdfSync('sha256', key, new Uint8Array(), `sightline ${purpose}`, key.length),
  );
}

function keyOf(bytes: Uint8Array): Key {
  const check = createHmac('sha256', bytes).update('sightline secret key').digest();
  const id = check.subarray(0, ID_BYTES);
  return { bytes, check, id: id.toString('hex'), prefix: Buffer.concat([Buffer.of(VERSION), id]) };
}

/** Separates the id of the key from the nonce, tag and ciphertext. @throws Error if the format is unknown */
function split(sealed: Uint8Array): { readonly id: string | null; readonly body: Uint8Array } {
  const at = 1 + ID_BYTES;
  if (sealed[0] === VERSION_WITHOUT_ID) return { id: null, body: sealed.subarray(1) };
  if (sealed[0] !== VERSION)
    throw new Error('The format version of the encrypted secret is unknown.');
  return { id: Buffer.from(sealed.subarray(1, at)).toString('hex'), body: sealed.subarray(at) };
}

/** The text; null if it was not encrypted with this key and for this use, or was changed. */
function tryOpen({ bytes }: Key, body: Uint8Array, about: string): string | null {
  try {
    const decipher = createDecipheriv(CIPHER, bytes, body.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(about));
    decipher.setAuthTag(body.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(body.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function aboutOf(environmentId: number): string {
  return `environment ${environmentId}`;
}
