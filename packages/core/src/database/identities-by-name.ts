import type { DetectionType } from '../detection-type.ts';
import type { Identity } from '../identities/identity.ts';
import { identityKey } from '../identities/identity-key.ts';
import type { Stores } from './database.ts';

/** The existing identities with these types and labels, by `identityKey`. */
export async function identitiesByName(
  { identities }: Pick<Stores, 'identities'>,
  named: readonly Pick<Identity, 'type' | 'label'>[],
): Promise<ReadonlyMap<string, Identity>> {
  const found = async (of: DetectionType): Promise<readonly Identity[]> => {
    const labels = named.filter(({ type }) => type === of).map(({ label }) => label);
    return labels.length > 0 ? identities.byLabels(of, [...new Set(labels)]) : [];
  };
  const [faces, objects] = await Promise.all([found('face'), found('object')]);
  return new Map([...faces, ...objects].map((identity) => [identityKey(identity), identity]));
}
