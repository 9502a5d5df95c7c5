import { IdentityReadings } from './identity-readings.ts';
import type { NewVectors } from './new-vectors.ts';

/**
 * How far a space has got with changes that take several turns. It outlives the memory of the space, so that spaces that
 * do not fit into memory beside each other get on. Like that memory, it is valid as long as the turn of the space is the
 * one that this process has stored last.
 */
export class SpaceProgress {
  turn: number | null;
  readonly readings = new IdentityReadings();
  /** Null if no new references, or means, are being compared. */
  newVectors: NewVectors | null = null;
  /** The losses that the new vectors were read after. */
  losses: ReadonlySet<number> = new Set();
  /** The changes of means that have been compared with all open faces, and are not acknowledged yet. */
  readonly compared = new Set<number>();

  constructor(turn: number | null) {
    this.turn = turn;
  }

  get isEmpty(): boolean {
    return this.newVectors === null && this.readings.size === 0 && this.compared.size === 0;
  }
}
