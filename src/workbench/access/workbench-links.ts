import { Injectable, Post } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import {
  Database,
  type Environment,
  InjectEnvironment,
  PartnerApi,
  PartnerCall,
  RandomSource,
  ScheduledTask,
  sha256,
  ShownTime,
  ShownUrl,
  WORKBENCH_PATH,
} from '../../platform/index.js';
import {
  type LinkStatus,
  type OpenWorkbenchSession,
  WORKBENCH_LIMITS,
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
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /** Only this response contains the plain token. */
  async issue({ partnerId, keyId }: PartnerIdentity): Promise<WorkbenchLink> {
    const token = this.random.token();
    const link = { linkHash: sha256(token), partnerId, keyId };
    const expiresAt = await this.database.transaction((tx) => this.sessions.insertLink(tx, link));
    return { url: `${this.environment.baseUrl}${WORKBENCH_PATH}/enter/${token}`, expiresAt };
  }

  /** Does not use the link up; null for an unknown one. */
  statusOf(token: string): Promise<LinkStatus | null> {
    return this.sessions.statusOf(sha256(token));
  }

  /** @returns the session's token; null when the link is not fresh */
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

class WorkbenchLinkView {
  @ShownUrl(
    'The single-use link to the workbench. Give it only to your engineer.',
    'https://rinpath.example/workbench/enter/token',
  )
  url: string;

  @ShownTime(`When the link expires, after ${WORKBENCH_LIMITS.linkMinutes} minutes.`)
  expiresAt: string;
}

@PartnerApi('workbench-links')
export class WorkbenchLinksController {
  constructor(private readonly links: WorkbenchLinks) {}

  @PartnerCall({
    operationId: 'createWorkbenchLink',
    summary: 'Open the workbench',
    description:
      'Returns a single-use link to the workbench, the pages for a partner’s engineers. It opens a session of ' +
      `${WORKBENCH_LIMITS.sessionHours} hours with the partner and scopes of the key. Suspending or revoking the key ends the session. No body.`,
    answer: WorkbenchLinkView,
  })
  @Post()
  @Scoped('workbench:open')
  async create(@CurrentPartner() partner: PartnerIdentity): Promise<WorkbenchLinkView> {
    const { url, expiresAt } = await this.links.issue(partner);
    return { url, expiresAt: expiresAt.toISOString() };
  }
}
