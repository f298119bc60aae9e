// SPDX-License-Identifier: Apache-2.0
/** A service whose memory, files, mappings and processor time are looked at from outside. */
import { readdirSync, readFileSync } from 'node:fs';
import { MALLOC_SETTINGS } from '@sextant/foundation-service';
import type { ChildServer } from '@sextant/foundation-testing';
import { startVectorServer } from '../../vector-server.ts';

/** All collections may have to be opened before the service is ready. */
const START_MS = 3_600_000;

/** As `npm start` and the image start it, with one serving thread. */
export function startMeasured(directory: string, settings: { readonly [name: string]: string } = {}): Promise<ChildServer> {
  const environment = { ...MALLOC_SETTINGS, SERVICE_THREADS: '1', SERVICE_CONNECTIONS_MAX: '16', ...settings };
  return startVectorServer({ directory, environment, startTimeoutMs: START_MS });
}

export async function send({ address }: ChildServer, method: string, path: string, body?: string): Promise<string> {
  const content = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
  const reply = await fetch(address + path, { method, ...content });
  const answer = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${answer}`);
  return answer;
}

/** Memory, open descriptors, and mappings of the address space, of which Linux gives a process 65,530 unless it is told otherwise. */
export function held(of: ChildServer): string {
  const mappings = readFileSync(`/proc/${of.pid}/maps`, 'utf8').split('\n').length - 1;
  return `${megabytes(of)} | ${readdirSync(`/proc/${of.pid}/fd`).length} | ${mappings}`;
}

/** What the process has for itself, and the pages of files that it has mapped. */
export function megabytes({ pid }: ChildServer): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return `${(of('RssAnon') + of('RssShmem')).toFixed(0)} | ${of('RssFile').toFixed(0)}`;
}
