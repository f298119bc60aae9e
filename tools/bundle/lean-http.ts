// SPDX-License-Identifier: Apache-2.0
/**
 * An `import` of `node:http` reads every name that the module exports, and reading `WebSocket` loads Node's client of the web: 37 ms of processor time in
 * each thread of a service, a sixth of its start. No program of ours uses it, so bundles get the module from the process, which reads no name, and the
 * names that load nothing.
 */
import type { Plugin } from 'rolldown';

const NAMES = /^(?:node:)?http$/;
const LEAN_HTTP = '\0lean-http';

export function leanHttp(): Plugin {
  return {
    name: 'lean-http',
    // Filters are for the bundler, which calls for nothing else what is written in JavaScript.
    resolveId: {
      filter: { id: NAMES },
      // `require` takes the module as it is.
      handler: (_source, _importer, { kind }) => (kind === 'import-statement' ? LEAN_HTTP : null),
    },
    load: {
      filter: { id: /lean-http$/ },
      // An import of another name stops the build.
      handler: () =>
        `const http = process.getBuiltinModule('node:http');\nexport default http;\nexport const { ${plainNames().join(', ')} } = http;\n`,
    },
  };
}

/** The names that are values; reading one of the others runs code of Node.js. */
function plainNames(): readonly string[] {
  const members = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http')));
  return members.flatMap(([name, member]) => ('value' in member ? [name] : [])).toSorted();
}
