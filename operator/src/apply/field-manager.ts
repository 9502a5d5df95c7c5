/** The field manager of all that the operator writes. */
export const FIELD_MANAGER = 'sightline-operator';
