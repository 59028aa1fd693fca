import { Inject, Injectable } from '@nestjs/common';
import type { PartnerIdentity } from '../../auth/index.js';
import {
  Database,
  ENVIRONMENT,
  type Environment,
  RandomSource,
  ScheduledTask,
  sha256,
  WORKBENCH_PATH,
} from '../../platform/index.js';
import {
  type LinkStatus,
  type OpenWorkbenchSession,
  WorkbenchSessionsRepository,
} from '../store/workbench-sessions.repository.js';

const UPKEEP_EVERY_MS = 600_000;
const MAX_DELETED = 5_000;

interface WorkbenchLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Single-use links, stored as hashes. */
@Injectable()
export class WorkbenchLinks {
  constructor(
    private readonly database: Database,
    private readonly sessions: WorkbenchSessionsRepository,
    private readonly random: RandomSource,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** The only time that the token is in the clear. */
  async issue({ partnerId, keyId }: PartnerIdentity): Promise<WorkbenchLink> {
    const token = this.random.token();
    const link = { linkHash: sha256(token), partnerId, keyId };
    const expiresAt = await this.database.transaction((tx) => this.sessions.insertLink(tx, link));
    return { url: `${this.environment.baseUrl}${WORKBENCH_PATH}/enter/${token}`, expiresAt };
  }

  /** Does not use the link up; null when it is unknown. */
  statusOf(token: string): Promise<LinkStatus | null> {
    return this.sessions.statusOf(sha256(token));
  }

  /**
   * Uses a fresh link once and opens its session.
   * @returns the session's token; null when the link is not fresh
   */
  async use(token: string): Promise<string | null> {
    const session = this.random.token();
    const opened = await this.database.transaction<OpenWorkbenchSession | null>((tx) =>
      this.sessions.open(tx, sha256(token), sha256(session)),
    );
    return opened && session;
  }

  @ScheduledTask('workbench-upkeep', UPKEEP_EVERY_MS)
  async deleteOld(): Promise<void> {
    await this.database.transaction((tx) => this.sessions.deleteOld(tx, MAX_DELETED));
  }
}
