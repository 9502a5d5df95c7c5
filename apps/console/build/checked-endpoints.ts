/** The module `virtual:endpoints` in tests and during development. */
export { checkAnswer } from './check-answer.ts';
export { ENDPOINTS } from './endpoint-table.ts';
