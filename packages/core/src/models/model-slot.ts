import type { ModelTask } from './model.ts';

/** One model per slot is active. The slot `object` is for models with fixed classes and for open-vocabulary models. */
export type ModelSlot = 'face' | 'object';

export function slotOf({ task }: { readonly task: ModelTask }): ModelSlot {
  return task === 'face' ? 'face' : 'object';
}
