import { beard, glasses } from './beard-and-glasses.ts';
import { clothes } from './clothes.ts';
import { eyes } from './eyes.ts';
import { face } from './face.ts';
import { backHair, frontHair } from './hair.ts';
import { mouth, nose } from './nose-and-mouth.ts';
import type { Person, Pose } from './person.ts';
import { element } from './shape.ts';
import { seat } from './sitter.ts';

/** The filters that busts use; once per document. */
export const BLURS = [1, 2, 4, 10, 14]
  .map((radius) =>
    element(
      'filter',
      { id: `blur${radius}`, x: '-60%', y: '-60%', width: '220%', height: '220%' },
      element('feGaussianBlur', { stdDeviation: radius === 1 ? 0.8 : radius }),
    ),
  )
  .join('');

export interface Bust {
  readonly person: Person;
  readonly pose: Pose;
  /** Begins the ids of this drawing; different for each in a document. */
  readonly id: string;
  /** How far below the eyes the clothes end. */
  readonly bottom: number;
}

/** Head and trunk as SVG; the middle between the eyes is the origin. */
export function bust({ person, pose, id, bottom }: Bust): string {
  const sitter = seat(person, pose, id);
  // The head leans around the neck.
  const lean = { transform: `rotate(${pose.roll} 0 ${person.face.length + 40})` };
  const head = [face, nose, beard, mouth, eyes, frontHair, glasses].map((draw) => draw(sitter));
  return [
    element('g', lean, backHair(sitter)),
    element('g', lean, head[0]),
    clothes(sitter, bottom),
    // Above the collar; the neck stays under it.
    element('g', lean, head.slice(1).join('')),
  ].join('');
}
