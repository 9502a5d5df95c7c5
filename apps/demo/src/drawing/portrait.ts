import { BLURS, bust } from './bust.ts';
import { type Colour, darker } from './colour.ts';
import type { Person, Pose } from './person.ts';
import { element } from './shape.ts';

/** Width and height of a portrait in pixels. */
export const PORTRAIT = { width: 640, height: 720 } as const;

/** A portrait from the front as an SVG document. */
export function portrait(person: Person, backdrop: Colour, pose: Pose = FRONTAL): string {
  const { width, height } = PORTRAIT;
  const shade = element(
    'radialGradient',
    { id: 'backdrop', cx: '40%', cy: '35%', r: '85%' },
    element('stop', { offset: 0, 'stop-color': backdrop }) +
      element('stop', { offset: 1, 'stop-color': darker(backdrop, 0.45) }),
  );
  const figure = bust({ person, pose, id: 'sitter', bottom: 500 });
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    element('defs', {}, BLURS + shade) +
      element('rect', { width, height, fill: 'url(#backdrop)' }) +
      element('g', { transform: `translate(${width / 2} 310) scale(1.4)` }, figure),
  );
}

const FRONTAL: Pose = { yaw: 0, roll: 0, smile: 0.35, light: -0.6 };
