import type { CatalogEntry } from '../catalog-entry.ts';

/** A pack of object models that has not been downloaded. */
export function samplePack(name: string): CatalogEntry {
  return {
    name,
    task: 'object',
    version: '1',
    license: 'MIT',
    commercialUse: true,
    commercialUseReason: null,
    provides: [],
    embeddingDim: null,
    classes: [],
    files: [{ address: 'https://example.org/pack.zip', sha256: null, bytes: null }],
  };
}
