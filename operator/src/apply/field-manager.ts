/** Owns the fields that the operator writes. */
export const FIELD_MANAGER = 'sightline-operator';
