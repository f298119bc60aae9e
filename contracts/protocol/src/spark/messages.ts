// SPDX-License-Identifier: Apache-2.0
/**
 * The messages of Spark Connect that a client of SQL needs, by the names and numbers of the protocol of Apache Spark 4.2.0
 * (sql/connect/common/src/main/protobuf/spark/connect in its sources, Apache License 2.0). What is left out is read over, as protocol buffers want it:
 * fields are identified by their numbers. Members of a `oneof` stand as fields, of which one is set.
 */

/** `[number, type]`; a type is a scalar, one of these messages, or a list of either. */
export type FieldRow = readonly [number: number, type: string];

export const messages = {
  UserContext: { user_id: [1, 'string'], user_name: [2, 'string'] },
  KeyValue: { key: [1, 'string'], value: [2, 'string'] },

  Plan: { root: [1, 'Relation'] },
  Relation: { project: [3, 'Project'], sql: [10, 'SQL'] },
  Project: { input: [1, 'Relation'], expressions: [3, 'Expression[]'] },
  Expression: { unresolved_attribute: [2, 'UnresolvedAttribute'], cast: [7, 'Cast'] },
  UnresolvedAttribute: { unparsed_identifier: [1, 'string'] },
  Cast: { expr: [1, 'Expression'], type_str: [3, 'string'] },
  SQL: { query: [1, 'string'] },

  ExecutePlanRequest: {
    session_id: [1, 'string'],
    user_context: [2, 'UserContext'],
    plan: [3, 'Plan'],
    client_type: [4, 'string'],
    request_options: [5, 'RequestOption[]'],
    operation_id: [6, 'string'],
  },
  RequestOption: { reattach_options: [1, 'ReattachOptions'] },
  ReattachOptions: { reattachable: [1, 'bool'] },
  ExecutePlanResponse: {
    arrow_batch: [2, 'ArrowBatch'],
    response_id: [13, 'string'],
    result_complete: [14, 'ResultComplete'],
    execution_progress: [18, 'ExecutionProgress'],
  },
  ArrowBatch: { row_count: [1, 'int64'], data: [2, 'bytes'] },
  ResultComplete: {},
  ExecutionProgress: { stages: [1, 'StageInfo[]'], num_inflight_tasks: [2, 'int64'] },
  StageInfo: {
    stage_id: [1, 'int64'],
    num_tasks: [2, 'int64'],
    num_completed_tasks: [3, 'int64'],
    input_bytes_read: [4, 'int64'],
    done: [5, 'bool'],
  },

  ReattachExecuteRequest: {
    session_id: [1, 'string'],
    user_context: [2, 'UserContext'],
    operation_id: [3, 'string'],
    client_type: [4, 'string'],
    last_response_id: [5, 'string'],
  },
  ReleaseExecuteRequest: {
    session_id: [1, 'string'],
    user_context: [2, 'UserContext'],
    operation_id: [3, 'string'],
    client_type: [4, 'string'],
    release_all: [5, 'ReleaseAll'],
  },
  ReleaseAll: {},
  ReleaseExecuteResponse: { operation_id: [2, 'string'] },

  /** The type of an interrupt is an enumeration: 3 is that of one operation. */
  InterruptRequest: {
    session_id: [1, 'string'],
    user_context: [2, 'UserContext'],
    client_type: [3, 'string'],
    interrupt_type: [4, 'int32'],
    operation_id: [6, 'string'],
  },
  InterruptResponse: { interrupted_ids: [2, 'string[]'] },

  ConfigRequest: {
    session_id: [1, 'string'],
    user_context: [2, 'UserContext'],
    operation: [3, 'Operation'],
    client_type: [4, 'string'],
  },
  Operation: { set: [1, 'Set'] },
  /** Settings that cannot be changed are warned of, where it is silent. */
  Set: { pairs: [1, 'KeyValue[]'], silent: [2, 'bool'] },
  ConfigResponse: { warnings: [3, 'string[]'] },

  ReleaseSessionRequest: { session_id: [1, 'string'], user_context: [2, 'UserContext'], client_type: [3, 'string'] },
  ReleaseSessionResponse: { session_id: [1, 'string'] },
} as const satisfies { readonly [message: string]: { readonly [field: string]: FieldRow } };

/** Messages that the protocol defines inside others, by the name of the outer one. */
export const nestedIn: { readonly [message: string]: string } = {
  UnresolvedAttribute: 'Expression',
  Cast: 'Expression',
  RequestOption: 'ExecutePlanRequest',
  ArrowBatch: 'ExecutePlanResponse',
  ResultComplete: 'ExecutePlanResponse',
  ExecutionProgress: 'ExecutePlanResponse',
  StageInfo: 'ExecutePlanResponse.ExecutionProgress',
  ReleaseAll: 'ReleaseExecuteRequest',
  Operation: 'ConfigRequest',
  Set: 'ConfigRequest',
};
