import { oneOf, variable } from '../variable.ts';

export const SETTINGS_VARIABLES = {
  urlFetchPrivate: variable({
    name: 'SIGHTLINE_URL_FETCH_PRIVATE',
    description:
      'on: an image_url may lead into a private network or to this machine; off: to public addresses only. It is the default of the setting system.url_fetch_private',
    default: 'on',
    schema: oneOf(['on', 'off']),
  }),
};
