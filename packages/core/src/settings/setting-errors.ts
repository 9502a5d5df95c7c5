import { DomainError } from '../domain-error.ts';

/** The value is not valid for its setting. The message says which values are valid. */
export class InvalidSetting extends DomainError {
  readonly code = 'invalid_request';
}

/** No setting has this key. */
export class SettingNotFound extends DomainError {
  readonly code = 'not_found';
}
