import { z } from 'zod';
import { optionalText, variable } from '../variable.ts';

/** What processes read that download models. */
export const DOWNLOADS_VARIABLES = {
  modelCatalog: variable({
    name: 'SIGHTLINE_MODEL_CATALOG',
    description:
      'JSON file with models that the catalog of the product does not name, or names differently; docs/packs.md describes it',
    default: null,
    schema: optionalText(),
  }),
  modelMirror: variable({
    name: 'SIGHTLINE_MODEL_MIRROR',
    description:
      'Server from which models are downloaded instead of from where they are published, for sites without internet: of https://mirror.example.org/x, https://github.com/a/b.zip is at https://mirror.example.org/x/a/b.zip',
    default: null,
    schema: z
      .string()
      .refine(isMirror, 'has to be http:// or https://, a host and maybe a path')
      .nullable(),
  }),
  modelFiles: variable({
    name: 'SIGHTLINE_MODEL_FILES',
    description:
      'Folder from which models may be taken that the catalog names by a path or a file:// address; unset: from none',
    default: null,
    schema: optionalText(),
  }),
};

/** Credentials and a query would show in messages. */
function isMirror(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.search + url.hash + url.username + url.password === '';
}
