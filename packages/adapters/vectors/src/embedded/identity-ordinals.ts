/** Maps identities to small consecutive numbers that can index arrays. */
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

  /** The ordinal of an identity, for one more point of it. */
  acquire(identityId: number): number {
    const ordinal = this.#ordinalOf.get(identityId) ?? this.#assign(identityId);
    this.#uses[ordinal]! += 1;
    return ordinal;
  }

  /** Removes one point of an identity; an ordinal without points is reused. */
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
