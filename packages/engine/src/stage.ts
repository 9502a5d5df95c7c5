/** The steps of an analysis that are timed, in their order. */
export type Stage = 'decode' | 'detect' | 'align' | 'embed' | 'attributes' | 'encode';

/** Told how long each step of one image took. */
export type StageObserver = (stage: Stage, milliseconds: number) => void;

/** Does a step and tells how long it took, unless it fails. */
export async function timed<T>(
  observe: StageObserver,
  stage: Stage,
  work: () => T | Promise<T>,
): Promise<T> {
  const start = performance.now();
  const result = await work();
  observe(stage, performance.now() - start);
  return result;
}
