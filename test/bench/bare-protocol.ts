import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { WorkloadName } from './workloads.ts';

/** The input of a thread of the bare loop. */
export interface BareStart {
  readonly models: SelectedPacks;
  readonly photos: readonly Uint8Array[];
}

/** `bare` runs the whole analysis; `runtime` only its calls of onnxruntime. */
export type Side = 'bare' | 'runtime';

/** A task for several threads, which share its operations. */
export interface BareTask {
  readonly workload: WorkloadName;
  readonly side: Side;
  /** A counter in one 32-bit word: the index of the next operation. */
  readonly next: SharedArrayBuffer;
  /** One past the last operation. */
  readonly end: number;
}

export interface BareAnswer {
  readonly milliseconds: readonly number[];
  readonly found: number;
}
