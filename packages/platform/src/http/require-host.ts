import type { RequestHandler } from 'express';
import { HttpError } from './http-errors.ts';

/** The most characters of a host name (RFC 1035, 2.3.4). */
export const LONGEST_HOST_NAME = 253;

/** A name or an IPv4 address, or an IPv6 address in brackets, and a port. */
const HOST = new RegExp(
  `^(?:[\\w.-]{1,${LONGEST_HOST_NAME}}|\\[[\\da-f:.]{2,45}\\])(?::\\d{0,5})?$`,
  'i',
);

/** Refuses requests without a Host header, with several of them (RFC 9112, 3.2), and with one that names no host. */
export const requireHost: RequestHandler = (request, _response, next) => {
  const hosts = request.headersDistinct.host ?? [];
  if (request.httpVersion === '1.1' && hosts.length === 0) {
    throw new HttpError('invalid_request', 'The request has no Host header.');
  }
  if (hosts.length > 1) {
    throw new HttpError('invalid_request', 'The request has more than one Host header.');
  }
  if (hosts.some((host) => !HOST.test(host))) {
    throw new HttpError('invalid_request', 'The Host header is not valid.');
  }
  next();
};
