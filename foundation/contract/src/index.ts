// SPDX-License-Identifier: Apache-2.0
export { type Descriptions, describeDocument, descriptionFaults } from './describe-document.ts';
export type { EndpointBody, EndpointParams, EndpointQuery, EndpointResult } from './endpoint-types.ts';
export { withExclusiveUnions } from './exclusive-unions.ts';
export { explain, memberPath, type SchemaNode } from './explain.ts';
export {
  answersToAll,
  type DocumentedOperation,
  type DocumentedParameter,
  jsonContent,
  type OpenApiDocument,
  pathParameters,
  pathsOf,
  queryParameters,
  refusalsByStatus,
} from './openapi.ts';
export { createSchemaWriter, type JsonSchema, type SchemaWriter } from './openapi-schemas.ts';
export { queryFlag, queryInteger } from './query-values.ts';
export { count, depthAtMost, eachMaybe, jsonObject, jsonObjectOf, maybe, notYet, oneOf, positive, strict } from './schema.ts';
export type { Static } from './static.ts';
export { type UnknownMember, unknownMembers } from './unknown-members.ts';
export { fits, prepareSchema, type Refusal, refusalOf } from './validate.ts';
