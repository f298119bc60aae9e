// SPDX-License-Identifier: Apache-2.0
/** Where a log of NATS is, as a URL says it. It may name several servers, which no URL of the standard can. */

const DEFAULT_STREAM = 'sextant';

export type NatsPlace = {
  readonly servers: readonly string[];
  readonly user?: string;
  readonly pass?: string;
  readonly stream: string;
  readonly replicas: number;
};

const URL_FORM = /^nats:\/\/(?:([^:@/]*):([^@/]*)@)?([^@/?]+)(?:\/([A-Za-z0-9_-]+))?(?:\?replicas=([135]))?$/;

/** nats://user:password@host:4222,other:4222/stream?replicas=3; all but the first host may be left out. Undefined for another text. */
export function natsPlaceOf(url: string): NatsPlace | undefined {
  const [, user, pass, hosts, stream = DEFAULT_STREAM, replicas = '1'] = URL_FORM.exec(url) ?? [];
  if (hosts === undefined) return undefined;
  const credentials = user === undefined || pass === undefined ? {} : { user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
  return { servers: hosts.split(','), stream, replicas: Number(replicas), ...credentials };
}
