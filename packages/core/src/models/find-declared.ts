import type { DeclaredModel, RequestedModel } from './declared-models.ts';

/**
 * The declared model of a pack. During an upgrade, two declarations have the same pack name; the declaration that
 * requires the given revision is returned.
 */
export function findDeclared(
  models: readonly DeclaredModel[],
  { name, task, revision }: RequestedModel,
): DeclaredModel | undefined {
  const ofPack = models.filter((model) => model.packName === name && model.task === task);
  const exact = ofPack.find(({ needs }) => needs !== null && needs === revision);
  return exact ?? ofPack[0];
}
