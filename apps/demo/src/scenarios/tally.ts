/** The result of asking who is on a photo of a known person. */
export type Outcome = 'right' | 'wrong' | 'unknown' | 'no face';

export interface Verdict {
  readonly outcome: Outcome;
  /** The similarity to the most similar person; null without a face. */
  readonly similarity: number | null;
}

interface Face {
  readonly bbox: { readonly w: number; readonly h: number };
  readonly label: string | null;
  readonly similarity: number | null;
}

/** Judges a photo by its largest face; smaller ones are taken for bystanders. */
export function judge(faces: readonly Face[], person: string): Verdict {
  const area = ({ bbox }: Face): number => bbox.w * bbox.h;
  const largest = [...faces].sort((a, b) => area(b) - area(a))[0];
  if (largest === undefined) return { outcome: 'no face', similarity: null };
  const { label, similarity } = largest;
  if (label === null) return { outcome: 'unknown', similarity };
  return { outcome: label === person ? 'right' : 'wrong', similarity };
}

export interface Tally extends Readonly<Record<Outcome, number>> {
  readonly photos: number;
  /** Mean over the photos with a similarity; null if there are none. */
  readonly similarity: number | null;
}

export function tally(verdicts: readonly Verdict[]): Tally {
  const count = (wanted: Outcome): number =>
    verdicts.filter(({ outcome }) => outcome === wanted).length;
  const known = verdicts.flatMap(({ similarity }) => similarity ?? []);
  return {
    photos: verdicts.length,
    right: count('right'),
    wrong: count('wrong'),
    unknown: count('unknown'),
    'no face': count('no face'),
    similarity:
      known.length === 0 ? null : known.reduce((sum, value) => sum + value) / known.length,
  };
}
