// SPDX-License-Identifier: Apache-2.0
/** Which names and web pages the service answers, as it is configured. */
import type { AccessRules } from '@sextant/foundation-service/http';
import { publicHosts, type VectorConfiguration } from '../configuration.ts';

type AccessSettings = Pick<
  VectorConfiguration,
  'host' | 'allowedHosts' | 'allowedOrigins' | 'trustedProxies' | 'observabilityUrl' | 'publicUrl'
>;

export function accessRulesOf(settings: AccessSettings): AccessRules {
  const { host, allowedOrigins, trustedProxies, observabilityUrl, publicUrl } = settings;
  return {
    host,
    allowedOrigins,
    trustedProxies,
    allowedHosts: publicHosts(settings),
    consoles: [observabilityUrl, publicUrl],
    pages: ['/', '/docs', '/console'],
  };
}
