/** The timed stages of an analysis, in order. */
export type Stage = 'decode' | 'detect' | 'align' | 'embed' | 'attributes' | 'encode';

/** Receives the duration of each stage of one image. */
export type StageObserver = (stage: Stage, milliseconds: number) => void;

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
