import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import type { DeclaredModel } from '@sightline/core/models/declared-models';

const UNKNOWN = 'unknown';

/**
 * Adds the models that a cluster declares to the catalog. The properties of declared models are unknown until the models
 * are downloaded.
 */
export function withDeclared(
  catalog: readonly CatalogEntry[],
  declared: readonly DeclaredModel[],
): readonly CatalogEntry[] {
  const names = new Set(catalog.map(({ name }) => name));
  const others = new Map(
    declared
      .filter(({ packName }) => !names.has(packName))
      .map(({ packName, task }) => [packName, { name: packName, task }]),
  );
  return [
    ...catalog,
    ...[...others.values()].map((model): CatalogEntry => ({
      ...model,
      version: UNKNOWN,
      license: UNKNOWN,
      commercialUse: UNKNOWN,
      commercialUseReason: 'The license is unknown until the model is downloaded.',
      provides: [],
      embeddingDim: null,
      classes: [],
      files: [],
    })),
  ];
}
