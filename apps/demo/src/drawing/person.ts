import type { Colour } from './colour.ts';

/**
 * Somebody who can be drawn. Lengths are in units of which the eyes are about 84 apart; the middle
 * between the eyes is the origin, and everything is given for one half where a face has two.
 */
export interface Person {
  readonly name: string;
  readonly skin: Colour;
  readonly face: {
    /** Half widths at the temples, the cheekbones, the angle of the jaw and the chin. */
    readonly temple: number;
    readonly cheek: number;
    readonly jaw: number;
    readonly chin: number;
    /** How far below the eyes the chin ends. */
    readonly length: number;
  };
  readonly eyes: {
    /** From the middle to a pupil. */
    readonly apart: number;
    /** 1 is usual. */
    readonly size: number;
    /** 1 is usual. */
    readonly open: number;
    /** Degrees by which the outer corners are raised. */
    readonly slant: number;
    readonly iris: Colour;
  };
  readonly brows: {
    readonly thick: number;
    readonly arch: number;
    /** How far above the eyes. */
    readonly above: number;
    readonly colour: Colour;
  };
  readonly nose: { readonly length: number; readonly width: number; readonly bridge: number };
  readonly mouth: {
    readonly width: number;
    readonly upper: number;
    readonly lower: number;
    /** How far below the eyes. */
    readonly below: number;
    readonly colour: Colour;
  };
  readonly hair: { readonly style: HairStyle; readonly colour: Colour };
  readonly beard?: 'full' | 'moustache';
  /** Round ones. */
  readonly glasses?: true;
  /** Lines of age, 0..1. */
  readonly lines: number;
  readonly clothes: { readonly cut: 'crew' | 'shirt' | 'roll' | 'v'; readonly colour: Colour };
}

export type HairStyle = 'cropped' | 'long' | 'bob' | 'curly' | 'sides';

/** How somebody holds the head, looks and is lit. */
export interface Pose {
  /** Degrees to the viewer's right; up to 15 looks natural. */
  readonly yaw: number;
  /** Degrees clockwise. */
  readonly roll: number;
  /** 0 to 1; from 0.5 on it shows teeth. */
  readonly smile: number;
  /** From where the light comes: -1 the viewer's left, 1 the right. */
  readonly light: number;
}
