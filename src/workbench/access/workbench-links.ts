import { Inject, Injectable } from '@nestjs/common';
import type { PartnerIdentity } from '../../auth/index.js';
import {
  Database,
  ENVIRONMENT,
  type Environment,
  RandomSource,
  sha256,
  WORKBENCH_PATH,
} from '../../platform/index.js';
import {
  type LinkStatus,
  type OpenWorkbenchSession,
  WorkbenchSessionsRepository,
} from '../store/workbench-sessions.repository.js';

export interface WorkbenchLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** The single-use links by which a partner's engineers come to the workbench; stored as hashes. */
@Injectable()
export class WorkbenchLinks {
  constructor(
    private readonly database: Database,
    private readonly sessions: WorkbenchSessionsRepository,
    private readonly random: RandomSource,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Makes a fresh link: the only time that its token is in the clear. */
  async issue({ partnerId, keyId }: PartnerIdentity): Promise<WorkbenchLink> {
    const token = this.random.token();
    const link = { linkHash: sha256(token), partnerId, keyId };
    const expiresAt = await this.database.transaction((tx) => this.sessions.insertLink(tx, link));
    return { url: `${this.environment.baseUrl}${WORKBENCH_PATH}/enter/${token}`, expiresAt };
  }

  /** How a link stands, without using it up; null when it is not one of ours. */
  statusOf(token: string): Promise<LinkStatus | null> {
    return this.sessions.statusOf(sha256(token));
  }

  /**
   * Uses a fresh link up, once among all who try, and opens its session.
   * @returns the session's token; null when the link is not fresh
   */
  async use(token: string): Promise<string | null> {
    const session = this.random.token();
    const opened = await this.database.transaction<OpenWorkbenchSession | null>((tx) =>
      this.sessions.open(tx, sha256(token), sha256(session)),
    );
    return opened && session;
  }
}
