import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { WorkloadName } from './workloads.ts';

/** What a thread of the bare loop is started with. */
export interface BareStart {
  readonly models: SelectedPacks;
  readonly photos: readonly Uint8Array[];
}

/** `bare` does all of the analysis; `runtime` only what of it happens inside onnxruntime. */
export type Side = 'bare' | 'runtime';

/** Threads that are given the same task share its operations. */
export interface BareTask {
  readonly workload: WorkloadName;
  readonly side: Side;
  /** One 32-bit word: the next operation. */
  readonly next: SharedArrayBuffer;
  /** One past the last operation. */
  readonly end: number;
}

export interface BareAnswer {
  readonly milliseconds: readonly number[];
  readonly found: number;
}
