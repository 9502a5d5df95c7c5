export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly milliseconds: number }> {
  const start = performance.now();
  const result = await work();
  return { result, milliseconds: Math.round(performance.now() - start) };
}
