import { closestBox } from './closest-box.ts';
import type { Mark } from './photo-view.tsx';
import type { StoredRun } from './try-tab.ts';

/** Adds the eyes, nose and mouth of faces, which the service gives for stored photos only. */
export function withLandmarks(
  marks: readonly Mark[],
  run: Pick<StoredRun, 'faces'> | undefined,
): readonly Mark[] {
  if (run === undefined) return marks;
  return marks.map((mark) =>
    mark.kind === 'face'
      ? { ...mark, landmarks: closestBox(run.faces, mark.bbox)?.landmarks }
      : mark,
  );
}
