/** How long the browser may take to begin with a file, in ms. */
const KEPT_MS = 60_000;

/** Saves the results of a job as a file on the person's machine. */
export function saveResults(results: unknown, name: string): void {
  const file =
    results instanceof Blob
      ? results
      : new Blob([JSON.stringify(results, null, 2)], { type: 'application/json' });
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.${results instanceof Blob ? 'zip' : 'json'}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
