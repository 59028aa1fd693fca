/**
 * How a primary is lost: killed with every process of its own, or cut off from its standby while it lives
 * and is still called.
 */
export type Loss = 'KILLED' | 'PARTITIONED';

/** A primary and who takes its place, behind an address that stays. */
export interface FailoverCluster {
  /** Where the primary is, whichever server that is. */
  readonly url: string;
  /** How a replica of the service finds it. */
  readonly variables: Readonly<Record<string, string>>;
  /** The primary is lost, and a standby takes its place. */
  failOver(loss: Loss): Promise<void>;
  /** What was lost is made good: each commit is on a standby, which may take over. */
  addStandby(): Promise<void>;
  stop(): Promise<void>;
}
