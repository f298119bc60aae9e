// SPDX-License-Identifier: Apache-2.0
/** The headers of a call. They are validated here, because an error of the platform would quote a credential. */
import { ConfigurationError, type ServiceName } from '../errors/errors.ts';

/** A token, or a function that returns one for each call. */
export type TokenSource = string | (() => string | Promise<string>);

/** Visible ASCII: what a header may hold without the platform refusing, and quoting, it. */
const VISIBLE = /^[\x21-\x7e]+$/;

export function checkedSecret(secret: string, name: string, service: ServiceName): string {
  if (!VISIBLE.test(secret)) throw new ConfigurationError(`\`${name}\` is empty or holds characters that no header can`, service);
  return secret;
}

/** The origin and path of the service, without a slash at the end. */
export function checkedUrl(url: string, service: ServiceName): string {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new ConfigurationError('`url` is no http or https address', service);
  if (parsed.username !== '' || parsed.password !== '')
    throw new ConfigurationError('`url` holds a user or a password; give the credential as `apiKey` or `token`', service);
  if (parsed.search !== '' || parsed.hash !== '') throw new ConfigurationError('`url` holds a query string or a fragment', service);
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
}
