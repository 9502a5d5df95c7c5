import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { Run } from './workloads.ts';

/** What a thread of the bare loop is started with. */
export interface BareStart {
  readonly models: SelectedPacks;
  readonly photos: readonly Uint8Array[];
}

/** `bare` does all of the analysis; `runtime` only what of it happens inside onnxruntime. */
export type Side = 'bare' | 'runtime';

/** Threads that are given the same task share its operations. */
export interface BareTask extends Run {
  readonly side: Side;
  /** One 32-bit word, 0 at first: the next operation. */
  readonly next: SharedArrayBuffer;
}

export interface BareAnswer {
  readonly milliseconds: readonly number[];
  readonly found: number;
}
