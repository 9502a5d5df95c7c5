/** How long the browser may take to begin with a file, in ms. */
const KEPT_MS = 60_000;

/** Saves a file on the person's machine. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
