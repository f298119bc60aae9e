/** Which pages may have a session in a cookie: those of the service itself, and those of the addresses that the operator names. */
import type { FastifyRequest } from 'fastify';

/** Stands in the address of the vector service for the name that this one was asked by. */
const HOST_PLACE = '{host}';

/** The origin of the page that asks, where it is one of the known ones. Scripts cannot set the headers that it is read from. */
export type KnownOrigin = (request: FastifyRequest) => string | undefined;

export function createKnownOrigin({ addresses }: { readonly addresses: readonly (string | undefined)[] }): KnownOrigin {
  return ({ headers, hostname }) => {
    const { origin } = headers;
    const page = origin === undefined ? null : URL.parse(origin);
    if (origin === undefined || page === null) return undefined;
    // A proxy may have changed the name in `Host`; then the browser says it.
    if (page.host === headers.host || headers['sec-fetch-site'] === 'same-origin') return origin;
    const isNamed = addresses.some(
      (address) => address !== undefined && URL.parse(address.replace(HOST_PLACE, hostname))?.origin === origin,
    );
    return isNamed ? origin : undefined;
  };
}
