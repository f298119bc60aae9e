export { type Changes, changedJson, jsonWith } from './changed-json.ts';
export { type ChildServer, ChildServerError, type ChildServerOptions, startServer } from './child-server.ts';
export { freePort } from './free-port.ts';
export { type JsonClient, type JsonClientOptions, type JsonReply, type JsonRequestOptions, jsonClient } from './json-client.ts';
export { loadedModules } from './loaded-modules.ts';
export { type TemporaryPostgres, temporaryPostgres } from './postgres.ts';
export { missingPostgres } from './postgres-binaries.ts';
export { chooseSeed, SEED_VARIABLE, withSeed } from './seed.ts';
export { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts';
