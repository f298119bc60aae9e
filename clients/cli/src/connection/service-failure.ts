// SPDX-License-Identifier: Apache-2.0
/** What a refusal of a service, or its silence, means for a command: an exit code, and what to do next. */
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  NotReadyError,
  RateLimitError,
  type ServiceName,
  type SextantError,
  TimeoutError,
} from '@sextant/sdk';
import { CommandFailure, type Outcome } from '../failure.ts';
import { VARIABLES } from './settings.ts';

const FLAGS: { readonly [service in ServiceName]: { readonly url: string; readonly key: string; readonly list: string } } = {
  vector: { url: '--url', key: VARIABLES.apiKey.name, list: 'sextant collections list' },
  observability: { url: '--observability-url', key: VARIABLES.observabilityKey.name, list: 'sextant observe assets' },
};

export function serviceFailure(error: SextantError): CommandFailure {
  const { outcome, advice } = meaningOf(error);
  return new CommandFailure(outcome, error.message, { advice, cause: error });
}

/** Codes of OpenSSL and Node.js for certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNTRUSTED = /\((?:UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)\)/;

type Meaning = { readonly outcome: Outcome; readonly advice?: string | undefined };

function meaningOf(error: SextantError): Meaning {
  const { url, list } = FLAGS[error.service];
  if (error instanceof ConnectionError) {
    if (UNTRUSTED.test(error.message)) {
      return {
        outcome: 'unreachable',
        advice:
          'This machine does not trust the certificate of the service. Set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority.',
      };
    }
    return {
      outcome: 'unreachable',
      advice: `Is the service running? \`sextant serve\` starts it on this machine; ${url} sets its address.`,
    };
  }
  if (error instanceof TimeoutError) return { outcome: 'unreachable', advice: 'Pass --timeout with more seconds to wait longer.' };
  if (error instanceof ConfigurationError) return { outcome: 'usage' };
  if (error instanceof NotReadyError || error instanceof RateLimitError)
    return { outcome: 'unreachable', advice: 'Try again in a moment.' };
  if (error instanceof ApiError) return meaningOfStatus(error, list);
  return { outcome: 'failed', advice: `Is ${url} the address of the ${error.service} service?` };
}

function meaningOfStatus({ status, service, code }: ApiError, list: string): Meaning {
  if (status === 401) return { outcome: 'refused', advice: `Set ${FLAGS[service].key} to an API key of the ${service} service.` };
  if (status === 403) return { outcome: 'refused', advice: 'Use a credential with the permission or role that this operation needs.' };
  if (status === 404 && code === 'collection_not_found') return { outcome: 'not_found', advice: `\`${list}\` lists what exists.` };
  if (status === 404) return { outcome: 'not_found' };
  if (status === 501)
    return { outcome: 'rejected', advice: 'The operator of the service can enable the capability with SERVICE_CAPABILITIES.' };
  if ([502, 503, 504].includes(status)) return { outcome: 'unreachable', advice: 'Try again in a moment.' };
  return { outcome: status === 507 || status < 500 ? 'rejected' : 'failed' };
}
