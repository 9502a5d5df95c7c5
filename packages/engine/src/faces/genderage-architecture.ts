import { roundHalfEven } from '../math/round-half-even.ts';
import type { GenderAgeArchitecture } from './gender-age-architecture.ts';

/**
 * The `genderage` nets of insightface, read as its `Attribute` (Python) does. Their one output holds
 * scores of female and male, and the age in centuries.
 */
export const GENDERAGE: GenderAgeArchitecture = {
  usualSide: 96,
  margin: 1.5,
  read([output]) {
    const [female, male, centuries] = output?.data ?? [];
    if (female === undefined || male === undefined || centuries === undefined) {
      throw new RangeError('A genderage net has an output of 3 values.');
    }
    return { gender: male > female ? 'M' : 'F', age: roundHalfEven(centuries * 100) };
  },
};
