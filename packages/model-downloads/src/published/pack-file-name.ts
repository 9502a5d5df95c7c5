/** The file names of packs. Other files of an archive or folder are ignored. */
const PACK_FILE = /^[\w-][\w.-]*\.onnx$|^(manifest|tokenizer|vocab)\.json$|^merges\.txt$/;

/** Whether a pack may have a file with this name. Such a name contains no path separator. */
export function isPackFileName(name: string): boolean {
  return PACK_FILE.test(name);
}
