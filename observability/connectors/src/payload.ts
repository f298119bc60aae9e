// SPDX-License-Identifier: Apache-2.0
/** Reads members of payloads that users write; what is wrong is said with the member's name and what would be right. */
import type { Credential } from '@sextant/contracts-observability';
import { SourceError } from './connector.ts';

export type Payload = { readonly [field: string]: unknown };

/** Longer texts are no path, name or query that a person wrote. */
const TEXT_LENGTH_MAX = 65_536;

export function requiredText(payload: Payload, member: string, example: string, prefix = 'payload'): string {
  const value = optionalText(payload, member, example, prefix);
  if (value === undefined) throw new SourceError(`${prefix}.${member} is missing; expected ${example}`, { member: `${prefix}.${member}` });
  return value;
}

/** The text, or undefined where the member is missing or null; it is never empty. */
export function optionalText(payload: Payload, member: string, example: string, prefix = 'payload'): string | undefined {
  const value = payload[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.trim() === '' || value.includes('\0') || value.length > TEXT_LENGTH_MAX) {
    throw new SourceError(`${prefix}.${member} is not a valid string; expected ${example}`, { member: `${prefix}.${member}` });
  }
  return value;
}

export function optionalFlag(payload: Payload, member: string): boolean | undefined {
  const value = payload[member];
  if (value === undefined || value === null) return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new SourceError(`payload.${member} must be true or false`, { member: `payload.${member}` });
}

export function optionalInteger(payload: Payload, member: string, { min, max }: { readonly min: number; readonly max: number }) {
  const value = payload[member];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw new SourceError(`payload.${member} must be an integer from ${min} to ${max}`, { member: `payload.${member}` });
}

/** An origin or address of HTTP without name, password and query in it. */
export function optionalUrl(payload: Payload, member: string, example: string): URL | undefined {
  const text = optionalText(payload, member, example);
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new SourceError(`payload.${member} is not an http or https address; expected ${example}`, { member: `payload.${member}` });
}

/** The payload of a credential of the type that the connection's kind needs. */
export function credentialOfType(credential: Credential | null, type: string): Payload {
  if (credential === null) throw new SourceError(`credential is missing; expected one of type ${type}`, { member: 'credential' });
  if (credential.type !== type) {
    throw new SourceError(`credential.type is ${credential.type}; this kind of connection needs ${type}`, { member: 'credential.type' });
  }
  return credential.payload;
}

export function noCredential(credential: Credential | null): void {
  if (credential !== null) throw new SourceError('this kind of connection takes no credential', { member: 'credential' });
}
