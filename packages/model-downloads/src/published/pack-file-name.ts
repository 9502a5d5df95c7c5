/** Names of files that a pack may have; folders and other files are ignored. */
const TAKEN = /^[\w-][\w.-]*\.onnx$|^(manifest|tokenizer|vocab)\.json$|^merges\.txt$/;

/** Whether a pack may have a file of this name; such a name is safe as a path. */
export function isPackFileName(name: string): boolean {
  return TAKEN.test(name);
}
