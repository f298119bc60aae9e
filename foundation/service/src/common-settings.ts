// SPDX-License-Identifier: Apache-2.0
/** Settings that mean the same in both services, each under a name of its own. */
import { LOG_LEVELS, type LogLevel } from './log.ts';
import { choice, networks, type Setting, text } from './setting.ts';

export function trustedProxies(name: string): Setting<readonly string[]> {
  const meaning =
    'Addresses and networks of the proxies in front of this service. For their requests, X-Forwarded-For gives the client address, which login limits use';
  return networks({ name, meaning, reloadable: true });
}

export function auditLogFile(name: string): Setting<string | undefined> {
  const meaning =
    'File of the audit log of administrative actions, one JSON object per line. The file is rotated at 64 MB, and nine older files are kept';
  return text({ name, meaning, fallbackText: 'audit.jsonl in the data directory' });
}

export function logLevel(name: string): Setting<LogLevel> {
  return choice({ name, meaning: 'Lowest severity that is logged', fallback: 'info', words: LOG_LEVELS, reloadable: true });
}
