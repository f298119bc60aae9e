// SPDX-License-Identifier: Apache-2.0
/** Clients that openapi-generator makes of the vector service's document, as anybody would: they are built, and do a morning's work. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mavenFile, missingPrograms, pythonEnvironment, runProgram } from '../toolchain.ts';
import { startVectorServer } from '../vector-server.ts';

const FOLDER = join(import.meta.dirname, 'generated-clients');
const GENERATOR = 'org.openapitools:openapi-generator-cli:7.14.0';

const noGenerator = missingPrograms('java', 'mvn');
const noPython = noGenerator ?? missingPrograms('python3');
const noGo = noGenerator ?? missingPrograms('go');
for (const [language, reason] of [
  ['Python', noPython],
  ['Go', noGo],
]) {
  if (reason !== undefined) console.warn(`The generated client for ${language} is skipped: ${reason}`);
}

describe.skipIf(noGenerator !== undefined)('a generated client writes, finds and deletes points', () => {
  let directory: TemporaryDirectory;
  let server: ChildServer;
  let document: string;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startVectorServer({ directory: join(directory.path, 'data') });
    document = join(directory.path, 'openapi.json');
    writeFileSync(document, await (await fetch(`${server.address}/openapi.json`)).text());
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await directory?.[Symbol.asyncDispose]();
  });

  async function generate(language: string, ...options: readonly string[]): Promise<string> {
    const output = join(directory.path, language);
    await runProgram('java', ['-jar', await mavenFile(GENERATOR), 'generate', '-i', document, '-g', language, '-o', output, ...options]);
    return output;
  }

  test.skipIf(noPython !== undefined)('in Python', async () => {
    const client = await generate('python');
    const programs = await pythonEnvironment('generated-client', join(FOLDER, 'requirements.txt'));
    const environment = { PYTHONPATH: client };
    const said = await runProgram(join(programs, 'python'), [join(FOLDER, 'drive.py'), server.address], { environment });
    expect(said).toContain('done');
  });

  test.skipIf(noGo !== undefined)('in Go, with ids of 64 bits', async () => {
    const client = await generate('go', '--type-mappings', 'integer+uint64=uint64', '--global-property', 'apiTests=false,modelTests=false');
    writeFileSync(join(client, 'go.mod'), 'module generated.example/client\n\ngo 1.22\n\nrequire gopkg.in/validator.v2 v2.0.1\n');
    mkdirSync(join(client, 'drive'));
    copyFileSync(join(FOLDER, 'drive.go'), join(client, 'drive', 'main.go'));
    await runProgram('go', ['mod', 'tidy'], { directory: client });
    expect(await runProgram('go', ['run', './drive', server.address], { directory: client })).toContain('done');
  });
});
