import type { Colour } from './colour.ts';
import { element } from './shape.ts';

type Stops = readonly (readonly [offset: number, colour: Colour])[];

/** A gradient from left to right that makes what it fills look round; used as `url(#id)`. */
export function across(id: string, stops: Stops): string {
  return element('linearGradient', { id }, written(stops));
}

/** A gradient from top to bottom. */
export function down(id: string, stops: Stops): string {
  return element('linearGradient', { id, x1: 0, y1: 0, x2: 0, y2: 1 }, written(stops));
}

function written(stops: Stops): string {
  return stops
    .map(([offset, colour]) => element('stop', { offset, 'stop-color': colour }))
    .join('');
}

/** A drawing put somewhere else, larger or smaller. */
export function placed([x, y]: readonly [number, number], scale: number, drawing: string): string {
  return element('g', { transform: `translate(${x} ${y}) scale(${scale})` }, drawing);
}
