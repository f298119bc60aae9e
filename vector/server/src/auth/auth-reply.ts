// SPDX-License-Identifier: Apache-2.0
/** The envelope of the authentication endpoints, which differs from that of the others. */
import { ServiceError } from '@sextant/contracts-vector';
import type { AuthReply } from './auth.ts';

export function success(message: string): AuthReply {
  return { status: 200, body: { status: 'success', message } };
}

export function failure(status: number, message: string): AuthReply {
  return { status, body: { status: 'error', message } };
}

export function tooMany(seconds: number): AuthReply {
  const { message, restStatus } = new ServiceError('rate_limited', { seconds });
  return { ...failure(restStatus, message), headers: { 'retry-after': String(seconds) } };
}
