/** Maps identity ids to small consecutive numbers, which can index arrays. */
export class IdentityOrdinals {
  readonly #ordinalOf = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #uses: number[] = [];
  readonly #free: number[] = [];

  /** The smallest number above all assigned ordinals. */
  get end(): number {
    return this.#ids.length;
  }

  idOf(ordinal: number): number {
    return this.#ids[ordinal]!;
  }

  /** Adds a point to an identity, and returns the identity's ordinal. */
  acquire(identityId: number): number {
    const ordinal = this.#ordinalOf.get(identityId) ?? this.#assign(identityId);
    this.#uses[ordinal]! += 1;
    return ordinal;
  }

  /**
   * Removes a point from an identity. When an identity has no points left, its ordinal becomes free for another
   * identity.
   */
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
