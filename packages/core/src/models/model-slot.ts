import type { ModelTask } from './model.ts';

/** What one model at a time answers: faces, or objects, be it of fixed classes or of a free vocabulary. */
export type ModelSlot = 'face' | 'object';

export function slotOf({ task }: { readonly task: ModelTask }): ModelSlot {
  return task === 'face' ? 'face' : 'object';
}
