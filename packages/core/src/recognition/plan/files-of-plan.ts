import type { FileName } from '../run/image-files.ts';
import type { ImagePlan } from './image-plan.ts';

/** The files that the rows of a plan refer to: those of what is new. */
export function filesOfPlan({ run, state, faces, objects }: ImagePlan): readonly FileName[] {
  const names: FileName[] = [];
  if (state.source === null) names.push('source', ...(run.original ? ['original' as const] : []));
  for (const [i, { stored }] of faces.entries()) if (!stored) names.push(`face ${i}`);
  for (const [i, { stored }] of objects.entries()) if (!stored) names.push(`object ${i}`);
  return names;
}
