// SPDX-License-Identifier: Apache-2.0
/**
 * The console: files that were built beforehand, compressed beside themselves. What is open in it stands in the fragment of the address, so there is
 * one page and its assets, and no other path is taken from the service.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BuiltFile, type Encoding, readBuiltFiles } from './built-files.ts';

/** Where the console finds the services. In an address, `{host}` stands for the name that the page was asked for by. */
export type ConsoleServices = { readonly vector: string; readonly observability: string };
/** In place of an address: the service that serves the page. */
export const OWN_ORIGIN = 'self';

export type ConsoleOptions = {
  readonly services: ConsoleServices;
  /** What its operator has switched on in the service that serves it, where that is a question. */
  readonly capabilities?: readonly string[];
  /** Paths that answer with the page beside `/console`. */
  readonly pages?: readonly string[];
  /** Where the build has put its files. */
  readonly folder?: URL;
};

const BUILT = new URL('../../../clients/console/dist/', import.meta.url);
const PATH = '/console';
const PAGE = 'index.html';
/** Names of assets hold a hash of what is in them. */
const YEAR_SECONDS = 31_536_000;
/** What the build leaves for the nonce and the addresses; see vite.config.ts and index.html of the console. */
const NONCE_PLACE = '__CSP_NONCE__';
const SERVICES_PLACE = '__SERVICES__';
const HOST_PLACE = '{host}';
/** Anything else in the header of the same name would change the policy, or the page. */
const HOST_NAME = /^[\w.-]+$|^\[[0-9a-fA-F:.]+\]$/;
const NOT_BUILT = 'The console is not built. Run `node tools/bootstrap.mjs` to build it.\n';

export function serveConsole(app: FastifyInstance, { services, capabilities, pages = [], folder = BUILT }: ConsoleOptions): void {
  let files: ReadonlyMap<string, BuiltFile> | undefined;
  // Most threads of most services are never asked for it.
  const fileOf = (path: string) => {
    files ??= readBuiltFiles(folder);
    return files.get(path);
  };
  for (const path of [PATH, ...pages]) app.get(path, (request, reply) => sendPage(fileOf(PAGE), services, request, reply));
  // Beside the published API: the browser would report a request to an endpoint that is off as a fault.
  if (capabilities !== undefined)
    app.get(`${PATH}/capabilities`, (_, reply) => reply.header('cache-control', 'no-cache').send({ capabilities }));
  app.get<{ Params: { '*': string } }>(`${PATH}/assets/*`, (request, reply) =>
    sendAsset(fileOf(`assets/${request.params['*']}`), request, reply),
  );
}

function sendPage(file: BuiltFile | undefined, services: ConsoleServices, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (file === undefined) return reply.code(404).type('text/plain').send(NOT_BUILT);
  const host = HOST_NAME.test(request.hostname) ? request.hostname : 'localhost';
  const addresses = Object.entries(services).map(([name, address]) => [name, address.replace(HOST_PLACE, host)] as const);
  const origins = addresses.map(([, address]) => (address === OWN_ORIGIN ? "'self'" : new URL(address).origin));
  const nonce = randomBytes(16).toString('base64');
  const page = file.bytes
    .toString()
    .replaceAll(NONCE_PLACE, nonce)
    .replace(SERVICES_PLACE, new URLSearchParams(Object.fromEntries(addresses)).toString());
  return reply
    .headers({
      'content-security-policy': policy(nonce, origins),
      'cache-control': 'no-cache',
      // A page that opens this one holds no reference to it.
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .type(file.type)
    .send(page);
}

function sendAsset(file: BuiltFile | undefined, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (file === undefined) return reply.code(404).type('text/plain').send('There is no such file.\n');
  const encoding = encodingFor(file, request.headers['accept-encoding']);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply
    .headers({ 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`, vary: 'accept-encoding' })
    .type(file.type)
    .send(encoding === undefined ? file.bytes : file.encoded.get(encoding));
}

/** The smaller one first. */
function encodingFor(file: BuiltFile, accepted: string | undefined): Encoding | undefined {
  const names = accepted?.split(',').map((each) => each.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => names?.includes(encoding) === true && file.encoded.has(encoding));
}

/** Charts set `style` attributes of their tooltips, which can run nothing; style elements need the nonce. */
function policy(nonce: string, origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self' blob:",
    `connect-src ${origins.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
