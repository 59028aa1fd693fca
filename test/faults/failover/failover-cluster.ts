/**
 * How a primary is lost: killed with every process of its own, or cut off from its standby while it lives
 * and is still called.
 */
export type Loss = 'KILLED' | 'PARTITIONED';

export interface FailoverCluster {
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
  failOver(loss: Loss): Promise<void>;
  addStandby(): Promise<void>;
  stop(): Promise<void>;
}
