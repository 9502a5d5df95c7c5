import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { TooManySignIns } from './account-errors.ts';

/** The cost of scrypt: the binary logarithm of its iterations, the size of its blocks, and its parallel runs. */
export interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/**
 * The cost of a hash of the service: 32 MiB of memory, and about 0.2 s of a core. OWASP's Password Storage Cheat Sheet lists
 * these parameters of scrypt.
 */
const SERVICE_COST: ScryptCost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_MEMORY = 64 * 1024 ** 2;
/** More callers than this would wait for seconds. */
const MOST_WAITING = 20;
/** So many of them may be for one account or address. */
const MOST_OF_HOLDER = 5;
const FORM = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

/**
 * Hashes passwords with scrypt on the threads of libuv. One password is hashed at a time, so that sign-ins leave these
 * threads to other requests.
 */
export class PasswordHasher {
  readonly #cost: ScryptCost;
  #last: Promise<unknown> = Promise.resolve();
  /** How many callers wait, by the one for whom they do. */
  readonly #waiting = new Map<string, number>();

  /** @param cost of new hashes, and of comparisons without a hash; tests take less than the service's */
  constructor(cost: ScryptCost = SERVICE_COST) {
    this.#cost = cost;
  }

  /**
   * Returns the hash in the form of the PHC string format, such as `$scrypt$ln=15,r=8,p=3$salt$hash`.
   *
   * @param holder as for {@link PasswordHasher.inTurn}
   * @throws TooManySignIns
   */
  hash(password: string, holder: string): Promise<string> {
    return this.inTurn(holder, async () => {
      const salt = randomBytes(SALT_BYTES);
      const hash = await deriveKey(password, { ...this.#cost, salt, length: HASH_BYTES });
      const { ln, r, p } = this.#cost;
      return `$scrypt$ln=${ln},r=${r},p=${p}$${textOf(salt)}$${textOf(hash)}`;
    });
  }

  /**
   * Runs work alone: no other password is hashed or compared by this process at the same time.
   *
   * @param holder the account or the address of the client, which may have only a few waiting
   * @throws TooManySignIns if too many wait already; the errors of the work
   */
  async inTurn<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const own = this.#waiting.get(holder) ?? 0;
    const all = [...this.#waiting.values()].reduce((sum, count) => sum + count, 0);
    if (own >= MOST_OF_HOLDER || all >= MOST_WAITING) throw new TooManySignIns();
    this.#waiting.set(holder, own + 1);
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      const left = this.#waiting.get(holder)! - 1;
      if (left === 0) this.#waiting.delete(holder);
      else this.#waiting.set(holder, left);
    }
  }

  /**
   * Whether the hash is that of the password. Without a hash the answer is no, after the same time as with one of this
   * hasher. Call it in a turn of {@link PasswordHasher.inTurn}.
   */
  async isPasswordOf(password: string, stored: string | null): Promise<boolean> {
    const [, ln, r, p, salt, hash] = FORM.exec(stored ?? '') ?? [];
    if (salt === undefined || hash === undefined) {
      const noSalt = new Uint8Array(SALT_BYTES);
      await deriveKey(password, { ...this.#cost, salt: noSalt, length: HASH_BYTES });
      return false;
    }
    const expected = Buffer.from(hash, 'base64');
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
    const given = await deriveKey(password, {
      ...cost,
      salt: Buffer.from(salt, 'base64'),
      length: expected.length,
    });
    return timingSafeEqual(expected, given);
  }
}

interface Derivation extends ScryptCost {
  readonly salt: Uint8Array;
  readonly length: number;
}

function deriveKey(password: string, { ln, r, p, salt, length }: Derivation): Promise<Buffer> {
  // Keyboards compose characters differently, so the password is normalized.
  const options = { N: 2 ** ln, r, p, maxmem: MAX_MEMORY };
  return derive(password.normalize('NFC'), salt, length, options);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
