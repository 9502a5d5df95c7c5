import { roundHalfEven } from '../math/round-half-even.ts';
import type { GenderAgeArchitecture } from './gender-age-architecture.ts';

/**
 * The `genderage` networks of insightface, decoded like its `Attribute` class (Python). The output
 * holds the scores of female and male, and the age in centuries.
 */
export const GENDERAGE: GenderAgeArchitecture = {
  defaultSide: 96,
  margin: 1.5,
  read([output]) {
    const [female, male, centuries] = output?.data ?? [];
    if (female === undefined || male === undefined || centuries === undefined) {
      throw new RangeError('A genderage network has an output of 3 values.');
    }
    return { gender: male > female ? 'M' : 'F', age: roundHalfEven(centuries * 100) };
  },
};
