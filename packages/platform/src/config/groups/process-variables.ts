import { isIP } from 'node:net';
import { z } from 'zod';
import { LOG_LEVELS } from '../../logging/logger.ts';
import { oneOf, variable, wholeNumber } from '../variable.ts';

const isHost = (text: string): boolean => text === 'localhost' || isIP(text) !== 0;
const NO_HOST =
  'has to be localhost or an IP address, such as 0.0.0.0 for all addresses of this machine';

export const PROCESS_VARIABLES = {
  host: variable({
    name: 'SIGHTLINE_HOST',
    description: 'Address to listen on',
    default: '127.0.0.1',
    schema: z.string().refine(isHost, NO_HOST),
  }),
  opsHost: variable({
    name: 'SIGHTLINE_OPS_HOST',
    description:
      'Address of the operations endpoints (/livez, /readyz and /metrics), which require no API key',
    default: null,
    defaultShown: 'SIGHTLINE_HOST',
    schema: z.string().refine(isHost, NO_HOST).nullable(),
  }),
  opsPort: variable({
    name: 'SIGHTLINE_OPS_PORT',
    description: 'Port of the operations endpoints; 0: any free port',
    default: '9464',
    schema: wholeNumber(0, 65_535),
  }),
  logLevel: variable({
    name: 'SIGHTLINE_LOG_LEVEL',
    description: `Lowest level that is logged: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    schema: oneOf(LOG_LEVELS),
  }),
};
