/** Small consecutive numbers for the identities that points have, so that arrays can be indexed by them. */
export class IdentityOrdinals {
  readonly #ordinalOf = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #uses: number[] = [];
  readonly #free: number[] = [];

  /** All ordinals are below this. */
  get end(): number {
    return this.#ids.length;
  }

  idOf(ordinal: number): number {
    return this.#ids[ordinal]!;
  }

  /** The ordinal of an identity that one more point has. */
  acquire(identityId: number): number {
    const ordinal = this.#ordinalOf.get(identityId) ?? this.#assign(identityId);
    this.#uses[ordinal]! += 1;
    return ordinal;
  }

  /** One point less has this identity; the ordinal of one that none has goes to another. */
  release(ordinal: number): void {
    this.#uses[ordinal]! -= 1;
    if (this.#uses[ordinal] !== 0) return;
    this.#ordinalOf.delete(this.#ids[ordinal]!);
    this.#free.push(ordinal);
  }

  #assign(identityId: number): number {
    const ordinal = this.#free.pop() ?? this.#ids.length;
    this.#ids[ordinal] = identityId;
    this.#uses[ordinal] = 0;
    this.#ordinalOf.set(identityId, ordinal);
    return ordinal;
  }
}
