import { z } from 'zod';
import { oneOf, variable } from '../variable.ts';

export const OPERATOR_VARIABLES = {
  watchNamespaces: variable({
    name: 'SIGHTLINE_WATCH_NAMESPACES',
    description:
      'Namespaces whose models the operator runs, separated by commas; unset: all namespaces',
    default: null,
    schema: z
      .string()
      .transform((text) => text.split(',').map((name) => name.trim()))
      .refine(
        (names) => names.every((name) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)),
        'has to be the name of a namespace, or several names separated by commas',
      )
      .nullable(),
  }),
  leaseName: variable({
    name: 'SIGHTLINE_LEASE_NAME',
    description:
      "Name of the Lease with which the operator's replicas elect a leader, in the operator's namespace; operators that watch different namespaces need different names",
    default: 'sightline-operator',
    schema: z
      .string()
      .regex(
        /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
        'has to be a valid name of a Kubernetes object',
      ),
  }),
  requireDigests: variable({
    name: 'SIGHTLINE_REQUIRE_DIGESTS',
    description: 'Whether the operator refuses models whose source has no digest',
    default: 'false',
    schema: oneOf(['true', 'false']),
  }),
};
