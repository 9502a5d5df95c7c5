import { DomainError } from '../domain-error.ts';

/** A value is not one that its setting takes; the message says which it takes. */
export class InvalidSetting extends DomainError {
  readonly code = 'invalid_request';
}

/** No setting has this key. */
export class SettingNotFound extends DomainError {
  readonly code = 'not_found';
}
