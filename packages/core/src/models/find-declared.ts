import type { DeclaredModel, RequestedModel } from './declared-models.ts';

/**
 * The declared model of a pack. While a new version follows an old one there are several: then the one that needs the
 * revision.
 */
export function findDeclared(
  models: readonly DeclaredModel[],
  { name, task, revision }: RequestedModel,
): DeclaredModel | undefined {
  const ofPack = models.filter((model) => model.packName === name && model.task === task);
  const exact = ofPack.find(({ needs }) => needs !== null && needs === revision);
  return exact ?? ofPack[0];
}
