// SPDX-License-Identifier: Apache-2.0
/**
 * `Allow` on every path: in the answer to OPTIONS, and in the refusal of a method that the path does not have. Which path was meant is found when such a
 * request comes: a route for each wrong method of each path takes a tenth of the processor time of a start.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type ServedPath = {
  /** With the braces of OpenAPI; no two have the same shape. */
  readonly path: string;
  readonly methods: readonly string[];
  /** In refusals, where more is answered at this address than the methods of the path. */
  readonly allowed?: readonly string[];
};

type WrongMethodOptions = {
  readonly paths: readonly ServedPath[];
  /** From the braces of OpenAPI to the colons of the router. */
  readonly routeOf: (path: string) => string;
  readonly refusal: (details: { readonly method: string; readonly path: string; readonly allowed: string }) => Error;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of the request where it has other methods than this one. */
    wrongMethodOn: string | undefined;
  }
}

/** Runs after every endpoint has its route. Requests are answered before their body is read. */
export function answerWrongMethods(app: FastifyInstance, { paths, routeOf, refusal }: WrongMethodOptions): void {
  const answer = ({ path, methods, allowed = methods }: ServedPath, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    request.wrongMethodOn = path;
    if (request.method === 'OPTIONS')
      return reply
        .code(204)
        .header('allow', listed([...methods, 'OPTIONS']))
        .send();
    throw refusal({ method: request.method, path, allowed: listed(allowed) });
  };
  let patterns: readonly (readonly [RegExp, ServedPath])[] | undefined;
  const servedAt = (url: string): ServedPath | undefined => {
    patterns ??= patternsOf(paths);
    // The root keeps its slash.
    const [path = ''] = url.split(/(?<!^)\/?(?:[?#]|$)/, 1);
    return patterns.find(([pattern]) => pattern.test(decodeURI(path)))?.[1];
  };
  app.decorateRequest('wrongMethodOn');
  app.addHook('onRequest', async (request, reply) => {
    const served = request.is404 ? servedAt(request.url) : undefined;
    return served && answer(served, request, reply);
  });
  for (const [served, taken] of takenByOthers(paths)) {
    const url = routeOf(served.path);
    const method = taken.filter((each) => !app.hasRoute({ method: each, url }));
    const handler = async (request: FastifyRequest, reply: FastifyReply) => answer(served, request, reply);
    if (method.length > 0) app.route({ method, url, onRequest: handler, handler });
  }
}

function listed(methods: readonly string[]): string {
  return methods.toSorted().join(', ');
}

/** Of two that a request fits, the one with the fixed step comes first, then the one with text behind its parameter, as in the router. */
function patternsOf(paths: readonly ServedPath[]): readonly (readonly [RegExp, ServedPath])[] {
  // The braces sort behind the letters, and the closing one behind the other.
  const order = (path: string) => path.replaceAll(/\{\w+\}(?=\/|$)/g, '}');
  return paths.toSorted((a, b) => (order(a.path) < order(b.path) ? -1 : 1)).map((served) => [patternOf(served.path), served]);
}

/** As the router has it, a parameter may be empty unless text is behind it in its step; a slash that is encoded stays so. */
function patternOf(path: string): RegExp {
  const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}(?=([^/]?))/g, (_, next: string) => (next === '' ? '[^/]*' : '[^/%]+?'));
  return new RegExp(`^${pattern}$`);
}

/** Wrong methods of a path that would reach another path, which has a parameter in the place of a fixed step. */
function* takenByOthers(paths: readonly ServedPath[]): Generator<readonly [ServedPath, readonly string[]]> {
  const steps = new Map(paths.map((served) => [served, served.path.split('/')]));
  for (const [served, own] of steps) {
    const { methods, allowed = methods } = served;
    const answered = new Set([...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])]);
    const taken = new Set<string>();
    for (const [other, theirs] of steps) {
      const isWider = theirs.length === own.length && theirs.every((step, at) => step === own[at] || step.includes('{'));
      if (!isWider || other === served) continue;
      for (const method of [...other.methods, ...(other.methods.includes('GET') ? ['HEAD'] : [])])
        if (!answered.has(method)) taken.add(method);
    }
    if (taken.size > 0) yield [served, [...taken]];
  }
}
