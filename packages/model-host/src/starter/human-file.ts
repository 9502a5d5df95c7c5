import type { ModelFile } from '@sightline/model-downloads/model-file';

/** A model file of this npm package; its code is not used. */
export function humanFile(file: Omit<ModelFile, 'sources'>): ModelFile {
  return {
    ...file,
    sources: [{ npmPackage: '@vladmandic/human', path: `models/${file.name}` }],
  };
}
