/**
 * How a primary is lost: killed with all its processes, or cut off from its standby while it still runs and gets calls.
 */
export type Loss = 'KILLED' | 'PARTITIONED';

export interface FailoverCluster {
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
  failOver(loss: Loss): Promise<void>;
  addStandby(): Promise<void>;
  stop(): Promise<void>;
}
