import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import type { Sample } from './verification.ts';

export interface RankOne {
  readonly probes: number;
  /** Probes whose own person is the most similar one. */
  readonly right: number;
}

/**
 * Enrolls some photos of each person and looks for the person of every other photo; each choice of
 * photos that follow one another (the first after the last) is tried. A person is as similar as the
 * closest of their enrolled photos, as with the service's strategy `best_match`; a probe without a
 * face is not recognized.
 *
 * @param samples as many of each person, and more than are enrolled
 * @param enrolled photos of each person
 */
export function measureRankOne(samples: readonly Sample[], enrolled: number): RankOne {
  const people = [...Map.groupBy(samples, ({ person }) => person).values()];
  const photos = people[0]!.length;
  let probes = 0;
  let right = 0;
  for (let first = 0; first < photos; first++) {
    const isEnrolled = (index: number) => (index - first + photos) % photos < enrolled;
    const gallery = people.flatMap((own) => own.filter((_, index) => isEnrolled(index)));
    const others = people.flatMap((own) => own.filter((_, index) => !isEnrolled(index)));
    probes += others.length;
    right += others.filter((probe) => mostSimilar(probe, gallery) === probe.person).length;
  }
  return { probes, right };
}

function mostSimilar({ embedding }: Sample, gallery: readonly Sample[]): string | null {
  let best: { readonly person: string; readonly cosine: number } | null = null;
  if (embedding === null) return null;
  for (const { person, embedding: reference } of gallery) {
    if (reference === null) continue;
    const cosine = cosineSimilarity(embedding, reference);
    if (best === null || cosine > best.cosine) best = { person, cosine };
  }
  return best?.person ?? null;
}
