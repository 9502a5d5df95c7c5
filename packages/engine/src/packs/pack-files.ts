import type { PackManifest } from './manifest.ts';

export interface PackFile {
  readonly file: string;
  readonly sha256: string;
}

/** Returns the files that a pack consists of, besides its manifest. */
export function packFiles({ components }: PackManifest): readonly PackFile[] {
  return components.flatMap(({ file, sha256, tokenizer = [] }) => [
    { file, sha256 },
    ...tokenizer.map((one) => ({ file: one.file, sha256: one.sha256 })),
  ]);
}
