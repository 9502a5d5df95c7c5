import type { DeclaredModel, WantedModel } from './model-routes.ts';

/**
 * The declared model of a pack. Of several, as there are while a new version follows an old one, the one that needs the
 * revision.
 */
export function findDeclared(
  models: readonly DeclaredModel[],
  { name, task, revision }: WantedModel,
): DeclaredModel | undefined {
  const ofPack = models.filter((model) => model.packName === name && model.task === task);
  const exact = ofPack.find(({ needs }) => needs !== null && needs === revision);
  return exact ?? ofPack[0];
}
