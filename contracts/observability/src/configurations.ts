/** What a tenant or an asset can configure: tickets, spark jobs, the DQ score, reporting, notification channels. */

export type TicketTemplate = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'TRACKER';
  readonly props: {
    readonly tracker_project_id: string;
    readonly tracker_issue_type_id: string;
    readonly custom_fields: { readonly [field: string]: unknown };
  };
};

export type SparkJobConfig = {
  readonly spark_properties?: { readonly [property: string]: string };
  readonly cluster_a_config?: {
    readonly master_node_type?: string;
    readonly worker_node_type?: string;
    readonly spark_master_disk_size_in_gb?: number;
    readonly spark_worker_disk_size_in_gb?: number;
    readonly autoscale_policy?: string;
  };
  readonly cluster_b_config?: {
    readonly master_instance_type?: string;
    readonly worker_instance_type?: string;
    readonly worker_instance_option?: 'ON_DEMAND' | 'SPOT';
    readonly min_instance_count?: number;
    readonly max_instance_count?: number;
  };
  readonly cluster_c_config?: {
    readonly spark_version?: string;
    readonly node_type?: string;
    readonly instance_pool_id?: string;
    readonly driver_instance_pool_id?: string;
    readonly policy_id?: string;
    readonly min_instance_count?: number;
    readonly max_instance_count?: number;
  };
};

export type DqScoreConfig = {
  readonly enabled: boolean;
  readonly weights: { readonly completeness: number; readonly accuracy: number; readonly consistency: number; readonly timeliness: number };
};

export type DqReportingConfig = { readonly enabled: boolean; readonly path: string; readonly connection_id: number };

export type NotificationChannel = {
  readonly name: string;
  readonly type: 'EMAIL' | 'SLACK' | 'TEAMS' | 'WEBHOOK';
  readonly addresses: readonly string[];
};

export type BackgroundError = {
  readonly timestamp: string;
  readonly error_class: string;
  readonly message: string;
  readonly exception_type: string;
  readonly stack_trace: string;
};
