import { z } from 'zod';
import { optionalText, variable } from '../variable.ts';

export const DOWNLOADS_VARIABLES = {
  modelCatalog: variable({
    name: 'SIGHTLINE_MODEL_CATALOG',
    description:
      "JSON file with models that extend or replace those of the product's catalog; docs/packs.md describes it",
    default: null,
    schema: optionalText(),
  }),
  modelMirror: variable({
    name: 'SIGHTLINE_MODEL_MIRROR',
    description:
      'Server from which models are downloaded instead of their published addresses, for sites without internet: with https://mirror.example.org/x, https://github.com/a/b.zip is downloaded from https://mirror.example.org/x/a/b.zip',
    default: null,
    schema: z
      .string()
      .refine(isMirror, 'has to be an http:// or https:// URL with a host and, optionally, a path')
      .nullable(),
  }),
  modelFiles: variable({
    name: 'SIGHTLINE_MODEL_FILES',
    description:
      'Folder from which the service may take models that the catalog names by a path or a file:// address; unset: such models are refused',
    default: null,
    schema: optionalText(),
  }),
};

/** Whether a text is a valid mirror URL. Credentials and a query are refused, because messages would show them. */
function isMirror(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.search + url.hash + url.username + url.password === '';
}
