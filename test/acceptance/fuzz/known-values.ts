import fc from 'fast-check';

export type Known = string | number | boolean;

/**
 * The name of the ids in each collection. The name tells to which kind of record a plain `id` or
 * `ids` belongs.
 */
const COLLECTIONS: Readonly<Record<string, string>> = {
  identities: 'identity_id',
  detections: 'detection_id',
  images: 'source_image_id',
  review: 'detection_id',
  mismatches: 'detection_id',
  'face-embeddings': 'embedding_id',
  crops: 'detection_id',
  sources: 'source_image_id',
  jobs: 'job_id',
  webhooks: 'webhook_id',
  deliveries: 'delivery_id',
  operations: 'operation_id',
  environments: 'environment_id',
  members: 'account_id',
  users: 'account_id',
  invitations: 'invitation_id',
  keys: 'key_id',
  sessions: 'session_id',
};

const ALIASES: Readonly<Record<string, string>> = {
  next_cursor: 'cursor',
  default: 'value',
  // The parameter `into` is the id of the identity into which a merge moves the faces.
  into: 'identity_id',
  merged_into: 'identity_id',
  cover_detection_id: 'detection_id',
};

const MAX_PER_NAME = 60;

/** The latest values from answers, by the name of their member. */
export class KnownValues {
  readonly #byName = new Map<string, Set<Known>>();
  readonly #addresses = new Set<string>();

  /** Collects the values in an answer from this path. */
  learn(path: string, answer: unknown): void {
    const collection = path.split('/').findLast((part) => Object.hasOwn(COLLECTIONS, part));
    this.#learnMember(COLLECTIONS[collection ?? ''] ?? 'id', '', answer);
  }

  /** Draws one of the values that are known when a request is sent; undefined if there are none. */
  draw(name: string): fc.Arbitrary<Known | undefined> {
    return fc.nat().map((n) => {
      const values = [...(this.#byName.get(ALIASES[name] ?? name) ?? [])];
      return values[n % values.length];
    });
  }

  /** Draws a file's URL that matches the path of an operation. */
  drawAddress(path: string): fc.Arbitrary<string | undefined> {
    const form = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
    return fc.nat().map((n) => {
      const fitting = [...this.#addresses].filter((address) => form.test(address));
      return fitting[n % fitting.length];
    });
  }

  #learnMember(idName: string, name: string, value: unknown): void {
    if (Array.isArray(value)) value.forEach((item) => this.#learnMember(idName, name, item));
    else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value);
      members.forEach(([member, one]) => this.#learnMember(idName, member, one));
    } else if (value !== null && value !== undefined)
      this.#learnValue(idName, name, value as Known);
  }

  #learnValue(idName: string, name: string, value: Known): void {
    const isOwnId = name === 'id' || name === 'ids';
    this.#keep(isOwnId ? idName : (ALIASES[name] ?? name), value);
    const [, secret] = /^http.*#([\w-]+)$/.exec(String(value)) ?? [];
    if (secret !== undefined) this.#keep('token', secret);
    const [address, hash] = /^\/media\/\w+\/\d+\/([0-9a-f]{64})\.jpg$/.exec(String(value)) ?? [];
    if (address === undefined || hash === undefined) return;
    keepLatest(this.#addresses, address);
    this.#keep('hash', hash);
  }

  #keep(name: string, value: Known): void {
    const values = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, values);
    keepLatest(values, value);
  }
}

/** The name that the ids of a path's collection have, such as `identity_id`. */
export function idNameOf(path: string): string {
  const collection = path.split('/').find((part) => Object.hasOwn(COLLECTIONS, part));
  return collection === undefined ? 'id' : COLLECTIONS[collection]!;
}

function keepLatest<T>(values: Set<T>, value: T): void {
  values.delete(value);
  values.add(value);
  if (values.size > MAX_PER_NAME) values.delete(values.values().next().value!);
}
