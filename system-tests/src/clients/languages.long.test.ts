// SPDX-License-Identifier: Apache-2.0
/** The official clients of Go, Java and Rust, and the vector store of Spring AI, unchanged, against a service with all capabilities on. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { missingAfterBuild, runProgram } from '../toolchain.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';
import { languages } from './languages.ts';

const TIMEOUT_MS = 3_600_000;

describe.each(languages)('the client of $name', ({ build, program }) => {
  test('does what an application does with a collection', { timeout: TIMEOUT_MS }, async (context) => {
    const missing = await missingAfterBuild(...build());
    if (missing !== undefined) return context.skip(missing);
    await using data = await temporaryDirectory();
    await using server = await startVectorServer({ directory: data.path, environment: { SERVICE_CAPABILITIES: 'all' } });
    const { hostname, port } = new URL(grpcAddressOf(server));
    const said = await runProgram(...program(hostname, port));
    expect(said).toMatch(/^passed$/m);
    await server.stop();
  });
});
