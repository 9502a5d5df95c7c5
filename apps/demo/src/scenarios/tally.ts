/** The result of identifying the face in a photo of a known person. */
export type Outcome = 'right' | 'wrong' | 'unknown' | 'no face';

export interface Verdict {
  readonly outcome: Outcome;
  /** The similarity to the most similar person; null if the photo shows no face. */
  readonly similarity: number | null;
}

interface Face {
  readonly bbox: { readonly w: number; readonly h: number };
  readonly label: string | null;
  readonly similarity: number | null;
}

/** Judges a photo by its largest face, because smaller faces are probably bystanders. */
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
  /** The mean similarity; null if no photo has a similarity. */
  readonly similarity: number | null;
}

export function tally(verdicts: readonly Verdict[]): Tally {
  const count = (counted: Outcome): number =>
    verdicts.filter(({ outcome }) => outcome === counted).length;
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
