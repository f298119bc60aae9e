// SPDX-License-Identifier: Apache-2.0
/**
 * A folder of one run of the system tests, for the services that test files share. They end with the process of the test files, which Vitest ends from outside: it
 * has no moment at which it could take away what they leave.
 */
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';

let directory: TemporaryDirectory | undefined;

export async function setup(): Promise<void> {
  directory = await temporaryDirectory();
  process.env.SHARED_DIRECTORY = directory.path;
}

export async function teardown(): Promise<void> {
  await directory?.[Symbol.asyncDispose]();
}
